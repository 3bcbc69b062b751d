"""How many observed outcomes an inferred probability is worth, by the observed information of the log.

With p(i, j) = exp eta(i, j) / sum_k exp eta(i, k) for the rows of all tables, and c(i, j) the pseudo-counts and counts,
known and expected, the gradient of the objective and its information (Louis 1982) are

    g(i, j) = c(i, j) - p(i, j) sum_k c(i, k)          I = - dg / d eta,

the derivative by differences: one pass over the log for each probability. A row by itself has the matrix
G = diag(p) - p p^T; the coordinates Q^T diag(p)^(-1/2), with Q orthogonal to sqrt(p), turn it into the identity, so
that there the eigenvalues of I are numbers of observations: all c(i) where a row was observed, fewer where it was
inferred, and no more than those of the prior in directions that the log does not determine (or where it would rather
have another optimum). The variance of p(i, j) is p(i, j) v(i, j), where v is the diagonal of Q I^-1 Q^T, and

    w(i, j) = (1 - p(i, j)) / v(i, j) - 1

is the number of outcomes with which a Beta distribution of the same mean has the same variance.
"""

from collections.abc import Callable, Mapping

import numpy as np
from scipy.linalg import block_diag, null_space
from scipy.sparse import csr_array

from walkon.arrays import Floats, Ints
from walkon.models.dirichlet import DETERMINED, DirichletTable

MOST = 2000  # probabilities: their information is a full matrix
NEGLIGIBLE = 1e-7  # probabilities below are not varied
STEP = 1e-4


class Part:
    """The probabilities of one table that were inferred."""

    def __init__(self, table: DirichletTable, known: csr_array) -> None:
        self.mean, self.weights = table.mean, csr_array(table.prior + known)
        self.row = np.repeat(np.arange(table.mean.shape[0]), np.diff(table.mean.indptr))
        certain = np.asarray(self.weights.sum(axis=1)).ravel()
        self.before = certain - np.asarray(known.sum(axis=1)).ravel()
        often = certain - self.before
        guessed = table.effective - often > 1e-9
        self.worth = np.where(guessed, certain, self.before + table.effective)[self.row]  # at least
        varied = (guessed & (table.effective >= DETERMINED))[self.row] & (table.mean.data > NEGLIGIBLE)
        several = np.bincount(self.row[varied], minlength=len(certain)) > 1
        self.places = np.flatnonzero(varied & several[self.row])  # [D], in the data of `mean`

    def blocks(self) -> list[Ints]:
        """Return the positions in `places` of each row."""
        rows = self.row[self.places]
        return np.split(np.arange(len(rows)), np.flatnonzero(np.diff(rows)) + 1) if len(rows) else []

    def gradient(self, mean: csr_array, expected: csr_array) -> Floats:
        """Return the gradient of the objective by the varied parameters."""
        weights = csr_array(self.weights + expected)
        rows, columns = self.row[self.places], self.mean.indices[self.places]
        totals = np.asarray(weights.sum(axis=1)).ravel()
        own = np.asarray(weights[rows, columns]).ravel()
        return np.asarray(own - totals[rows] * mean.data[self.places])

    def moved(self, place: int) -> csr_array:
        """Return the table after one parameter grew by `STEP`."""
        mean = self.mean.copy()
        row = slice(mean.indptr[self.row[place]], mean.indptr[self.row[place] + 1])
        mean.data[place] *= np.exp(STEP)
        mean.data[row] /= mean.data[row].sum()
        return mean


def measure_worth(
    learned: Mapping[str, DirichletTable],
    known: Mapping[str, csr_array],
    expect: Callable[[Mapping[str, csr_array]], Mapping[str, csr_array]] | None,
) -> tuple[dict[str, Floats], bool]:
    """Return w for the possible outcomes of each table, and whether that of the inferred ones could be computed.

    Args:
        learned: The tables at the optimum.
        known: The counts of what was observed.
        expect: Returns the expected counts of what was not, given the tables' probabilities; None if these counts are
            worth nothing.
    """
    parts = {table: Part(each, known[table]) for table, each in learned.items()}
    sizes = [len(part.places) for part in parts.values()]
    if expect is not None and 0 < sum(sizes) <= MOST:
        p = np.concatenate([part.mean.data[part.places] for part in parts.values()])
        blocks = [(part, block) for part in parts.values() for block in part.blocks()]
        basis = block_diag(
            *(null_space(np.sqrt(part.mean.data[part.places[block]])[np.newaxis]) for part, block in blocks)
        )
        before = [part.before[part.row[part.places[block[0]]]] for part, block in blocks for _ in block[1:]]
        v = _variances(_information(parts, expect) / np.sqrt(np.outer(p, p)), basis, np.array(before))
        for part, worth in zip(parts.values(), np.split((1 - p) / v, np.cumsum(sizes)[:-1]), strict=True):
            part.worth[part.places] = np.maximum(worth - 1, part.worth[part.places])
    return {table: part.worth for table, part in parts.items()}, sum(sizes) <= MOST


def _information(
    parts: Mapping[str, Part], expect: Callable[[Mapping[str, csr_array]], Mapping[str, csr_array]]
) -> Floats:
    """Return minus the derivative of the gradient by the varied parameters of all tables, [D, D]."""
    means = {table: part.mean for table, part in parts.items()}

    def gradient(means: Mapping[str, csr_array]) -> Floats:
        counts = expect(means)
        return np.concatenate([part.gradient(means[table], counts[table]) for table, part in parts.items()])

    level, columns = gradient(means), []
    for table, part in parts.items():
        for block in part.blocks():
            places = part.places[block]
            rest = part.mean.data[places].argmax()
            varied = np.delete(places, rest).tolist()
            found = [(level - gradient(means | {table: part.moved(place)})) / STEP for place in varied]
            found.insert(int(rest), -np.sum(found, axis=0))  # if all grow, nothing changes
            columns += found
    return np.stack(columns, axis=1)


def _variances(information: Floats, basis: Floats, before: Floats) -> Floats:
    """Return the diagonal of Q I^-1 Q^T; in directions where the log has no information, the prior's counts."""
    scale = np.sqrt(before)
    inner = basis.T @ (information + information.T) / 2 @ basis / np.outer(scale, scale)
    values, vectors = np.linalg.eigh(inner)
    spread = basis / scale @ vectors
    return np.asarray((spread**2 / np.maximum(values, 1.0)).sum(axis=1))
