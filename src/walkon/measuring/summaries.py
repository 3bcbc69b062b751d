"""The tables of a run, as rows: scores, differences to ATPO, times, proven bounds, and claims.

A row is a dict whose keys are the columns, the same for all rows of a table. Intervals of means are the paper's,
1.96 s / sqrt(n); "boot" marks the bootstrap's, drawn within tasks where every task is played equally often, that is,
where nothing is varied. Intervals of shares and medians are exact.
"""

import csv
import io
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from walkon.agents.registry import AGENTS
from walkon.measuring.comparisons import SOON
from walkon.measuring.exact import Median, Share
from walkon.measuring.statistics import Interval, bootstrap_interval, estimate, known, mean_interval, minus
from walkon.measuring.table import MEASURES, Options, Table, grid
from walkon.measuring.verdicts import Verdict

Cell = str | float | int | None
Row = dict[str, Cell]


def headline(table: Table, tally: str = "tally") -> list[Row]:
    """Summarize the scores of each agent at each point of each sweep; `tally` is the name of the tally."""
    rows = []
    for place, trials in _places(table):
        if not len(known(trials[_measure(trials)])):
            continue
        strata = trials["task"] if place["x"] is None else None
        row = place | {"n": len(trials)}
        for name, column in (("steps", trials["steps"]), (tally, trials["tally"])):
            drawn = bootstrap_interval(column, strata)
            row |= _columns(name, mean_interval(column))
            row |= {f"{name}_boot_low": drawn.low, f"{name}_boot_high": drawn.high}
        row |= _share("solved", trials["solved"])
        row |= _share("dead_end", trials["dead_end"])
        row |= _share(f"identified_{SOON}", MEASURES["identified"].of(trials, Options(at=SOON)))
        row |= _share("identified", MEASURES["identified"].of(trials, Options()))
        times = Median(np.sort(known(MEASURES["identified_at"].of(trials, Options(never=np.inf)))))
        row |= _columns("identified_at_median", Interval(times.value, *times.interval(), times.n))
        for name in ("final_p_true", "final_entropy", "mean_entropy", "mean_log_loss", "mean_brier"):
            row |= _columns(name, mean_interval(trials[name]))
        rows.append(row)
    return rows


def differences(table: Table, to: str = "atpo", tally: str = "tally") -> list[Row]:
    """Compare each agent with one of them, at each point: trial by trial, and as if the trials were unrelated."""
    rows = []
    for place, trials in _places(table):
        sweep, x, agent, measure = str(place["sweep"]), place["x"], str(place["agent"]), _measure(trials)
        _, both = grid(table, sweep, (agent, to), measure, Options(), () if x is None else (float(x),))
        if agent == to or not len(both):
            continue
        first, second = both[:, 0, 0], both[:, 1, 0]
        paired, apart = mean_interval(first - second), minus(estimate(first), estimate(second))
        row = place | {"minus": to, "measure": tally if measure == "tally" else measure, "n": paired.n}
        row |= {"difference": paired.mean, "paired_low": paired.low, "paired_high": paired.high}
        half = 1.96 * apart.error
        rows.append(row | {"unpaired_low": apart.value - half, "unpaired_high": apart.value + half})
    return rows


def timings(table: Table) -> list[Row]:
    """Summarize the times of preparations and of single decisions. They differ from run to run."""
    rows = []
    for place, trials in _places(table):
        decisions = trials.curves.get("decision_seconds", np.empty((len(trials), 0)))
        for what, seconds in (("preparation", trials["seconds"]), ("decision", decisions)):
            if len(known(seconds)):
                row = place | {"timed": what, "n": len(known(seconds))} | _columns("seconds", mean_interval(seconds))
                rows.append(row | {"seconds_median": float(np.median(known(seconds)))})
    return rows


