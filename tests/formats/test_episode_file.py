"""Episodes go to a file and come back to the last bit; anything else in a file is refused with an explanation."""

import json
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recorded import recorded
from walkon.agents.memory import Unexplained
from walkon.errors import InputError
from walkon.formats.episode_file import LARGEST_FILE, read_episode, write_episode

OPTIONS = {"size": 3, "tasks": 2}
IN_ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def recording():
    return recorded("night-pursuit", "atpo", OPTIONS, task=1, seed=3)[0]


@pytest.fixture(scope="module")
def original(recording):
    return json.dumps(recording.document()).encode()


def same(one, other):
    for field in fields(one.episode):
        ours, theirs = getattr(one.episode, field.name), getattr(other.episode, field.name)
        if isinstance(ours, np.ndarray):
            assert ours.dtype == theirs.dtype, field.name
            assert ours.shape == theirs.shape, field.name
            assert ours.tobytes() == theirs.tobytes(), field.name
        elif field.name == "played":
            assert ours.hash == theirs.hash
        else:
            assert ours == theirs, field.name
    assert one.choices.tobytes() == other.choices.tobytes()
    assert one.trial == other.trial
    assert one.library.hash == other.library.hash


CASES = {
    "atpo at night": ("night-pursuit", "atpo", OPTIONS, {"task": 1, "seed": 3}),
    "told, and sees the state": ("pursuit", "value-iteration", {"size": 3, "capture": "adjacent"}, {"task": 2}),
    "senses nothing": ("night-pursuit", "random", {"size": 3, "noise": 0.1, "teammates": 2, "tasks": 1}, {}),
    "soups": ("overcooked", "assistant", {"role": "cook", "tremble": 0.1}, {"task": 1, "seed": 2**70}),
    "placements": ("night-pursuit", "random", {"size": 3, "tasks": [[[0, 0], [2, 2]], [[1, 1], [1, 2]]]}, {}),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_written_is_read_back_to_the_last_bit(case, tmp_path):
    world, agent, options, how = CASES[case]
    recording, _ = recorded(world, agent, options, **how)
    write_episode(recording, tmp_path / "episode.json")
    same(recording, read_episode(tmp_path / "episode.json"))


def test_events_and_missing_decision_times_are_kept(recording, tmp_path):
    T = len(recording.episode.actions)
    events = (Unexplained(0, -1, 3), Unexplained(T - 1, 2, None))
    told = replace(recording.episode, events=events, decision_times=np.full(T, np.nan))
    changed = replace(recording, episode=told)
    write_episode(changed, tmp_path / "episode.json")
    same(changed, read_episode(tmp_path / "episode.json"))


def test_an_old_file_stays_if_the_new_one_cannot_be_written(recording, tmp_path, monkeypatch):
    write_episode(recording, tmp_path / "episode.json")
    before = (tmp_path / "episode.json").read_bytes()
    monkeypatch.setattr("walkon.formats.episode_file.LARGEST_FILE", 100)
    with pytest.raises(InputError, match="more than 100"):
        write_episode(recording, tmp_path / "episode.json")
    assert (tmp_path / "episode.json").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["episode.json"]


def changed(**changes):
    return lambda document: document | changes


def without(name):
    return lambda document: {field: value for field, value in document.items() if field != name}


def at(name, *place, to):
    """The document with one entry of a column changed."""

    def change(document):
        column = json.loads(json.dumps(document[name]))
        inner = column
        for index in place[:-1]:
            inner = inner[index]
        inner[place[-1]] = to
        return document | {name: column}

    return change


BAD = {
    "foreign": (lambda document: {"hello": 1}, '"format": "walkon episode"'),
    "a list": (lambda document: [document], '"format": "walkon episode"'),
    "newer": (changed(version=3), "version is not 2"),
    "another tally": (changed(tally={"soups": [1]}), "tally is {'soups': [1]}, but its states and actions say {}"),
    "no field": (without("observations"), 'no field "observations"'),
    "no world": (changed(world="moon"), "world is 'moon'"),
    "a world that is no word": (changed(world=["pursuit"]), "world is ['pursuit']"),
    "no such option": (changed(options={"name": 1}), "options is {'name': 1}"),
    "a bad option": (changed(options={"size": 99}), "size is 99"),
    "a very large option": (changed(options={"size": 3, "noise": 10**400}), "expected a number from 0 to 1"),
    "endless options": (changed(options={"tasks": [0] * 3000}), "more than 4,096 characters"),
    "no such task": (changed(task=2), "task is 2, expected a whole number from 0 to 1"),
    "a task that is true": (changed(task=True), "task is True"),
    "another task": (changed(task=0), "is not the task that was recorded"),
    "another world": (changed(options={"size": 3, "tasks": 2, "noise": 0.2}), "is not the task that was recorded"),
    "no agent": (changed(agent="\x1b[2J"), r"there is no agent '\x1b[2J'"),
    "a negative seed": (changed(seed=-1), "seed is -1"),
    "an endless horizon": (changed(horizon=10**9), "horizon is 1000000000"),
    "too many steps": (changed(horizon=1), "actions has"),
    "no steps": (changed(actions=[]), "actions has 0 entries"),
    "no column": (changed(states="0123"), "states is '0123'"),
    "a short column": (lambda document: document | {"rewards": document["rewards"][1:]}, "rewards has"),
    "no such state": (at("states", 0, to=81), "states[0] is 81, expected a whole number from 0 to 80"),
    "no such action": (at("actions", 1, to=-1), "actions[1] is -1"),
    "no whole number": (at("observations", 1, to=1.5), "observations[1] is 1.5"),
    "no number": (at("rewards", 0, to="1"), "rewards[0] is '1'"),
    "not a number": (at("rewards", 0, to=float("nan")), "rewards[0] is nan"),
    "endless": (at("rewards", 0, to=float("inf")), "rewards[0] is inf"),
    "too large a number": (at("rewards", 0, to=10**400), "rewards[0] is 1000"),
    "time runs backwards": (at("decision_times", 0, to=-1e-6), "decision_times[0] is -1e-06"),
    "a short belief": (at("task_beliefs", 0, to=[1.0]), "task_beliefs[0] is [1.0], expected 2 probabilities"),
    "no distribution": (at("task_beliefs", 0, to=[0.5, 0.6]), "task_beliefs[0] sums to 1.1"),
    "a negative probability": (at("choices", 0, 1, to=-0.5), "choices[0][1] is -0.5"),
    "no belief": (changed(task_beliefs=None), "task_beliefs is null, but atpo has one"),
    "a belief too many": (changed(agent="random"), "task_beliefs is given, but random has none"),
    "solved too early": (changed(solved_at=0), "solved_at is 0, but its states say"),
    "no event": (changed(events=[[1, 2]]), "events[0] is [1, 2]"),
    "no such evidence": (changed(evidence=["hearsay"]), "evidence is ['hearsay']"),
    "an event out of range": (changed(events=[[0, 5, None]]), "events[0][1] is 5"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_refused_by_name_and_in_words(case, original, tmp_path):
    change, message = BAD[case]
    (tmp_path / "bad.json").write_text(json.dumps(change(json.loads(original))))
    with pytest.raises(InputError) as refused:
        read_episode(tmp_path / "bad.json")
    assert "bad.json" in str(refused.value)
    assert message in str(refused.value)


RAW = {
    "empty": (b"", "not JSON"),
    "no UTF-8": (b'{"format": "\xff"}', "not JSON in UTF-8"),
    "deep": (b"[" * 100_000, "not JSON"),
    "endless digits": (b"1" * 10_000, "not JSON"),
    "too large": (b" " * (LARGEST_FILE + 1), "more than 16,777,216 bytes"),
}


@pytest.mark.parametrize("case", RAW)
def test_bytes_that_are_no_episode_are_refused(case, tmp_path):
    data, message = RAW[case]
    (tmp_path / "bad.json").write_bytes(data)
    with pytest.raises(InputError, match=message):
        read_episode(tmp_path / "bad.json")
    with pytest.raises(InputError, match="is a folder"):
        read_episode(tmp_path)


def test_a_file_that_breaks_off_anywhere_is_refused(original, tmp_path):
    for end in range(0, len(original), 7):
        (tmp_path / "cut.json").write_bytes(original[:end])
        with pytest.raises(InputError, match=r"cut\.json"):
            read_episode(tmp_path / "cut.json")


def read_or_refused(data, folder):
    """Read a file; if it is an episode, it holds what the file says."""
    (folder / "any.json").write_bytes(data)
    try:
        recording = read_episode(folder / "any.json")
    except InputError:
        return
    document = json.loads(data)
    assert recording.document() == {name: document[name] for name in recording.document()}


@IN_ONE_FOLDER
@given(data=st.binary(max_size=200))
def test_random_bytes_give_nothing_but_input_errors(data, tmp_path):
    read_or_refused(data, tmp_path)


SCRAPS = [b"", b"0", b"-1", b"1e999", b"NaN", b"null", b"[", b"]", b"{}", b",", b'"', b"true", b"\\u0000", b"9" * 30]


@IN_ONE_FOLDER
@given(data=st.data())
def test_a_mutated_file_gives_an_episode_or_an_input_error(data, original, tmp_path):
    text = original
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text)))
        scrap = data.draw(st.one_of(st.sampled_from(SCRAPS), st.binary(max_size=3)))
        text = text[:place] + scrap + text[place + data.draw(st.integers(0, 8)) :]
    read_or_refused(text, tmp_path)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just(10**400)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)


@IN_ONE_FOLDER
@given(data=st.data())
def test_any_value_in_any_field_gives_an_episode_or_an_input_error(data, original, tmp_path):
    document = json.loads(original)
    name = data.draw(st.sampled_from(sorted(document)))
    value, new = document[name], data.draw(JSON)
    if isinstance(value, list) and value and data.draw(st.booleans()):
        value[data.draw(st.integers(0, len(value) - 1))] = new
    elif isinstance(value, dict) and data.draw(st.booleans()):
        value[data.draw(st.sampled_from(["size", "noise", "tasks", "teammates", "seed", "tremble"]))] = new
    else:
        document[name] = new
    read_or_refused(json.dumps(document).encode(), tmp_path)
