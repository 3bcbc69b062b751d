"""The table of results, with one row for each trial, and the measures of its trials, which claims are about."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats
from walkon.errors import InputError

NAN = float("nan")
IDENTIFIED = 0.95  # a task is identified at a step if its probability is at least this
AHEAD = 1e-9  # by how much a task has to be more probable than another one
NOWHERE = float("-inf")  # the place of trials for which nothing is varied
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
    "states": "how many states the first task of the library has",
    "score": "the sum of the rewards, where it was measured",
    "return": "the discounted return, where it was measured",
    "lower": "where a return was measured: a proven lower bound on the best return without knowing the task",
    "upper": "a proven upper bound on it, likewise",
    "dead_end": "1 if it ended where the tally cannot grow any more",
    "identified_at": "steps after which p(true task) was at least 0.95 to the end; NaN if it was not",
    "final_p_true": "p(true task) at the end",
    "final_entropy": "normalised entropy of the task belief at the end",
    "mean_entropy": "its mean over the episode",
    "mean_log_loss": "mean log-loss of the task belief",
    "mean_brier": "mean Brier score of the task belief",
    "unexplained": "observations that nothing in the library explained",
    "seconds": "the CPU time of one agent's preparation, where it was measured",
}
CURVES = {
    "entropy": "normalised entropy of the task belief before each step and at the end",
    "p_true": "p(true task), likewise",
    "p_other": "the mean probability of the other tasks, likewise",
    "lead": "p(true task) minus that of the most probable other task, likewise",
    "decision_seconds": "the CPU time of each decision, where it was measured",
    "taken": "the number of each action until the task was solved, where costs were measured",
    "paid": "the reward of each of these steps, likewise",
    "loss": "sum of L_t(p_t) over the steps so far",
    "loss_of_truth": "sum of L_t(q) over the steps so far, q being certain of the true task",
    "bound_fixed": "the right side of the bound at eta = sqrt(2/T), with the paper's Rmax/(1-gamma)",
    "bound_best": "at the best eta, likewise",
    "bound_fixed_largest": "at eta = sqrt(2/T), with the largest loss that the policies allow",
    "bound_best_largest": "at the best eta, likewise",
    "bound_distance": "the largest loss times the sum of 1 - p(true task), added to loss_of_truth",
    "bound_printed": "the right side as the paper prints it",
    "affinity": "the largest Hellinger affinity of the next observation under the true and under another task",
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


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a measure."""

    at: int | None = None  # the step at which the value of a curve is taken
    never: float = NAN  # counts as the time to identification where there was none: infinite, or a cap


