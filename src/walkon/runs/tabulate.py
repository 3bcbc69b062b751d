"""Builds the table of results from the store."""

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np

from walkon.agents.loss import entropy
from walkon.arrays import Floats
from walkon.measuring.table import COLUMNS, CURVES, Table
from walkon.runs.store import Row, Store
from walkon.runs.sweep import PERSEUS, Entry
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
    columns = {
        name: np.array([_value(name, *each, bounds) for each in found], dtype=np.str_ if name in TEXT else np.float64)
        for name in COLUMNS
    }
    curves = {name: _filled([_curve(name, row) for _, row in found]) for name in CURVES}
    return Table(columns, curves)


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


def _value(name: str, entry: Entry, row: Row, bounds: Bounds) -> str | float:
    known: dict[str, str | float] = {
        "sweep": entry.sweep,
        "x": float(entry.x),
        "agent": entry.trial.agent,
        "pair": float(entry.pair),
        "task": row.task,
        "tasks": float(entry.trial.world.size),
        "horizon": float(_horizon(entry.trial.world)),
    }
    if entry.trial.measure == "return":
        known |= dict(zip(("lower", "upper"), bounds.get(entry.trial.world, (NAN, NAN)), strict=True))
    if name in known:
        return known[name]
    value = row.numbers.get(name)
    return NAN if value is None else value


@cache
def _horizon(world: WorldSpec) -> int:
    """Return the tasks' own horizon. Libraries that are drawn from one pool have the same."""
    named = dict(world.options).get("tasks")
    if isinstance(named, tuple) and len(named) > 1:
        return _horizon(world.having(tasks=named[:1]))
    return world.make()[0].horizon


def _curve(name: str, row: Row) -> Floats:
    """Return one trial's curve; empty where it has none."""
    beliefs = row.columns.get("task_beliefs")
    if name not in ("entropy", "p_true", "p_other"):
        return row.columns.get(name, np.zeros(0))
    if beliefs is None:
        return np.zeros(0)
    K, p_true = beliefs.shape[1], beliefs[:, row.trial.task]
    if name == "entropy":
        return entropy(beliefs)
    if name == "p_true":
        return p_true
    return (1 - p_true) / (K - 1) if K > 1 else np.zeros(0)


def _filled(curves: list[Floats]) -> Floats:
    """Put curves of different lengths into one matrix, filled up with NaN."""
    longest = max((len(curve) for curve in curves), default=0)
    matrix = np.full((len(curves), longest), np.nan)
    for row, curve in zip(matrix, curves, strict=True):
        row[: len(curve)] = curve
    return matrix
