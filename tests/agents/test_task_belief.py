import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_models import rows, seeds
from walkon import InputError
from walkon.agents.task_belief import brier, certain, divergence, entropy, log_loss

BELIEFS = np.array([[0.25, 0.25, 0.25, 0.25], [0.7, 0.1, 0.2, 0.0], [0.0, 1.0, 0.0, 0.0]])


def test_the_entropy_is_one_for_the_uniform_belief_and_zero_for_certainty():
    assert entropy(BELIEFS)[[0, 2]].tolist() == [1, 0]
    assert entropy(np.ones((3, 1))).tolist() == [0, 0, 0]


def test_the_log_loss_is_minus_the_logarithm_of_the_true_tasks_probability():
    assert log_loss(BELIEFS, 1) == pytest.approx([math.log(4), math.log(10), 0])


def test_the_log_loss_is_infinite_where_the_true_task_is_ruled_out():
    assert log_loss(BELIEFS, 3).tolist()[1:] == [math.inf, math.inf]


def test_the_log_loss_of_the_smallest_probability_is_finite():
    assert log_loss(np.array([5e-324, 1.0]), 0) == pytest.approx(744.44, abs=0.01)


def test_the_brier_score_is_the_squared_distance_from_the_truth():
    assert brier(BELIEFS, 0) == pytest.approx([3 / 4**2 + 0.75**2, 0.3**2 + 0.1**2 + 0.2**2, 2])


@given(seeds, st.integers(1, 5))
def test_both_scores_are_best_in_expectation_for_the_belief_that_the_tasks_are_drawn_from(seed, K):
    rng = np.random.default_rng(seed)
    truth, other = rows(rng, (2, K), sparsity=0.0)
    for score in (log_loss, brier):
        honest, false = (sum(truth[k] * score(p, k) for k in range(K)) for p in (truth, other))
        assert honest <= false + 1e-12


@given(seeds, st.integers(1, 5))
def test_the_divergence_is_a_sum_over_the_tasks_of_q(seed, K):
    q, p = rows(np.random.default_rng(seed), (2, K))
    terms = [q[k] * (math.log(q[k] / p[k]) if p[k] else math.inf) for k in range(K) if q[k]]
    assert divergence(q, p) == pytest.approx(sum(terms), abs=1e-12)
    assert divergence(q, q) == 0


def test_a_task_that_does_not_exist_is_refused():
    assert certain(1, 3).tolist() == [0, 1, 0]
    for target in (-1, 4):
        with pytest.raises(InputError, match=f"target is {target}, expected the index of a task, 0 to 3"):
            brier(BELIEFS, target)
