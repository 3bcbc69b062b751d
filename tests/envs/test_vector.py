"""Many environments at once are, episode for episode, as many single ones that Gymnasium steps one after the other."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from hypothesis import given, settings
from hypothesis import strategies as st

from random_libraries import libraries
from untabled_worlds import Lamp, Pair
from walkon.domains import make
from walkon.domains.classics import tiger
from walkon.envs import AdHocEnv, VectorAdHocEnv, environments
from walkon.errors import InputError
from walkon.simulation import play
from walkon.tasks import Task, TaskLibrary
from walkon.tasks.define import define
from walkon.trials.luck import CHUNK

NIGHT = make("night-pursuit", size=3)
TIGER = TaskLibrary([Task.from_pomdp(tiger(), name="tiger")])


class Silent(gymnasium.Wrapper):
    """Leaves out what is None: Gymnasium cannot put None and numbers into one array."""

    def reset(self, **how):
        observation, info = self.env.reset(**how)
        return observation, {key: value for key, value in info.items() if value is not None}


def pair(library, n=3, **options):
    """The environments in one loop, and one by one."""
    singles = SyncVectorEnv([lambda: Silent(AdHocEnv(library, **options)) for _ in range(n)])
    return VectorAdHocEnv(library, n, **options), singles


def same_infos(ours, theirs):
    """Where there is no observation, Gymnasium's own infos hold None, and ours are masked."""
    for key in [key for key in ours if not key.startswith("_")]:
        for i, (value, told) in enumerate(zip(ours[key], ours[f"_{key}"], strict=True)):
            if told:
                assert theirs[f"_{key}"][i]
                assert value == theirs[key][i]
            else:
                assert key not in theirs or not theirs[f"_{key}"][i] or theirs[key][i] is None


def same(ours, theirs):
    """What reset or step returned is equal, to the type of the arrays."""
    for one, other in zip(ours[:-1], theirs[:-1], strict=True):
        np.testing.assert_array_equal(one, other, strict=True)
    same_infos(ours[-1], theirs[-1])


def play_both(one, other, steps, seed, **resetting):
    same(one.reset(seed=seed, **resetting), other.reset(seed=seed, **resetting))
    rng = np.random.default_rng(0)
    for _ in range(steps):
        actions = rng.integers(one.single_action_space.n, size=one.num_envs)
        ours = one.step(actions)
        same(ours, other.step(actions))
        assert ours[0] in one.observation_space
        yield ours


@pytest.mark.parametrize("name", environments())
def test_make_vec_makes_the_single_environments_of_every_world(name):
    one = gymnasium.make_vec(name, num_envs=3, privileged=True)
    other = gymnasium.make_vec(name, num_envs=3, privileged=True, vectorization_mode="sync")
    assert isinstance(one, VectorAdHocEnv)
    assert one.spec.id == name
    assert one.metadata == other.metadata
    assert one.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    for space in ("observation_space", "action_space", "single_observation_space", "single_action_space"):
        assert getattr(one, space) == getattr(other, space)
    ended = [truncated for *_, truncated, _ in play_both(one, other, one.horizon + 3, seed=5)]
    assert np.any(ended)
    one.close()


@pytest.mark.parametrize("stop", [True, False])
@pytest.mark.parametrize("horizon", [1, 7, 2 * CHUNK + 1])
def test_episodes_follow_one_another_as_in_single_environments(stop, horizon):
    for library in (NIGHT, TIGER, define([Lamp("on"), Lamp("off")]), define([Pair("on")])):
        one, other = pair(library, privileged=True, horizon=horizon, stop_when_solved=stop)
        played = list(play_both(one, other, 2 * horizon + 5, seed=[3, 1, 10**12]))
        assert np.any([truncated for *_, truncated, _ in played])
        if library is NIGHT and horizon > 7:
            assert np.any([terminated for _, _, terminated, _, _ in played]) == stop


@settings(max_examples=15, deadline=None)
@given(libraries(), st.integers(0, 2**40))
def test_tasks_may_differ_in_their_states(library, seed):
    one, other = pair(library, privileged=True, horizon=4)
    assert len(list(play_both(one, other, 11, seed))) == 11


def test_the_task_can_be_chosen_and_some_environments_begin_anew():
    one, other = pair(NIGHT, privileged=True, horizon=5)
    for *_, info in play_both(one, other, 4, seed=2, options={"task": NIGHT.names[1]}):
        assert info["task"].tolist() == [1, 1, 1]
    mask = np.array([True, False, True])
    for seed in (None, 8):
        options = [{"task": 0, "reset_mask": mask} for _ in range(2)]  # Gymnasium takes the mask out of its own
        same(one.reset(seed=seed, options=options[0]), other.reset(seed=seed, options=options[1]))
        for _ in range(3):
            same(one.step([0, 1, 2]), other.step(np.array([0, 1, 2])))
    np.testing.assert_array_equal(options[0]["reset_mask"], mask)


