"""Check a file and its contents, and report what looks wrong.

For a file that cannot be read, the report has the error. Otherwise it has the sizes, and doubts about whatever is
allowed but often a mistake: states that are never reached, observations that are never made, actions that equal
another, rewards that never differ, states that are never left; in a library of tasks also functions that were left out,
teammates that get stuck, and tasks that cannot be told apart.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Bools, Names
from walkon.errors import InputError
from walkon.formats.bundle import load
from walkon.formats.check_rules import walk
from walkon.formats.files import FormatError
from walkon.formats.library_file import CODE, read_library
from walkon.formats.model_file import MODELS, read_model_file
from walkon.models.content import content_hash
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP
from walkon.tasks import Task, TaskLibrary
from walkon.tasks.dead_ends import can_reach, spread
from walkon.tasks.distinguish import alike
from walkon.tasks.rule_task import RuleTask

BUNDLE = ".safetensors"
ALL = (*MODELS, CODE, BUNDLE)
EXAMPLES = 5


@dataclass(frozen=True)
class Content:
    """The sizes of a model, or of a task's model."""

    kind: str  # "POMDP", "MDP", "task", or "walks" for a task without tables: what some walks met with
    states: int
    actions: int
    observations: int | None
    discount: float
    transitions: int  # non-zeros of P; the steps of all walks
    sensor_entries: int | None  # non-zeros of O
    least_reward: float
    largest_reward: float

    @classmethod
    def of(cls, model: MDP, kind: str | None = None) -> "Content":
        """Measure a model."""
        X, A = model.R.shape
        sensor = model.O if isinstance(model, POMDP) else None
        return cls(
            kind=kind or ("POMDP" if sensor else "MDP"),
            states=X,
            actions=A,
            observations=sensor[0].shape[1] if sensor else None,
            discount=model.discount,
            transitions=sum(p.nnz for p in model.P),
            sensor_entries=sum(o.nnz for o in sensor) if sensor else None,
            least_reward=float(model.R.min()),
            largest_reward=float(model.R.max()),
        )


@dataclass(frozen=True)
class Doubt:
    """Something that is allowed but often a mistake."""

    kind: str  # such as "unreached states", "constant reward", "stuck teammates", "indistinguishable tasks"
    message: str
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True)
class TaskReport:
    """The report on one task of a library."""

    name: str
    content: Content
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True)
class Mistake:
    """The reason why a file cannot be read."""

    message: str
    line: int | None
    column: int | None


@dataclass(frozen=True)
class Report:
    """The report on a file: its model or its tasks, or the mistake because of which it has neither."""

    file: str
    content: Content | None
    mistake: Mistake | None
    doubts: tuple[Doubt, ...]  # about the model, or about the library as a whole
    tasks: tuple[TaskReport, ...] = ()
    notes: tuple[str, ...] = ()  # on what was not read as it stands


def check(path: str | os.PathLike[str], *, skip_unknown: bool = False) -> Report:
    """Check a model or a library. A mistake is reported rather than raised. A Python file is run.

    Args:
        path: The file.
        skip_unknown: Whether to read a model as `read_pomdp(path, skip_unknown=True)` does.
    """
    name = os.fspath(path)
    notes: tuple[str, ...] = ()
    suffix = Path(name).suffix.lower()
    if suffix not in ALL:
        raise InputError(f"{name} is not a file that can be checked: expected {', '.join(ALL[:-1])} or {ALL[-1]}")
    if not os.path.isfile(name):
        raise InputError(f'there is no file "{name}"')
    try:
        model = None
        if suffix in MODELS:
            model, notes = read_model_file(name, skip_unknown=skip_unknown)
            Content.of(model)  # makes the matrices, or refuses them
        elif suffix == BUNDLE:
            model = load(name)
        found = model if isinstance(model, MDP) else read_library(name)
        if isinstance(found, TaskLibrary) and not found.tables:
            tasks = tuple(_walked(each) for each in found if isinstance(each, RuleTask))
            return Report(name, None, None, tuple(_equal_names(found)), tasks)
    except InputError as cause:
        place = (cause.line, cause.column) if isinstance(cause, FormatError) else (None, None)
        return Report(name, None, Mistake(str(cause), *place), ())
    if isinstance(found, MDP):
        return Report(name, Content.of(found), None, tuple(doubts_of_model(found)), notes=notes)
    tasks = tuple(TaskReport(each.name, Content.of(each.pomdp, "task"), tuple(doubts_of_task(each))) for each in found)
    return Report(name, None, None, tuple(doubts_of_library(found)), tasks)


def doubts_of_model(model: MDP) -> Iterator[Doubt]:
    """Find doubts about a model."""
    if model.discount == 1:
        remedy = "solving needs a horizon or another discount, as in `walkon solve --horizon 20`"
        yield Doubt("no discount", f"the discount is 1: {remedy}", 1, ())
    reached = _reached(model)
    yield from _unreached(model, reached)
    if isinstance(model, POMDP):
        yield from _unmade(_made(model, reached), model.observations)
    yield from _useless(model, np.zeros(len(reached), bool))


