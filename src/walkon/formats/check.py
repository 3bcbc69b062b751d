"""Is this file well formed, and does the model in it look as meant? A report in words.

A file that cannot be read gives its error. One that can be gives its sizes, and what is allowed but is often a
mistake: states that are never reached, observations that are never made, actions that are the same as another,
rewards that never differ, states that are never left.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, vstack
from scipy.sparse.csgraph import breadth_first_order

from walkon.errors import InputError
from walkon.formats.cassandra.reader import read_model
from walkon.formats.format_error import FormatError
from walkon.models.content import content_hash
from walkon.models.distributions import Ints, Names
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP

SUFFIXES = (".pomdp", ".mdp")
EXAMPLES = 5


@dataclass(frozen=True)
class Content:
    """What a file holds."""

    kind: str  # "POMDP" or "MDP"
    states: int
    actions: int
    observations: int | None
    discount: float
    transitions: int  # non-zeros of P
    readings: int | None  # non-zeros of O
    least_reward: float
    largest_reward: float


@dataclass(frozen=True)
class Mistake:
    """Why a file cannot be read."""

    message: str
    line: int | None
    column: int | None


@dataclass(frozen=True)
class Doubt:
    """Something that is allowed but is often a mistake."""

    kind: str  # "unreached states", "unmade observations", "equal actions", "constant reward", "absorbing states"
    message: str
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """What there is to say about a file: its content, or the mistake for which it has none."""

    file: str
    content: Content | None
    mistake: Mistake | None
    doubts: tuple[Doubt, ...]

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON has it."""
        return asdict(self)


def check(path: str | os.PathLike[str]) -> Report:
    """Look at a `.pomdp` or `.mdp` file. A mistake in it is in the report, and is not raised."""
    name = os.fspath(path)
    if Path(name).suffix.lower() not in SUFFIXES:
        raise InputError(f"{name} is not a file that can be checked: expected {' or '.join(SUFFIXES)}")
    try:
        model = read_model(name)
    except FormatError as cause:
        return Report(name, None, Mistake(str(cause), cause.line, cause.column), ())
    return Report(name, _content(model), None, tuple(doubts(model)))


def _content(model: MDP) -> Content:
    X, A = model.R.shape
    sensor = model.O if isinstance(model, POMDP) else None
    return Content(
        kind="POMDP" if sensor else "MDP",
        states=X,
        actions=A,
        observations=sensor[0].shape[1] if sensor else None,
        discount=model.discount,
        transitions=sum(p.nnz for p in model.P),
        readings=sum(o.nnz for o in sensor) if sensor else None,
        least_reward=float(model.R.min()),
        largest_reward=float(model.R.max()),
    )


def doubts(model: MDP) -> Iterator[Doubt]:
    """What is allowed in a model but is often a mistake."""
    X, A = model.R.shape
    reached = _reached(model)
    if not reached.all():
        yield _doubt("unreached states", "never reached from the start", "state", ~reached, model.states)
    if isinstance(model, POMDP):
        made = np.sum([(reached @ p > 0) @ o for p, o in zip(model.P, model.O, strict=True)], axis=0) > 0
        if not made.all():
            yield _doubt(
                "unmade observations", "never made from the start on", "observation", ~made, model.observations
            )
    same = np.zeros(A, bool)
    same[_repeated(model)] = True
    if same.any():
        yield _doubt("equal actions", "the same as an earlier action in every state", "action", same, model.actions)
    if (model.R[0, 0] == model.R).all():
        value = f"{model.R[0, 0]:.9g}"
        yield Doubt("constant reward", f"every reward is {value}, so every policy is as good as any", X * A, (value,))
    absorbing = np.min([p.diagonal() for p in model.P], axis=0) == 1
    if absorbing.any():
        yield _doubt("absorbing states", "never left", "state", absorbing, model.states)


def _doubt(kind: str, what: str, noun: str, which: npt.NDArray[np.bool_], names: Names | None) -> Doubt:
    found: Ints = np.flatnonzero(which)
    examples = tuple(names[i] if names else str(i) for i in found[:EXAMPLES].tolist())
    more = ", ..." if len(found) > EXAMPLES else ""
    message = f"{what}: {len(found)} of {len(which)} {noun}s ({', '.join(examples)}{more})"
    return Doubt(kind, message, len(found), examples)


def _reached(model: MDP) -> npt.NDArray[np.bool_]:
    """The states that some actions lead to from the start."""
    X = len(model.start)
    moves = vstack([sum(model.P[1:], model.P[0]), csr_array(model.start[np.newaxis])], format="csr")
    moves.resize((X + 1, X + 1))  # the last row is a state before the start
    reached = np.zeros(X + 1, bool)
    reached[breadth_first_order(moves, X, return_predecessors=False)] = True
    return reached[:X]


def _repeated(model: MDP) -> Sequence[int]:
    """The actions whose moves, readings and rewards are those of an earlier one."""
    seen: set[str] = set()
    repeated = []
    for a, p in enumerate(model.P):
        reads = model.O[a] if isinstance(model, POMDP) else ()
        digest = content_hash(p, reads, model.R[:, a])
        if digest in seen:
            repeated.append(a)
        seen.add(digest)
    return repeated
