"""Episodes of tasks without tables as files: names, and the rules say what they name."""

import json

import pytest

import walkon
from untabled_worlds import Doors, Lamp, Walk
from walkon import InputError
from walkon.formats.episode_file import recording_of

LAMPS = walkon.define([Lamp("on"), Lamp("off")], tables=False)
WALKS = walkon.define([Walk(4), Walk(-4)], tables=False)


def recorded(library, agent):
    episode = walkon.play(library[1], agent, seed=3, stop=True)
    return walkon.record(episode, agent, library, 1)


@pytest.mark.parametrize("library", [LAMPS, WALKS, walkon.define([Doors(30, 0), Doors(30, 1)], tables=False)])
def test_an_episode_is_read_back_with_its_values(library, tmp_path):
    recording = recorded(library, walkon.agent("search", library, simulations=5, particles=20))
    walkon.write_episode(recording, tmp_path / "episode.json")
    again = walkon.read_episode(tmp_path / "episode.json", library)
    for column in ("states", "actions", "teammate_actions", "observations", "rewards", "task_beliefs"):
        assert getattr(again.episode, column).tolist() == getattr(recording.episode, column).tolist()
    assert again.episode.solved_at == recording.episode.solved_at
    assert again.choices.tolist() == recording.choices.tolist()
    assert again.document() == recording.document()


def test_an_episode_of_a_world_needs_no_library(tmp_path):
    options = {"size": 12, "tasks": 2, "tables": False}
    library = walkon.make("night-pursuit", **options)
    agent = walkon.agent("search", library, seconds=0.001)
    episode = walkon.play(library[0], agent, horizon=4)
    walkon.write_episode(walkon.record(episode, agent, library, world="night-pursuit", **options), tmp_path / "e.json")
    again = walkon.read_episode(tmp_path / "e.json")
    assert again.episode.states.tolist() == episode.states.tolist()
    assert again.choices[:-1].argmax(axis=1).tolist() == episode.actions.tolist()


@pytest.mark.filterwarnings("ignore::walkon.UnexplainedWarning")
def test_observations_that_nothing_explains_are_kept(tmp_path):
    class Blue(Lamp):
        def sensor(self, a, y):
            return ("blue", 0)

    agent = walkon.agent("search", LAMPS, simulations=2)
    library = walkon.define([Blue("on"), Blue("off")], tables=False)
    recording = recorded(library, agent)
    assert len(recording.episode.events) == 12
    walkon.write_episode(recording, tmp_path / "e.json")
    assert walkon.read_episode(tmp_path / "e.json", library).episode.events == recording.episode.events


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 4}, r"states\[\d+\] is '-?\d+', but its rules, seed and actions give"),
        ({"observations": ["1"]}, r"observations has 1 entries"),
        ({"states": 7}, r"states is 7, expected a list"),
        ({"task_hash": "0"}, "it was played in a library of the user's own: give that library too"),
        ({"actions": [0, 9]}, r"actions\[1\] is 9"),
        ({"events": [[0, 0, "away"]]}, r"events\[0\]\[2\] is 'away', but then -?\d+ was observed"),
    ],
)
def test_a_file_that_was_changed_is_refused(tmp_path, change, said):
    document = recorded(WALKS, walkon.agent("atpo", WALKS)).document()
    (tmp_path / "e.json").write_text(json.dumps(document | change))
    with pytest.raises(InputError, match=said):
        walkon.read_episode(tmp_path / "e.json", WALKS)


def test_other_teammates_may_have_played(tmp_path):
    agent = walkon.agent("atpo", LAMPS)
    episode = walkon.play(LAMPS[0], agent, teammates=lambda x: "press")
    walkon.write_episode(walkon.record(episode, agent, LAMPS), tmp_path / "e.json")
    again = walkon.read_episode(tmp_path / "e.json", LAMPS).episode
    assert again.states.tolist() == episode.states.tolist()
    assert again.teammate_actions.tolist() == ["press"] * 12


def test_other_rules_are_refused():
    recording = recorded(LAMPS, walkon.agent("atpo", LAMPS))
    other = walkon.define([Lamp("on", 0.2), Lamp("off", 0.2)], tables=False)
    with pytest.raises(InputError, match="a library of the user's own"):
        recording_of(recording.document(), [other])
    assert recording_of(recording.document(), [other, LAMPS]).task == 1
    with pytest.raises(InputError, match="teammate_actions has 'sing', expected names of their actions, such as wait"):
        recording_of(recording.document() | {"teammate_actions": ["sing"] * 12}, [LAMPS])
