"""Tables of results with a known truth, for tests of statistics and claims."""

import numpy as np

from walkon.experiments.table import COLUMNS, CURVES, Table

TEXT = ("sweep", "agent", "task")


def table_of(rows):
    """Rows, each a dict of the columns and curves that it has, as a table."""
    columns = {
        name: np.array([row.get(name, "" if name in TEXT else np.nan) for row in rows], str if name in TEXT else float)
        for name in COLUMNS
    }
    curves = {}
    for name in CURVES:
        length = max((len(row[name]) for row in rows if name in row), default=0)
        curves[name] = np.full((len(rows), length), np.nan)
        for n, row in enumerate(rows):
            curves[name][n, : len(row.get(name, ()))] = row.get(name, ())
    return Table(columns, curves)


def trials(sweep, agent, measure, numbers, x=float("nan"), **more):
    """One row for each number, with the pairs 0, 1, ..., in four tasks."""
    return [
        {"sweep": sweep, "agent": agent, "x": x, "pair": i, "task": f"task {i % 4}", measure: number, **more}
        for i, number in enumerate(numbers)
    ]


def night(sweep, means, n=64, spread=3.0, seed=0, x=float("nan"), shared=2.0):
    """Steps of several agents around their means, with part of the luck shared."""
    chance = np.random.default_rng(seed)
    common = shared * chance.standard_normal(n)
    rows = []
    for agent, mean in means.items():
        noise = spread * chance.standard_normal(n)
        rows += trials(sweep, agent, "steps", mean + common + noise - (common + noise).mean(), x)
    return rows


PAPER = {"value-iteration": 5.0, "perseus": 8.0, "atpo": 11.0, "bopa": 16.0, "random": 45.0}
