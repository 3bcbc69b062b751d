"""Cases of Pursuit that can be worked out by hand, on the 5 x 5 torus."""

import numpy as np
import pytest

from walkon.domains import make

UP, DOWN, LEFT, RIGHT = range(4)


@pytest.fixture(scope="module")
def library():
    return make("pursuit")


@pytest.fixture(scope="module")
def greedy(library):
    return library[0]


def state(task, mate, prey):
    return int(np.flatnonzero((task.state_numbers == (*mate, *prey)).all(axis=1))[0])


def outcomes(task, x, a, b):
    """The next states as (teammate, prey), with thirtieths: five flights times six orders."""
    y, p = task.outcomes(x, a, b)
    return {tuple(map(int, task.state_numbers[i])): round(float(30 * q), 9) for i, q in zip(y, p, strict=True)}


def choice(task, mate, prey):
    row = task.teammates[[state(task, mate, prey)]].toarray().ravel()
    return {task.actions[b]: round(float(row[b]), 9) for b in np.flatnonzero(row)}


def test_a_mover_is_blocked_over_the_edge_of_the_torus_too(greedy):
    # Teammate at the left edge, prey at the right one: to the teammate's left, over the edge, is the prey.
    moved = outcomes(greedy, state(greedy, (-2, 0), (2, 0)), DOWN, LEFT)
    went = sum(p for (dx, _, _, _), p in moved.items() if dx == 2)
    blocked = sum(p for (dx, _, _, _), p in moved.items() if dx == -2)
    # It goes only if the prey left before it: up, down or left, in half of the orders. Right is the teammate's cell.
    assert (went, blocked) == (9, 21)


def test_a_cell_vacated_earlier_in_the_step_is_free(greedy):
    # The agent wants the teammate's cell, the teammate leaves it: it works if the teammate is before the agent.
    moved = outcomes(greedy, state(greedy, (1, 0), (-2, 2)), RIGHT, UP)
    followed = sum(p for (dx, dy, _, _), p in moved.items() if (dx, dy) == (0, -1))
    blocked = sum(p for (dx, dy, _, _), p in moved.items() if (dx, dy) == (1, -1))
    assert (followed, blocked) == (15, 15)


def test_two_that_want_to_swap_are_both_blocked(greedy):
    moved = outcomes(greedy, state(greedy, (1, 0), (-2, 2)), RIGHT, LEFT)
    assert {(dx, dy) for dx, dy, _, _ in moved} == {(1, 0)}


def test_the_prey_is_captured_from_opposite_sides_only(greedy):
    captured = {tuple(map(int, greedy.state_numbers[x])) for x in np.flatnonzero(greedy.solved)}
    assert captured == {(2, 0, 1, 0), (-2, 0, -1, 0), (0, 2, 0, 1), (0, -2, 0, -1)}
    assert make("pursuit", capture="adjacent")[0].solved.sum() == 12


def test_a_capture_absorbs_and_pays_once(greedy):
    x, y = state(greedy, (2, 1), (1, 0)), state(greedy, (2, 0), (1, 0))
    # The agent pushes right into the prey, the teammate steps up to the far side. The prey stays (6 orders), pushes
    # into the agent (6), or would move right into the teammate's goal, up or down.
    assert outcomes(greedy, y, UP, LEFT) == {(2, 0, 1, 0): 30}
    assert greedy.mmdp.R[y].any() == np.False_
    assert greedy.paid(x, RIGHT, UP, y) == 100
    assert greedy.paid(x, RIGHT, UP, x) == -1
    assert outcomes(greedy, x, RIGHT, UP)[2, 0, 1, 0] >= 12


def test_near_things_are_observed_better_than_far_ones(greedy):
    x = state(greedy, (1, 0), (2, 2))  # distances 1 and 4
    row = greedy.pomdp.O[0][[x]].toarray().ravel()
    read = {tuple(map(int, greedy.observation_numbers[z])): float(row[z]) for z in np.flatnonzero(row)}
    assert len(read) == 25
    assert read[1, 0, 2, 2] == pytest.approx(0.85 * 0.4)
    assert read[0, 0, 2, 2] == pytest.approx(0.15 / 4 * 0.4)  # the teammate on the own cell
    assert read[1, 0, -2, 2] == pytest.approx(0.85 * 0.6 / 4)  # the prey over the edge


def test_as_printed_near_things_are_observed_worse():
    task = make("pursuit", literal_noise=True)[0]
    x = state(task, (1, 0), (2, 2))
    assert task.pomdp.O[0][x, number_of_observation(task, (1, 0, 2, 2))] == pytest.approx(0.15 * 0.6)


def number_of_observation(task, z):
    return int(np.flatnonzero((task.observation_numbers == z).all(axis=1))[0])


def test_greedy_goes_along_the_larger_offset_and_pushes_into_the_prey(library):
    assert choice(library[0], (0, 1), (2, 2)) == {"Right": 1}
    assert choice(library[0], (1, 0), (2, 1)) == {"Down": 0.5, "Right": 0.5}
    assert choice(library[0], (1, 1), (2, 1)) == {"Right": 1}
    assert choice(library[0], (-1, 0), (1, 0)) == {"Right": 1}  # the agent in between does not bother it


def test_teammate_aware_walks_round_to_the_side_that_is_needed(library):
    aware = library[1]
    # The agent is left of the prey: the teammate above the prey must come to its right.
    assert choice(aware, (1, -1), (1, 0)) == {"Right": 1}
    assert choice(aware, (2, 0), (1, 0)) == {"Left": 1}  # there already: it pushes
    # The agent is away: any side will do, the nearest is taken.
    assert choice(aware, (2, -1), (2, 2)) == {"Up": 1}  # over the edge it is beside the prey in one move


def test_probabilistic_destinations_prefers_near_sides(library):
    row = choice(library[2], (2, 0), (1, 0))  # stands on the far side; the agent on the near one
    push = np.exp(0)
    others = np.exp(-2)  # above and below the prey, two moves away each
    total = push + 2 * others
    assert row["Left"] == pytest.approx(push / total)
    assert row["Up"] == row["Down"] == pytest.approx(others / total)


def test_a_tremble_gives_every_move_some_probability():
    task = make("pursuit", tremble=0.2)[0]
    assert choice(task, (1, 1), (2, 1)) == {"Up": 0.05, "Down": 0.05, "Left": 0.05, "Right": 0.85}


def test_names_are_what_a_person_would_say(greedy):
    assert greedy.states[state(greedy, (1, -2), (0, 1))] == "teammate (+1,-2), prey (0,+1)"
    assert greedy.actions == ("Up", "Down", "Left", "Right")
