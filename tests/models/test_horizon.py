"""A problem for so many steps is worth what a tree over all histories of these steps finds."""

import numpy as np
import pytest

import walkon
from random_models import random_pomdp
from twins import best_sum
from walkon import InputError
from walkon.domains.classics import tiger


@pytest.mark.parametrize("discount", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("steps", [1, 2, 4])
def test_the_bounds_hold_the_best_that_any_plan_for_all_histories_earns(discount, steps):
    for problem in (tiger(), random_pomdp(7, 3, 2, 2, discount=0.5)):
        problem = problem.with_discount(discount)
        best = best_sum([problem], [problem.start], steps)
        found = walkon.solve(problem.with_horizon(steps), walkon.Sarsop(gap=1e-4, backups=3000))
        assert found.lower - 1e-9 <= best <= found.upper + 1e-9
        assert found.upper - found.lower <= 1e-3


def test_an_mdp_is_solved_by_as_many_steps_backwards_as_there_are():
    problem = random_pomdp(3, 4, 3, 2).mdp.with_discount(1)
    v = np.zeros(4)
    for _ in range(6):
        v = np.max([problem.R[:, a] + problem.P[a] @ v for a in range(3)], axis=0)
    found = walkon.solve(problem.with_horizon(6))
    assert (found.lower, found.upper) == pytest.approx([problem.start @ v] * 2)


def test_an_episode_earns_what_it_earns_without_a_discount():
    problem = tiger().with_discount(1)
    for action in range(3):
        blind = walkon.AlphaVectors([[0.0, 0.0]], [action], 3)
        timed = walkon.AlphaVectors(np.zeros((1, 16)), [action], 3)
        for seed in range(5):
            plain = walkon.simulate(problem, blind, episodes=1, seed=seed, steps=7)
            assert walkon.simulate(problem.with_horizon(7), timed, episodes=1, seed=seed) == pytest.approx(plain)


def test_states_say_which_step_it_is_and_a_sensor_stays_shared():
    problem = tiger().with_horizon(2)
    assert problem.states[1::2] == ("step 0: tiger right", "step 1: tiger right", "step 2: tiger right")
    assert len({id(o) for o in problem.O}) == len({id(o) for o in tiger().O})


@pytest.mark.parametrize("steps", [0, 2.5, "10", None])
def test_a_horizon_is_a_whole_number_of_steps(steps):
    with pytest.raises(InputError, match=r"horizon is .*, expected a whole number from 1 on"):
        tiger().with_horizon(steps)


def test_a_horizon_that_does_not_fit_into_memory_is_refused():
    with pytest.raises(InputError, match=r"a horizon of 1,000,000,000,000 steps would take .* take a shorter one"):
        tiger().with_horizon(10**12)
