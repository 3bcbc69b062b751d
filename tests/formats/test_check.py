import json
from dataclasses import asdict

import pytest

from walkon.domains.classics import tiger
from walkon.errors import InputError
from walkon.formats.cassandra.writer import write_pomdp
from walkon.formats.check import check

# State d is never reached, c is never left; z is never made, y only from d. Waiting is going by another name.
DOUBTFUL = """
discount: 0.9
values: reward
states: a b c d
actions: go wait back
observations: w x y z
start: a
T: go : a : b 1
T: go : b : c 1
T: go : c : c 1
T: go : d : d 0.5
T: go : d : a 0.5
T: wait : a : b 1
T: wait : b : c 1
T: wait : c : c 1
T: wait : d : d 0.5
T: wait : d : a 0.5
T: back identity
T: back : b
1 0 0 0
O: * : * : w 0.5
O: * : * : x 0.5
O: * : d
0 0 1 0
R: * : * : * : * -1
"""


@pytest.fixture
def checked(tmp_path):
    def checked(text, name="model.pomdp"):
        (tmp_path / name).write_text(text)
        return check(tmp_path / name)

    return checked


def test_a_sound_file_has_its_sizes_and_no_doubts(tmp_path):
    write_pomdp(tiger(), tmp_path / "tiger.pomdp")
    report = check(tmp_path / "tiger.pomdp")
    assert report.mistake is None
    assert report.doubts == ()
    assert asdict(report)["content"] == {
        "kind": "POMDP",
        "states": 2,
        "actions": 3,
        "observations": 2,
        "discount": 0.95,
        "transitions": 10,
        "sensor_entries": 12,
        "least_reward": -100.0,
        "largest_reward": 10.0,
    }


def test_every_doubt_is_reported_once_with_examples(checked):
    doubts = {doubt.kind: doubt for doubt in checked(DOUBTFUL).doubts}
    assert {kind: doubt.examples for kind, doubt in doubts.items()} == {
        "unreached states": ("d",),
        "unmade observations": ("y", "z"),
        "equal actions": ("wait",),
        "constant reward": ("-1",),
        "absorbing states": ("c",),
    }
    assert doubts["unreached states"].message == "never reached from the start: 1 of 4 states (d)"
    assert doubts["unmade observations"].count == 2


def test_examples_are_few(checked):
    text = "discount: 0.9\nvalues: reward\nstates: 9\nactions: 1\nstart: 0\nT: 0 identity\nR: 0 : 0 : * 1\n"
    report = checked(text, "chain.mdp")
    assert [doubt.message for doubt in report.doubts] == [
        "never reached from the start: 8 of 9 states (1, 2, 3, 4, 5, ...)",
        "never left: 9 of 9 states (0, 1, 2, 3, 4, ...)",
    ]
    assert report.content is not None
    assert report.content.kind == "MDP"
    assert report.content.observations is None


def test_a_long_chain_is_walked_to_its_end(checked):
    chain = "".join(f"T: 0 : {x} : {x + 1} 1\n" for x in range(2999))
    text = (
        f"discount: 0.9\nvalues: reward\nstates: 3000\nactions: 1\nstart: 0\n{chain}T: 0 : 2999 : 0 1\nR: 0 : 7 : * 1\n"
    )
    assert checked(text, "chain.mdp").doubts == ()


def test_a_mistake_is_in_the_report_with_its_place(checked):
    report = checked("discount: 0.9\nvalues: rewards\nstates: 2\nactions: 1\n")
    assert report.content is None
    assert report.mistake is not None
    assert (report.mistake.line, report.mistake.column) == (2, 9)
    assert 'expected "reward" or "cost", found "rewards"' in report.mistake.message


def test_a_model_that_does_not_add_up_is_a_mistake_without_a_place(checked):
    report = checked("discount: 0.9\nvalues: reward\nstates: 2\nactions: 1\nT: 0 : 0 : 0 1\n", "model.mdp")
    assert report.mistake is not None
    assert report.mistake.line is None
    assert "P[0] row 1 sums to 0, not 1" in report.mistake.message


def test_a_report_is_json(checked):
    report = checked(DOUBTFUL)
    assert json.loads(json.dumps(asdict(report)))["doubts"][0]["examples"] == ["d"]


def test_other_files_are_not_checked(tmp_path):
    with pytest.raises(
        InputError, match=r"model\.txt is not a file that can be checked: expected \.pomdp, \.pomdpx, \.mdp, "
    ):
        check(tmp_path / "model.txt")
