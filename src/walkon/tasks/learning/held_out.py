"""How likely episodes are that were left out of learning, under the learned tables and under the base."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from walkon.errors import InputError
from walkon.tasks.learning.fit import Problem, fit_tables, replace_tables, stack_table
from walkon.tasks.learning.log import Hidden, Model, expected, hidden_runs, known_counts

FOLDS = 5


class HeldOut(NamedTuple):
    """The mean log-likelihood of a step in episodes that were left out of learning.

    Both means are over the episodes that are possible under both models; NaN if there are none.
    """

    learned: float
    base: float  # with the smoothing of the tables that are learned, without which many episodes are impossible
    episodes: int
    impossible_learned: int  # episodes with likelihood 0 under the tables that were learned from the others
    impossible_base: int  # episodes with likelihood 0 under the base without smoothing


def compare_held_out(problem: Problem, episodes: Sequence[str], folds: int, seed: int) -> HeldOut | None:
    """Leave each fold of the episodes out once; `episodes` names the episode of each run."""
    names = list(dict.fromkeys(episodes))
    if folds < 2:
        raise InputError(f"folds is {folds}, expected 2 or more")
    if len(names) < 2:
        return None
    fold = dict(zip(np.random.default_rng(seed).permutation(names).tolist(), _cycle(len(names), folds), strict=True))
    heights = {name: np.zeros(3) for name in names}
    smooth = {table: problem.smooth(table, stack_table(problem.prior, table)) for table in problem.tables}
    base = replace_tables(problem.prior, smooth, problem.sizes)
    steps = dict.fromkeys(names, 0)
    for left_out in range(min(folds, len(names))):
        runs = list(zip(problem.runs, episodes, strict=True))
        kept = [run for run, name in runs if fold[name] != left_out]
        found = fit_tables(replace(problem, runs=kept), measure=False).tables
        learned = replace_tables(problem.prior, {name: each.mean for name, each in found.items()}, problem.sizes)
        for run, name in runs:
            if fold[name] == left_out:
                heights[name] += [_likelihood(problem, model, run) for model in (learned, base, problem.prior)]
                steps[name] += len(run.rows)
    reached = np.array(list(heights.values()))  # [episodes, 3]
    possible = np.isfinite(reached[:, :2]).all(axis=1)
    total = sum(steps[name] for name, each in zip(names, possible, strict=True) if each)
    means = reached[possible][:, :2].sum(axis=0) / total if total else np.full(2, np.nan)
    impossible = np.isneginf(reached).sum(axis=0)
    return HeldOut(float(means[0]), float(means[1]), len(names), int(impossible[0]), int(impossible[2]))


def _cycle(size: int, folds: int) -> list[int]:
    return [i % folds for i in range(size)]


def _likelihood(problem: Problem, model: Model, run: Hidden) -> float:
    """Return the log-likelihood of all that is known of one run."""
    rows, sizes = problem.rows, problem.sizes
    found = expected(model, rows, hidden_runs(rows, *run), sizes)
    if found.unexplained:
        return -np.inf
    total = found.likelihood
    for table, counts in known_counts(rows, [run.rows], [run.first], sizes).items():
        if counts.nnz:
            x, y = counts.nonzero()
            with np.errstate(divide="ignore"):
                total += float(counts[x, y] @ np.log(np.asarray(stack_table(model, table)[x, y]).ravel()))
    return total
