"""What the worlds of the authors' second paper share: how they end, their two variants, and the choice of tasks.

Ribeiro et al., "Making Friends in the Dark" (ECAI 2023). A step costs 1. A solved state pays 100, whatever is done, and
leads to the last state, Over, in which nothing is paid or changes any more. So a team that first solves its task after
s steps, within a horizon of H > s, collects 100 - s in all, and one that does not collects -H.

What the paper describes is not in every detail what its program ran. Each difference is an option of its world; the
`variant` decides which value it has if it is not given.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Bools, Floats, Ints
from walkon.checks import one_of, typed, whole
from walkon.domains.world import Check, Option
from walkon.errors import InputError
from walkon.models.mmdp import MMDP
from walkon.tasks import TaskLibrary

Chosen = TypeVar("Chosen")

DISCOUNT = 0.95
SOLVED, STEP = 100.0, -1.0  # the reward in a solved state, and in every other one before Over
OVER = "over"
VARIANTS = ("described", "run")
VARIANT = Option(
    "variant",
    "described",
    help="The world as the paper describes it, or as its program ran it: described or run.",
    choices=VARIANTS,
)
NOTHING, WRONG = "nothing", "wrong"


@dataclass(frozen=True)
class Difference:
    """A difference between the variants: an option, and its value in each of them if it is not given."""

    option: Option
    values: tuple[Any, Any]  # as described, as run

    @classmethod
    def of(
        cls, name: str, described: Any, run: Any, help: str, *, choices: Sequence[Any] = (), check: Check | None = None
    ) -> "Difference":
        """Make a difference; without choices or a check, the values have the type of the described one."""
        usual = partial(one_of, choices=choices) if choices else partial(typed, kind=type(described))
        said = f"{help} By default {_said(described)} as described, {_said(run)} as run."
        return cls(Option(name, None, check or usual, said, kind=type(described)), (described, run))


def _said(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def settle(variant: str, differences: Iterable[Difference], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the options in which the variants differ: those that are given, and else the variant's."""
    place = VARIANTS.index(variant)
    return {
        name: each.values[place] if given.get(name) is None else given[name]
        for each in differences
        for name in (each.option.name,)
    }


def after_misses(truth: int, things: int, noise: float, misread: str) -> Floats:
    """The probability of observing each thing in place of the true one, [things]; thing 0 is nothing, never misread."""
    if truth == 0:
        return certainly(0, things)
    wrong = certainly(0, things) if misread == NOTHING else (np.arange(things) != truth) / (things - 1)
    chances: Floats = noise * wrong + (1 - noise) * certainly(truth, things)
    return chances


def certainly(place: int, size: int) -> Floats:
    """The distribution over so many places of which one is certain."""
    return np.asarray(np.arange(size) == place, dtype=np.float64)


def with_over(free: csr_array, solved: Bools) -> csr_array:
    """The matrix [X, X] of a world with its end, from that of its positions if nothing ever ended."""
    N, ended = len(solved), np.append(solved, True)
    entries = np.where(ended, 1, np.append(np.diff(free.indptr), 1))  # of each row
    stays = np.repeat(ended, entries)
    moves = np.repeat(~solved, np.diff(free.indptr))
    data, columns = np.ones(len(stays)), np.full(len(stays), N)
    data[~stays], columns[~stays] = free.data[moves], free.indices[moves]
    return csr_array((data, columns, np.append(0, np.cumsum(entries))), shape=(N + 1, N + 1))


def with_end(
    free: Sequence[Sequence[csr_array]],
    solved: Bools,
    *,
    states: Sequence[str],
    actions: Sequence[str],
    teammate_actions: Sequence[str],
    discount: float = DISCOUNT,
) -> MMDP:
    """The team's problem, from the matrices [A][B] of its positions if nothing ever ended, and the solved positions."""
    R = np.append(np.where(solved, SOLVED, STEP), 0.0)
    shape = (len(R), len(free), len(free[0]))
    return MMDP(
        [[with_over(p, solved) for p in row] for row in free],
        np.broadcast_to(R[:, None, None], shape),
        discount,
        states=[*states, OVER],
        actions=actions,
        teammate_actions=teammate_actions,
    )


def start_among(chosen: Any, solved: Bools) -> Floats:
    """The distribution of the first state [X]: uniform over the positions that are chosen and not solved."""
    possible = np.append(np.asarray(chosen) & ~solved, False)
    start: Floats = possible / possible.sum()
    return start


def quickest(following: Ints, solved: Bools) -> Bools:
    """Mark the joint actions [positions, joint actions] that lead to a solved position in the fewest steps.

    They are the optimal ones where nothing is left to chance, `following` being the position after each: every step
    costs the same. All are optimal in a solved position, and where none can be reached.
    """
    far = np.where(solved, 0.0, np.inf)
    while True:
        nearer = np.minimum(far, 1 + far[following].min(axis=1))
        if np.array_equal(nearer, far):
            break
        far = nearer
    best: Bools = (far[following] == far[:, None] - 1) | solved[:, None]
    return best


def marginal(optimal: Bools) -> Floats:
    """The teammate's part [X, B] of a choice among all optimal pairs of actions [positions, A, B], equally likely."""
    policy = optimal.sum(axis=1) / optimal.sum(axis=(1, 2))[:, None]
    B = policy.shape[1]
    return np.vstack([policy, np.full((1, B), 1 / B)])


def one_sensor(seen: Floats, A: int) -> list[csr_array]:
    """The sensor [A] of [X, Z] that depends on the position alone, [positions, Z]; Over shows the first observation."""
    sensor = csr_array(np.vstack([seen, certainly(0, seen.shape[1])]))
    return [sensor] * A


def with_other_noise(
    make: Callable[[Any, Sequence[Chosen]], TaskLibrary], settings: Any, tasks: Sequence[Chosen]
) -> list[TaskLibrary]:
    """Make the same tasks with less noise, and with more: the variants of a library."""
    noises = (settings.noise / 3, (1 + settings.noise) / 2)
    return [make(replace(settings, noise=noise), tasks) for noise in noises]


def tasks_or_count(name: str, tasks: Any) -> Any:
    """Check the tasks that are asked for, by their number or one by one; how many there are is not known yet."""
    if hasattr(tasks, "__index__"):
        return whole(name, tasks, 1, None)
    if isinstance(tasks, str) or not isinstance(tasks, Iterable):
        raise InputError(f"{name} is {tasks!r:.60}, expected how many, or a list of the tasks")
    if not (which := list(tasks)):
        raise InputError(f"{name} is empty, expected at least one")
    return which


def pick(tasks: Any, pool: Sequence[Chosen], other: Callable[[int, Any], Chosen] | None = None) -> list[Chosen]:
    """The tasks that an option asks for: the first ones of a pool, those with these numbers, or others of one's own."""
    if isinstance(tasks, int):
        return list(pool[: whole("tasks", tasks, 1, len(pool))])
    return [
        other(k, task)
        if other is not None and not hasattr(task, "__index__")
        else pool[whole(f"tasks[{k}]", task, 0, len(pool) - 1)]
        for k, task in enumerate(tasks)
    ]
