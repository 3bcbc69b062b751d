"""What is allowed but is often a mistake: in a model, in a task with its teammates, in a library of tasks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Ints, Names
from walkon.errors import InputError
from walkon.models.content import content_hash
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP
from walkon.tasks.dead_ends import can_reach, spread
from walkon.tasks.distinguish import alike
from walkon.tasks.library import TaskLibrary
from walkon.tasks.task import Bools, Task

EXAMPLES = 5


@dataclass(frozen=True)
class Doubt:
    """Something that is allowed but is often a mistake."""

    kind: str  # such as "unreached states", "constant reward", "stuck teammates", "indistinguishable tasks"
    message: str
    count: int
    examples: tuple[str, ...]


def doubts_of_model(model: MDP) -> Iterator[Doubt]:
    """What is doubtful in a model."""
    reached = _reached(model)
    yield from _unreached(model, reached)
    if isinstance(model, POMDP):
        yield from _unmade(_made(model, reached), model.observations)
    yield from _in_vain(model, np.zeros(len(reached), bool))


def doubts_of_task(task: Task) -> Iterator[Doubt]:
    """What is doubtful in a task: its model, and whether its teammates can get stuck.

    States count as reached if any teammates could lead there: others may sit in their seats.
    """
    free, reached = _free(task), _reached(task.pomdp)
    anyhow = reached if free is None else spread(sum(free[1:], free[0]), task.pomdp.start)
    yield from _unreached(task.pomdp, anyhow)
    yield from _in_vain(task.pomdp, np.zeros(len(reached), bool) if task.solved is None else task.solved)
    if task.solved is None:
        return
    if not (task.solved & reached).any():
        yield Doubt("never solved", "solved in no state that can be reached from the start", 0, ())
        return
    lost = reached & ~can_reach(task.pomdp.P, task.solved)
    if not lost.any():
        return
    # Whose fault is it? Were the teammates free to do anything, some of these states might not be lost.
    hopeless = lost if free is None else lost & ~can_reach(free, task.solved)
    if (stuck := lost & ~hopeless).any():
        what = "the teammates get stuck: they never let the task be solved from here, though other teammates could"
        yield _doubt("stuck teammates", what, "state", stuck, task.states)
    if hopeless.any():
        what = "dead ends: the task can never be solved from here, whatever is done"
        yield _doubt("dead ends", what, "state", hopeless, task.states)


def doubts_of_library(library: TaskLibrary) -> Iterator[Doubt]:
    """What is doubtful in a library as a whole. An observation that is made in one task only is what tells it apart."""
    made = [_made(task.pomdp, _reached(task.pomdp)) for task in library]
    yield from _unmade(np.any(made, axis=0), library.observations)
    names = library.names
    if twice := tuple(dict.fromkeys(name for k, name in enumerate(names) if name in names[:k])):
        yield Doubt("equal names", f"several tasks have the name {twice[0]}", len(twice), twice)
    try:
        groups = alike(library)
    except InputError:  # too large to compare
        return
    for group in groups:
        said = ", ".join(f'{k} ("{names[k]}")' for k in group)
        yield Doubt(
            "indistinguishable tasks",
            f"tasks {said} cannot be told apart: whatever the agent does, it makes the same observations with the same "
            "probabilities",
            len(group),
            tuple(names[k] for k in group),
        )


def _unreached(model: MDP, reached: Bools) -> Iterator[Doubt]:
    if not reached.all():
        yield _doubt("unreached states", "never reached from the start", "state", ~reached, model.states)


def _unmade(made: Bools, names: Names | None) -> Iterator[Doubt]:
    if not made.all():
        yield _doubt("unmade observations", "never made from the start on", "observation", ~made, names)


def _in_vain(model: MDP, solved: Bools) -> Iterator[Doubt]:
    """Actions, rewards and states that change nothing. A state in which a task is solved may well be absorbing."""
    X, A = model.R.shape
    same = np.zeros(A, bool)
    same[_repeated(model)] = True
    if same.any():
        yield _doubt("equal actions", "the same as an earlier action in every state", "action", same, model.actions)
    if (model.R[0, 0] == model.R).all():
        value = f"{model.R[0, 0]:.9g}"
        yield Doubt("constant reward", f"every reward is {value}, so every policy is as good as any", X * A, (value,))
    absorbing = (np.min([p.diagonal() for p in model.P], axis=0) == 1) & ~solved
    if absorbing.any():
        yield _doubt("absorbing states", "never left", "state", absorbing, model.states)


def _doubt(kind: str, what: str, noun: str, which: Bools, names: Names | None) -> Doubt:
    found: Ints = np.flatnonzero(which)
    examples = tuple(names[i] if names else str(i) for i in found[:EXAMPLES].tolist())
    comma = "; " if any("," in example for example in examples) else ", "
    listed = comma.join([*examples, "..."] if len(found) > EXAMPLES else examples)
    message = f"{what}: {len(found)} of {len(which)} {noun}s ({listed})"
    return Doubt(kind, message, len(found), examples)


def _reached(model: MDP) -> Bools:
    """The states that some actions lead to from the start."""
    return spread(sum(model.P[1:], model.P[0]), model.start)


def _made(model: POMDP, reached: Bools) -> Bools:
    """The observations that may be made after a step from these states."""
    made: Bools = np.sum([(reached @ p > 0) @ o for p, o in zip(model.P, model.O, strict=True)], axis=0) > 0
    return made


def _free(task: Task) -> list[csr_array] | None:
    """What could happen if the teammates were free to do anything; None where that is not known."""
    try:
        mmdp = task.mmdp
    except InputError:  # the matrices would be too large
        return None
    return None if mmdp is None else [p for each in mmdp.P for p in each]


def _repeated(model: MDP) -> Sequence[int]:
    """The actions whose moves, observations and rewards are those of an earlier one."""
    seen: set[str] = set()
    repeated = []
    for a, p in enumerate(model.P):
        reads = model.O[a] if isinstance(model, POMDP) else ()
        digest = content_hash(p, reads, model.R[:, a])
        if digest in seen:
            repeated.append(a)
        seen.add(digest)
    return repeated
