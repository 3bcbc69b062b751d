import numpy as np
import pytest

from random_models import random_pomdp
from twins import dense
from walkon import POMDP, AlphaVectors, InputError, simulate


def test_a_blind_plan_earns_its_closed_form():
    """One vector, one action: the return is start (I - gamma P)^-1 r."""
    pomdp = random_pomdp(1, X=4, A=2, Z=3, discount=0.8)
    blind = AlphaVectors(np.zeros((1, 4)), [1], 2)
    exact = pomdp.start @ np.linalg.solve(np.eye(4) - 0.8 * dense(pomdp.P)[1], pomdp.R[:, 1])
    earned = simulate(pomdp, blind, episodes=4000)
    assert abs(earned.mean() - exact) < 4 * earned.std() / np.sqrt(4000)


def test_a_deterministic_world_earns_the_same_every_time():
    pomdp = POMDP([[[0, 1], [0, 1]]], [np.eye(2)], [[3], [1]], start=[1, 0], discount=0.5)
    earned = simulate(pomdp, AlphaVectors(np.zeros((1, 2)), [0], 1), episodes=5, steps=4)
    assert earned.tolist() == [3 + 0.5 + 0.25 + 0.125] * 5


def test_an_episode_ends_where_nothing_is_earned_any_more():
    """A coin is tossed until it falls on its other side, which costs 2 and ends it; no step is ever worth less."""
    toss = POMDP([[[0.5, 0.5], [0, 1]]], [np.ones((2, 1))], [[-2], [0]], start=[1, 0], discount=0.5)
    earned = simulate(toss, AlphaVectors(np.zeros((1, 2)), [0], 1), episodes=2000, steps=60)
    steps = np.rint(-np.log2(1 + earned / 4)).astype(int)  # -2 (1 + ... + 0.5^(n-1)) = -4 (1 - 0.5^n)
    np.testing.assert_allclose(earned, -4 * (1 - 0.5**steps))
    assert np.bincount(steps)[1:4] == pytest.approx([1000, 500, 250], abs=4 * np.sqrt(500))


def test_the_same_seed_gives_the_same_returns_and_more_episodes_extend_them():
    pomdp = random_pomdp(2)
    policy = AlphaVectors(np.random.default_rng(0).normal(size=(3, 4)), [0, 1, 2], 3)
    short, long = simulate(pomdp, policy, episodes=5, seed=3), simulate(pomdp, policy, episodes=9, seed=3)
    assert short.tolist() == long[:5].tolist()


def test_a_policy_for_another_problem_is_refused():
    with pytest.raises(InputError, match="was not made for"):
        simulate(random_pomdp(0, X=4), AlphaVectors(np.zeros((1, 5)), [0], 3))
    with pytest.raises(InputError, match="episodes is 0"):
        simulate(random_pomdp(0), AlphaVectors(np.zeros((1, 4)), [0], 3), episodes=0)
