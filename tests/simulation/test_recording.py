"""An episode of any library is written, read again and shown, in Python and on the command line."""

import json
from pathlib import Path

import numpy as np
import pytest

import walkon
from command_line import run_here
from random_libraries import quick_agent
from walkon import InputError

CORRIDOR = Path(__file__).parents[2] / "examples" / "corridor.py"


@pytest.fixture(scope="module")
def library():
    return walkon.read_library(CORRIDOR)


@pytest.mark.parametrize("name", ["atpo", "bayes", "perseus", "random"])
def test_an_episode_of_ones_own_task_is_read_as_it_was_written(name, library, tmp_path):
    agent = quick_agent(name, library, **({"target": 1} if name == "perseus" else {}))
    memories = []
    episode = walkon.play(library[1], agent, seed=5, watch=memories.append)
    walkon.write_episode(walkon.record(episode, agent, library, 1), tmp_path / "episode.json")
    read = walkon.read_episode(tmp_path / "episode.json", library)
    for column in ("states", "actions", "teammate_actions", "observations", "rewards", "decision_times"):
        assert np.array_equal(getattr(read.episode, column), getattr(episode, column)), column
    assert np.array_equal(read.choices, [agent.act(memory) for memory in memories])
    assert read.task == 1


def test_a_world_that_is_named_is_made_again_by_the_reader(tmp_path):
    library = walkon.make("night-pursuit", size=3, tasks=2)
    agent = quick_agent("atpo", library)
    episode = walkon.play(library[0], agent, seed=1)
    recording = walkon.record(episode, agent, library, world="night-pursuit", size=3, tasks=2)
    walkon.write_episode(recording, tmp_path / "episode.json")
    assert walkon.read_episode(tmp_path / "episode.json").library.names == library.names


def test_an_episode_without_its_library_says_what_is_needed(library, tmp_path):
    agent = quick_agent("atpo", library)
    episode = walkon.play(library[0], agent)
    with pytest.raises(InputError, match=r"walkon.record\(episode, agent, library, task\)"):
        walkon.write_episode(episode, tmp_path / "episode.json")
    walkon.write_episode(walkon.record(episode, agent, library), tmp_path / "episode.json")
    with pytest.raises(InputError, match=r"give that library too"):
        walkon.read_episode(tmp_path / "episode.json")
    with pytest.raises(InputError, match="give that library too"):
        walkon.read_episode(tmp_path / "episode.json", walkon.make("night-pursuit", size=3))


def test_a_wrong_task_or_agent_is_refused(library):
    agent, other = quick_agent("atpo", library), quick_agent("atpo-greedy", library)
    episode = walkon.play(library[0], agent)
    with pytest.raises(InputError, match="the episode is of task"):
        walkon.record(episode, agent, library, 1)
    with pytest.raises(InputError, match="task is 2, expected a whole number from 0 to 1"):
        walkon.record(episode, agent, library, 2)
    with pytest.raises(InputError, match="played by atpo, not by atpo-greedy"):
        walkon.record(episode, other, library)


def test_the_command_line_saves_and_shows_ones_own_task_and_says_why(tmp_path):
    saved = tmp_path / "episode.json"
    words = ["play", CORRIDOR, "--agent", "atpo", "--backups", 50, "--save", saved, "--why"]
    played = run_here(*words)
    assert played.returncode == 0, played.stderr
    steps = len(json.loads(saved.read_text())["actions"])
    assert played.stdout.count("which atpo chose with") == steps
    again = run_here("play", saved, "--library", CORRIDOR)
    assert again.returncode == 0, again.stderr
    lines = [line for line in played.stdout.splitlines() if not line.startswith(" " * 6)]
    assert again.stdout.splitlines()[1:] == lines[1:-1]  # all but the title, and where it was written to
    assert "leave --why out" in run_here("play", saved, "--library", CORRIDOR, "--why").stderr
    assert "--library is for an episode" in run_here("play", "pursuit", "--library", CORRIDOR).stderr
