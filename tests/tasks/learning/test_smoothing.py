"""Expectations over unknown states, against a sum over all paths."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from random_models import rows as random_rows
from random_models import seeds
from walkon.tasks.learning.log import Model, Rows, Sizes, expected, hidden_runs, known_counts

SIZES = Sizes(X=2, A=2, B=2, Z=2)
TABLES = ("transitions", "sensor", "teammates", "start")


def random_model(rng, sparsity):
    X, A, B, Z = SIZES
    return Model(
        [csr_array(random_rows(rng, (X, X), sparsity)) for _ in range(A * B)],
        [csr_array(random_rows(rng, (X, Z), sparsity)) for _ in range(A)],
        csr_array(random_rows(rng, (X, B), sparsity)),
        random_rows(rng, (X,), 0.0),
    )


def random_log(rng, T):
    """A run of T steps and a last state, with holes."""

    def holes(column, share):
        return np.where(rng.random(len(column)) < share, -1, column)

    actions = np.append(rng.integers(2, size=T), -1)
    return Rows(
        holes(rng.integers(2, size=T + 1), 0.7),
        actions,
        np.append(holes(rng.integers(2, size=T), 0.5), -1),
        np.append(holes(rng.integers(2, size=T), 0.3), -1),
    )


def by_paths(model, rows, T):
    """All counts of all ways in which it may have gone, weighed by how likely they are."""
    X, B = SIZES.X, SIZES.B
    counts = {table: np.zeros(SIZES.shape(table)) for table in TABLES}
    total = 0.0
    for path in product(range(X), repeat=T + 1):
        for teammate_actions in product(range(B), repeat=T):
            if any(known not in (-1, x) for known, x in zip(rows.states, path, strict=True)):
                continue
            if any(known not in (-1, b) for known, b in zip(rows.teammate_actions[:T], teammate_actions, strict=True)):
                continue
            weight = model.start[path[0]]
            for t in range(T):
                a, x, y, b, z = rows.actions[t], path[t], path[t + 1], teammate_actions[t], rows.observations[t]
                weight *= model.teammates[x, b] * model.P[a * B + b][x, y] * (1 if z < 0 else model.O[a][y, z])
            total += weight
            counts["start"][0, path[0]] += weight
            for t in range(T):
                a, x, y, b, z = rows.actions[t], path[t], path[t + 1], teammate_actions[t], rows.observations[t]
                counts["transitions"][(a * B + b) * X + x, y] += weight
                counts["teammates"][x, b] += weight
                if z >= 0:
                    counts["sensor"][a * X + y, z] += weight
    return {table: each / total for table, each in counts.items()} if total > 0 else None


@given(seeds, st.integers(1, 4), st.sampled_from([0.0, 0.4]))
def test_known_and_expected_counts_together_are_those_of_all_paths(seed, T, sparsity):
    rng = np.random.default_rng(seed)
    model, rows, run = random_model(rng, sparsity), random_log(rng, T), range(T + 1)
    truth = by_paths(model, rows, T)
    if truth is None:  # what happened is impossible under the model
        return
    known = known_counts(rows, [run], [True], SIZES)
    guessed = expected(model, rows, hidden_runs(rows, run, True), SIZES)
    assert guessed.unexplained == 0
    for table in TABLES:
        together = (known[table] + guessed.counts[table]).toarray()
        np.testing.assert_allclose(together, truth[table], atol=1e-9, err_msg=table)


def test_a_run_that_the_model_rules_out_is_left_out_and_counted():
    still = Model(
        [csr_array(np.eye(2))] * 4, [csr_array(np.eye(2))] * 2, csr_array(np.full((2, 2), 0.5)), np.array([1.0, 0])
    )
    rows = Rows(*(np.array(column) for column in ([-1, -1], [0, -1], [0, -1], [1, -1])))
    found = expected(still, rows, hidden_runs(rows, range(2), True), SIZES)
    assert found.unexplained == 1
    assert all(found.counts[table].nnz == 0 for table in TABLES)


def test_a_missing_action_parts_a_run():
    rows = Rows(*(np.array(column) for column in ([-1, -1, -1, 1, 0], [0, -1, 1, 0, -1], [0] * 5, [0, -1, 0, 0, -1])))
    assert [(list(run), first) for run, first in hidden_runs(rows, range(5), True)] == [([0, 1], True), ([2, 3], False)]
