"""Lines of other programs' preambles are skipped on request, and each is named."""

import pytest

from walkon.formats.cassandra.reader import read_mdp, read_pomdp, read_with_notes
from walkon.formats.files import FormatError, FormatWarning

FOREIGN = """# a dialect
discount: 0.9
values: reward
states: left right
actions: go
costs: 1 1
observations: 2
atom 0: left
E: right
goals:
  left
  right
start: left
T: go identity
O: go uniform
R: go : * : * : * 1
"""
PLAIN = "".join(line for i, line in enumerate(FOREIGN.splitlines(keepends=True)) if i not in (5, 7, 8, 9, 10, 11))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.pomdp"


def test_unknown_lines_are_refused_with_the_remedy(path):
    path.write_text(FOREIGN)
    with pytest.raises(FormatError, match=r'line 6, column 1: .*found "costs": --skip-unknown.* skip_unknown=True'):
        read_pomdp(path)


def test_unknown_lines_are_skipped_on_request_and_each_is_named(path):
    path.write_text(PLAIN)
    plain = read_pomdp(path, skip_unknown=True)
    path.write_text(FOREIGN)
    with pytest.warns(FormatWarning) as caught:
        model = read_pomdp(path, skip_unknown=True)
    said = 'skipped line 6 ("costs:"), line 8 ("atom 0:"), line 9 ("E:"), lines 10 to 12 ("goals:")'
    assert [str(each.message) for each in caught] == [f"{path}: {said}"]
    assert caught[0].filename == __file__
    assert model.hash == plain.hash
    assert model.states == plain.states


def test_a_mistake_after_a_skipped_line_keeps_its_place(path):
    path.write_text(FOREIGN.replace("start: left", "start: up"))
    with pytest.raises(FormatError, match=r'line 13, column 8: .*found "up"'):
        read_pomdp(path, skip_unknown=True)


def test_names_on_lines_of_their_own_are_not_skipped(path):
    path.write_text(PLAIN.replace("states: left right\n", "states:\nleft\nright\n"))
    assert read_with_notes(path, skip_unknown=True).notes == ()


def test_unknown_statements_are_never_skipped(path):
    path.write_text(FOREIGN + "OO: go : left 0.5 0.5\n")
    with pytest.raises(FormatError, match=r'line 17, column 1: .*found "OO"'):
        read_pomdp(path, skip_unknown=True)


def test_a_dialect_needs_no_discount_and_no_sign_of_its_values(path):
    path.write_text(PLAIN.replace("discount: 0.9\n", "").replace("values: reward\n", ""))
    with pytest.raises(FormatError, match='"discount:" and "values:"'):
        read_pomdp(path)
    model, notes = read_with_notes(path, skip_unknown=True)
    assert model.discount == 1
    assert notes == (f"{path}: no discount (1 is taken) and no values (reward is taken)",)


def test_an_mdp_may_be_of_a_dialect_too(path):
    path.write_text("discount: 0.9\nvalues: cost\nhorizon: 5\nstates: 1\nactions: 1\nT: 0 uniform\nR: 0 : 0 : 0 2\n")
    with pytest.warns(FormatWarning, match='skipped line 3 \\("horizon:"\\)'):
        assert read_mdp(path, skip_unknown=True).R == [[-2]]
