import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from exact_beliefs import ExactBeliefs, close, extreme_library, extreme_seeds
from no_beliefs import NO_BELIEFS
from random_models import histories, pomdps, random_pomdp, rows, seeds
from twins import dense, dense_update, path_weights
from walkon import POMDP, InputError, predict, update
from walkon.domains.classics import tiger
from walkon.models.belief import FaintBelief, prediction
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
def test_a_missing_observation_is_the_mean_over_all_observations(pomdp):
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


def static(sensor):
    """States that never change, so that only observations tell them apart."""
    X = len(sensor)
    return POMDP([np.eye(X)], [sensor], np.zeros((X, 1)))


def test_a_state_comes_back_after_any_number_of_observations_against_it():
    pomdp = static([[0.9, 0.1], [0.1, 0.9]])
    belief = pomdp.start
    for z in [0] * 400 + [1] * 600:
        belief, likelihood = update(pomdp, belief, 0, z)
        assert likelihood > 0
        assert (belief > 0).all()
    assert np.log(belief[0]) == pytest.approx(-200 * np.log(9), abs=1e-9)
    assert type(belief) is np.ndarray


@given(extreme_seeds, st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0, 1, None])), max_size=6))
def test_a_belief_is_that_of_exact_fractions_however_small(seed, history):
    library = extreme_library(seed, K=1, X=3)
    pomdp, exact = library[0].pomdp, ExactBeliefs(library, [1.0])
    belief = pomdp.start
    for a, z in history:
        if z is None:
            belief = predict(pomdp, belief, a)
            exact.update(a, None)
        else:
            belief, likelihood = update(pomdp, belief, a, z)
            if not exact.update(a, np.eye(2)[z]):
                assert likelihood == 0
                return
        with np.errstate(divide="ignore"):
            logs = belief.logs if isinstance(belief, FaintBelief) else np.log(belief)
        close(logs, exact.b[0])
        assert (belief > 0).tolist() == [b > 0 for b in exact.b[0]]


def test_what_is_made_from_a_faint_belief_is_what_it_shows():
    pomdp = static([[0.9, 0.1], [0.1, 0.9]])
    belief = pomdp.start
    for _ in range(400):
        belief = update(pomdp, belief, 0, 0).belief
    assert isinstance(belief, FaintBelief)
    assert belief.logs[1] == pytest.approx(-400 * np.log(9), rel=1e-12)
    assert belief[::-1].logs[0] == np.log(5e-324)
    assert predict(pomdp, belief, 0).logs == pytest.approx(belief.logs, rel=1e-12)
    with pytest.raises(ValueError, match="read-only"):
        belief[0] = 0.5


def test_predicting_is_linear_also_in_what_is_very_small():
    pomdp = POMDP([[[1e-200, 1 - 1e-200], [0.5, 0.5]]], [np.ones((2, 1))], np.zeros((2, 1)))
    after = prediction(pomdp, np.array([3e-200, 0.0]), 0)
    assert after[1] == pytest.approx(3e-200)
    assert after.logs[0] == pytest.approx(np.log(3) + 2 * np.log(1e-200), abs=1e-9)


@pytest.mark.parametrize("case", NO_BELIEFS)
@pytest.mark.parametrize("kind", [list, np.array])
def test_what_is_no_belief_is_not_updated(case, kind):
    belief, told = NO_BELIEFS[case]
    with pytest.raises(InputError, match=told):
        update(tiger(), kind(belief), 0, 0)


def test_a_belief_may_be_a_list_or_of_single_precision():
    wanted = update(tiger(), np.array([0.25, 0.75]), 0, 0)
    for belief in ([0.25, 0.75], (0.25, 0.75), np.array([0.25, 0.75], np.float32), np.array([0.25, 0.75])[::1]):
        posterior = update(tiger(), belief, 0, 0)
        assert posterior.belief.tolist() == wanted.belief.tolist()
        assert posterior.likelihood == wanted.likelihood
