"""Recorded logs, played through agents: nine runs of a real robot, and logs of our own episodes."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import walkon
from random_libraries import quick_agent, random_library
from walkon.agents.registry import AGENTS

RUNS = Path(__file__).parents[2] / "examples" / "hotspot_runs.csv"
EXACT = {
    "2": (0.5, 0.1480119469, 0.1480119469, 0.0865943975, 0.0865943975, 0.1487392656, 0.2430739842, 0.2430739842,
          0.2235494379, 0.1270138294),
    "8": (0.5, 0.5, 0.5, 0.4771800947, 0.4771800947, 0.4767736574, 0.4076963719, 0.2683911865, 0.2683911865,
          0.2726153824, 0.2726153824, 0.1826815078, 0.0205687877),
}  # fmt: skip
LAST = (
    0.1270138294, 0.9286875121, 0.9822009359, 0.0190323203, 0.8126809745, 0.0027068675, 0.0205687877, 0.0347207899,
    0.9840050556,
)  # fmt: skip
EVIDENCE = {"2": (-10.05026372, -8.12263997), "6": (-12.24580761, -13.71333306), "8": (-19.47120453, -15.60800729)}


@pytest.fixture(scope="module")
def hotspot():
    return walkon.make("hotspot")


@pytest.fixture(scope="module")
def believer(hotspot):
    """An agent with ATPO's beliefs, whose policies do not matter."""
    return quick_agent("atpo", hotspot)


@pytest.fixture(scope="module")
def replayed(believer):
    return walkon.replay(RUNS, believer)


def recorded(column):
    with RUNS.open(newline="") as file:
        return [row[column] for row in csv.DictReader(file)]


def test_the_beliefs_of_the_robot_are_those_that_were_published(replayed):
    assert len(replayed) == 111
    assert replayed.actions.tolist() == list(map(int, recorded("action")))
    assert replayed.truths.tolist() == list(map(int, recorded("task")))
    published = np.array([list(map(float, recorded(name))) for name in ("p0", "p1")]).T
    assert abs(replayed.beliefs - published).max() < 1e-4


def test_they_are_exactly_those_of_an_independent_model(replayed):
    episodes = np.array(replayed.episodes)
    for episode, wanted in EXACT.items():
        np.testing.assert_allclose(replayed.beliefs[episodes == episode, 0], wanted, rtol=0, atol=1e-9)
    last = [replayed.beliefs[episodes == str(run), 0][-1] for run in range(2, 11)]
    np.testing.assert_allclose(last, LAST, rtol=0, atol=1e-9)
    assert replayed.beliefs[:, 0].sum() == pytest.approx(51.8770703522, abs=1e-9)
    assert not replayed.unexplained.any()


def test_the_surprise_adds_up_to_the_evidence_of_the_observations(hotspot, replayed):
    episodes, told = np.array(replayed.episodes), {}
    for k in range(2):
        alone = walkon.replay(RUNS, quick_agent("perseus", hotspot, target=k))
        told[k] = {run: -np.log(2) * alone.surprises[episodes == run].sum() for run in EVIDENCE}
        assert alone.beliefs is None
    for run, wanted in EVIDENCE.items():
        assert (told[0][run], told[1][run]) == pytest.approx(wanted, abs=6e-9)
        mixed = -np.log(2) * replayed.surprises[episodes == run].sum()
        assert mixed == pytest.approx(np.logaddexp(*wanted) - np.log(2), abs=1e-7)


def test_names_and_numbers_mean_the_same(hotspot, believer, replayed, tmp_path):
    log = walkon.read_log(RUNS)
    task = hotspot[0]
    named = replace(
        log,
        actions=tuple(task.actions[int(word)] for word in log.actions),
        observations=tuple(task.observations[int(word)] for word in log.observations),
        tasks=tuple(hotspot.names[int(word)] for word in log.tasks),
    )
    walkon.write_log(named, tmp_path / "named.csv")
    again = walkon.replay(tmp_path / "named.csv", believer)
    assert again.beliefs.tobytes() == replayed.beliefs.tobytes()
    assert again.truths.tolist() == replayed.truths.tolist()
    assert again.rows() == replayed.rows()


