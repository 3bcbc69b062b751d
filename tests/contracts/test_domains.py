"""What every world promises."""

import pickle
from xml.etree import ElementTree

import numpy as np
import pytest

from walkon.domains import DOMAINS, make
from walkon.pictures.pixels import pixels
from walkon.pictures.svg import svg
from walkon.pictures.text import text

LIBRARIES = {
    "night-pursuit": [{}, {"size": 3, "noise": 0.0}, {"size": 4, "tremble": 0.1, "teammate_noise": True}],
    "pursuit": [{}, {"capture": "adjacent", "literal_noise": True}, {"size": 4, "tremble": 0.1}],
    "overcooked": [{}, {"role": "cook"}, {"tremble": 0.1}],
}
SIZES = {  # states, actions, observations
    ("night-pursuit", 3): (81, 5, 81),
    ("night-pursuit", 4): (256, 5, 81),
    ("night-pursuit", 5): (625, 5, 81),
    ("night-pursuit", 6): (1296, 5, 81),
    ("pursuit", 5): (552, 4, 625),
    ("overcooked", None): (1728, 4, 1728),
}
PAPER = {"night-pursuit": (50, "steps", 4), "pursuit": (50, "steps", 3), "overcooked": (75, "soups", 4)}

every_library = pytest.mark.parametrize(
    ("name", "options"), [(name, options) for name in DOMAINS for options in LIBRARIES[name]]
)


@pytest.mark.parametrize(("name", "size"), SIZES)
def test_sizes_are_the_papers(name, size):
    library = make(name, **({} if size is None else {"size": size}))
    for task in library:
        assert (*task.pomdp.R.shape, task.pomdp.O[0].shape[1]) == SIZES[name, size]


@pytest.mark.parametrize("name", DOMAINS)
def test_horizon_score_and_number_of_tasks_are_the_papers(name):
    library = make(name)
    assert {(task.horizon, task.score, len(library)) for task in library} == {PAPER[name]}
    assert {task.pomdp.discount for task in library} == {0.95}


@every_library
def test_rows_sum_to_one_and_solved_states_absorb(name, options):
    for task in make(name, **options):
        X = len(task.pomdp.start)
        for matrix in (*task.pomdp.P, *task.pomdp.O, task.teammates):
            np.testing.assert_allclose(matrix.sum(axis=1), np.ones(matrix.shape[0]), rtol=0, atol=1e-12)
        solved = np.zeros(X, dtype=bool) if task.solved is None else task.solved
        assert not task.pomdp.start[solved].any()
        for P in task.pomdp.P:
            np.testing.assert_allclose(P.diagonal()[solved], 1, rtol=0, atol=1e-14)
            np.testing.assert_array_equal(np.diff(P.indptr)[solved], 1)
        assert not task.pomdp.R[solved].any()


@every_library
def test_one_step_at_a_time_is_the_same_world_as_the_matrices(name, options):
    library = make(name, **options)
    rng = np.random.default_rng(0)
    for task in library:
        X, A = task.pomdp.R.shape
        for x in rng.integers(X, size=40):
            for a in range(A):
                row, paid = np.zeros(X), 0.0
                for b, q in zip(*task.teammate_actions(x), strict=True):
                    for y, p in zip(*task.outcomes(x, a, b), strict=True):
                        row[y] += q * p
                        paid += q * p * task.paid(x, a, b, y)
                np.testing.assert_allclose(row, task.pomdp.P[a][[x]].toarray().ravel(), rtol=0, atol=1e-12)
                assert paid == pytest.approx(task.pomdp.R[x, a], abs=1e-9)
                read = task.observation_outcomes(a, x)
                np.testing.assert_array_equal(read.probabilities, task.pomdp.O[a][[x]].data)


@every_library
def test_a_library_is_built_the_same_every_time_and_its_tasks_differ(name, options):
    library = make(name, **options)
    assert library.hash == make(name, **options).hash
    assert len({task.hash for task in library}) == len(set(library.names)) == len(library)


@every_library
def test_a_task_survives_pickling(name, options):
    task = make(name, **options)[0]
    again = pickle.loads(pickle.dumps(task))
    assert again.hash == task.hash
    np.testing.assert_array_equal(again.outcomes(7, 1, 1).indices, task.outcomes(7, 1, 1).indices)


@every_library
def test_everything_has_a_name_and_a_tuple(name, options):
    for task in make(name, **options):
        (X, A), Z = task.pomdp.R.shape, task.pomdp.O[0].shape[1]
        assert (len(task.states), len(task.actions), len(task.observations)) == (X, A, Z)
        for table, size in ((task.state_numbers, X), (task.observation_numbers, Z)):
            rows = [tuple(row) for row in table]
            assert len(rows) == size
            assert rows == sorted(set(rows))  # lexicographic, all different


@pytest.mark.parametrize("name", DOMAINS)
def test_a_tremble_changes_the_hash_and_leaves_every_reply_possible(name):
    small = {"size": 3} if name == "night-pursuit" else {}
    steady, trembling = make(name, **small), make(name, **small, tremble=0.1)
    for task, shaky in zip(steady, trembling, strict=True):
        assert task.hash != shaky.hash
        B = task.teammates.shape[1]
        wanted = 0.9 * task.teammates.toarray() + 0.1 / B
        np.testing.assert_allclose(shaky.teammates.toarray(), wanted, rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", DOMAINS)
def test_only_overcooked_is_fully_observed(name):
    assert make(name).observed == (name == "overcooked")


@every_library
def test_every_moment_can_be_drawn_in_every_way(name, options):
    task = make(name, **options)[-1]
    X = len(task.pomdp.start)
    for x in (0, X // 3, X - 1):
        z = int(task.observation_outcomes(0, x).indices[-1])
        bare, full = task.view.scene(x), task.view.scene(x, observation=z, belief=task.pomdp.start)
        for heat in full.beliefs:
            assert heat.grid.sum() == pytest.approx(1)
            assert heat.grid.shape == (full.rows, full.columns)
        assert not bare.observations
        assert not bare.beliefs
        assert len(full.beliefs) == (0 if task.observed else 2)
        for scene in (bare, full):
            kinds = [piece.kind for piece in scene.pieces]
            assert kinds.count("agent") == kinds.count("teammate") == 1
            assert all(0 <= c < scene.columns and 0 <= r < scene.rows for c, r in (p.cell for p in scene.pieces))
            assert text(scene).count("A") >= 2  # on the board and in the key
            ElementTree.fromstring(svg(scene))
        assert pixels(full).shape[2] == 3


def test_a_belief_that_knows_the_state_is_drawn_where_the_pieces_are():
    for name in ("night-pursuit", "pursuit"):
        task = make(name)[0]
        for x in (17, 300):
            scene = task.view.scene(x, belief=np.eye(len(task.pomdp.start))[x])
            where = {piece.kind: piece.cell for piece in scene.pieces if piece.kind != "prey" or name == "pursuit"}
            for heat in scene.beliefs:
                column, row = where[heat.kind]
                assert heat.grid[row, column] == 1
