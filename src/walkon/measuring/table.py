"""The table of results: one row for each trial. Figures, statistics and claims are functions of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats
from walkon.errors import InputError

COLUMNS = {
    "sweep": "the sweep that the trial belongs to",
    "x": "where in the sweep: number of states, noise or number of tasks; NaN where nothing is varied",
    "agent": "the agent that played",
    "pair": "the number of the trial at its point of the sweep; agents with the same number met the same luck",
    "task": "the task that was played",
    "tasks": "how many tasks the library had",
    "steps": "actions until it was solved; the horizon if it never was",
    "solved": "1 if it was solved",
    "tally": "the tally, where the task has one",
    "horizon": "steps within which it had to be solved",
    "return": "the discounted return, where it was measured",
    "lower": "where a return was measured: a proven lower bound on the best return without knowing the task",
    "upper": "a proven upper bound on it, likewise",
    "dead_end": "1 if it ended where the tally cannot grow any more",
    "identified_at": "steps after which p(true task) was at least 0.95 to the end; NaN if it never was",
    "final_p_true": "p(true task) at the end",
    "final_entropy": "normalised entropy of the task belief at the end",
    "mean_entropy": "its mean over the episode",
    "mean_log_loss": "mean log-loss of the task belief",
    "mean_brier": "mean Brier score of the task belief",
    "unexplained": "observations that nothing in the library explained",
    "seconds": "the time of one agent's preparation, where it was measured",
}
CURVES = {
    "entropy": "normalised entropy of the task belief before each step and at the end",
    "p_true": "p(true task), likewise",
    "p_other": "the mean probability of the other tasks, likewise",
    "decision_seconds": "the time of each decision, where it was measured",
    "loss": "sum of L_t(p_t) over the steps so far",
    "loss_of_truth": "sum of L_t(q) over the steps so far, q being certain of the true task",
    "bound_fixed": "the right side of the bound at eta = sqrt(2/T), with the paper's Rmax/(1-gamma)",
    "bound_best": "at the best eta, likewise",
    "bound_fixed_largest": "at eta = sqrt(2/T), with the largest loss that the policies allow",
    "bound_best_largest": "at the best eta, likewise",
    "bound_printed": "the right side as the paper prints it",
}


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """n trials. Text columns hold strings, all others floats; NaN where a column does not apply.

    >>> some = Table({"agent": np.array(["atpo", "bopa"]), "steps": np.array([12.0, 15.0])}, {})
    >>> some.where(agent="bopa")["steps"].tolist()
    [15.0]
    """

    columns: dict[str, npt.NDArray[Any]]  # [n] each
    curves: dict[str, Floats]  # [n, T] each, filled up with NaN

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __repr__(self) -> str:
        return f"Table({len(self)} trials)"

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        """Return one column."""
        if name not in self.columns:
            raise InputError(f"the table has no column {name!r}: it has {', '.join(self.columns)}")
        return self.columns[name]

    def curve(self, name: str) -> Floats:
        """Return one curve for each trial, [n, T], without the steps that no trial has."""
        if name not in self.curves:
            raise InputError(f"the table has no curve {name!r}: it has {', '.join(self.curves)}")
        curves = self.curves[name]
        lasts = np.flatnonzero(~np.isnan(curves).all(axis=0))
        return curves[:, : int(lasts[-1]) + 1 if len(lasts) else 0]

    def where(self, **wanted: Any) -> "Table":
        """Return the rows in which columns have the wanted values."""
        keep = np.ones(len(self), dtype=np.bool_)
        for name, value in wanted.items():
            keep &= self[name] == value
        return self.rows(keep)

    def rows(self, chosen: npt.NDArray[Any]) -> "Table":
        """Return some rows, by a mask or by their numbers."""
        return Table(
            {name: column[chosen] for name, column in self.columns.items()},
            {name: curve[chosen] for name, curve in self.curves.items()},
        )

    def points(self) -> list[float]:
        """Return the values of x, in rising order."""
        return sorted(set(self["x"][~np.isnan(self["x"])].tolist()))

    def by_agent(self) -> Iterator[tuple[str, "Table"]]:
        """Yield the rows of each agent, in the order in which the agents first appear."""
        for agent in dict.fromkeys(self["agent"].tolist()):
            yield agent, self.where(agent=agent)
