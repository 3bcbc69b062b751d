"""Environments of libraries without tables: those of the same library with tables, with numbers of their own."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test

import walkon
from untabled_worlds import Lamp, Walk
from walkon import InputError
from walkon.envs import AdHocEnv, TeamEnv

OPTIONS = {"size": 3, "tasks": 2, "teammates": 2, "sees_walls": True}


def both(**options):
    return (walkon.make("night-pursuit", tables=tables, **OPTIONS | options) for tables in (True, False))


def test_a_seed_plays_the_episode_that_it_plays_with_tables():
    ours, theirs = (AdHocEnv(library, privileged=True, stop_when_solved=True) for library in both())
    for seed in range(4):
        first, second = ours.reset(seed=seed), theirs.reset(seed=seed)
        for action in np.random.default_rng(seed).integers(5, size=50):
            task = ours.library[first[-1]["task"]]
            assert first[0][0] == second[0][0]
            if first[0][0]:
                assert first[0].tolist() == second[0].tolist()
                assert first[1:4] == second[1:4]
            assert task.state_numbers[first[-1]["state"]].tolist() == list(second[-1]["state"])
            if first[0][0] and first[2]:
                break
            first, second = ours.step(action), theirs.step(action)


def test_a_team_sees_and_does_the_same():
    ours, theirs = (TeamEnv(library) for library in both())
    assert ours.action_spaces == theirs.action_spaces
    (first, _), (second, _) = ours.reset(seed=7), theirs.reset(seed=7)
    rng = np.random.default_rng(0)
    for _ in range(20):
        for mate in ("teammate_1", "teammate_2"):
            assert first[mate].tolist() == second[mate].tolist()
        assert first["ad_hoc"][0] == second["ad_hoc"][0]
        actions = {agent: int(rng.integers(5)) for agent in ours.agents}
        (first, *more), (second, *others) = ours.step(actions), theirs.step(actions)
        assert first["ad_hoc"].tolist() == second["ad_hoc"].tolist()
        assert more == others


@pytest.mark.filterwarnings("ignore:.*Box observation space.*")
def test_gymnasium_and_pettingzoo_accept_them(capsys):
    env = gymnasium.make("walkon/NightPursuit-v0", size=40, tables=False, render_mode="ansi")
    check_env(env.unwrapped)
    assert env.reset(seed=1)[0] in env.observation_space
    assert "40 x 40" in env.render()
    parallel_api_test(TeamEnv(walkon.make("tag", tables=False), horizon=20), num_cycles=40)
    assert "Passed" in capsys.readouterr().out
    one = AdHocEnv(walkon.define([Walk(3)], tables=False), stop_when_solved=True)
    one.reset(seed=1)
    seen = [one.step("right") for _ in range(6)]
    assert any(ended for _, _, ended, _, _ in seen)


def test_words_and_rows_that_grow_are_refused_with_the_remedy():
    lamps = walkon.define([Lamp("on")], tables=False)
    with pytest.raises(InputError, match=r'a state of task "on" is \(\w+, \d\), .* whole numbers or tuples of them'):
        AdHocEnv(lamps)

    class Growing(Walk):
        def sensor(self, a, y):
            return (0,) * (2 + max(y, 0))

    env = AdHocEnv(walkon.define([Growing(9)], tables=False))
    env.reset(seed=1, options={"task": 0})
    with pytest.raises(InputError, match=r"the observation is .*, expected \d numbers"):
        [env.step("right") for _ in range(20)]
