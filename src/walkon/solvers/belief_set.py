"""The beliefs that a point-based solver backs up: those that can be reached.

They are gathered on simulated walks from the start belief. A walk ends where nothing is left to decide: where all of
the belief is on states that no action leaves and where all actions pay the same. (A state that only some actions do not
leave is no such state.) Otherwise it ends when a step is discounted to less than 5 % of the first.
"""

import math
from collections.abc import Iterator

import numpy as np

from walkon.arrays import Bools, Floats, Ints
from walkon.models.belief import update
from walkon.models.chance_kernels import draw
from walkon.models.pomdp import POMDP
from walkon.models.stacked import Stacked
from walkon.policies.alpha_vectors import AlphaVectors

RANDOM_WALKS = 0.05  # the share of walks with random actions only
RANDOM_ACTIONS = 0.1  # the share of random actions on the others
GIVE_UP = 20  # consecutive walks that find no new belief
SAME = 9  # decimals to which two beliefs must agree to count as one


class BeliefSet:
    """A growing set of different beliefs of one problem, the start belief first."""

    def __init__(self, problem: POMDP) -> None:
        self._problem = problem
        self._finished = finished(problem)
        self._known: set[bytes] = set()
        self._rows: list[tuple[Ints, Floats]] = []
        self._add(problem.start)

    def __len__(self) -> int:
        return len(self._rows)

    def grow(self, wanted: int, guide: AlphaVectors, rng: np.random.Generator, wide: float = 0.0) -> None:
        """Follow the guide on walks until there are enough beliefs or no new ones are found.

        A few walks take random actions only, and so does each walk after one that found nothing new: a deterministic
        guide would visit the same beliefs again. A share `wide` of the walks starts from the uniform belief.
        """
        fruitless = 0
        while len(self) < wanted and fruitless < GIVE_UP:
            before = len(self)
            free = fruitless > 0 or rng.random() < RANDOM_WALKS
            uniform = wide > 0 and rng.random() < wide
            for belief in self._walk(None if free else guide, rng, uniform):
                self._add(belief)
                if len(self) == wanted:
                    break
            fruitless = fruitless + 1 if len(self) == before else 0

    def matrix(self) -> Stacked:
        """Return the beliefs as the rows of a matrix."""
        supports, weights = zip(*self._rows, strict=True)
        sizes = np.cumsum([0, *map(len, supports)], dtype=np.uint32)
        return Stacked(sizes, np.concatenate(supports).astype(np.uint32), np.concatenate(weights))

    def __getitem__(self, index: int) -> Floats:
        belief = np.zeros(self._problem.R.shape[0])
        support, weights = self._rows[index]
        belief[support] = weights
        return belief

    def _add(self, belief: Floats) -> None:
        support = np.flatnonzero(belief)
        key = support.tobytes() + belief[support].round(SAME).tobytes()
        if key not in self._known:
            self._known.add(key)
            self._rows.append((support, belief[support]))

    def _walk(self, guide: AlphaVectors | None, rng: np.random.Generator, uniform: bool) -> Iterator[Floats]:
        """Yield the belief after each step of one walk from the start belief or the uniform one."""
        problem = self._problem
        X, A = problem.R.shape
        belief = np.full(X, 1 / X) if uniform else problem.start
        state = int(rng.choice(X, p=belief))
        for _ in range(math.ceil(math.log(0.05) / math.log(problem.discount)) if problem.discount else 1):
            free = rng.random() < RANDOM_ACTIONS
            action = int(rng.integers(A))
            if guide is not None and not free:
                action = int(np.argmax(guide.probabilities(belief)))
            state = draw(problem.transitions, action * X + state, rng.random())
            observation = draw(problem.sensor_rows, action * X + state, rng.random())
            belief = update(problem, belief, action, observation).belief
            if belief[self._finished].sum() > 1 - 1e-9:
                return
            yield belief


def finished(problem: POMDP) -> Bools:
    """Return the states in which nothing is left to decide, [X] bool."""
    stays = np.min([p.diagonal() for p in problem.P], axis=0) > 1 - 1e-12
    nothing_left: Bools = stays & (np.ptp(problem.R, axis=1) == 0)
    return nothing_left
