"""Problems with a discount of 1 are read, described and simulated; solving them says what is needed."""

from dataclasses import replace

import numpy as np
import pytest

import walkon
from walkon.domains.classics import tiger
from walkon.solvers.excess import proven
from walkon.solvers.solve import OURS

SOLVERS = sorted(OURS)
NEEDED = r"the discount is 1, .*horizon, by --horizon 20 or problem\.with_horizon.*, or another discount, by --disc"


@pytest.fixture
def endless(tmp_path):
    """Tiger, read from a file without discounting."""
    path = tmp_path / "tiger.pomdp"
    walkon.write_pomdp(tiger(), path)
    path.write_text(path.read_text().replace("discount: 0.95", "discount: 1"))
    return walkon.read_pomdp(path)


@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_says_what_is_needed(endless, name):
    problem = endless.mdp if OURS[name].solves is walkon.MDP else endless
    for solve in (OURS[name]().solve, lambda given: walkon.solve(given, OURS[name]())):
        with pytest.raises(walkon.InputError, match=NEEDED):
            solve(problem)


def test_with_another_discount_it_is_the_same_problem(endless):
    assert replace(endless, discount=0.95).hash == tiger().hash
    assert replace(endless.mdp, discount=0.95).hash == tiger().mdp.hash


def test_it_is_simulated_for_so_many_steps_and_not_without_them(endless):
    listen = walkon.AlphaVectors([[0.0, 0.0]], [0], 3)
    assert walkon.simulate(endless, listen, episodes=2, steps=7).tolist() == [-7.0, -7.0]
    with pytest.raises(walkon.InputError, match=r"the discount is 1, .*give `steps`"):
        walkon.simulate(endless, listen, episodes=2)


def test_nothing_is_proven_about_a_policy_for_it(endless):
    assert proven(endless, walkon.AlphaVectors([[0.0, 0.0]], [0], 3)) is None


def test_it_is_saved_and_written_like_any_other(endless, tmp_path):
    walkon.save(endless, tmp_path / "endless.safetensors")
    assert walkon.load(tmp_path / "endless.safetensors").hash == endless.hash
    walkon.write_pomdp(endless, tmp_path / "again.pomdp")
    assert walkon.read_pomdp(tmp_path / "again.pomdp").hash == endless.hash


def test_no_task_is_made_of_it(endless):
    with pytest.raises(walkon.InputError, match=r"the discount is 1; a task needs one below 1"):
        walkon.Task.from_pomdp(endless)
    team = walkon.MMDP([[np.eye(2)]], np.zeros((2, 1, 1)), discount=0.5)
    with pytest.raises(walkon.InputError, match="discount is 1"):
        replace(team, discount=1)
