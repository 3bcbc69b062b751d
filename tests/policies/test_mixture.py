"""The compiled mixture against the policies' own answers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_models import rows, seeds
from walkon import AlphaVectors, TabularPolicy
from walkon.models.packed_beliefs import pack
from walkon.policies.mixture import Mixture


def mixed(policies, tasks, states):
    return Mixture(policies).probabilities(pack(tasks, np.zeros(len(tasks)), states))


def twin(policies, tasks, states):
    return sum(p * policy.probabilities(b) for p, policy, b in zip(tasks, policies, states, strict=True))


@given(seeds, st.sampled_from([0.0, 1e-12, 1e-7, 1e-4, 1.0]), st.sampled_from([0.0, 0.6, 0.95]))
def test_it_is_the_policies_weighed_by_the_tasks(seed, apart, sparsity):
    """Vectors that differ by less than the rough sums can tell are told apart all the same, and ties are kept."""
    rng = np.random.default_rng(seed)
    policies, states = [], []
    for X in (1, 7, 30):
        N = rng.integers(1, 40)
        vectors = 100 * rng.normal(size=X) + apart * rng.integers(-3, 4, size=(N, X)).astype(float)
        vectors[0] -= 300.0  # one that is far below, so that the steps are wide
        policies.append(AlphaVectors(vectors, rng.integers(5, size=N), 5))
        states.append(rows(rng, (X,), sparsity))
    tasks = rows(rng, (3,), 0.3)
    assert mixed(policies, tasks, states) == pytest.approx(twin(policies, tasks, states), abs=1e-12)


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_ties_at_any_scale_are_shared_by_distinct_actions(scale):
    vectors = scale * np.array([[1.0, 1.0], [1.0, 1 - 1e-12], [1.0, 1.0], [-5.0, 2.0]])
    policy = AlphaVectors(vectors, actions=[0, 2, 2, 1], action_count=4)
    assert mixed([policy], np.ones(1), [np.array([1.0, 0.0])]).tolist() == [0.5, 0, 0.5, 0]
    assert mixed([policy], np.ones(1), [np.array([0.0, 1.0])]).tolist() == [0, 1, 0, 0]


def test_vectors_that_are_all_alike_have_no_steps_and_are_tied():
    policy = AlphaVectors(np.full((3, 2), 7.0), actions=[0, 1, 1], action_count=3)
    assert mixed([policy], np.ones(1), [np.array([0.5, 0.5])]).tolist() == [0.5, 0.5, 0]


@given(seeds)
def test_tables_are_mixed_too(seed):
    rng = np.random.default_rng(seed)
    policies = [TabularPolicy(rng.integers(3, size=(X, 4)).astype(float)) for X in (2, 5)]
    tasks, states = rows(rng, (2,)), [rows(rng, (X,), 0.5) for X in (2, 5)]
    assert mixed(policies, tasks, states) == pytest.approx(twin(policies, tasks, states), abs=1e-12)
