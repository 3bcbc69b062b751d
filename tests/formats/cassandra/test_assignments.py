"""The reader against a slow and obvious twin, which fills dense arrays statement by statement.

Statements are drawn at random: all letters, all numbers of fields, wildcards anywhere, words, any order and layout.
"""

from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from walkon.formats.cassandra import rewards, statements
from walkon.formats.cassandra.assignments import matrices
from walkon.formats.cassandra.grammar import grammar
from walkon.formats.cassandra.preamble import read_preamble
from walkon.formats.cassandra.rewards import expected_rewards
from walkon.formats.cassandra.source import blank_comments
from walkon.formats.cassandra.statements import read_statements

PROBABILITY = st.sampled_from(["0", "0.25", ".5", "1", "1e-1", "0.0"])
REWARD = st.sampled_from(["0", "-1", "2.5", "+3", "- 4", "1e2", "-0"])
GAP = st.sampled_from([" ", "\n", "  ", " # a comment: T: 0\n", "\t\r\n"])


class Twin:
    """Dense arrays, and a text that was written while they were filled."""

    def __init__(self, draw, with_observations):
        self.draw = draw
        self.X, self.A = draw(st.integers(1, 4)), draw(st.integers(1, 3))
        self.Z = draw(st.integers(1, 3)) if with_observations else 1
        start = draw(st.sampled_from(range(self.X)))
        self.start = np.eye(self.X)[start]
        self.text = f"discount: 0.9 values: reward states: {self.X} actions: {self.A} start: {start}\n"
        if with_observations:
            self.text += f"observations: {self.Z}\n"
        self.T = np.zeros((self.A, self.X, self.X))
        self.O = np.zeros((self.A, self.X, self.Z))
        self.R = np.zeros((self.A, self.X, self.X, self.Z))
        letters = "TOR" if with_observations else "TR"
        for _ in range(draw(st.integers(0, 14))):
            self.state(draw(st.sampled_from(letters)), with_observations)

    def state(self, letter, with_observations):
        """Write one statement, and do what it says."""
        array = {"T": self.T, "O": self.O, "R": self.R}[letter]
        if letter == "R" and not with_observations:
            array = array[..., 0]
        fewest = 2 if letter == "R" and with_observations else 1
        k = self.draw(st.integers(fewest, array.ndim))
        fields = [self.draw(st.one_of(st.none(), st.integers(0, size - 1))) for size in array.shape[:k]]
        where = tuple(slice(None) if field is None else field for field in fields)
        words = {"T1": ["uniform", "identity"], "T2": ["uniform", "reset"], "O1": ["uniform"], "O2": ["uniform"]}
        choice = self.draw(st.sampled_from([None, *words.get(f"{letter}{k}", [])]))
        rest = array.shape[k:]
        if choice is None:
            numbers = [self.draw(REWARD if letter == "R" else PROBABILITY) for _ in range(int(np.prod(rest)))]
            value = np.reshape([float(number.replace(" ", "")) for number in numbers], rest)
        else:
            numbers = [choice]
            value = {"uniform": 1 / array.shape[-1], "identity": np.eye(self.X), "reset": self.start}[choice]
        array[where] = value
        spelled = ["*" if field is None else str(field) for field in fields]
        if letter == "R" and not with_observations and k == 3 and self.draw(st.booleans()):
            spelled.append("*")
        tokens = [letter, *(token for field in spelled for token in (":", field)), *numbers]
        self.text += "".join(token + self.draw(GAP) for token in tokens[:-1]) + tokens[-1]
        self.text += self.draw(st.sampled_from(["\n", " "]))

    def folded(self):
        """R(x, a), by all the loops there are."""
        R = np.zeros((self.X, self.A))
        for a in range(self.A):
            for x in range(self.X):
                weights, total = 0.0, 0.0
                for y in range(self.X):
                    observations = self.O[a, y] if self.O[a, y].any() else np.zeros(self.Z)
                    inner = sum(observations[z] * self.R[a, x, y, z] for z in range(self.Z))
                    inner /= observations.sum() if observations.any() else 1
                    weights += self.T[a, x, y]
                    total += self.T[a, x, y] * inner
                R[x, a] = total / weights if weights else np.nan
        return R