def test_every_action_of_the_robot_is_the_one_that_its_agent_prefers(hotspot, replayed):
    found = walkon.replay(RUNS, walkon.agent("tebopa", hotspot))
    assert found.beliefs.tobytes() == replayed.beliefs.tobytes()
    assert found.best.tolist() == found.actions.tolist()
    assert (found.choices.max(axis=1) == 1).all()  # no other is as good


def test_an_alarm_is_silent_in_runs_that_are_this_short(hotspot, believer):
    """The promise is for one episode; without alternatives there is hardly anything to compare with."""
    folded = walkon.TaskLibrary([walkon.Task.from_pomdp(task.pomdp, name=task.name) for task in hotspot])
    careful = quick_agent("atpo", folded, alarm=0.05)
    assert not walkon.replay(RUNS, careful).alarms.any()


LIBRARY = random_library(21, K=3, sizes=(4,), sparsity=0.0)


@pytest.mark.parametrize("name", AGENTS)
def test_a_log_of_an_agents_own_episodes_replays_to_what_it_lived_through(name):
    """Whatever an agent senses, a log of `walkon.logged` has it."""
    agent = quick_agent(name, LIBRARY, target=1 if AGENTS[name].needs.informed else None)
    episodes, chosen, believed = [], [], []
    for seed in range(3):
        memories = []
        episodes.append(walkon.play(LIBRARY[1], agent, seed=seed, horizon=7, watch=memories.append))
        chosen += [agent.act(memory) for memory in memories[:-1]]
        believed += [memory.tasks for memory in memories[1:]]
    found = walkon.replay(walkon.logged(episodes, LIBRARY[1]), agent)
    assert len(found) == 21
    np.testing.assert_array_equal(found.actions, np.concatenate([each.actions for each in episodes]))
    np.testing.assert_array_equal(found.choices, chosen)
    if agent.identifies:
        np.testing.assert_array_equal(found.beliefs, believed)


def written(tmp_path, text):
    path = tmp_path / "log.csv"
    path.write_text(text)
    return path


def test_without_an_observation_the_agent_only_predicts(tmp_path):
    agent = quick_agent("atpo", LIBRARY)
    log = written(tmp_path, "episode,step,action,observation\n1,0,0,1\n1,1,1,\n1,2,0,0\n")
    found, memory = walkon.replay(log, agent), agent.start()
    for a, z in ((0, 1), (1, None), (0, 0)):
        memory = agent.update(memory, a, walkon.Percept(observation=z))
    assert found.beliefs[-1].tolist() == memory.tasks.tolist()
    assert np.isnan(found.surprises).tolist() == [False, True, False]
    assert found.observations.tolist() == [1, -1, 0]


def test_a_log_that_cannot_be_followed_is_refused_by_line(tmp_path):
    agent, told = quick_agent("atpo", LIBRARY), quick_agent("value-iteration", LIBRARY, target=0)
    head = "episode,step,action,observation"
    for rows, player, message in (
        ("1,0,0,1\n1,2,0,1", agent, "line 3: step 2 of episode 1 follows step 0: give an action for every step"),
        ("1,0,,\n1,1,0,1", agent, "line 3: step 1 of episode 1 follows step 0"),
        ("1,0,jump,1", agent, "line 2: action is 'jump'"),
        ("1,0,0,99", agent, "line 2: observation 99 does not exist"),
        ("1,0,,", agent, "has no actions: there is nothing to replay"),
        ("1,0,0,1", told, "has no state, which value-iteration senses"),
    ):
        with pytest.raises(walkon.InputError, match=message):
            walkon.replay(written(tmp_path, f"{head}\n{rows}\n"), player)


def test_an_observation_that_no_task_allows_is_marked():
    library = walkon.make("night-pursuit", size=3, tasks=2, noise=0.0)
    agent = quick_agent("atpo", library)
    episode = walkon.play(library[0], walkon.agent("random", library), seed=1, horizon=6)
    log = walkon.logged(episode, library[0])
    impossible = library.observations.index("nothing up, nothing down, nothing left, nothing right")
    assert impossible >= 0
    wrong = replace(log, observations=tuple("80" if word else "" for word in log.observations))
    found = walkon.replay(wrong, agent)
    assert found.unexplained.any()
    assert np.isinf(found.surprises[found.unexplained]).all()
