"""The end of a solve: a closed set of vectors from a lower bound, and as few as possible. See `closed_policy`.

Two closed sets are at hand. One consists of the vectors that are best at some point and of all that these count on, if
all of it is still there. The other is a controller of the best vectors alone (see `controller`). That one is smaller,
and often better. Where it is worth less at the start than the bound was, a few walks put that right, which adds
vectors. It is taken if it is then worth as much, up to a loss that is allowed, and is still the smaller one. Where the
clock has stopped the solver, there is no time for it, unless it is the only one.
"""

from collections.abc import Callable

from walkon.policies.alpha_vectors import AlphaVectors
from walkon.solvers.closed_policy import closed_policy
from walkon.solvers.controller import make_controller
from walkon.solvers.lower_bound import LowerBound
from walkon.solvers.point_kernels import count_wins
from walkon.solvers.vector_kernels import closed, needed
from walkon.solvers.vectors import winners

WALKS = 60  # at most, to put right what is lost at the start
SPARE = 1.1  # vectors for each that is the best somewhere: so few need not be made fewer


def close(
    bound: LowerBound, precision: float, loss: float, walk: Callable[[], bool] | None = None, fewer: bool = True
) -> AlphaVectors:
    """A policy that earns at every belief what its vectors say; the bound then has the same vectors.

    Args:
        bound: The bound.
        precision: How far values may stay below those of a controller.
        loss: How much less the policy may be worth at the start than the bound, if it needs fewer vectors.
        walk: Makes one more walk and backs it up; says whether there is time for another. None for no walks.
        fewer: Whether there is time to look for fewer vectors.
    """
    count_wins(bound.blocks, bound.vectors, bound.points)
    stay = needed(bound.blocks, bound.vectors)
    whole = closed(bound.blocks, bound.vectors, stay)
    if not whole or (fewer and stay.sum() > SPARE * winners(bound.vectors).sum()):
        before, wanted = bound.copy(), bound.value - loss
        make_controller(bound, precision)
        for _ in range(WALKS):
            if bound.value >= wanted or walk is None or not walk():
                break
        count_wins(bound.blocks, bound.vectors, bound.points)
        now = needed(bound.blocks, bound.vectors)
        still = closed(bound.blocks, bound.vectors, now)
        if whole and not (still and bound.value >= wanted and now.sum() < stay.sum()):
            bound.vectors, bound.points = before
            bound.forget()
        elif not still:
            make_controller(bound, precision)
    return closed_policy(bound)
