"""Everything that meets a library without tables works, or says in one sentence why not."""

import pickle

import numpy as np
import pytest

import walkon
from untabled_worlds import Doors, Lamp, Walk
from walkon import InputError, Percept
from walkon.formats.check import check
from walkon.measuring.identification import identify
from walkon.simulation.stepping import seated
from walkon.tasks.union import Union

WALKS = walkon.define([Walk(4), Walk(-4)], tables=False)
LAMPS = walkon.define([Lamp("on"), Lamp("off")], tables=False)


def test_agents_are_compared_by_name_and_as_objects():
    found = walkon.compare(WALKS, ["atpo", "random", "search:simulations=5"], trials=3, score="steps")
    assert set(found.numbers) == {"atpo", "random", "search:simulations=5"}
    assert found.bounds == (0.0, 20.0)
    mine = walkon.compare(WALKS, {"mine": walkon.player(lambda history: "left", WALKS)}, trials=3)
    assert mine.measure == "lefts"
    assert np.isnan(found.bounds[0]) == np.isnan(found.numbers["atpo"]).any()


def test_comparing_gives_the_numbers_that_tables_give():
    tabled = walkon.define([Lamp("on"), Lamp("off")])
    one, two = (walkon.compare(library, ["random"], trials=4) for library in (tabled, LAMPS))
    assert one.numbers["random"].tolist() == two.numbers["random"].tolist()


def test_play_many_is_play():
    agent = walkon.agent("atpo", LAMPS)
    many = walkon.play_many(LAMPS[0], agent, [3, 4])
    for episode, seed in zip(many, (3, 4), strict=True):
        again = walkon.play(LAMPS[0], agent, seed=seed)
        assert episode.states.tolist() == again.states.tolist()
        assert episode.task_beliefs.tolist() == again.task_beliefs.tolist()


def test_other_teammates_are_functions_of_the_state():
    agent = walkon.agent("random", LAMPS)
    episode = walkon.play(LAMPS[0], agent, teammates=lambda x: "press" if x[0] == "off" else {"wait": 1})
    pressed = [x[0] == "off" for x in episode.states[:-1]]
    assert [b == "press" for b in episode.teammate_actions] == pressed
    with pytest.raises(InputError, match="give teammates as a function from the state to their action"):
        walkon.play(LAMPS[0], agent, teammates=[[1, 0]])


def test_a_task_may_change_in_the_middle():
    episode = walkon.play(WALKS[0], walkon.agent("atpo", WALKS), switch=(3, WALKS[1]), seed=2, stop=True)
    assert episode.task == "goal 4, then goal -4"


def test_episodes_are_logged_with_the_values_as_words(tmp_path):
    episode = walkon.play(LAMPS[0], walkon.agent("random", LAMPS), seed=1)
    walkon.write_log(walkon.logged(episode, LAMPS[0]), tmp_path / "log.csv")
    log = walkon.read_log(tmp_path / "log.csv")
    assert log.states[0] == f"({episode.states[0][0]}, 0)"
    assert log.observations[:-1] == tuple(f"({light}, {late})" for light, late in episode.observations)
    assert log.teammates[:-1] == tuple(episode.teammate_actions)


def test_the_speed_of_telling_tasks_apart_is_that_of_tables():
    tabled = walkon.define([Lamp("on"), Lamp("off", 0.2)])
    untabled = walkon.define([Lamp("on"), Lamp("off", 0.2)], tables=False)
    one, two = (
        identify(library, {"random": walkon.agent("random", library)}, trials=5) for library in (tabled, untabled)
    )
    for first, second in zip(one.speeds["random"], two.speeds["random"], strict=True):
        assert [each.mean for each in first] == pytest.approx([each.mean for each in second], abs=1e-9)
    assert one.exact
    assert not two.exact


def test_a_step_is_explained_in_a_sentence():
    agent = walkon.agent("search", LAMPS, simulations=5)
    said = walkon.explain(agent, agent.start(), "wait", Percept(observation=("dark", 0)))
    assert said.action.startswith("wait, which search chose with")
    assert said.after.step == 1


def test_memories_and_agents_can_be_sent_to_another_process():
    agent = pickle.loads(pickle.dumps(walkon.agent("search", LAMPS, simulations=5)))
    memory = pickle.loads(pickle.dumps(agent.update(agent.start(), 0, Percept(observation=("dark", 0)))))
    assert agent.update(memory, 0, Percept()).step == 2


def written(folder, text):
    (folder / "world.py").write_text(f"import walkon\nfrom untabled_worlds import *\n{text}")
    return folder / "world.py"


def test_check_walks_through_the_rules(tmp_path):
    report = check(written(tmp_path, "library = walkon.define([Walk(4), Walk(400)], tables=False)"))
    assert [task.content.kind for task in report.tasks] == ["walks", "walks"]
    assert report.tasks[0].content.states > 5
    assert [doubt.kind for doubt in report.tasks[0].doubts] == []
    assert [doubt.kind for doubt in report.tasks[1].doubts] == ["never solved", "constant reward"]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (
            "def sensor(self, a, y): return {y: 0.5} if y == 2 else 'x'",
            r"goal 4: sensor\((left|right); 2\) sums to 0.5",
        ),
        ("def moves(self, x, a, b): return x + 1 if x else None", r"goal 4: moves\(0; \w+; stay\) gives None"),
        ("def advice(self, x): return 'up'", r"goal 4: advice\(-?\d\) gives 'up', which is not one of the actions"),
        ("def counts(self, x, a, b): return 0.5", r"goal 4: counts\(.*\) is 0.5, expected a whole number"),
        ("def reward(self, x, a, b, y): return 1 / x", r"goal 4: reward\(0; .* ZeroDivisionError"),
        ("def teammates(self, x): return 'sing'", r"goal 4: teammates\(-?\d\) gives 'sing'"),
    ],
)
def test_check_finds_bad_rules_by_walking(tmp_path, rule, said):
    text = f"class Bad(Walk):\n    {rule}\nlibrary = walkon.define([Bad(4)], tables=False)"
    report = check(written(tmp_path, text))
    assert report.mistake is not None
    with pytest.raises(InputError, match=said):
        raise InputError(report.mistake.message)


def test_what_needs_tables_says_so():
    refused = {
        "has no tables, and so no": [
            lambda: Union.of(LAMPS, [0.5, 0.5]),
            lambda: seated(LAMPS[0], {}),
            lambda: LAMPS[0].with_teammates([[1.0]]),
            lambda: walkon.TaskLibrary(LAMPS.tasks).observation_numbers(0),
        ],
    }
    for sentence, calls in refused.items():
        for call in calls:
            with pytest.raises(InputError, match=sentence):
                call()


def test_many_observations_cost_as_many_numbers_as_they_have_parts():
    """Two to the power of 125 observations, told apart by their parts."""
    library = walkon.define([Doors(125, 0), Doors(125, 1)], tables=False)
    agent = walkon.agent("search", library, simulations=50, depth=3)
    memory = agent.start()
    for k, z in ((0, (0,) * 125), (1, (1,) * 125)):
        after = agent.update(memory, 2, Percept(observation=z))
        assert after.states[0][f"prize {k}"] > 0.99
        assert library.actions[agent.plan(after).action] == f"open {k}"
        assert after.kinds == ("exact", "exact")
