"""What claims are about: one number for each trial, and its name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from walkon.arrays import Floats
from walkon.measuring.table import Table

NAN = float("nan")
NOWHERE = float("-inf")  # the place of trials for which nothing is varied


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a claim says about its measure.

    Attributes:
        at: The step at which a curve is read.
        never: The time of identification where there was none.
    """

    at: int | None = None
    never: float = NAN


Values = Callable[[Table, Options], Floats]


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A number for each trial.

    Attributes:
        of: The numbers of the trials of a table, [n]; not a number where it does not apply.
        noun: What it is called; {at} is the step.
        alone: How a mean is said, after the agent's name.
        compared: How a difference is said, between two agents' names; {way} is one of `ways`.
        ways: What a negative and a positive difference are called.
        digits: How many are shown after the point.
        ratio: Whether the number is a logarithm to base 10, so that differences are ratios.
    """

    of: Values
    noun: str
    alone: str = ""
    compared: str = ""
    ways: tuple[str, str] = ("lower", "higher")
    digits: int = 2
    ratio: bool = False

    def shown(self, value: float) -> str:
        """The number, or the ratio that it stands for."""
        if not self.ratio:
            return f"{round(value, self.digits) + 0.0:.{self.digits}f}"  # no minus before a zero
        times = 10.0**value
        return f"{times:,.0f}" if times >= 10 else f"{times:.2g}"


def _column(name: str) -> Values:
    """A column of the table; not a number where it has none."""
    return lambda table, options: np.asarray(table.columns.get(name, np.full(len(table), NAN)), dtype=np.float64)


def _curve(name: str) -> Values:
    return lambda table, options: _at(table, name, options.at)


def _at(table: Table, name: str, step: int | None) -> Floats:
    """A curve after so many steps; its last number where it ended before, or where no step is given."""
    curve = table.curves.get(name, np.empty((len(table), 0)))
    if not curve.shape[1]:
        return np.full(len(table), NAN)
    there = ~np.isnan(curve[:, : curve.shape[1] if step is None else step + 1])
    lasts = there.shape[1] - 1 - there[:, ::-1].argmax(axis=1)
    read: Floats = curve[np.arange(len(table)), lasts]  # not a number where the trial has no curve
    return read


def _change(name: str) -> Values:
    return lambda table, options: _at(table, name, None) - _at(table, name, 0)


def _identified(table: Table, options: Options) -> Floats:
    """1 or 0; not a number for agents without a task belief."""
    at = _column("identified_at")(table, options)
    return np.where(np.isnan(_column("final_p_true")(table, options)), NAN, ~np.isnan(at))


def _identified_at(table: Table, options: Options) -> Floats:
    at = _column("identified_at")(table, options)
    late = np.where(np.isnan(at), options.never, at)
    return np.where(np.isnan(_column("final_p_true")(table, options)), NAN, late)


def _decision_seconds(table: Table, options: Options) -> Floats:
    """The mean time of a decision in each trial."""
    curve = table.curves.get("decision_seconds", np.empty((len(table), 0)))
    counts = (~np.isnan(curve)).sum(axis=1)
    return np.where(counts > 0, np.nansum(curve, axis=1) / np.maximum(counts, 1), NAN)


def _log(of: Values) -> Values:
    def logs(table: Table, options: Options) -> Floats:
        values = of(table, options)
        found: Floats = np.log10(values, where=values > 0, out=np.full(len(values), NAN))
        return found

    return logs


MEASURES = {
    "steps": Measure(
        of=_column("steps"),
        noun="steps",
        alone="takes {} steps",
        compared="takes {} steps {way} than",
        ways=("fewer", "more"),
        digits=1,
    ),
    "dead_end": Measure(
        of=_column("dead_end"),
        noun="share of dead ends",
        compared="ends in a dead end {} of the time {way} than",
        ways=("less", "more"),
        digits=3,
    ),
    "mean_entropy": Measure(
        of=_column("mean_entropy"),
        noun="mean entropy",
        compared="has a mean entropy that is {} {way} than that of",
        digits=3,
    ),
    "entropy": Measure(of=_curve("entropy"), noun="entropy after {at} steps", digits=3),
    "entropy_change": Measure(of=_change("entropy"), noun="change of entropy over the episode", digits=3),
    "p_true": Measure(of=_curve("p_true"), noun="p(true task) after {at} steps", digits=3),
    "final_p_true": Measure(of=_column("final_p_true"), noun="p(true task) at the end", digits=3),
    "identified": Measure(of=_identified, noun="share of tasks identified", digits=3),
    "identified_at": Measure(
        of=_identified_at, noun="time to identification", alone="identifies the task after {} steps", digits=1
    ),
    "loss": Measure(of=_curve("loss"), noun="sum of losses"),
    "seconds": Measure(of=_column("seconds"), noun="set-up time"),
    "log_seconds": Measure(
        of=_log(_column("seconds")),
        noun="set-up time",
        compared="takes {} times as long to set up as",
        ratio=True,
    ),
    "decision_seconds": Measure(of=_decision_seconds, noun="decision time"),
    "log_decision_seconds": Measure(
        of=_log(_decision_seconds), noun="decision time", compared="takes {} times as long to decide as", ratio=True
    ),
}


def measure_of(name: str, verb: str = "counts") -> Measure:
    """The measure of this name; any other name is that of a tally, with what an agent does to it."""
    return MEASURES.get(name) or Measure(
        of=_column("tally"),
        noun=name,
        alone=f"{verb} {{}} {name}",
        compared=f"{verb} {{}} {name} {{way}} than",
        ways=("fewer", "more"),
    )


def grid(
    table: Table, sweep: str, agents: Sequence[str], measure: str, options: Options, points: Sequence[float] = ()
) -> tuple[list[float], Floats]:
    """The points of a sweep, and the numbers of the trials that all of the agents played at all of them.

    Returns:
        The points, [P] (one, not a number, where nothing is varied), and the numbers, [n, A, P]. If points are asked
        for and one of them is missing, there is nothing.
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
