"""The whole problem of an ad hoc agent as one POMDP: its hidden state is the pair of task and state.

The blocks of different tasks do not mix, because the task never changes. A belief over the pairs is the task belief and
the state beliefs in one: w(k, x) = p(k) b_k(x). An optimal policy here is the best that any agent can do that is not
told the task, since it also values information.

Block k discounts with gamma_k. The union discounts with the largest gamma; where gamma_k is smaller, later rewards
count gamma_k/gamma as much. Ending with probability 1 - gamma_k/gamma has the same effect: so each step of block k may
lead to a final state, which has no rewards and an observation of its own. Given that this has not happened, the weights
of the pairs after t steps are w(k, x) = p(k) (gamma_k/gamma)^t b_k(x), however small: no possible pair becomes 0.

Where the state is observed, it is observed before the first action. Then one more step precedes all others: it has no
reward and leads to the first state, which is then observed. The union's values are then the library's times gamma.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import block_diag, csr_array, hstack, vstack

from walkon.arrays import Bools, Floats, Ints
from walkon.models.faint_kernels import split_weights
from walkon.models.packed_beliefs import has_tail
from walkon.models.pomdp import POMDP
from walkon.models.scaled import power, product, shares, shown
from walkon.models.scaled_kernels import SMALL
from walkon.tasks.library import TaskLibrary


@dataclass(frozen=True, eq=False)
class Union:
    """A library as one problem."""

    library: TaskLibrary
    prior: Floats  # [K]
    fading: Floats  # [K], gamma_k/gamma

    @classmethod
    def of(cls, library: TaskLibrary, prior: Floats) -> "Union":
        """Make the union of a library's tasks, with the prior probability of each [K]."""
        discounts = [task.pomdp.discount for task in library]
        largest = max(discounts)
        return cls(library, prior, np.array([each / largest if largest else 1.0 for each in discounts]))

    @cached_property
    def offsets(self) -> Ints:
        """The number of the first state of each task, [K + 1]."""
        return np.cumsum([0, *(len(task.pomdp.start) for task in self.library)])

    @property
    def lead(self) -> int:
        """The number of steps before the first action: 1 where the state is observed, else 0."""
        return int(self.library.observed)

    @cached_property
    def pomdp(self) -> POMDP:
        """The problem of all tasks together."""
        tasks, fading = [task.pomdp for task in self.library], self.fading
        start = np.concatenate([p * pomdp.start for p, pomdp in zip(self.prior, tasks, strict=True)])
        R = np.concatenate([pomdp.R for pomdp in tasks])
        A = R.shape[1]
        weighted = list(zip(fading, tasks, strict=True))
        P = [block_diag([f * pomdp.P[a] for f, pomdp in weighted], format="csr") for a in range(A)]
        O = [vstack([pomdp.O[a] for pomdp in tasks], format="csr") for a in range(A)]
        if (fading < 1).any():
            ending = 1 - np.repeat(fading, [len(pomdp.start) for pomdp in tasks])
            P = [_border(each, column=ending, row=None) for each in P]
            O = [_border(each, column=np.zeros(len(ending)), row=None) for each in O]
            R, start = np.vstack([R, np.zeros((1, A))]), np.append(start, 0.0)
        if self.library.observed:
            P = [_border(each, column=np.zeros(len(start)), row=start) for each in P]
            O = [vstack([each, each[:1]], format="csr") for each in O]  # the new rows are never used
            R, start = np.vstack([R, np.zeros((1, A))]), np.append(np.zeros(len(start)), 1.0)
        return POMDP(P, O, R, start, self.discount)

    @property
    def discount(self) -> float:
        """The largest of the tasks' discounts."""
        return max(task.pomdp.discount for task in self.library)

    def worth(self, value: float) -> float:
        """Convert a value at the union's start to one at the library's first step."""
        return value / self.discount**self.lead

    def belief(self, beliefs: Floats, steps: int) -> Floats:
        """Turn packed beliefs (`walkon.models.packed_beliefs`) after some steps into one over the union's states."""
        K = len(self.fading)
        ends = beliefs[2 * K : 3 * K].astype(np.int64)
        counts = ends - np.append(0, ends[:-1])
        pairs = beliefs[3 * K : 3 * K + 2 * ends[-1]].reshape(-1, 2)
        places = np.repeat(self.offsets[:K], counts) + pairs[:, 0]
        weights = beliefs[:K] * self.fading**steps
        large = not has_tail(beliefs, K) and not ((weights < SMALL) & (beliefs[:K] > 0)).any()
        if large:
            shared = np.repeat(weights / weights.sum(), counts)
            some = shared > 0
            joint = pairs[some, 1] * shared[some]
            large = joint.min() >= SMALL
        if not large:  # too small for floats
            exact = split_weights(beliefs, K)
            tasks = shares(product(exact[:K], self._faded(beliefs[:K] > 0, steps)))[0]
            joint = shown(product(np.repeat(tasks, counts, axis=0), exact[K:]))
            some = joint > 0
            joint = joint[some]
        joined = np.column_stack([places[some], joint])
        return np.concatenate([[1.0, 0.0, len(joined)], joined.ravel()])

    def _faded(self, possible: Bools, steps: int) -> Floats:
        """Compute (gamma_k/gamma)^t as mantissas and exponents, [K, 2].

        Tasks with gamma_k = 0 have no weight after the first step, unless no others are possible.
        """
        fades = np.where(self.fading > 0, self.fading, 1.0)
        counted = (self.fading > 0) | (steps == 0) | (not (self.fading[possible] > 0).any())
        return power(fades, steps) * counted[:, None]


def _border(matrix: csr_array, column: Floats, row: Floats | None) -> csr_array:
    """Add a column and a row to a matrix; the row is the given one, or 1 in the new column."""
    wider = hstack([matrix, csr_array(column[:, None])], format="csr")
    last = np.eye(1, wider.shape[1], wider.shape[1] - 1) if row is None else np.append(row, 0.0)[None, :]
    return vstack([wider, csr_array(last)], format="csr")