def read(text):
    source = blank_comments("twin.pomdp", text.encode())
    preamble = read_preamble(source)
    given_ = read_statements(source, preamble.end, grammar(preamble))
    A, X, Z = preamble.actions.size, preamble.states.size, preamble.observations.size
    P = matrices(given_["T"], (A, X, X), preamble.start)
    O = matrices(given_["O"], (A, X, Z), preamble.start) if Z else None
    return P, O, given_["R"]


@given(st.data(), st.sampled_from([16, 2**20]))
def test_the_reader_agrees_with_filling_arrays_statement_by_statement(data, piece):
    twin = Twin(data.draw, with_observations=True)
    with patch.object(statements, "PIECE", piece):
        P, O, _ = read(twin.text)
    np.testing.assert_array_equal([p.toarray() for p in P], twin.T)
    np.testing.assert_array_equal([o.toarray() for o in O], twin.O)
    assert all((p.data != 0).all() for p in P + O)


@given(st.data(), st.sampled_from([1, 2**21]))
def test_rewards_are_the_sum_over_all_next_states_and_readings(data, block):
    twin = Twin(data.draw, with_observations=True)
    # Moves and observations that add up, whatever was drawn, and zeros among them.
    dense = st.lists(st.integers(0, 3), min_size=twin.X * (twin.X + twin.Z), max_size=twin.X * (twin.X + twin.Z))
    for a in range(twin.A):
        drawn = np.array(data.draw(dense), float)
        twin.T[a] = drawn[: twin.X**2].reshape(twin.X, twin.X) + 1e-3 * np.eye(twin.X)
        twin.O[a] = (
            drawn[twin.X**2 :].reshape(twin.X, twin.Z) + 1e-3 * np.eye(twin.X, twin.Z) + (np.arange(twin.Z) == 0)
        )
        twin.T[a] /= twin.T[a].sum(axis=1, keepdims=True)
        twin.O[a] /= twin.O[a].sum(axis=1, keepdims=True)
        for letter, array in (("T", twin.T), ("O", twin.O)):
            twin.text += f"\n{letter}: {a} " + " ".join(repr(float(v)) for v in array[a].ravel())
    with patch.object(rewards, "BLOCK", block):
        P, O, given_rewards = read(twin.text)
        np.testing.assert_allclose(expected_rewards(given_rewards, P, O), twin.folded(), atol=1e-12, rtol=1e-12)


@given(st.data())
def test_rewards_of_an_mdp_are_the_sum_over_all_next_states(data):
    twin = Twin(data.draw, with_observations=False)
    twin.O[:] = 1
    P, _, given_rewards = read(twin.text)
    expected = twin.folded()
    found = expected_rewards(given_rewards, P, None)
    possible = ~np.isnan(expected)
    np.testing.assert_allclose(found[possible], expected[possible], atol=1e-12, rtol=1e-12)


def test_a_reward_that_depends_on_the_state_alone_is_kept_to_the_last_bit():
    text = "discount: 0.9 values: reward states: 3 actions: 1 T: 0 uniform R: 0 : 1 : * 0.1"
    P, _, given_rewards = read(text)
    assert expected_rewards(given_rewards, P, None).tolist() == [[0], [0.1], [0]]


def test_a_matrix_of_many_pieces_is_read_as_one():
    X = 40
    dense = np.random.default_rng(0).dirichlet(np.ones(X), X).round(3)
    text = f"discount: 0.9 values: reward states: {X} actions: 2\nT: 1 identity\nT: 0\n"
    text += "\n".join(" ".join(map(str, row)) for row in dense) + "\nT: 1 : 0 : 0 0.5\nT: * : 1\n" + "0.025 " * X
    with patch.object(statements, "PIECE", 128):
        P, _, _ = read(text)
    dense[1] = 0.025
    np.testing.assert_array_equal(P[0].toarray(), dense)
    assert P[1][0, 0] == 0.5
