"""Tables of results that nobody measured: seeded, of the shape of real ones, and for tests only."""

import numpy as np

from walkon.measuring.table import COLUMNS, CURVES, Table

FIVE = ["value-iteration", "perseus", "atpo", "bopa", "random"]
STEPS = {"value-iteration": 5.4, "perseus": 7.3, "atpo": 17.0, "bopa": 20.0, "random": 45.0}
SOUPS = {"value-iteration": 0.95, "atpo": 0.9, "assistant": 0.92, "random": 0.06}
RETURNS = {"value-iteration": 75.0, "perseus": 66.0, "bayes": 55.0, "atpo-look": 51.0, "atpo-q": 48.0, "atpo": 41.0}
BELIEVING = {"atpo": 6.0, "bopa": 7.0, "assistant": 3.0}  # and the steps in which doubt falls to a third
TEXT = ("sweep", "agent", "task")


def results(seed=0, *, trials=32, samples=150, beyond=False):
    """Every sweep of the paper, with its agents and points; and those beyond it."""
    luck = np.random.default_rng(seed)
    rows = []
    for task in range(4 * trials):
        rows += [_pursuit(luck, "baseline", np.nan, agent, task, 4) for agent in FIVE]
        rows.append(_bound(luck, task))
    for trial in range(trials):
        for agent in FIVE:
            rows += [_pursuit(luck, "size", n**4, agent, trial, 4, 0.35 + 0.13 * n) for n in (3, 4, 5, 6)]
            rows += [_pursuit(luck, "noise", e / 10, agent, trial, 4, 0.6 + e / 7) for e in range(6)]
        for agent in ("atpo", "bopa"):
            rows += [_pursuit(luck, "tasks", K, agent, trial, K, 0.7 + 0.05 * K) for K in range(1, 11)]
    for n in (3, 4, 5, 6):
        rows += _timed(luck, n, samples)
    for task in range(3 * trials):
        rows += [_pursuit(luck, "pursuit", np.nan, agent, task, 3, 1.2) for agent in FIVE]
    for task in range(6 * trials):
        rows += [_overcooked(luck, agent, task) for agent in SOUPS]
    return table_of(rows + _beyond(luck, trials) if beyond else rows)


def table_of(rows):
    """Rows, each a dict of what it has, as a table."""
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


def _beyond(luck, trials):
    """The worlds of the paper with other agents, more libraries, and what is varied."""
    rows = []
    for task in range(4 * trials):
        rows += [_earned(luck, "beyond-night", np.nan, agent, task, 4) for agent in RETURNS]
        rows += [_earned(luck, "beyond-pursuit", np.nan, agent, task, 3) for agent in RETURNS]
        for agent in ("value-iteration", "bayes", "atpo-q", "atpo"):
            row = _earned(luck, "beyond-overcooked", np.nan, agent, task, 4)
            row |= {"steps": np.nan, "solved": np.nan, "tally": float(luck.binomial(5, 0.9)), "dead_end": 0.0}
            rows.append(row)
        for library in range(11):
            rows += [_earned(luck, "beyond-libraries", library, agent, task, 4) for agent in list(RETURNS)[1:]]
    for task in range(2 * trials):
        for agent in ("perseus", "bayes", "atpo"):
            rows += [_asking(luck, price, agent, task) for price in (0.0, 0.1, 0.3, 1.0)]
    for trial in range(trials):
        for agent in list(RETURNS)[1:]:
            rows += [_earned(luck, "beyond-size-fixed", n**4, agent, trial, 4) for n in (3, 4, 5, 6)]
            rows += [_earned(luck, "beyond-noise-fixed", e / 10, agent, trial, 4) for e in range(6)]
            rows += [_earned(luck, "beyond-tasks-fixed", K, agent, trial, K) for K in range(1, 11)]
    return rows


def _earned(luck, sweep, x, agent, number, K):
    earned = RETURNS[agent] + luck.normal(0, 15)
    steps = float(np.ceil(min(1 + luck.gamma(2.0, (85 - RETURNS[agent]) / 5), 50)))
    more = {"steps": steps, "solved": float(steps < 50), "return": earned, "lower": 53.0, "upper": 62.0}
    return _row(sweep, x, agent, number, K, **more)


def _asking(luck, price, agent, number):
    row = _earned(luck, "beyond-price", price, agent, number, 2)
    taken = luck.integers(0, 5, int(row["steps"]))
    return row | {"taken": taken.astype(float), "paid": -0.6 - price * (taken == 4)}


