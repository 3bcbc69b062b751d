"""From the store to the table of results."""

from collections.abc import Iterable

import numpy as np

from walkon.agents.task_belief import entropy
from walkon.experiments.store import Row, Store
from walkon.experiments.sweeps import Entry
from walkon.experiments.table import COLUMNS, CURVES, Table
from walkon.models.distributions import Floats

TEXT = {"sweep", "agent", "task"}


def tabulate(entries: Iterable[Entry], store: Store) -> Table:
    """The table of the trials that are finished, in the order of the entries."""
    places = list(entries)
    rows = {row.trial.key: row for row in store.rows({entry.trial.key: None for entry in places})}
    found = [(entry, rows[entry.trial.key]) for entry in places if entry.trial.key in rows]
    columns = {
        name: np.array([_value(name, *each) for each in found], dtype=np.str_ if name in TEXT else np.float64)
        for name in COLUMNS
    }
    curves = {name: _filled([_curve(name, row) for _, row in found]) for name in CURVES}
    return Table(columns, curves)


def _value(name: str, entry: Entry, row: Row) -> str | float:
    known: dict[str, str | float] = {
        "sweep": entry.sweep,
        "x": float(entry.x),
        "agent": entry.trial.agent,
        "pair": float(entry.pair),
        "task": row.task,
        "tasks": float(entry.trial.world.size),
    }
    if name in known:
        return known[name]
    value = row.numbers.get(name)
    return float("nan") if value is None else value


def _curve(name: str, row: Row) -> Floats:
    """One trial's curve; empty where it has none."""
    beliefs = row.columns.get("task_beliefs")
    if name not in ("entropy", "p_true", "p_other"):
        return row.columns.get(name, np.zeros(0))
    if beliefs is None:
        return np.zeros(0)
    K, p_true = beliefs.shape[1], beliefs[:, row.trial.target]
    if name == "entropy":
        return entropy(beliefs)
    if name == "p_true":
        return p_true
    return (1 - p_true) / (K - 1) if K > 1 else np.zeros(0)


def _filled(curves: list[Floats]) -> Floats:
    """Curves of different lengths as one matrix, filled up with not-a-number."""
    longest = max((len(curve) for curve in curves), default=0)
    matrix = np.full((len(curves), longest), np.nan)
    for row, curve in zip(matrix, curves, strict=True):
        row[: len(curve)] = curve
    return matrix
