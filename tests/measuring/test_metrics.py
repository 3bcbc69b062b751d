import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkon
from random_models import random_pomdp, rows, seeds
from walkon import InputError, Task
from walkon.domains.overcooked.world import BOTTOM, NOTHING, PLATE, STATES, TOP, Kitchen
from walkon.measuring.metrics import measure
from walkon.trials.episode import Episode


def episode(T=3, states=None, task_beliefs=None, solved_at=None, counts=None, decision_times=None):
    nothing = np.zeros(T, dtype=np.int64)
    return Episode(
        task="hand-made",
        agent="hand-made",
        seed=0,
        horizon=T,
        states=np.zeros(T + 1, dtype=np.int64) if states is None else np.array(states),
        actions=nothing,
        teammate_actions=nothing,
        observations=nothing,
        rewards=np.zeros(T),
        counts=nothing if counts is None else np.array(counts),
        counted="",
        discount=0.9,
        solved_at=solved_at,
        task_beliefs=None if task_beliefs is None else np.array(task_beliefs),
        decision_times=np.ones(T) if decision_times is None else np.array(decision_times),
    )


@pytest.fixture(scope="module")
def task():
    return Task.from_pomdp(random_pomdp(0))


def test_the_numbers_of_an_episode_by_hand(task):
    beliefs = [[0.5, 0.5], [0.96, 0.04], [0.9, 0.1], [1.0, 0.0]]
    found = measure(episode(task_beliefs=beliefs, solved_at=2, decision_times=[1e-3, 2e-3, 9e-3]), task, 0)
    assert (found.steps, found.solved, found.tally) == (2, True, 0)
    assert (found.dead_end, found.dead_end_at) == (None, None)
    assert found.p_true.tolist() == [0.5, 0.96, 0.9, 1]
    assert found.final_p_true == 1
    assert found.identified_at == 3
    assert found.final_entropy == 0
    bits = [sum(-p * math.log2(p) for p in belief if p) for belief in beliefs]
    assert found.mean_entropy == pytest.approx(sum(bits) / 4)
    assert found.final_log_loss == 0
    assert found.mean_log_loss == pytest.approx(-math.log(0.5 * 0.96 * 0.9) / 4)
    assert found.final_brier == 0
    assert found.mean_brier == pytest.approx((0.5 + 2 * 0.04**2 + 2 * 0.1**2) / 4)
    assert (found.median_decision_time, found.mean_decision_time) == pytest.approx((2e-3, 4e-3))


def test_an_episode_that_is_never_solved_takes_its_horizon(task):
    found = measure(episode(T=5), task)
    assert (found.steps, found.solved) == (5, False)


@pytest.mark.parametrize(
    ("p_true", "threshold", "expected"),
    [
        ([0.95, 0.95, 0.95, 0.95], 0.95, 0),
        ([0.5, 0.99, 0.94, 0.96], 0.95, 3),
        ([0.5, 0.99, 0.94, 0.96], 0.9, 1),
        ([0.5, 0.99, 0.99, 0.94], 0.95, None),
        ([0.5, 0.5, 1.0, 1.0], 1.0, 2),
    ],
)
def test_a_task_is_identified_when_its_probability_stays_high_to_the_end(task, p_true, threshold, expected):
    beliefs = [[1 - p, p] for p in p_true]
    assert measure(episode(task_beliefs=beliefs), task, 1, threshold=threshold).identified_at == expected


def test_a_true_task_that_is_ruled_out_has_infinite_log_loss(task):
    found = measure(episode(T=1, task_beliefs=[[0.5, 0.5], [0.0, 1.0]]), task, 0)
    assert (found.final_log_loss, found.mean_log_loss, found.final_brier) == (math.inf, math.inf, 2)


def test_an_agent_without_a_task_belief_has_no_scores(task):
    found = measure(episode(), task, 0)
    assert found.final_entropy is found.mean_entropy is found.p_true is found.final_p_true is None
    assert found.identified_at is found.final_log_loss is found.mean_log_loss is None
    assert found.final_brier is found.mean_brier is None


def test_a_task_outside_the_library_has_an_entropy_and_no_scores(task):
    found = measure(episode(T=1, task_beliefs=[[0.5, 0.5], [0.5, 0.5]]), task)
    assert found.final_entropy == 1
    assert found.p_true is found.identified_at is found.final_log_loss is found.final_brier is None


def kitchen(helper_hand, cook_hand, top, bottom, pan):
    return STATES.index(Kitchen(TOP, BOTTOM, helper_hand, cook_hand, top, bottom, pan))


def test_counters_full_of_plates_are_a_dead_end_for_a_dummy_cook():
    """Two onions are in the pan and it waits for the third, which the helper can no longer put down."""
    library = walkon.make("overcooked", role="helper")
    dummy = library[library.names.index("dummy cook")]
    empty, one, full = (
        kitchen(NOTHING, NOTHING, top, bottom, 2) for top, bottom in ((0, 0), (PLATE, 0), (PLATE, PLATE))
    )
    found = measure(episode(states=[empty, one, full, full], counts=[0, 1, 1]), dummy)
    assert (found.tally, found.dead_end, found.dead_end_at) == (2, True, 2)
    left = measure(episode(states=[full, empty, empty, one]), dummy)
    assert (left.dead_end, left.dead_end_at) == (False, None)


@given(seeds, st.permutations(range(5)), st.integers(0, 4))
def test_permuting_the_tasks_changes_nothing(seed, order, target):
    task = Task.from_pomdp(random_pomdp(0))
    beliefs = rows(np.random.default_rng(seed), (4, 5), sparsity=0.2)
    one = measure(episode(task_beliefs=beliefs), task, target)
    two = measure(episode(task_beliefs=beliefs[:, order]), task, order.index(target))
    assert one.identified_at == two.identified_at
    assert one.p_true.tolist() == two.p_true.tolist()
    for name in ("entropy", "log_loss", "brier"):
        for when in ("final", "mean"):
            field = f"{when}_{name}"
            assert getattr(one, field) == pytest.approx(getattr(two, field))


@given(seeds)
def test_log_loss_and_brier_of_two_tasks_follow_from_the_true_tasks_probability(seed):
    beliefs = rows(np.random.default_rng(seed), (4, 2), sparsity=0.0)
    found = measure(episode(task_beliefs=beliefs), Task.from_pomdp(random_pomdp(0)), 1)
    assert found.mean_log_loss == pytest.approx(-np.log(found.p_true).mean())
    assert found.mean_brier == pytest.approx((2 * (1 - found.p_true) ** 2).mean())


def test_wrong_inputs_are_refused(task):
    with pytest.raises(InputError, match="target is 2, expected the index of a task, 0 to 1"):
        measure(episode(task_beliefs=[[0.5, 0.5]] * 4), task, 2)
    with pytest.raises(InputError, match="threshold is 0, expected a probability above 0"):
        measure(episode(), task, threshold=0)