def doubts_of_task(task: Task) -> Iterator[Doubt]:
    """Find doubts about a task: its model, and whether its teammates can get stuck.

    States count as reached if any teammates could reach them, since other teammates may take part.
    """
    for rule in task.omitted:
        yield Doubt("omitted", rule, 1, ())
    free, reached = _joint_transitions(task), _reached(task.pomdp)
    yield from _unreached(task.pomdp, reached if free is None else spread(sum(free[1:], free[0]), task.pomdp.start))
    yield from _useless(task.pomdp, np.zeros(len(reached), bool) if task.solved is None else task.solved)
    if task.solved is None:
        return
    if not (task.solved & reached).any():
        yield Doubt("never solved", "solved in no state that can be reached from the start", 0, ())
        return
    after = spread(sum(task.pomdp.P[1:], task.pomdp.P[0]), task.solved)  # where it may have been solved before
    lost = reached & ~after & ~can_reach(task.pomdp.P, task.solved)
    # With teammates that may do anything, some of these states may not be lost: then these teammates are the reason.
    hopeless = lost if free is None else lost & ~can_reach(free, task.solved)
    what = "the teammates get stuck: they never let the task be solved from here, though other teammates could"
    yield from _doubt("stuck teammates", what, "state", lost & ~hopeless, task.states)
    what = "dead ends: the task can never be solved from here, whatever anyone does"
    yield from _doubt("dead ends", what, "state", hopeless, task.states)


def doubts_of_library(library: TaskLibrary) -> Iterator[Doubt]:
    """Find doubts about a library as a whole. An observation that occurs in only one task is no doubt."""
    made = [_made(task.pomdp, _reached(task.pomdp)) for task in library]
    yield from _unmade(np.any(made, axis=0), library.observations)
    yield from _equal_names(library)
    names = library.names
    try:
        groups = alike(library)
    except InputError:  # too large to compare
        return
    why = "whatever the agent does, it makes the same observations with the same probabilities"
    for group in groups:
        listed = ", ".join(f'{k} ("{names[k]}")' for k in group)
        message = f"tasks {listed} cannot be told apart: {why}"
        yield Doubt("indistinguishable tasks", message, len(group), tuple(names[k] for k in group))


def _equal_names(library: TaskLibrary) -> Iterator[Doubt]:
    names = library.names
    if twice := tuple(dict.fromkeys(name for k, name in enumerate(names) if name in names[:k])):
        yield Doubt("equal names", f"several tasks have the name {twice[0]}", len(twice), twice)


def _walked(task: RuleTask) -> TaskReport:
    """Report on a task without tables, by walking through it."""
    met = walk(task)
    sizes = (len(met.states), task.action_count, len(met.observations), task.discount, met.steps)
    doubts = [Doubt("omitted", rule, 1, ()) for rule in task.omitted]
    if task.compiled is not None and task.compiled.values is None:
        doubts.append(Doubt("omitted", "no compiled `values`: search tries actions at random beyond its tree", 1, ()))
    if task.ends and not met.solved:
        doubts.append(Doubt("never solved", "solved in none of the walks: is it hard to solve by chance?", 0, ()))
    if met.least == met.largest:
        doubts.append(Doubt("constant reward", f"every reward of the walks is {met.least:.9g}", 1, ()))
    return TaskReport(task.name, Content("walks", *sizes, None, met.least, met.largest), tuple(doubts))


def _unreached(model: MDP, reached: Bools) -> Iterator[Doubt]:
    return _doubt("unreached states", "never reached from the start", "state", ~reached, model.states)


def _unmade(made: Bools, names: Names | None) -> Iterator[Doubt]:
    return _doubt("unmade observations", "never made from the start on", "observation", ~made, names)


def _useless(model: MDP, solved: Bools) -> Iterator[Doubt]:
    """Find actions, rewards and states that change nothing. States in which a task is solved may be absorbing."""
    X, A = model.R.shape
    sensor = model.O if isinstance(model, POMDP) else [()] * A
    digests = [content_hash(p, o, model.R[:, a]) for a, (p, o) in enumerate(zip(model.P, sensor, strict=True))]
    same = np.array([digest in digests[:a] for a, digest in enumerate(digests)])
    yield from _doubt("equal actions", "the same as an earlier action in every state", "action", same, model.actions)
    if (model.R[0, 0] == model.R).all():
        value = f"{model.R[0, 0]:.9g}"
        yield Doubt("constant reward", f"every reward is {value}, so every policy is as good as any", X * A, (value,))
    absorbing = (np.min([p.diagonal() for p in model.P], axis=0) == 1) & ~solved
    yield from _doubt("absorbing states", "never left", "state", absorbing, model.states)


def _doubt(kind: str, what: str, noun: str, which: Bools, names: Names | None) -> Iterator[Doubt]:
    """Yield a doubt about some states, actions or observations, unless there are none."""
    if which.any():
        found = np.flatnonzero(which)
        examples = tuple(names[i] if names else str(i) for i in found[:EXAMPLES].tolist())
        comma = "; " if any("," in example for example in examples) else ", "
        listed = comma.join([*examples, "..."] if len(found) > EXAMPLES else examples)
        yield Doubt(kind, f"{what}: {len(found)} of {len(which)} {noun}s ({listed})", len(found), examples)


def _reached(model: MDP) -> Bools:
    """Find the states that some actions lead to from the start."""
    return spread(sum(model.P[1:], model.P[0]), model.start)


def _made(model: POMDP, reached: Bools) -> Bools:
    """Find the observations that may follow a step from these states."""
    made: Bools = np.sum([(reached @ p > 0) @ o for p, o in zip(model.P, model.O, strict=True)], axis=0) > 0
    return made


def _joint_transitions(task: Task) -> list[csr_array] | None:
    """Return the transitions of each joint action; None where they are not known."""
    try:
        mmdp = task.mmdp
    except InputError:  # the matrices would be too large
        return None
    return None if mmdp is None else [p for each in mmdp.P for p in each]
