"""Luck, and the draws that it decides."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from random_models import rows, seeds
from walkon.domains import make
from walkon.errors import InputError
from walkon.models.chance_kernels import choose
from walkon.models.chance_kernels import draw as draw_from
from walkon.models.stacked import Outcomes, row, stack
from walkon.simulation.stepping import draw, first_state, step
from walkon.trials.luck import Luck, Uniforms, uniforms


@given(arrays(float, st.integers(1, 12), elements=st.floats(0, 1)), st.floats(0, 1, exclude_max=True))
def test_a_draw_is_the_first_place_where_the_running_sum_passes_the_number(weights, number):
    if weights.sum() < 1e-6:
        weights[0] = 1.0
    p = weights / weights.sum()
    total, wanted = 0.0, None
    for i, share in enumerate(p):
        total += share
        if total > number:
            wanted = i
            break
    if wanted is None:
        wanted = max(i for i, share in enumerate(p) if share > 0)
    assert choose(p, number) == wanted
    assert p[choose(p, number)] > 0


@pytest.mark.parametrize(
    ("number", "wanted"),
    [(0.0, 1), (np.nextafter(0.25, 0), 1), (0.25, 4), (np.nextafter(0.75, 0), 4), (0.75, 6), (np.nextafter(1, 0), 6)],
)
def test_an_outcome_begins_exactly_at_its_border_in_every_form_of_a_draw(number, wanted):
    """The borders of these probabilities have no rounding: an outcome owns its lower border and not its upper one."""
    p = np.array([0.0, 0.25, 0.0, 0.0, 0.5, 0.0, 0.25])
    matrix = csr_array(np.array([np.eye(7)[3], p]))
    assert draw_from(stack([matrix]), 1, number) == wanted
    assert draw(row(matrix, 1), number) == wanted
    assert choose(p, number) == wanted


@given(seeds)
def test_the_compiled_draw_agrees_with_the_plain_one_at_and_beside_every_border(seed):
    matrix = csr_array(rows(np.random.default_rng(seed), (3, 9)))
    stacked = stack([matrix])
    for i in range(3):
        some = row(matrix, i)
        borders = np.cumsum(some.probabilities)
        for number in np.concatenate([[0.0], borders, np.nextafter(borders, 0), np.nextafter(borders, 1)]):
            if number < 1:
                assert draw_from(stacked, i, number) == draw(some, number) == choose(matrix[[i]].toarray()[0], number)


def test_rounding_never_draws_what_has_no_probability():
    short = np.array([0.5, 0.5 - 1e-10, 0.0])
    assert choose(short, 1 - 1e-12) == 1
    assert draw(Outcomes(np.array([4, 9]), np.array([0.3, 0.7])), 0.3) == 9


def test_numbers_spread_evenly_draw_each_outcome_as_often_as_its_probability():
    p = np.array([0.125, 0.0, 0.5, 0.375])
    drawn = [choose(p, (i + 0.5) / 800) for i in range(800)]
    np.testing.assert_array_equal(np.bincount(drawn, minlength=4), 800 * p)


def test_a_seed_fixes_the_luck_and_a_longer_horizon_begins_the_same():
    short, long = Luck.of(seed=3, horizon=5), Luck.of(seed=3, horizon=50)
    assert short.start == long.start
    np.testing.assert_array_equal(short.steps, long.steps[:5])
    assert short[4] == long[4]
    assert Luck.of(seed=4, horizon=5).start != short.start
    assert ((long.steps >= 0) & (long.steps < 1)).all()
    assert len(np.unique(long.steps)) == 200


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True, None])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(InputError, match="seed is"):
        Luck.of(seed=seed, horizon=3)


def test_a_trial_has_at_least_one_step():
    with pytest.raises(InputError, match="horizon is 0"):
        Luck.of(seed=0, horizon=0)


def test_each_number_decides_its_own_draw_and_no_other():
    task = make("night-pursuit", size=3, tasks=1, tremble=0.5)[0]
    middle = task.states.index("agent (1,1), teammate (0,1)")
    calm = Uniforms(world=0.5, sensor=0.5, teammates=0.5, agent=0.5)
    base = step(task, middle, 0, calm)
    assert step(task, middle, 0, calm._replace(agent=0.9)) == base
    assert step(task, middle, 0, calm._replace(sensor=0.99)).state == base.state
    teammate_actions = {
        step(task, middle, 0, calm._replace(teammates=u)).teammate_action for u in np.linspace(0, 0.999, 20)
    }
    assert teammate_actions == set(task.teammate_actions(middle).indices)
    assert {step(task, middle, 0, calm._replace(world=u)).teammate_action for u in (0.0, 0.9)} == {base.teammate_action}


def test_somebody_else_may_sit_in_the_teammates_seat():
    task = make("night-pursuit", size=3, noise=0.0, tasks=1)[0]
    x = task.states.index("agent (1,1), teammate (1,1)")
    happened = step(task, x, 4, Uniforms(0.5, 0.5, 0.5, 0.5), teammate_action=2)
    assert task.states[happened.state] == "agent (1,1), teammate (0,1)"
    assert happened.teammate_action == 2


def test_played_frequencies_are_those_of_the_model():
    task = make("pursuit", size=3)[2]
    x, a, n = 11, 1, 4000
    luck = Luck.of(seed=1, horizon=n)
    happened = [step(task, x, a, luck[t]) for t in range(n)]
    arrived = np.bincount([h.state for h in happened], minlength=len(task.pomdp.start)) / n
    model = task.pomdp.P[a][[x]].toarray().ravel()
    assert np.abs(arrived - model).max() < 4 * np.sqrt(0.25 / n)
    read = np.bincount([h.observation for h in happened], minlength=81) / n
    assert np.abs(read - model @ task.pomdp.O[a].toarray()).max() < 4 * np.sqrt(0.25 / n)
    starts = [first_state(task, Luck.of(seed=s, horizon=1)) for s in range(500)]
    assert not task.solved[starts].any()
    assert len(set(starts)) > 45


@pytest.mark.parametrize("seed", [0, 7, 2**63 - 1])
def test_the_luck_of_one_step_is_that_of_the_whole_table(seed):
    """Oracle: NumPy's generator, which draws one number for the start and then four for each step."""
    rng, luck = np.random.default_rng(seed), Luck.of(seed, 300)
    assert luck.start == rng.random()
    table = rng.random((300, 4))
    np.testing.assert_array_equal(luck.steps, table)
    assert all(uniforms(seed, t) == luck[t] == Uniforms(*table[t]) for t in range(300))
    assert len(luck) == 300
    with pytest.raises(IndexError, match="step 300 has no luck"):
        luck[300]
