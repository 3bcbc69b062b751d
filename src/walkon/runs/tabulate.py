"""Builds the table of results from the store."""

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np

from walkon.agents.task_belief import entropy
from walkon.arrays import Floats
from walkon.measuring.table import COLUMNS, CURVES, Table
from walkon.runs.columns import Columns
from walkon.runs.store import Row, Store
from walkon.runs.sweep import PERSEUS, Entry
from walkon.tasks import Task
from walkon.trials.trial import Problem, WorldSpec, frozen

TEXT = {"sweep", "agent", "task"}
NAN = float("nan")
Bounds = Mapping[WorldSpec, tuple[float, float]]


def tabulate(entries: Iterable[Entry], store: Store) -> Table:
    """Return the table of the finished trials, in the order of the entries."""
    places = list(entries)
    rows = {row.trial.key: row for row in store.rows({entry.trial.key: None for entry in places})}
    bounds = proven(store)
    found = [(entry, rows[entry.trial.key]) for entry in places if entry.trial.key in rows]
    values = [_values(*each, bounds) for each in found]
    columns = {
        name: np.array([row.get(name, NAN) for row in values], dtype=np.str_ if name in TEXT else np.float64)
        for name in COLUMNS
    }
    curves = [_curves(row) for _, row in found]
    return Table(columns, {name: _filled([own.get(name, np.zeros(0)) for own in curves]) for name in CURVES})


def proven(store: Store) -> Bounds:
    """Return the tightest proven bounds on the best return in each world without knowing the task."""
    bounds: dict[WorldSpec, tuple[float, float]] = {}
    for facts in store.policies():
        problem = facts["problem"]
        if problem["task"] is None:
            world = WorldSpec(problem["world"]["domain"], frozen(problem["world"]["options"]))
            lower, upper = (NAN if facts[side] is None else float(facts[side]) for side in ("lower", "upper"))
            before = bounds.get(world, (NAN, NAN))
            bounds[world] = (float(np.fmax(lower, before[0])), float(np.fmin(upper, before[1])))
    return bounds


def plans(store: Store) -> list[dict[str, str | float | int | None]]:
    """List the cost of planning in the union of all tasks, and the bounds that it proved, for each world."""
    return [
        {
            "world": Problem(WorldSpec(world["domain"], frozen(world["options"])), None, PERSEUS).name,
            "solver": facts["problem"]["recipe"]["solver"],
            **{name: facts[name] for name in ("lower", "upper", "vectors", "stopped", "seconds")},
        }
        for facts in store.policies()
        if facts["problem"]["task"] is None
        for world in [facts["problem"]["world"]]
    ]


def _values(entry: Entry, row: Row, bounds: Bounds) -> dict[str, str | float]:
    """Return the columns of one trial; those that do not apply are missing."""
    lower, upper = bounds.get(entry.trial.world, (NAN, NAN)) if entry.trial.measure == "return" else (NAN, NAN)
    measured: dict[str, str | float] = {name: value for name, value in row.numbers.items() if value is not None}
    return measured | {
        "sweep": entry.sweep,
        "x": float(entry.x),
        "agent": entry.trial.agent,
        "pair": float(entry.pair),
        "task": row.task,
        "tasks": float(entry.trial.world.size),
        "horizon": float(_first_task(entry.trial.world).horizon),
        "states": float(len(_first_task(entry.trial.world).pomdp.start)),
        "lower": lower,
        "upper": upper,
    }


@cache
def _first_task(world: WorldSpec) -> Task:
    """Return the first task, for what all tasks share: of libraries that are drawn from one pool, that of the pool."""
    named = dict(world.options).get("tasks")
    if isinstance(named, tuple):
        first = (0,) if isinstance(named[0], int) else named[:1]
        if first != named:
            return _first_task(world.having(tasks=first))
    return world.make()[0]


def _curves(row: Row) -> Columns:
    """Return the curves of one trial, with those that follow from its beliefs."""
    beliefs = row.columns.get("task_beliefs")
    if beliefs is None:
        return row.columns
    K, p_true = beliefs.shape[1], beliefs[:, row.trial.task]
    others = {}
    if K > 1:
        rest = np.delete(beliefs, row.trial.task, axis=1)
        others = {"p_other": (1 - p_true) / (K - 1), "lead": p_true - rest.max(axis=1)}
    return row.columns | {"entropy": entropy(beliefs), "p_true": p_true} | others


def _filled(curves: list[Floats]) -> Floats:
    """Put curves of different lengths into one matrix, filled up with NaN."""
    longest = max((len(curve) for curve in curves), default=0)
    matrix = np.full((len(curves), longest), np.nan)
    for row, curve in zip(matrix, curves, strict=True):
        row[: len(curve)] = curve
    return matrix
