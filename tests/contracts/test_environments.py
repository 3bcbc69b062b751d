"""The contract of every environment."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test

from walkon.domains.registry import WORLDS, make
from walkon.envs import TeamEnv, environments, world_env
from walkon.errors import InputError
from walkon.models.belief import update

ENVIRONMENTS = environments()

every_world = pytest.mark.parametrize("name", ENVIRONMENTS)
every_domain = pytest.mark.parametrize("domain", WORLDS)


@every_world
@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
def test_gymnasium_accepts_it(name, render_mode):
    env = gymnasium.make(name, render_mode=render_mode)
    check_env(env.unwrapped)
    env.reset(seed=1)
    pictures = [env.render()]
    for action in range(env.action_space.n):
        env.step(action)
        pictures.append(env.render())
    if render_mode == "ansi":
        assert all("ad hoc agent" in picture for picture in pictures)
        assert len(set(pictures)) > 1
    else:
        assert all(picture.dtype == np.uint8 and picture.shape[2] == 3 for picture in pictures)


@every_domain
def test_pettingzoo_accepts_it(domain, capsys):
    parallel_api_test(TeamEnv(make(domain), horizon=20), num_cycles=60)
    assert "Passed" in capsys.readouterr().out


def episode(env, seed, choices):
    """Everything that an episode shows."""
    seen = [env.reset(seed=seed)]
    for action in choices:
        seen.append(env.step(action))
    return seen


def same(one, other):
    np.testing.assert_equal(one, other)


@every_world
def test_a_seed_fixes_the_whole_episode(name):
    env, other = gymnasium.make(name, privileged=True), gymnasium.make(name, privileged=True)
    for seed in range(3):
        choices = np.random.default_rng(seed).integers(env.action_space.n, size=env.unwrapped.horizon)
        first = episode(env, seed, choices)
        same(first, episode(env, seed, choices))
        same(first, episode(other, seed, choices))
        assert first[-1][3]
        assert not any(step[3] for step in first[1:-1])


@every_world
def test_episodes_without_a_seed_differ_and_follow_from_the_first_seed(name):
    def several():
        env = gymnasium.make(name, privileged=True)
        env.reset(seed=5)
        return [(env.reset()[1]["task"], env.reset()[1]["state"]) for _ in range(12)]

    assert several() == several()
    tasks = gymnasium.make(name).unwrapped.library
    possible = sum(np.count_nonzero(task.start) for task in tasks)
    assert len(set(several())) > min(3, possible - 1)


@every_domain
def test_a_seed_fixes_the_whole_episode_of_a_team(domain):
    def whole():
        env = TeamEnv(make(domain))
        chance = np.random.default_rng(0)
        seen = [env.reset(seed=11)]
        while env.agents:
            seen.append(env.step({seat: int(chance.integers(env.action_space(seat).n)) for seat in env.agents}))
        return seen

    first, second = whole(), whole()
    assert len(first) == 1 + make(domain)[0].horizon
    same(first, second)


@every_world
def test_the_task_is_hidden_unless_asked_for(name):
    env = gymnasium.make(name)
    _, info = env.reset(seed=0)
    assert set(info) <= {"observation"}
    assert set(env.step(0)[4]) == {"observation"}
    told = gymnasium.make(name, privileged=True)
    last = len(told.unwrapped.library) - 1
    _, info = told.reset(seed=0, options={"task": last})
    assert (info["task"], info["task_name"]) == (last, told.unwrapped.library.names[last])
    assert set(told.step(0)[4]) == {"observation", "task", "task_name", "state", "teammates"}


@every_world
def test_the_numbers_are_those_of_the_observation_and_rewards_are_what_steps_pay(name):
    env = gymnasium.make(name, privileged=True).unwrapped
    numbers, info = env.reset(seed=2, options={"task": len(env.library) - 1})
    task, x = env.library[-1], info["state"]
    if env.library.observed:
        assert info["observation"] == x
        np.testing.assert_array_equal(numbers, task.state_numbers[x])
    else:
        assert "observation" not in info
        assert numbers[0] == 0
    rewards, belief = [], task.pomdp.start
    for t in range(task.horizon):
        a = t % env.action_space.n
        numbers, reward, ended, cut, info = env.step(a)
        z, y = info["observation"], info["state"]
        np.testing.assert_array_equal(numbers[-task.observation_numbers.shape[1] :], task.observation_numbers[z])
        assert len(numbers) == task.observation_numbers.shape[1] + (not task.observed)
        assert reward == task.paid(x, a, info["teammates"], y)
        assert y in task.outcomes(x, a, info["teammates"]).indices
        belief, likelihood = update(task.pomdp, belief, a, z)
        assert likelihood > 0  # the world that is played is the one that the model describes
        assert belief[y] > 0
        assert not ended
        rewards.append(reward)
        x = y
    assert cut
    with pytest.raises(InputError, match="call reset first"):
        env.step(0)


@every_world
def test_wrong_use_is_answered_with_the_remedy(name):
    env = world_env(ENVIRONMENTS[name])
    with pytest.raises(InputError, match="call reset first"):
        env.step(0)
    with pytest.raises(InputError, match="task 99 does not exist"):
        env.reset(options={"task": 99})
    env.reset()
    with pytest.raises(InputError, match="action 9 does not exist"):
        env.step(9)
    with pytest.raises(InputError, match="render_mode is 'human'"):
        world_env(ENVIRONMENTS[name], render_mode="human")


@every_domain
def test_teammates_seats_know_the_task_and_see_the_state(domain):
    library = make(domain)
    env, k = TeamEnv(library), len(library) - 1
    observations, _ = env.reset(seed=4, options={"task": k})
    mate = observations["teammate_1"]
    assert mate[0] == k
    x = int(np.flatnonzero((library[k].state_numbers == mate[1:]).all(axis=1))[0])
    assert library[k].pomdp.start[x] > 0
    b = int(library[k].teammate_actions(x).indices[0])
    observations, rewards, *_ = env.step({"ad_hoc": 0, "teammate_1": b})
    y = int(np.flatnonzero((library[k].state_numbers == observations["teammate_1"][1:]).all(axis=1))[0])
    assert y in library[k].outcomes(x, 0, b).indices
    assert rewards["ad_hoc"] == rewards["teammate_1"] == library[k].paid(x, 0, b, y)
