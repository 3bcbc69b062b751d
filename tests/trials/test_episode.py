"""An episode, a memory and an agent show themselves in a line, and in a notebook; names come out as they go in."""

import base64
import pickle
import re
from xml.etree import ElementTree

import numpy as np
import pytest

import walkon
from random_libraries import quick_agent, random_library
from walkon.agents.registry import AGENTS

NIGHT = walkon.make("night-pursuit", size=3, tasks=2)
EPISODE = walkon.play(NIGHT[1], quick_agent("atpo", NIGHT), seed=4, horizon=6)


def test_an_episode_says_how_it_ended_in_one_line():
    cooked = walkon.play(KITCHEN[0], walkon.agent("random", KITCHEN), horizon=5)
    assert re.fullmatch(r"Episode\(random in .*, seed 0: 5 steps, 0 soups, return -?[\d.]+\)", repr(cooked))
    best = walkon.agent("value-iteration", NIGHT, task=0)
    solved = walkon.play(NIGHT[0], best, seed=1)
    assert f": solved after {solved.steps} steps, return {solved.ret:.4g})" in repr(solved)
    assert "soups" not in repr(solved)
    unsolved = walkon.play(NIGHT[0], walkon.player(lambda history: "Stay", NIGHT), horizon=3)
    assert ": not solved in 3 steps, return " in repr(unsolved)


def test_the_steps_come_out_with_names():
    steps = EPISODE.steps_as_names()
    assert [NIGHT.actions.index(step["action"]) for step in steps] == EPISODE.actions.tolist()
    assert [NIGHT.observations.index(step["observation"]) for step in steps] == EPISODE.observations.tolist()
    assert [NIGHT[1].states.index(step["state"]) for step in steps] == EPISODE.states[:-1].tolist()
    assert [step["next_state"] for step in steps[:-1]] == [step["state"] for step in steps[1:]]
    assert [step["reward"] for step in steps] == EPISODE.rewards.tolist()
    names = NIGHT[1].mmdp.teammate_actions
    assert [names.index(step["teammates"]) for step in steps] == EPISODE.teammate_actions.tolist()
    assert EPISODE.task_names == NIGHT.names


def test_an_episode_goes_to_another_process_without_its_task():
    class Local:
        start, actions = 0, ("a", "b")

        def teammates(self, x):
            return "a"

        def moves(self, x, a, b):
            return 1 - x

    library = walkon.define(Local())
    episode = walkon.play(library[0], quick_agent("random", library), horizon=3)
    again = pickle.loads(pickle.dumps(episode))
    assert again.states.tolist() == episode.states.tolist()
    assert again.played is None
    assert [step["action"] for step in again.steps_as_names()] == episode.actions.tolist()
    assert "return" in repr(again)
    assert "<table" in again._repr_html_()


KITCHEN = walkon.make("overcooked", role="cook")
SHOWN = {
    "a task": NIGHT[0],
    "an episode": EPISODE,
    "a task without a view": random_library(2)[0],
    "a task that is observed": walkon.play(KITCHEN[0], walkon.agent("random", KITCHEN), horizon=4),
}


@pytest.mark.parametrize("shown", SHOWN.values(), ids=SHOWN)
def test_notebooks_show_a_picture_that_is_complete_in_itself(shown):
    html = shown._repr_html_()
    ElementTree.fromstring(html)
    (picture,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    svg = base64.b64decode(picture).decode()
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert not re.search(r"<script|href=|src=", svg)


def test_the_film_of_an_episode_has_a_frame_for_each_moment():
    svg = base64.b64decode(re.search(r"base64,([^\"]+)", EPISODE._repr_html_()).group(1)).decode()
    assert svg.count('class="f"') == min(len(EPISODE.actions), EPISODE.steps) + 1
    assert all(name in svg for name in NIGHT.names)


@pytest.mark.parametrize("name", AGENTS)
def test_agents_and_memories_are_one_short_line(name):
    agent = quick_agent(name, NIGHT, **({"task": 1} if AGENTS[name].needs.informed else {}))
    memory = agent.start(walkon.Percept(state=0) if "state" in agent.senses else None)
    after = agent.update(memory, "Stay", walkon.Percept(observation=0, state=0))
    for shown in (agent, memory, after):
        assert "array" not in repr(shown)
        assert len(repr(shown)) < 300
    assert repr(agent).startswith(f"{type(agent).__name__}({name} for TaskLibrary(")
    assert repr(memory).startswith("Memory(step 0")
    if agent.identifies:
        assert all(f"{task} {p:.3g}" in repr(after) for task, p in zip(NIGHT.names, after.tasks, strict=True))


def test_other_agents_and_a_comparison_are_one_short_line():
    watched = walkon.agent("bopa", NIGHT, alarm=0.05)
    assert repr(watched).endswith("alarm=0.05)")
    memory = watched.update(watched.start(), 0, walkon.Percept(observation=0))
    assert repr(memory.suspicion) == "Suspicion(1 observation, no alarm)"
    assert repr(walkon.player(lambda history: 0, NIGHT, name="mine")).startswith("Player(mine for TaskLibrary(")
    found = walkon.compare(NIGHT, {"random": [walkon.agent("random", NIGHT)] * 2}, trials=2, horizon=3)
    assert re.fullmatch(r"Comparison\(steps: random \d\.\d\d ± \d\.\d\d; 2 tasks, 2 trials of each\)", repr(found))


def test_probabilities_come_out_with_names():
    agent = quick_agent("atpo", NIGHT)
    named = NIGHT.by_action(agent.act(agent.start()))
    assert list(named) == list(NIGHT.actions)
    assert np.array_equal(list(named.values()), agent.act(agent.start()))
    with pytest.raises(walkon.InputError, match="expected one for each of 5"):
        NIGHT.by_action([1.0])
