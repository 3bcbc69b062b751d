import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from random_models import histories, pomdps, random_pomdp, rows, seeds
from twins import dense, dense_update, path_weights
from walkon import POMDP, InputError, predict, update
from walkon.models.belief_kernels import entry
from walkon.models.stacked import stack


@given(st.data())
def test_an_update_agrees_with_dense_sums(data):
    pomdp = data.draw(pomdps())
    belief = pomdp.start
    for action, observation in data.draw(histories(pomdp)):
        expected, likelihood = dense_update(pomdp, belief, action, observation)
        posterior = update(pomdp, belief, action, observation)
        assert posterior.likelihood == pytest.approx(likelihood, abs=1e-12)
        assert posterior.belief == pytest.approx(expected, abs=1e-12)
        assert posterior.belief.sum() == pytest.approx(1)
        belief = posterior.belief


@given(st.data())
def test_likelihoods_multiply_to_the_probability_of_the_history(data):
    pomdp = random_pomdp(data.draw(seeds), X=3, A=2, Z=2)
    history = data.draw(histories(pomdp, longest=4))
    belief, product = pomdp.start, 1.0
    for action, observation in history:
        belief, likelihood = update(pomdp, belief, action, observation)
        product *= likelihood
    ends = path_weights(pomdp, history)
    assert product == pytest.approx(ends.sum(), abs=1e-12)
    if product > 0:
        assert belief == pytest.approx(ends / ends.sum(), abs=1e-9)


@given(pomdps())
def test_the_likelihoods_of_all_observations_sum_to_one(pomdp):
    Z = pomdp.O[0].shape[1]
    total = sum(update(pomdp, pomdp.start, 0, z).likelihood for z in range(Z))
    assert total == pytest.approx(1)


@given(pomdps())
def test_reading_nothing_is_the_mean_over_all_readings(pomdp):
    Z = pomdp.O[0].shape[1]
    posteriors = [update(pomdp, pomdp.start, 0, z) for z in range(Z)]
    mean = sum(p.belief * p.likelihood for p in posteriors)
    assert predict(pomdp, pomdp.start, 0) == pytest.approx(mean, abs=1e-12)


@given(seeds)
def test_relabelling_states_and_observations_relabels_the_belief(seed):
    rng, pomdp = np.random.default_rng(seed), random_pomdp(seed)
    X, Z = len(pomdp.start), pomdp.O[0].shape[1]
    s, o = rng.permutation(X), rng.permutation(Z)
    P, O = dense(pomdp.P), dense(pomdp.O)
    other = POMDP(P[:, s][:, :, s], O[:, s][:, :, o], pomdp.R[s], pomdp.start[s], pomdp.discount)
    for z in range(Z):
        here, there = update(pomdp, pomdp.start, 1, o[z]), update(other, other.start, 1, z)
        assert there.likelihood == pytest.approx(here.likelihood, abs=1e-12)
        assert there.belief == pytest.approx(here.belief[s], abs=1e-12)


@given(seeds, st.sampled_from([0.0, 0.5, 0.95]))
def test_an_entry_is_found_wherever_it_stands_in_its_row(seed, sparsity):
    matrix = rows(np.random.default_rng(seed), (3, 40), sparsity)
    stacked = stack([csr_array(matrix)])
    assert [[entry(stacked, i, j) for j in range(40)] for i in range(3)] == matrix.tolist()


def test_an_impossible_observation_has_likelihood_zero_and_leaves_the_belief():
    pomdp = POMDP(P=[np.eye(2)], O=[[[1, 0, 0], [0, 1, 0]]], R=np.zeros((2, 1)))
    belief, likelihood = update(pomdp, np.array([0.3, 0.7]), 0, 2)
    assert likelihood == 0
    assert belief.tolist() == [0.3, 0.7]


@pytest.mark.parametrize(("action", "observation", "word"), [(2, 0, "action 2"), (-1, 0, "action -1"), (0, 9, "9")])
def test_an_action_or_observation_that_does_not_exist_is_refused(action, observation, word):
    pomdp = random_pomdp(0, A=2, Z=3)
    with pytest.raises(InputError, match=word):
        update(pomdp, pomdp.start, action, observation)
