"""Cases of Night-time Pursuit that can be worked out by hand."""

import numpy as np
import pytest

from walkon.domains import make
from walkon.domains.night_pursuit.pool import pool

UP, DOWN, LEFT, RIGHT, STAY = range(5)


@pytest.fixture(scope="module")
def corners():
    """Preys in two corners of a 5 x 5 room."""
    return make("night-pursuit", size=5, noise=0.3, tasks=[((0, 0), (4, 4))])[0]


def state(task, agent, mate):
    return task.states.index(f"agent ({agent[0]},{agent[1]}), teammate ({mate[0]},{mate[1]})")


def observations(task, x):
    row = task.pomdp.O[0][[x]].toarray().ravel()
    return {tuple(task.observation_numbers[z]): round(float(row[z]), 9) for z in np.flatnonzero(row)}


def next_states(task, x, a):
    row = task.pomdp.P[a][[x]].toarray().ravel()
    return {task.states[y]: round(float(row[y]), 9) for y in np.flatnonzero(row)}


def test_a_teammate_on_a_prey_cell_is_two_things_that_may_be_missed(corners):
    seen = observations(corners, state(corners, (0, 1), (0, 0)))
    assert seen == {(1, 0, 0, 0): 0.7, (2, 0, 0, 0): 0.21, (0, 0, 0, 0): 0.09}


def test_the_own_cell_and_the_walls_are_not_observed(corners):
    assert observations(corners, state(corners, (0, 0), (0, 0))) == {(0, 0, 0, 0): 1.0}


def test_a_teammate_beside_and_a_prey_beside_are_missed_independently(corners):
    seen = observations(corners, state(corners, (1, 0), (1, 1)))
    assert seen == {(0, 1, 2, 0): 0.49, (0, 1, 0, 0): 0.21, (0, 0, 2, 0): 0.21, (0, 0, 0, 0): 0.09}


def test_a_move_fails_with_the_noise_and_the_teammate_walks_its_column_first(corners):
    assert next_states(corners, state(corners, (2, 2), (1, 2)), RIGHT) == {
        "agent (3,2), teammate (0,2)": 0.7,
        "agent (2,2), teammate (0,2)": 0.3,
    }


def test_a_wall_and_staying_leave_the_agent_for_sure(corners):
    x = state(corners, (0, 3), (0, 2))
    assert next_states(corners, x, LEFT) == next_states(corners, x, STAY) == {"agent (0,3), teammate (0,1)": 1.0}


def test_a_teammate_between_two_preys_takes_the_first_in_the_order_of_column_and_row(corners):
    assert next_states(corners, state(corners, (2, 0), (2, 2)), STAY) == {"agent (2,0), teammate (1,2)": 1.0}


def test_the_step_of_the_capture_pays_a_hundred_and_nothing_is_paid_afterwards(corners):
    x, y = state(corners, (4, 3), (0, 0)), state(corners, (4, 4), (0, 0))
    assert corners.pomdp.R[x, DOWN] == pytest.approx(0.7 * 100 - 0.3)
    assert corners.paid(x, DOWN, STAY, y) == 100
    assert corners.paid(x, DOWN, STAY, x) == -1
    assert next_states(corners, y, UP) == {corners.states[y]: 1.0}
    assert not corners.pomdp.R[y].any()
    assert corners.paid(y, UP, UP, y) == 0


def test_it_does_not_matter_who_stands_on_which_prey(corners):
    solved = [corners.states[x] for x in np.flatnonzero(corners.solved)]
    assert solved == ["agent (0,0), teammate (4,4)", "agent (4,4), teammate (0,0)"]


def test_two_teammates_never_share_a_prey():
    task = make("night-pursuit", size=3, teammates=2, tasks=[((0, 0), (1, 0), (2, 2))])[0]
    x = task.states.index("agent (2,2), teammate 1 (0,1), teammate 2 (0,1)")
    teammate_actions = task.teammate_actions(x)
    assert [task.mmdp.teammate_actions[b] for b in teammate_actions.indices] == ["Up, Right"]  # the second takes (1,0)
    assert sum(task.solved) == 6


def test_names_are_what_a_person_would_say(corners):
    assert corners.states[state(corners, (0, 3), (2, 2))] == "agent (0,3), teammate (2,2)"
    assert corners.observations[0 * 27 + 1 * 9 + 2 * 3 + 0] == "nothing up, teammate down, prey left, nothing right"
    assert corners.actions == ("Up", "Down", "Left", "Right", "Stay")
    assert corners.name == "prey (0,0) and (4,4)"


@pytest.mark.parametrize("size", range(3, 11))
def test_the_pool_has_32_different_pairs_and_libraries_begin_with_its_first(size):
    drawn = pool(size)
    assert len(set(drawn)) == 32
    assert all(first < second for first, second in drawn)
    if size < 6:
        names = [f"prey ({a},{b}) and ({c},{d})" for (a, b), (c, d) in drawn[:4]]
        assert list(make("night-pursuit", size=size).names) == names


def test_tasks_can_be_asked_for_in_four_ways():
    first = make("night-pursuit", size=3, tasks=3)
    assert make("night-pursuit", size=3, tasks=[2, 0]).names == (first.names[2], first.names[0])
    assert make("night-pursuit", size=3, tasks=pool(3)[:3]).hash == first.hash
    drawn = make("night-pursuit", size=3, tasks=3, seed=5)
    assert drawn.names == make("night-pursuit", size=3, tasks=3, seed=5).names
    assert drawn.names != make("night-pursuit", size=3, tasks=3, seed=6).names
    assert len(set(make("night-pursuit", size=3, tasks=32, seed=1).names)) == 32


def test_three_predators_on_five_by_five_build_without_the_matrices_of_joint_actions():
    library = make("night-pursuit", teammates=2, tasks=1)
    assert library[0].pomdp.R.shape == (15_625, 5)
    assert "mmdp" not in vars(library[0])
    x, b = 4_321, int(library[0].teammate_actions(4_321).indices[0])
    outcome = library[0].outcomes(x, RIGHT, b)
    np.testing.assert_array_equal(outcome.indices, library[0].pomdp.P[RIGHT][[x]].indices)
    np.testing.assert_allclose(outcome.probabilities, library[0].pomdp.P[RIGHT][[x]].data)