def _row(sweep, x, agent, number, K, **more):
    return {
        "sweep": sweep,
        "x": x,
        "agent": agent,
        "pair": number,
        "task": f"task {number % K}",
        "tasks": K,
        "horizon": 75.0 if "overcooked" in sweep else 50.0,
        **more,
    }


def _pursuit(luck, sweep, x, agent, number, K, harder=1.0):
    steps = 1 + luck.gamma(2.0, STEPS[agent] * harder / 2)
    solved = steps <= 50
    row = _row(sweep, x, agent, number, K, steps=float(np.ceil(min(steps, 50))), solved=float(solved))
    return row | (_doubt(luck, agent, K, 50) if K > 1 and agent in BELIEVING else {})


def _overcooked(luck, agent, number):
    K = 4 if number % 6 < 4 else 2
    row = _row("overcooked", np.nan, agent, number, K, task=f"task {number % 6}", steps=75.0, solved=np.nan)
    row |= {"tally": float(luck.binomial(5, SOUPS[agent])), "dead_end": float(luck.random() < 0.1)}
    return row | (_doubt(luck, agent, K, 75) if agent in BELIEVING else {})


def _doubt(luck, agent, K, T):
    """A task belief that finds the truth, as curves."""
    noise = 0.8 * np.cumsum(luck.normal(size=T + 1))
    sure = np.maximum.accumulate(np.arange(T + 1) / BELIEVING[agent] + np.where(np.arange(T + 1) > 0, noise, 0))
    other = np.exp(-np.maximum(sure, -1)) / (np.exp(0) + (K - 1) * np.exp(-np.maximum(sure, -1)))
    truth = 1 - (K - 1) * other
    p = np.column_stack([truth, *[other] * (K - 1)]).clip(1e-12, 1)
    p /= p.sum(axis=1, keepdims=True)
    entropy = -(p * np.log(p)).sum(axis=1) / np.log(K)
    late = np.flatnonzero(truth < 0.95)
    found = {"final_p_true": truth[-1], "final_entropy": entropy[-1], "mean_entropy": entropy.mean()}
    found["identified_at"] = float(late[-1] + 1) if len(late) and late[-1] < T else np.nan
    return found | {"p_true": truth, "p_other": other, "entropy": entropy.clip(0, 1)}


def _timed(luck, n, samples):
    setup = {"value-iteration": 2e-6 * n**4, "bopa": 2.2e-6 * n**4, "perseus": 3e-7 * n**8, "atpo": 3.1e-7 * n**8}
    decision = {"value-iteration": 3e-6, "bopa": 9e-6 * n, "perseus": 4e-6 * n, "atpo": 1.1e-5 * n}
    rows = [
        _row("setup", n**4, agent, i, 1, seconds=s * luck.uniform(0.9, 1.1))
        for agent, s in setup.items()
        for i in range(3)
    ]
    for agent, s in decision.items():
        times = s * luck.lognormal(0, 0.2, size=(samples // 50, 50))
        rows += [_row("decision", n**4, agent, i, 4, decision_seconds=line) for i, line in enumerate(times)]
    return rows


def _bound(luck, number):
    """Both sides of the bound, with Rmax/(1-gamma) = 2000 and losses up to 90; now and then the truth is ruled out."""
    T = np.arange(1, 51)
    p_true = _doubt(luck, "atpo", 4, 49)["p_true"]
    compared = np.cumsum(luck.exponential(0.05, 50))
    left = compared + np.cumsum((1 - p_true) * luck.exponential(3.0, 50))
    S = np.cumsum(-np.log(p_true))
    if luck.random() < 0.05:
        S[luck.integers(50) :] = np.inf
    scale, largest = 2000.0, 90.0
    sides = {
        "bound_fixed": compared + np.sqrt(T / 2) * (S + scale**2),
        "bound_best": compared + scale * np.sqrt(2 * T * S),
        "bound_fixed_largest": compared + np.sqrt(T / 2) * (S + largest**2 / 4),
        "bound_best_largest": compared + largest * np.sqrt(T * S / 2),
        "bound_distance": compared + largest * np.cumsum(1 - p_true),
        "bound_printed": compared + np.sqrt(2 / T) * S + np.sqrt(T / 2) * scale**2,
        "affinity": luck.uniform(0.8, 1.0, 50),
        "p_true": p_true,
    }
    return _row("bound", np.nan, "atpo", number, 4, loss=left, loss_of_truth=compared, **sides)
