import numpy as np
import pytest
from hypothesis import given
from scipy import sparse

from random_models import pomdps, random_mmdp, random_pomdp, rows, seeds
from walkon import MDP, MMDP, POMDP, InputError

EYE = np.eye(2)
REWARD = np.zeros((2, 1))


def test_dense_arrays_and_every_sparse_format_make_the_same_model():
    model = random_pomdp(1)
    P, O = [p.toarray() for p in model.P], [o.toarray() for o in model.O]
    formats = [sparse.csr_array, sparse.csc_matrix, sparse.coo_array, sparse.lil_matrix, sparse.dok_array]
    hashes = {POMDP([f(p) for p in P], [f(o) for o in O], model.R, model.start, model.discount).hash for f in formats}
    hashes.add(POMDP(np.array(P), np.array(O), model.R, model.start, model.discount).hash)
    assert hashes == {model.hash}


def test_unsorted_and_duplicate_entries_are_put_in_order():
    messy = sparse.coo_array(([0.5, 0.25, 0.25, 1.0], ([0, 0, 0, 1], [1, 0, 0, 1])), shape=(2, 2))
    assert MDP([messy], REWARD).hash == MDP([[[0.5, 0.5], [0, 1]]], REWARD).hash


@given(pomdps())
def test_rows_of_a_model_are_distributions(model):
    for matrix in (*model.P, *model.O):
        assert np.abs(matrix.sum(axis=1) - 1).max() < 1e-12
    assert abs(model.start.sum() - 1) < 1e-12


def test_a_row_that_misses_one_by_rounding_of_a_file_is_divided_by_its_sum():
    model = MDP([[[0.333333, 0.666667 - 5e-7], [0, 1]]], REWARD)
    assert abs(model.P[0].sum(axis=1)[0] - 1) < 1e-15


def test_a_model_cannot_be_changed():
    model = random_pomdp(2)
    with pytest.raises(AttributeError):
        model.discount = 0.5
    for array in (model.R, model.start, model.P[0].data, model.P[0].indices, model.O[0].indptr):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_a_model_does_not_change_with_the_arrays_it_was_made_from():
    P, R = np.array([EYE]), REWARD.copy()
    model = MDP(P, R)
    P[0, 0], R[0] = [0, 1], 7
    assert model.P[0].toarray().tolist() == EYE.tolist()
    assert model.R[0, 0] == 0


def test_the_hash_is_of_the_numbers_and_not_of_the_names():
    plain, named = MDP([EYE], REWARD), MDP([EYE], REWARD, states=["a", "b"], actions=["go"])
    assert plain.hash == named.hash
    assert plain.hash != MDP([EYE], REWARD, discount=0.9).hash
    assert plain.hash != MDP([EYE], REWARD, start=[1, 0]).hash
    assert plain.hash != MDP([EYE], REWARD + 1).hash
    assert plain.hash != POMDP([EYE], [EYE], REWARD).hash


def test_the_start_is_uniform_if_not_given():
    assert MDP([EYE], REWARD).start.tolist() == [0.5, 0.5]


def test_the_mdp_of_a_pomdp_is_the_same_problem_with_the_state_seen():
    model = random_pomdp(3)
    seen = MDP(model.P, model.R, model.start, model.discount)
    assert type(model.mdp) is MDP
    assert model.mdp.hash == seen.hash


