"""What every world promises."""

import pickle
from xml.etree import ElementTree

import numpy as np
import pytest

from walkon.domains import WORLDS, make
from walkon.domains.world import MISSING
from walkon.errors import InputError
from walkon.pictures.pixels import pixels
from walkon.pictures.svg import svg
from walkon.pictures.text import text


def variations(world):
    """The options of a world as they are, and then each at another value that the page offers, or turned over."""
    yield {}
    for option in world.options:
        others = [value for value in option.page if value != option.default]
        if option.kind is bool:
            others = [not option.default]
        yield from ({option.name: value} for value in others[:1])
    yield {"tremble": 0.1}


every_world = pytest.mark.parametrize("name", WORLDS)
every_library = pytest.mark.parametrize(
    ("name", "options"),
    [(name, options) for name, world in WORLDS.items() for options in variations(world)],
)


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


@every_world
def test_a_tremble_changes_the_hash_and_leaves_every_reply_possible(name):
    steady, trembling = make(name), make(name, tremble=0.1)
    for task, shaky in zip(steady, trembling, strict=True):
        assert task.hash != shaky.hash
        B = task.teammates.shape[1]
        wanted = 0.9 * task.teammates.toarray() + 0.1 / B
        np.testing.assert_allclose(shaky.teammates.toarray(), wanted, rtol=0, atol=1e-15)


@every_library
def test_what_a_world_says_about_its_library_without_making_it_is_true(name, options):
    world, library = WORLDS[name], make(name, **options)
    assert world.task_names(options) == library.names
    assert world.observed in (None, library.observed)
    if world.scale is not None:
        states, observations = world.scale(**world.checked(options))
        made = sum(len(task.pomdp.start) for task in library)
        assert made <= states <= 1.5 * made
        assert observations == library[0].pomdp.O[0].shape[1]


@every_world
def test_a_world_says_what_people_call_it_and_what_each_option_means(name):
    world = WORLDS[name]
    assert (world.name, bool(world.title), bool(world.goal)) == (name, True, True)
    for option in world.every_option.values():
        assert len(option.help.split()) > 3
        assert option.default is None or option.check(option.name, option.default) == option.default
        for value in option.page:
            assert option.check(option.name, value) == value
            assert option.said(value)
            assert option.read(str(value)) == value or isinstance(value, bool)
        assert not option.page or option.default in option.page


@every_world
def test_an_option_that_is_none_or_a_value_that_cannot_be_is_refused_by_name(name):
    with pytest.raises(InputError, match=f"{name} has no option 'colour': it has "):
        make(name, colour="red")
    for option in WORLDS[name].every_option.values():
        if option.default is not None and option.default is not MISSING:
            with pytest.raises(InputError, match=f"{option.name} is <object"):
                make(name, **{option.name: object()})


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
