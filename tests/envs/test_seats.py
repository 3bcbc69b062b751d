"""Seats at the table: who sits where, and when an episode ends."""

import re

import numpy as np
import pytest

from walkon.domains import make
from walkon.domains.classics import tiger
from walkon.envs import AdHocEnv, TeamEnv
from walkon.errors import InputError
from walkon.solvers.value_iteration import ValueIteration
from walkon.tasks import Task, TaskLibrary


def play(env, policy, seed):
    """An episode of an agent that is told the truth: the rewards, and whether it ended by being solved."""
    _, info = env.reset(seed=seed)
    rewards, ended, cut = [], False, False
    while not ended and not cut:
        _, reward, ended, cut, info = env.step(policy(info["task"], info["state"]))
        rewards.append(reward)
    return rewards, ended


def best_responses(library):
    tables = [ValueIteration().solve(task.mdp).policy.table for task in library]
    return lambda k, x: int(tables[k][x].argmax())


def test_an_episode_runs_to_its_horizon_unless_asked_to_stop():
    library = make("night-pursuit", size=3)
    policy = best_responses(library)
    for seed in range(5):
        whole, ended = play(AdHocEnv(library, privileged=True), policy, seed)
        assert (len(whole), ended) == (50, False)
        short, ended = play(AdHocEnv(library, privileged=True, stop_when_solved=True), policy, seed)
        assert ended
        assert short[-1] == 100
        assert whole == short + [0] * (50 - len(short))
        assert set(short[:-1]) <= {-1}


def test_the_horizon_can_be_chosen():
    env = AdHocEnv(make("night-pursuit", size=3), horizon=4)
    env.reset(seed=0)
    assert [env.step(4)[3] for _ in range(4)] == [False, False, False, True]


def test_two_teammates_take_two_seats_and_play_one_joint_action():
    library = make("night-pursuit", size=3, noise=0.0, teammates=2, tasks=1)
    env = TeamEnv(library)
    assert env.possible_agents == ["ad_hoc", "teammate_1", "teammate_2"]
    observations, _ = env.reset(seed=3)
    before = observations["teammate_2"][1:]
    observations, *_ = env.step({"ad_hoc": 4, "teammate_1": 0, "teammate_2": 3})
    after = observations["teammate_1"][1:]
    np.testing.assert_array_equal(after[:2], before[:2])
    np.testing.assert_array_equal(after[2:4], [before[2], max(before[3] - 1, 0)])
    np.testing.assert_array_equal(after[4:], [min(before[4] + 1, 2), before[5]])


def test_a_team_of_the_tasks_own_teammates_is_the_ad_hoc_environment():
    library = make("overcooked")
    seat, team = AdHocEnv(library, privileged=True), TeamEnv(library)
    chance = np.random.default_rng(2)
    _, info = seat.reset(seed=9)
    observations, _ = team.reset(seed=9)
    for _ in range(75):
        a = int(chance.integers(4))
        numbers, reward, _, cut, info = seat.step(a)
        observations, rewards, _, cuts, _ = team.step({"ad_hoc": a, "teammate_1": info["teammates"]})
        np.testing.assert_array_equal(numbers, observations["ad_hoc"])
        np.testing.assert_array_equal(numbers, observations["teammate_1"][1:])
        assert (reward, cut) == (rewards["ad_hoc"], cuts["ad_hoc"])
    assert not team.agents


def test_a_team_stops_when_solved_if_asked():
    library = make("pursuit", capture="adjacent")
    env = TeamEnv(library, stop_when_solved=True)
    policy = best_responses(library)
    observations, _ = env.reset(seed=1)
    while env.agents:
        truth = observations["teammate_1"]
        x = int(np.flatnonzero((library[0].state_numbers == truth[1:]).all(axis=1))[0])
        b = int(library[int(truth[0])].teammate_actions(x).indices[0])
        actions = {"ad_hoc": policy(int(truth[0]), x), "teammate_1": b}
        observations, rewards, ended, cut, _ = env.step(actions)
    assert ended == {"ad_hoc": True, "teammate_1": True}
    assert not any(cut.values())
    assert rewards["teammate_1"] == 100


def test_tasks_of_ones_own_can_be_played_and_say_what_they_cannot_do():
    library = TaskLibrary([Task.from_pomdp(tiger(), name="tiger", horizon=3)])
    env = AdHocEnv(library)
    numbers, _ = env.reset(seed=0)
    assert numbers.tolist() == [0, 0]
    assert env.step(0)[1] == -1
    assert env.render() is None
    drawn = AdHocEnv(library, render_mode="ansi")
    drawn.reset(seed=0)
    drawn.step(0)
    assert re.fullmatch(r"tiger\nstate: tiger (left|right)\nobservation: growl (left|right)\n", drawn.render())
    with pytest.raises(InputError, match="folded in: they cannot be replaced"):
        TeamEnv(library)


def test_a_seat_that_does_not_act_is_named():
    env = TeamEnv(make("night-pursuit", size=3))
    env.reset(seed=0)
    with pytest.raises(InputError, match="teammate_1 has no action: give one for each of ad_hoc, teammate_1"):
        env.step({"ad_hoc": 0})
    with pytest.raises(InputError, match="the action of teammate_1 5 does not exist: they are numbered 0 to 4"):
        env.step({"ad_hoc": 0, "teammate_1": 5})