BAD = {
    "a row that does not sum to one": (
        lambda: MDP([EYE, [[0.5, 0.43], [0, 1]]], np.zeros((2, 2)), states=["here", "there"]),
        r'P\[1\] row 0 \("here"\) sums to 0.93, not 1 \(off by -0.07\): is the case of a blocked move missing',
    ),
    "several rows": (lambda: MDP([EYE * 0.5], REWARD), r"row 0 sums to 0.5.*1 more rows are off"),
    "a negative probability": (lambda: MDP([[[1.5, -0.5], [0, 1]]], REWARD), r"P\[0\] row 0, column 1 is -0.5"),
    "nan": (lambda: MDP([[[1, 0], [0, np.nan]]], REWARD), r"P\[0\] row 1, column 1 is nan"),
    "infinite reward": (lambda: MDP([EYE], [[0], [np.inf]]), r"R\[1, 0\] is inf"),
    "a matrix of another size": (lambda: MDP([EYE, np.eye(3)], np.zeros((2, 2))), r"P\[1\] has shape \(3, 3\)"),
    "a transposed reward": (lambda: MDP([EYE] * 3, np.zeros((3, 2))), r"R has shape \(3, 2\).*transposed"),
    "no action": (lambda: MDP([], REWARD), "P is empty"),
    "no list": (lambda: MDP(7, REWARD), "P is a int"),
    "text": (lambda: MDP([[["a", "b"], ["c", "d"]]], REWARD), "P.0. is not a matrix of numbers"),
    "ragged": (lambda: MDP([EYE], [[1], [2, 3]]), "R is not an array of numbers"),
    "discount above one": (lambda: MDP([EYE], REWARD, discount=1.1), r"discount is 1.1, expected a number in \[0, 1\)"),
    "a team without discount": (
        lambda: MMDP([[EYE]], np.ones((2, 1, 1)), discount=1),
        r"discount is 1, expected .*1\)",
    ),
    "a sum above one": (lambda: MDP([[[0.7, 0.7], [0, 1]]], REWARD), "sums to 1.4, .*: is a case given twice"),
    "a sum that is rounded": (lambda: MDP([[[0.9999, 0], [0, 1]]], REWARD), "sums to 0.9999, .*: divide it by its sum"),
    "a lost case": (lambda: MDP([[[0.9, 0], [0, 1]]], REWARD), "sums to 0.9, .* blocked move"),
    "discount text": (lambda: MDP([EYE], REWARD, discount="x"), "discount is 'x'"),
    "start": (lambda: MDP([EYE], REWARD, start=[0.5, 0.6]), r"start sums to 1.1, not 1 \(off by \+0.1\)"),
    "negative start": (lambda: MDP([EYE], REWARD, start=[1.5, -0.5]), r"start\[1\] is -0.5"),
    "names": (lambda: MDP([EYE], REWARD, states=["a"]), "states has 1 names, expected 2"),
    "equal names": (lambda: MDP([EYE], REWARD, states=["a", "a"]), 'states has "a" twice'),
    "a name for all": (lambda: MDP([EYE], REWARD, states="ab"), "expected a list of 2 names"),
    "no sensor for an action": (lambda: POMDP([EYE] * 2, [EYE], np.zeros((2, 2))), "O has 1 matrices"),
    "sensor row": (lambda: POMDP([EYE], [[[1, 0], [0.5, 0]]], REWARD), r"O\[0\] row 1 sums to 0.5.*observation"),
    "sensor height": (lambda: POMDP([EYE], [np.eye(3)], REWARD), r"O\[0\] has shape \(3, 3\)"),
    "seats": (lambda: MMDP([[EYE] * 3], np.zeros((2, 1, 3)), seats=(2, 2)), "seats .2, 2. make 4 joint actions"),
    "uneven joint": (lambda: MMDP([[EYE], [EYE, EYE]], np.zeros((2, 2, 1))), r"P\[1\] has 2 matrices, P\[0\] has 1"),
    "teammates": (
        lambda: random_mmdp(0).mdp(np.full((3, 4), 0.2)),
        "teammates row 0 sums to 0.8.*teammates have an action in every state",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_model_is_refused_with_the_value_and_the_place(case):
    make, message = BAD[case]
    with pytest.raises(InputError, match=message):
        make()


def test_a_sparse_matrix_with_indices_out_of_range_is_refused():
    broken = sparse.csr_array(EYE)
    broken.indices = np.array([0, 7], dtype=np.int32)
    with pytest.raises(InputError, match=r"P\[0\] is not a matrix of numbers"):
        MDP([broken], REWARD)


@given(seeds)
def test_folding_the_teammates_in_is_the_sum_over_their_actions(seed):
    team = random_mmdp(seed)
    X, A, B = team.R.shape
    policy = rows(np.random.default_rng(seed), (X, B))
    faced = team.mdp(policy)
    for a in range(A):
        for x in range(X):
            expected = sum(policy[x, b] * team.P[a][b].toarray()[x] for b in range(B))
            assert faced.P[a].toarray()[x] == pytest.approx(expected, abs=1e-12)
            assert faced.R[x, a] == pytest.approx(sum(policy[x, b] * team.R[x, a, b] for b in range(B)))


def test_a_team_with_a_sensor_gives_the_pomdp_that_the_ad_hoc_agent_faces():
    team, sensor = random_mmdp(5), [np.full((3, 2), 0.5)] * 2
    policy = np.full((3, 4), 0.25)
    faced = team.pomdp(policy, sensor, start=[1, 0, 0], observations=["lit", "dark"])
    assert faced.mdp.hash == team.mdp(policy, [1, 0, 0]).hash
    assert faced.observations == ("lit", "dark")
