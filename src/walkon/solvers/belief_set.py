"""The beliefs that a point-based solver works at: those that acting can lead to.

They are gathered on walks from the start belief. A walk draws a state, acts, draws what follows and conditions the
belief on the observation. It ends where nothing is left to decide: where the belief is all on states that every action
stays in and that pay the same whatever is done. (A self-loop of a single action is no such end.) Otherwise it goes
on until what follows counts for less than 5 % of the first step.
"""

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats
from walkon.models.belief import update
from walkon.models.chance_kernels import draw
from walkon.models.pomdp import POMDP
from walkon.models.stacked import Stacked
from walkon.policies.alpha_vectors import AlphaVectors

RANDOM_WALKS = 0.05  # the share of walks that are random throughout
RANDOM_ACTIONS = 0.1  # the share of random actions on the others
GIVE_UP = 20  # walks in a row that meet nothing new
SAME = 9  # decimals to which two beliefs must agree to count as one


class BeliefSet:
    """Different beliefs of one problem, the start belief first. It only grows."""

    def __init__(self, problem: POMDP) -> None:
        self._problem = problem
        self._finished = finished(problem)
        self._known: set[bytes] = set()
        self._rows: list[tuple[npt.NDArray[np.int64], Floats]] = []
        self._add(problem.start)

    def __len__(self) -> int:
        return len(self._rows)

    def grow(self, wanted: int, guide: AlphaVectors, rng: np.random.Generator, wide: float = 0.0) -> None:
        """Walk, mostly as the guide would, until there are enough beliefs or no new ones are met.

        A walk is random throughout now and then, and whenever the one before it met nothing new: a guide that
        always does the same would show the same beliefs again and again. A share of them, `wide`, begins with a belief
        spread over all states.
        """
        fruitless = 0
        while len(self) < wanted and fruitless < GIVE_UP:
            before = len(self)
            free = fruitless > 0 or rng.random() < RANDOM_WALKS
            anywhere = wide > 0 and rng.random() < wide
            for belief in self._walk(None if free else guide, rng, anywhere):
                self._add(belief)
                if len(self) == wanted:
                    break
            fruitless = fruitless + 1 if len(self) == before else 0

    def matrix(self) -> Stacked:
        """All beliefs, one in a row."""
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

    def _walk(self, guide: AlphaVectors | None, rng: np.random.Generator, anywhere: bool) -> Iterator[Floats]:
        """The beliefs after each step of one walk, which begins at the start or anywhere."""
        problem = self._problem
        X, A = problem.R.shape
        belief = np.full(X, 1 / X) if anywhere else problem.start
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


def finished(problem: POMDP) -> npt.NDArray[np.bool_]:
    """The states in which nothing is left to decide, [X] bool."""
    stays = np.min([p.diagonal() for p in problem.P], axis=0) > 1 - 1e-12
    nothing_left: npt.NDArray[np.bool_] = stays & (np.ptp(problem.R, axis=1) == 0)
    return nothing_left
