"""The worlds are the paper's: their sizes, horizons, scores, and where a belief is drawn."""

import numpy as np
import pytest

from walkon.domains import make

SIZES = {  # states, actions, observations
    ("night-pursuit", 3): (81, 5, 81),
    ("night-pursuit", 4): (256, 5, 81),
    ("night-pursuit", 5): (625, 5, 81),
    ("night-pursuit", 6): (1296, 5, 81),
    ("pursuit", 5): (552, 4, 625),
    ("overcooked", None): (1728, 4, 1728),
}
PAPER = {"night-pursuit": (50, "steps", 4), "pursuit": (50, "steps", 3), "overcooked": (75, "soups", 4)}


@pytest.mark.parametrize(("name", "size"), SIZES)
def test_sizes_are_the_papers(name, size):
    library = make(name, **({} if size is None else {"size": size}))
    for task in library:
        assert (*task.pomdp.R.shape, task.pomdp.O[0].shape[1]) == SIZES[name, size]


@pytest.mark.parametrize("name", PAPER)
def test_horizon_score_and_number_of_tasks_are_the_papers(name):
    library = make(name)
    assert {(task.horizon, task.score, len(library)) for task in library} == {PAPER[name]}
    assert {task.pomdp.discount for task in library} == {0.95}


@pytest.mark.parametrize("name", PAPER)
def test_only_overcooked_is_fully_observed(name):
    assert make(name).observed == (name == "overcooked")


@pytest.mark.parametrize("name", ["night-pursuit", "pursuit"])
def test_a_belief_that_knows_the_state_is_drawn_where_the_pieces_are(name):
    task = make(name)[0]
    for x in (17, 300):
        scene = task.view.scene(x, belief=np.eye(len(task.pomdp.start))[x])
        where = {piece.kind: piece.cell for piece in scene.pieces if piece.kind != "prey" or name == "pursuit"}
        assert len(scene.beliefs) == 2
        for heat in scene.beliefs:
            column, row = where[heat.kind]
            assert heat.grid[row, column] == 1


@pytest.mark.parametrize("name", PAPER)
def test_rewards_are_the_papers(name):
    wanted = {-1, 15} if name == "overcooked" else {-1, 0, 100}
    for task in make(name):
        X, A = task.pomdp.R.shape
        chance = np.random.default_rng(0)
        for x in chance.integers(X, size=200):
            for a in range(A):
                for b in task.teammate_actions(x).indices:
                    assert {task.paid(x, a, b, y) for y in task.outcomes(x, a, b).indices} <= wanted