Values = Callable[[Table, Options], Floats]


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A number for each trial, and how sentences report it."""

    of: Values  # the numbers of the trials of a table, [n]; NaN where it does not apply
    noun: str  # its name; {at} is the step
    alone: str = ""  # what reports a mean, after the agent's name
    compared: str = ""  # what reports a difference, between two agents' names; {way} is one of `ways`
    ways: tuple[str, str] = ("lower", "higher")  # the words for a negative and a positive difference
    digits: int = 2  # shown after the point
    ratio: bool = False  # whether the number is a logarithm to base 10, so that differences are ratios
    most: float = NAN  # the largest value, if the least is 0

    def shown(self, value: float) -> str:
        """Format the number, or the ratio that it stands for."""
        if value == np.inf:
            return "not reached"
        if not self.ratio:
            return f"{round(value, self.digits) + 0.0:.{self.digits}f}"  # no minus before a zero
        times = 10.0**value
        return f"{times:,.0f}" if times >= 10 else f"{times:.2g}"


def _column(name: str) -> Values:
    """Take a column of the table; NaN where it has none."""
    return lambda table, options: np.asarray(table.columns.get(name, np.full(len(table), NAN)), dtype=np.float64)


def _curve(name: str) -> Values:
    return lambda table, options: _at(table, name, options.at)


def _at(table: Table, name: str, step: int | None) -> Floats:
    """Return the value of a curve after a step; its last value where it ended before, or where no step is given."""
    curve = table.curves.get(name, np.empty((len(table), 0)))
    if not curve.shape[1]:
        return np.full(len(table), NAN)
    there = ~np.isnan(curve[:, : curve.shape[1] if step is None else step + 1])
    lasts = there.shape[1] - 1 - there[:, ::-1].argmax(axis=1)
    values: Floats = curve[np.arange(len(table)), lasts]  # NaN where the trial has no curve
    return values


def _change(name: str) -> Values:
    return lambda table, options: _at(table, name, None) - _at(table, name, 0)


def _identified(table: Table, options: Options) -> Floats:
    """Return 1 if the task is identified at the step, or at the end, else 0; NaN for agents without a task belief."""
    p = _column("final_p_true")(table, options) if options.at is None else _at(table, "p_true", options.at)
    return np.where(np.isnan(p), NAN, p >= IDENTIFIED)


def _identified_at(table: Table, options: Options) -> Floats:
    at = _column("identified_at")(table, options)
    late = np.where(np.isnan(at), options.never, at)
    return np.where(np.isnan(_column("final_p_true")(table, options)), NAN, late)


def _leading_at(table: Table, options: Options) -> Floats:
    """Return the first step at which the true task is more probable than every other one; infinite if there is none."""
    lead = table.curves.get("lead", np.empty((len(table), 0)))
    if not lead.shape[1]:
        return np.full(len(table), NAN)
    ahead = lead > AHEAD  # False where it is NaN
    first = np.where(ahead.any(axis=1), ahead.argmax(axis=1), np.inf)
    return np.where(np.isnan(lead).all(axis=1), NAN, first)


def _decision_seconds(table: Table, options: Options) -> Floats:
    """Return the mean time of a decision in each trial."""
    curve = table.curves.get("decision_seconds", np.empty((len(table), 0)))
    counts = (~np.isnan(curve)).sum(axis=1)
    return np.where(counts > 0, np.nansum(curve, axis=1) / np.maximum(counts, 1), NAN)


def _log(of: Values) -> Values:
    def logs(table: Table, options: Options) -> Floats:
        values = of(table, options)
        found: Floats = np.log10(values, where=values > 0, out=np.full(len(values), NAN))
        return found

    return logs


def _counted(column: str, noun: str, verb: str, digits: int = 2) -> Measure:
    """Make the measure of a column of counts, with what an agent does to them."""
    said, ways = f"{verb} {{}} {noun}", ("fewer", "more")
    return Measure(of=_column(column), noun=noun, alone=said, compared=f"{said} {{way}} than", ways=ways, digits=digits)


MEASURES = {
    "steps": _counted("steps", "steps", "takes", digits=1),
    "score": Measure(
        of=_column("score"), noun="score", alone="scores {}", compared="scores {} points {way} than", digits=2
    ),
    "lost": Measure(of=lambda table, options: 100.0 - _column("score")(table, options), noun="100 minus the score"),
    "solved": Measure(of=_column("solved"), noun="share of solved tasks", digits=3, most=1),
    "states": Measure(of=_column("states"), noun="number of states", digits=0),
    "dead_end": Measure(
        of=_column("dead_end"),
        noun="share of dead ends",
        compared="ends in a dead end {} of the time {way} than",
        ways=("less", "more"),
        digits=3,
        most=1,
    ),
    "mean_entropy": Measure(
        of=_column("mean_entropy"),
        noun="mean entropy",
        compared="has a mean entropy that is {} {way} than that of",
        digits=3,
        most=1,
    ),
    "entropy": Measure(
        of=_curve("entropy"),
        noun="entropy after {at} steps",
        compared="has an entropy at that step that is {} {way} than that of",
        digits=3,
        most=1,
    ),
    "entropy_change": Measure(of=_change("entropy"), noun="change of entropy over the episode", digits=3),
    "p_true": Measure(of=_curve("p_true"), noun="p(true task) after {at} steps", digits=3, most=1),
    "final_p_true": Measure(of=_column("final_p_true"), noun="p(true task) at the end", digits=3, most=1),
    "identified": Measure(of=_identified, noun="share of tasks identified {when}", digits=3, most=1),
    "identified_at": Measure(of=_identified_at, noun="time to identification{cap}", digits=1),
    "leading_at": Measure(of=_leading_at, noun="first step at which the true task leads", digits=0),
    "loss": Measure(of=_curve("loss"), noun="sum of losses"),
    "seconds": Measure(of=_column("seconds"), noun="set-up time"),
    "log_seconds": Measure(
        of=_log(_column("seconds")), noun="set-up time", compared="takes {} times as long to set up as", ratio=True
    ),
    "decision_seconds": Measure(of=_decision_seconds, noun="decision time"),
    "log_decision_seconds": Measure(
        of=_log(_decision_seconds), noun="decision time", compared="takes {} times as long to decide as", ratio=True
    ),
}


def measure_of(name: str, verb: str = "counts") -> Measure:
    """Return the measure of this name; any other name is a tally's, and the verb is what an agent does to it."""
    return MEASURES.get(name) or _counted("tally", name, verb)


def grid(
    table: Table, sweep: str, agents: Sequence[str], measure: str, options: Options, points: Sequence[float] = ()
) -> tuple[list[float], Floats]:
    """Return the points of a sweep, [P], and the numbers of the trials that all agents played at each, [n, A, P].

    Where nothing is varied, there is one point, NaN. If points are asked for and one is missing, there are no numbers.
    """
    found = []
    for agent in agents:
        played = table.where(sweep=sweep, agent=agent) if len(table) else table
        values = measure_of(measure).of(played, options)
        there = ~np.isnan(values)
        places = np.nan_to_num(_column("x")(played, options)[there], nan=NOWHERE).tolist()
        pairs = _column("pair")(played, options)[there].tolist()
        found.append(dict(zip(zip(places, pairs, strict=True), values[there].tolist(), strict=True)))
    everywhere = sorted(set.intersection(*({x for x, _ in each} for each in found)))
    chosen = everywhere if not points else sorted(points) if set(points) <= set(everywhere) else []
    complete = [
        pair
        for pair in sorted({pair for _, pair in found[0]})
        if chosen and all((x, pair) in each for each in found for x in chosen)
    ]
    numbers = np.array([[[each[x, pair] for x in chosen] for each in found] for pair in complete], dtype=np.float64)
    return [NAN if x == NOWHERE else x for x in chosen], numbers.reshape(len(complete), len(agents), len(chosen))
