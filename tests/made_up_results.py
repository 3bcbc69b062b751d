"""Tables of results with a known truth, for tests of statistics and claims."""

import numpy as np

from synthetic_results import table_of

__all__ = ["PAPER", "night", "table_of", "trials"]


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