def test_without_a_seed_every_environment_has_luck_of_its_own():
    env = VectorAdHocEnv(make("night-pursuit", size=4), 40, privileged=True)
    first, again = env.reset()[1], env.reset()[1]
    assert len(set(zip(first["task"].tolist(), first["state"].tolist(), strict=True))) > 20
    assert first["state"].tolist() != again["state"].tolist()


def test_what_was_returned_stays_as_it_was():
    env = VectorAdHocEnv(NIGHT, 2, privileged=True, horizon=3)
    actions = np.array([1, 2])
    kept = [env.reset(seed=0), *(env.step(actions) for _ in range(3))]
    env.reset(seed=0)
    before = [env.reset(seed=0)]
    before += [env.step(actions) for _ in range(3)]
    for _ in range(5):
        env.step(np.array([3, 4]))
    np.testing.assert_equal(kept, before)
    assert actions.tolist() == [1, 2]


def test_wrappers_of_gymnasium_and_actions_by_name_work():
    env = RecordEpisodeStatistics(VectorAdHocEnv(NIGHT, 2, horizon=3))
    env.reset(seed=0)
    rewards = [env.step(["Up", "Left"])[1] for _ in range(2)]
    *_, last, _, truncated, infos = env.step(np.array([0, 2], dtype=np.uint8))
    assert truncated.all()
    np.testing.assert_array_equal(infos["episode"]["r"], np.sum([*rewards, last], axis=0))


def test_the_environments_are_drawn_one_by_one():
    one, other = VectorAdHocEnv(NIGHT, 2), VectorAdHocEnv(NIGHT, 2, render_mode="ansi")
    one.reset()
    assert one.render() is None
    with pytest.raises(InputError, match="call reset first"):
        other.render()
    other.reset(seed=4)
    singles = [AdHocEnv(NIGHT, render_mode="ansi") for _ in range(2)]
    for i, single in enumerate(singles):
        single.reset(seed=4 + i)
    assert other.render() == tuple(single.render() for single in singles)
    other.step([1, 2])
    for i, single in enumerate(singles):
        single.step(1 + i)
    assert other.render() == tuple(single.render() for single in singles)


class Different(Task):
    """It may behave otherwise than its matrices."""


def test_what_it_cannot_do_is_said_in_a_sentence(monkeypatch):
    env = VectorAdHocEnv(NIGHT, 2)
    with pytest.raises(InputError, match="no episode has begun: call reset first"):
        env.step([0, 0])
    with pytest.raises(InputError, match="no episode has begun"):
        env.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(InputError, match=r'option "reset_mask" is .* expected 2 truth values, one of them True'):
        env.reset(options={"reset_mask": np.array([1, 0])})
    with pytest.raises(InputError, match="reset has no option 'tsk'"):
        env.reset(options={"tsk": 1})
    with pytest.raises(InputError, match="seed has 3 numbers, expected one for each of 2 environments"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(InputError, match="seed is -1, expected a whole number from 0 on"):
        env.reset(seed=-1)
    env.reset()
    with pytest.raises(InputError, match=r"actions has shape \(3,\), expected \(2,\): one for each environment"):
        env.step([0, 0, 0])
    with pytest.raises(InputError, match="in environment 1, action 5 does not exist: they are numbered 0 to 4"):
        env.step([0, 5])
    with pytest.raises(InputError, match="in environment 0, action is 'Rigth', did you mean 'Right'"):
        env.step(["Rigth", "Left"])
    with pytest.raises(InputError, match="num_envs is 0, expected a whole number from 1 on"):
        VectorAdHocEnv(NIGHT, 0)
    with pytest.raises(InputError, match="the library has none: put single ones together"):
        VectorAdHocEnv(define([Lamp("on")], tables=False), 2)
    other = TaskLibrary([Different.from_pomdp(tiger(), name="tiger")])
    with pytest.raises(InputError, match=r"does not follow them: make single environments, walkon\.AdHocEnv"):
        VectorAdHocEnv(other, 2)
    monkeypatch.setattr(play, "MANY_ROWS", 10)
    with pytest.raises(InputError, match='joint action in task "on" are too large'):
        VectorAdHocEnv(define([Pair("on")]), 2)


def test_gymnasiums_own_vector_of_single_environments_goes_on_after_the_end_of_an_episode():
    single = SyncVectorEnv([lambda: AdHocEnv(NIGHT, stop_when_solved=True)] * 3)
    single.reset(seed=0)
    single.action_space.seed(0)
    ended = np.zeros(3, dtype=int)
    for _ in range(120):
        _, _, solved, cut, info = single.step(single.action_space.sample())
        assert not (solved | cut)[~info["_observation"]].any()  # only a new episode has no observation yet
        ended += solved | cut
    assert ended.min() >= 2
