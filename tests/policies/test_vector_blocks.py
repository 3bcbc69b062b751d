"""Vectors by blocks against the same vectors written out, by plain sums in Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkon
from random_models import random_pomdp, rows, seeds
from twins import dense
from walkon import AlphaVectors, InputError, memory, simulate
from walkon.models.packed_beliefs import pack
from walkon.policies.mixture import Mixture
from walkon.policies.ties import TOLERANCE
from walkon.policies.vector_blocks import VectorBlocks
from walkon.solvers.points import closing

A = 4


def random_blocks(rng, X, scale=1.0):
    """Blocks that overlap or not, some without vectors, with entries that often equal the floor or one another."""
    floor = scale * rng.integers(-3, 1, size=X).astype(float)
    labels = rng.integers(0, rng.integers(1, X + 1), size=X)
    states = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    for _ in range(rng.integers(0, 3)):  # blocks that lie across the others
        states.append(np.flatnonzero(rng.random(X) < rng.random()))
    states = [each for each in states if len(each)]
    counts = rng.integers(0, 4, size=len(states))
    counts[rng.integers(len(counts))] += 1
    parts = [
        floor[own] + scale * rng.choice([0.0, 0.0, 1e-12, 1e-6, 1.0, 5.0], size=(n, len(own)))
        for own, n in zip(states, counts, strict=True)
    ]
    written = []  # the twin: every vector over all states
    for own, part in zip(states, parts, strict=True):
        for vector in part:
            whole = floor.copy()
            whole[own] = vector
            written.append(whole)
    blocks = VectorBlocks.of(states, counts.tolist(), [part for part in parts if len(part)], floor)
    return blocks, np.array(written)


def random_policies(rng, X, scale=1.0):
    blocks, written = random_blocks(rng, X, scale)
    actions = rng.integers(A, size=len(written))
    return AlphaVectors(blocks, actions, A), AlphaVectors(written, actions, A)


def plain_values(written, belief):
    """The value of each vector, in floats, state by state."""
    found = []
    for vector in written:
        total = 0.0
        for b, v in zip(belief.tolist(), vector.tolist(), strict=True):
            if b:
                total += b * v
        found.append(total)
    return np.array(found)


@given(seeds, st.integers(1, 9), st.sampled_from([1e-150, 1.0, 1e150]), st.sampled_from([0.0, 0.5, 0.9]))
def test_values_and_actions_are_those_of_the_vectors_written_out(seed, X, scale, sparsity):
    rng = np.random.default_rng(seed)
    policy, written = random_policies(rng, X, scale)
    assert (policy.vectors == written.vectors).all()
    assert (policy.vector_count, policy.state_count) == written.vectors.shape
    belief = rows(rng, (X,), sparsity)
    values = plain_values(written.vectors, belief)
    best = values >= values.max() - TOLERANCE * abs(values.max())
    chosen = np.isin(np.arange(A), policy.actions[best])
    for each in (policy, written):
        assert each.value(belief) == values.max()  # to the last bit
        assert each.best(belief) == best.argmax()
        assert (each.probabilities(belief) == chosen / chosen.sum()).all()


@given(seeds)
def test_a_mixture_of_policies_is_that_of_the_vectors_written_out(seed):
    rng = np.random.default_rng(seed)
    pairs = [random_policies(rng, X) for X in (1, 5, 8)]
    tasks, states = rows(rng, (3,), 0.3), [rows(rng, (X,), 0.6) for X in (1, 5, 8)]
    beliefs = pack(tasks, np.zeros(3), states)
    by_blocks, by_vectors = (Mixture(each) for each in zip(*pairs, strict=True))
    twin = sum(p * whole.probabilities(b) for p, (_, whole), b in zip(tasks, pairs, states, strict=True))
    assert (by_blocks.probabilities(beliefs) == by_vectors.probabilities(beliefs)).all()
    assert by_blocks.probabilities(beliefs) == pytest.approx(twin, abs=1e-12)


@given(seeds)
def test_look_ahead_and_simulation_are_those_of_the_vectors_written_out(seed):
    rng = np.random.default_rng(seed)
    problem = random_pomdp(seed, X=6, A=A)
    policy, written = random_policies(rng, 6)
    O = dense(problem.O)
    for a in range(A):
        arrived = problem.start @ dense(problem.P)[a]
        future = sum((written.vectors @ (arrived * O[a][:, z])).max() for z in range(O.shape[2]))
        expected = problem.start @ problem.R[:, a] + problem.discount * future
        assert policy.q(problem, problem.start)[a] == pytest.approx(expected, abs=1e-9)
    assert (policy.q(problem, problem.start) == written.q(problem, problem.start)).all()
    returns = [simulate(problem, each, episodes=3, steps=8).tolist() for each in (policy, written)]
    assert returns[0] == returns[1]


def test_policies_in_a_mixture_share_its_numbers_and_a_second_mixture_the_first_ones():
    rng = np.random.default_rng(0)
    policies = [random_policies(rng, 6)[0] for _ in range(3)]
    before = [policy.vectors.copy() for policy in policies]
    first, second = Mixture(policies).stacked, Mixture(policies).stacked
    assert first.entries is second.entries
    assert first.levels is second.levels
    assert all(np.shares_memory(policy.blocks.entries, first.entries) for policy in policies)
    assert all((policy.vectors == matrix).all() for policy, matrix in zip(policies, before, strict=True))
    assert Mixture(policies[:1]).stacked.entries is policies[0].blocks.entries
    turned = Mixture(policies[::-1])
    belief = np.full(6, 1 / 6)
    assert turned.probabilities(pack(np.eye(3)[0], np.zeros(3), [belief] * 3)) == pytest.approx(
        policies[2].probabilities(belief)
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"states": [[0, 1]]}, "not lists of numbers"),
        ({"states": [1, 0, 2]}, "ascending numbers from 0 to 2"),
        ({"states": [0, 1, 3]}, "ascending numbers from 0 to 2"),
        ({"begins": [0, 2]}, "at least one state and one vector each"),
        ({"begins": [0, 1, 2]}, "begins and firsts do not say"),
        ({"firsts": [1, 2, 3]}, "begins and firsts do not say"),
        ({"firsts": [0, 1, 1]}, "at least one state and one vector each"),
        ({"entries": np.zeros(3)}, r"entries has shape \(3,\), expected 7 numbers"),
        ({"entries": np.full(7, np.nan)}, r"entries\[0\] is nan"),
    ],
)
def test_blocks_that_do_not_fit_together_are_refused(change, message):
    right = {"states": [0, 1, 2], "begins": [0, 2, 3], "firsts": [0, 1, 3], "entries": np.arange(7.0), "state_count": 3}
    assert VectorBlocks(**right).columns().tolist() == [[0, 4, 4], [1, 5, 5], [6, 2, 3]]
    with pytest.raises(InputError, match=message):
        VectorBlocks(**right | change)


def test_a_matrix_for_which_there_is_no_memory_is_refused_and_the_policy_still_acts(monkeypatch):
    X = 20_000
    states = [[x] for x in range(X)]
    policy = AlphaVectors(VectorBlocks.of(states, [1] * X, np.ones((X, 1, 1)), np.zeros(X)), [0] * X, 2)
    monkeypatch.setattr(memory, "memory_left", lambda: 2**30)
    with pytest.raises(InputError, match=r"20,000 vectors over 20,000 states would take 3\.0 GiB .*1\.0 GiB are left"):
        _ = policy.vectors
    assert policy.value(np.eye(1, X)[0]) == 1.0
    assert policy.best(np.eye(1, X, 7)[0]) == 7


def test_agents_play_alike_whether_small_sets_are_written_out_or_not(monkeypatch):
    library, agents = walkon.make("night-pursuit", size=3, tasks=2), []
    for small in (closing.SMALL, 0):
        monkeypatch.setattr(closing, "SMALL", small)
        policies = [walkon.solve(task.pomdp, walkon.Ascent(backups=100)).policy for task in library]
        assert all(policy.blocks.whole for policy in policies) == (small > 0)
        agents.append(walkon.agent("atpo", library, policies=policies))
    for one, other in zip(*(walkon.play_many(library[1], agent, range(20)) for agent in agents), strict=True):
        assert one.actions.tolist() == other.actions.tolist()
        assert one.task_beliefs.tobytes() == other.task_beliefs.tobytes()


@given(seeds, st.integers(1, 9))
def test_the_vectors_one_by_one_are_those_of_the_matrix(seed, X):
    blocks, written = random_blocks(np.random.default_rng(seed), X)
    assert np.array_equal(list(blocks.rows()), written)
    whole = VectorBlocks.dense(written)
    assert np.array_equal(list(whole.rows()), written)
