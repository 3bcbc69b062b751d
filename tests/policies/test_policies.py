import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from no_beliefs import NO_BELIEFS
from random_models import pomdps, random_pomdp, rows, seeds
from twins import dense
from walkon import AlphaVectors, InputError, TabularPolicy
from walkon.domains.classics import tiger
from walkon.policies.alpha_kernels import first_best


@st.composite
def policies(draw, X, A):
    rng = np.random.default_rng(draw(seeds))
    N = draw(st.integers(1, 6))
    return AlphaVectors(rng.normal(size=(N, X)), rng.integers(A, size=N), A)


@given(st.data())
def test_a_value_is_the_maximum_over_the_vectors(data):
    policy = data.draw(policies(X=4, A=3))
    belief = rows(np.random.default_rng(data.draw(seeds)), (4,))
    values = [sum(b * v for b, v in zip(belief, vector, strict=True)) for vector in policy.vectors]
    assert policy.value(belief) == pytest.approx(max(values))
    chosen = policy.actions[int(np.argmax(values))]
    assert policy.probabilities(belief)[chosen] > 0
    assert policy.probabilities(belief).sum() == pytest.approx(1)


@given(st.data())
def test_q_is_one_step_of_look_ahead(data):
    pomdp = data.draw(pomdps())
    X, A = pomdp.R.shape
    policy = data.draw(policies(X, A))
    P, O = dense(pomdp.P), dense(pomdp.O)
    for a in range(A):
        arrived = pomdp.start @ P[a]
        future = sum((policy.vectors @ (arrived * O[a][:, z])).max() for z in range(O.shape[2]))
        expected = pomdp.start @ pomdp.R[:, a] + pomdp.discount * future
        assert policy.q(pomdp, pomdp.start)[a] == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=70))
def test_the_first_of_the_best_scores_is_found(numbers):
    scores = np.array([np.zeros(len(numbers)), numbers], dtype=np.float32)
    assert first_best(scores, 1, np.empty(len(numbers), np.float32)) == np.argmax(numbers)


def test_tied_vectors_share_the_probability_by_distinct_actions():
    policy = AlphaVectors([[1, 1], [1, 1], [1, 1 - 1e-12], [0, 5]], actions=[0, 0, 2, 1], action_count=4)
    assert policy.probabilities(np.array([1.0, 0.0])).tolist() == [0.5, 0, 0.5, 0]


def test_ties_are_relative_to_the_size_of_the_values():
    for scale in (1e-15, 1.0, 1e15):
        near = AlphaVectors(scale * np.array([[1.0], [1 - 1e-10], [1 - 1e-8]]), [0, 1, 2], 3)
        assert near.probabilities(np.array([1.0])).tolist() == [0.5, 0.5, 0]


def test_a_table_answers_for_a_state_and_for_a_distribution():
    policy = TabularPolicy(np.array([[1.0, 1.0], [0.0, 2.0]]))
    assert policy.probabilities(1).tolist() == [0, 1]
    assert policy.probabilities(np.array([0.5, 0.5])).tolist() == [0.25, 0.75]
    assert policy.value(np.array([0.5, 0.5])) == 1.5
    assert policy.q(0).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("vectors", "actions", "message"),
    [
        ([], [], r"vectors has shape \(0,\)"),
        ([[1, 2]], [0, 1], "actions has shape"),
        ([[1, 2]], [3], r"actions\[0\] is 3, expected a number from 0 to 2"),
        ([[1, np.nan]], [0], r"vectors\[0, 1\] is nan"),
    ],
)
def test_bad_vectors_are_refused(vectors, actions, message):
    with pytest.raises(InputError, match=message):
        AlphaVectors(vectors, actions, 3)


def test_a_bad_table_is_refused():
    with pytest.raises(InputError, match="table has shape"):
        TabularPolicy(np.zeros(3))


def test_beliefs_may_be_read_only():
    pomdp = random_pomdp(0)
    policy = AlphaVectors(np.ones((1, 4)), [0], 3)
    assert policy.value(pomdp.start) == pytest.approx(1)


@pytest.mark.parametrize("case", NO_BELIEFS)
def test_no_policy_answers_to_what_is_no_belief(case):
    belief, told = NO_BELIEFS[case]
    vectors, table = AlphaVectors(np.eye(2), [0, 2], 3), TabularPolicy(np.eye(2))
    asked = [vectors.value, vectors.probabilities, lambda b: vectors.q(tiger(), b)]
    for ask in [*asked, table.value, table.probabilities, table.q]:
        for kind in (list, np.array):
            with pytest.raises(InputError, match=told):
                ask(kind(belief))


@pytest.mark.parametrize("state", [-1, 2, 0.5, "0", True, None])
def test_a_table_answers_only_to_states_that_exist(state):
    table = TabularPolicy(np.eye(2))
    for ask in (table.value, table.probabilities, table.q):
        with pytest.raises(InputError, match=r"state is .*, expected a whole number from 0 to 1"):
            ask(state)