def best_possible(table: Table, sweeps: Collection[str]) -> list[Row]:
    """Compare the return of each agent with the proven bounds of its library, in the sweeps that play to the end.

    The upper bound holds for every agent that is not told the task, the lower one for Bayes, whose plan proves it. An
    interval that reaches a bound counts as lying within it. Agents that are told the task are not bound by either.
    """
    rows = []
    for place, trials in _places(table.rows(~np.isnan(table["lower"]) & np.isin(table["sweep"], list(sweeps)))):
        for tasks in dict.fromkeys(trials["tasks"].tolist()):
            own = trials.where(tasks=tasks)
            earned, lower, upper = mean_interval(own["return"]), float(own["lower"][0]), float(own["upper"][0])
            name = f"library {place['x']:.0f}" if place["x"] is not None else str(place["sweep"])
            needs = AGENTS[str(place["agent"])].needs
            below = needs.scope == "all at once" and earned.high < lower
            within = "no" if earned.low > upper or below else "yes"
            row: Row = {"library": f"{name.removeprefix('beyond-')}, {tasks:.0f} tasks"}
            row |= place | {"n": len(own)} | _columns("return", earned)
            rows.append(row | {"lower": lower, "upper": upper, "within": "" if needs.informed else within})
    return rows


def claims(verdicts: Sequence[Verdict]) -> list[Row]:
    """List the verdict on each claim, with the numbers that it depends on."""
    rows = []
    for verdict in verdicts:
        claim, found = verdict.claim, verdict.decisive
        row: Row = {"id": claim.id, "figure": claim.figure, "sentence": claim.sentence or claim.id, "claim": claim.says}
        row |= {"verdict": verdict.outcome, "before": verdict.before}
        row |= {"test": claim.test, "measure": claim.measure, "must": claim.must, "limit": claim.limit}
        row |= {"margin": verdict.margin, "estimate": found.estimate, "level": claim.level}
        row |= {"low": found.low, "high": found.high, "p": found.p, "n": found.n, "trials_needed": verdict.trials}
        few, many = found.reach if verdict.trials else (None, None)
        row |= {"trials_least": few, "trials_most": many}  # empty: more than 10,000,000
        rows.append(row | {"words": verdict.words})
    return rows


def csv_text(rows: Sequence[Row]) -> str:
    r"""Format rows as CSV, numbers with six digits. The same rows give the same bytes.

    >>> csv_text([{"agent": "atpo", "n": 3, "steps": 12.3456789}, {"agent": "bopa", "n": 3, "steps": float("nan")}])
    'agent,n,steps\natpo,3,12.3457\nbopa,3,\n'
    """
    if not rows:
        return ""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def _cell(value: Cell) -> str:
    if isinstance(value, float):
        return "" if np.isnan(value) else "not reached" if value == np.inf else f"{value:.6g}"
    return "" if value is None else str(value)


def _places(table: Table) -> Iterator[tuple[Row, Table]]:
    """Yield the trials of each sweep, point and agent: sweeps and agents in order of appearance, points rising."""
    for sweep in dict.fromkeys(table["sweep"].tolist()):
        trials = table.where(sweep=sweep)
        nowhere = trials.rows(np.isnan(trials["x"]))
        for x, here in [(None, nowhere), *((x, trials.where(x=x)) for x in trials.points())]:
            for agent, played in here.by_agent():
                yield {"sweep": sweep, "x": x, "agent": agent}, played.rows(np.argsort(played["pair"], kind="stable"))


def _measure(trials: Table) -> str:
    """Return the score of these trials: the tally where there is one, else steps."""
    return "tally" if len(known(trials["tally"])) else "steps"


def _columns(name: str, found: Interval) -> Row:
    return {name: found.mean, f"{name}_low": found.low, f"{name}_high": found.high}


def _share(name: str, values: object) -> Row:
    """Return the share of ones among the numbers that are not NaN."""
    numbers = known(values)
    found = Share(int((numbers == 1).sum()), len(numbers))
    return _columns(name, Interval(found.value, *found.interval(), found.n))
