"""The named tests: from a claim and the table of results to estimates, each with a sentence that reports it.

Every test yields one comparison for each agent or pair of agents that the claim names; none of them decides anything.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from walkon.agents.registry import AGENTS
from walkon.arrays import Floats
from walkon.measuring.claims import Claim
from walkon.measuring.exact import Bounded, Median, Share
from walkon.measuring.statistics import NAN, Estimate, estimate, mean_of, minus
from walkon.measuring.table import Options, Table, grid, measure_of
from walkon.measuring.trends import Orders, Resampled, concordance, exponents, gap_closed, growth, rises

ROUNDING = 1e-9  # relative: by how much rounding may lift a sum of losses above its bound
AXES = {"size": "{:,.0f} to {:,.0f} states", "noise": "noise {:g} to {:g}", "tasks": "{:.0f} to {:.0f} tasks"}
PLACES = {"beyond-libraries": "in library {:.0f}"}  # the names of points that are tested one by one
SOON = 10  # steps: the paper calls this quick
Judged: TypeAlias = Estimate | Share | Median | Bounded | Resampled | Orders


class Comparison(NamedTuple):
    """One estimate, and the sentence that reports it."""

    found: Judged
    words: str


Test: TypeAlias = Callable[[Claim, Table], Iterator[Comparison]]


def margin(claim: Claim, table: Table) -> float:
    """Return the claim's margin; NaN where Random minus Value Iteration (whose error is ignored) is not positive."""
    if np.isnan(claim.stake):
        return claim.margin
    _, both = grid(table, claim.stake_sweep or claim.sweep, ("random", "value-iteration"), "steps", claim.options)
    at_stake = estimate(_averaged(both) @ [1, -1]).value
    return claim.stake * at_stake if at_stake > 0 else NAN


def _mean(claim: Claim, table: Table, numbers: Floats, *, paired: bool) -> Judged:
    most = _most(claim, table)
    bounded = mean_of(numbers, -most if paired else 0.0, most, counts=bool(claim.verb))
    return bounded if claim.amended else estimate(numbers)


def _most(claim: Claim, table: Table) -> float:
    """Return the largest value of the claim's measure, the horizon for steps; NaN where it is not known."""
    if claim.measure == "steps":
        return _horizon(claim, table)
    return claim.number.most if np.isnan(claim.most) else claim.most


def _horizon(claim: Claim, table: Table) -> float:
    horizons = table.where(sweep=claim.sweep).columns.get("horizon") if len(table) else None
    return NAN if horizons is None else float(np.fmax.reduce(horizons, initial=NAN))


def _difference(claim: Claim, table: Table) -> Iterator[Comparison]:
    measure = claim.number
    for place, part in _parts(claim, table):
        for first, second in claim.pairs:
            points, both = _numbers(claim, part, first, second)
            saying = f"{AGENTS.title(first)} {measure.compared} {AGENTS.title(second)}{place}"
            ways = () if measure.ratio else measure.ways
            found = _mean(claim, part, _averaged(both) @ [1, -1], paired=True)
            yield describe(claim, found, saying, points, ways=ways)


def _orders(claim: Claim, table: Table) -> Iterator[Comparison]:
    """Compare each pair at each point: the first has to take fewer."""
    parts, names, places, n = [], [], list[float](), 0
    for first, second in claim.pairs:
        places, both = _numbers(claim, table, first, second)
        for i, x in enumerate(places):
            parts.append(_mean(claim, table, both[:, 0, i] - both[:, 1, i], paired=True))
            names.append(f"{AGENTS.title(first)} before {AGENTS.title(second)} at {x:g}")
            n = len(both)
    found = Orders(tuple(parts), n)
    right, wrong = (int((found.adjusted(turned=turned) < 0.025).sum()) for turned in (False, True))
    open_ = [name for name, p in zip(names, found.adjusted(), strict=True) if not p < 0.025]
    shown = f"{right} of {len(parts)} are shown to be as stated and {wrong} to be reversed"
    left = f"; not shown: {', '.join(open_)}" if open_ else ""
    saying = f"the share of orders of two neighbouring agents that are as stated is {{}} ({shown}{left})"
    yield describe(claim, found, saying, places, digits=2)


def _share(claim: Claim, table: Table) -> Iterator[Comparison]:
    """Estimate a share; that of identified tasks with what it is at other times, and with the median time."""
    for agent in claim.agents:
        points, numbers = _numbers(claim, table, agent)
        found = Share(int((numbers == 1).all(axis=(1, 2)).sum()), len(numbers))
        said = describe(claim, found, f"{AGENTS.title(agent)}'s {_noun(claim)} is {{}}", points)
        more = _otherwise(claim, table, agent) if claim.measure == "identified" and found.n else ""
        yield said._replace(words=said.words + more)


def _otherwise(claim: Claim, table: Table, agent: str) -> str:
    """Say how many tasks are identified at the end, or soon, whichever the claim is not about, and the median time."""
    at = None if claim.at is not None else SOON
    options = Options(at=at, never=np.inf)
    ones, times = (
        grid(table, claim.sweep, (agent,), name, options, claim.points)[1] for name in (claim.measure, "identified_at")
    )
    share, median = Share(int((ones == 1).sum()), len(ones)), Median(np.sort(times.ravel()))
    when, steps = f"at step {at}" if at else "at the end", measure_of("identified_at").shown
    parts = []
    if share.n:
        low, high = share.interval()
        parts.append(f"{when} {share.value:.3f} ({low:.3f} to {high:.3f})")
    if median.n:
        low, high = median.interval()
        span = f" ({steps(low)} to {steps(high)})" if low < np.inf else ""
        parts.append(f"median time {steps(median.value)}{span}")
        cap = _horizon(claim, table)
        capped = estimate(np.minimum(median.numbers, cap)).value
        parts += [] if np.isnan(cap) else [f"mean capped at {cap:g} steps {steps(capped)}"]
    return f"; {', '.join(parts)}"


def _parts(claim: Claim, table: Table) -> Iterator[tuple[str, Table]]:
    """Split the table by the column that the claim names, if any, and describe each part."""
    values = table.where(sweep=claim.sweep)[claim.by].tolist() if claim.by and len(table) else []
    if not values:
        yield "", table
    for value in dict.fromkeys(values):
        place = f"with {value}" if claim.by == "task" else PLACES.get(claim.sweep, "at {:g}").format(value)
        yield f" {place}", table.where(**{"sweep": claim.sweep, claim.by: value})


def _gap_closed(claim: Claim, table: Table) -> Iterator[Comparison]:
    ours, worse, best = map(AGENTS.title, claim.agents)
    for place, part in _parts(claim, table):
        points, three = _numbers(claim, part, *claim.agents)
        saying = f"{ours} closes a share of {{}} of the gap between {worse} and {best}{place}"
        yield describe(claim, gap_closed(three), saying, points, digits=2)


def _of_each_agent(found: Callable[[list[float], Floats], Judged], saying: str, *, digits: int | None = None) -> Test:
    """Make a test of one agent at a time, from x, [P], and y, [n, P]."""

    def test(claim: Claim, table: Table) -> Iterator[Comparison]:
        for agent in claim.agents:
            points, numbers = _numbers(claim, table, agent)
            words = {"agent": AGENTS.title(agent), "noun": _noun(claim), "span": _span(claim, points)}
            yield describe(claim, found(points, numbers[:, 0]), saying.format("{}", **words), points, digits=digits)

    return test


def _mean_of_each(claim: Claim, table: Table) -> Iterator[Comparison]:
    for agent in claim.agents:
        points, numbers = _numbers(claim, table, agent)
        found = _mean(claim, table, _averaged(numbers)[:, 0], paired=False)
        saying = f" {claim.number.alone}" if claim.number.alone else f"'s mean {_noun(claim)} is {{}}"
        yield describe(claim, found, AGENTS.title(agent) + saying, points)


def _growth(claim: Claim, table: Table) -> Iterator[Comparison]:
    """Estimate the exponent of each agent: of means, or for logarithms the mean of the trials' own exponents."""
    found = exponents if claim.number.ratio else growth
    yield from _of_each_agent(found, "the growth exponent of {agent}'s {noun} is {}", digits=2)(claim, table)


def _difference_of_rises(claim: Claim, table: Table) -> Iterator[Comparison]:
    for first, second in claim.pairs:
        points, both = _numbers(claim, table, first, second)
        found = estimate(rises(points, both[:, 0]) - rises(points, both[:, 1]))
        rise = f"rise in {_noun(claim)}{_span(claim, points)}"
        saying = f"{AGENTS.title(first)}'s {rise} is {{}} {{way}} than that of {AGENTS.title(second)}"
        yield describe(claim, found, saying, points, ways=("smaller", "larger"))


def _difference_of_growths(claim: Claim, table: Table) -> Iterator[Comparison]:
    other = measure_of(claim.other_measure).noun
    for agent in claim.agents:
        points, here = _numbers(claim, table, agent)
        places, there = grid(table, claim.other_sweep, (agent,), claim.other_measure, claim.options)
        found = minus(growth(points, here[:, 0]), growth(places, there[:, 0]))
        ours = f"{AGENTS.title(agent)}'s {_noun(claim)}"
        saying = f"the growth exponent of {ours} is {{}} {{way}} than that of its {other}"
        yield describe(claim, found, saying, points, ways=("smaller", "larger"), digits=2)


def _concordance(claim: Claim, table: Table) -> Iterator[Comparison]:
    points, everyone = _numbers(claim, table, *claim.agents)
    saying = f"Kendall's W of the order of {len(claim.agents)} agents at {len(points)} points is {{}}"
    yield describe(claim, concordance(everyone), saying, points, digits=2)


def _every_step(claim: Claim, table: Table) -> Iterator[Comparison]:
    """Find the largest excess of a curve over others, at any step of any episode; 0 or less if there is none."""
    for agent in claim.agents:
        trials = table.where(sweep=claim.sweep, agent=agent) if len(table) else table
        title = AGENTS.title(agent)
        for name in claim.rights:
            left, right = (trials.curves.get(each, np.empty((len(trials), 0))) for each in (claim.measure, name))
            T = min(left.shape[1], right.shape[1])
            left, right = left[:, :T], right[:, :T]
            there = ~np.isnan(left) & ~np.isnan(right)
            n, steps = int(there.any(axis=1).sum()), int(there.sum())
            if not n:
                yield Comparison(estimate([]), f"{title} has no episodes with {claim.measure} and {name}")
                continue
            over = left[there] - right[there]
            over = np.where(over <= ROUNDING * np.maximum(1.0, np.abs(left[there])), np.minimum(over, 0.0), over)
            times, worst = int((over > 0).sum()), float(over.max())
            how = f"at {times:,} of" if times else "at none of"
            by = f"by up to {worst:.3g}" if times else f"and stays {-worst:.3g} below or more"
            words = f"{title}'s {_noun(claim)} exceeds {name} {how} {steps:,} steps of {n:,} episodes, {by}"
            yield Comparison(Estimate(worst, NAN, n, 0), words)


TESTS: dict[str, Test] = {
    "difference": _difference,
    "gap-closed": _gap_closed,
    "mean": _mean_of_each,
    "median": _of_each_agent(
        lambda x, y: Median(np.sort(y.sum(axis=1) / max(len(x), 1))), "{agent}'s median {noun} is {}"
    ),
    "share": _share,
    "rise": _of_each_agent(lambda x, y: estimate(rises(x, y)), "{agent}'s rise in {noun}{span} is {}"),
    "difference-of-rises": _difference_of_rises,
    "growth": _growth,
    "difference-of-growths": _difference_of_growths,
    "orders": _orders,
    "concordance": _concordance,
    "every-step": _every_step,
}


def _numbers(claim: Claim, table: Table, *agents: str) -> tuple[list[float], Floats]:
    return grid(table, claim.sweep, agents, claim.measure, claim.options, claim.points)


def _averaged(numbers: Floats) -> Floats:
    """Average the numbers of each trial and agent over the points, [n, A]."""
    means: Floats = numbers.sum(axis=2) / max(numbers.shape[2], 1)
    return means


def _noun(claim: Claim) -> str:
    when = "at the end" if claim.at is None else f"at step {claim.at}"
    cap = f", capped at {claim.never:g} steps," if np.isfinite(claim.never) else ""
    return claim.number.noun.format(at=claim.at, when=when, cap=cap)


def _span(claim: Claim, points: list[float]) -> str:
    axis = AXES.get(claim.sweep, "x = {:g} to {:g}")
    return f" from {axis.format(points[0], points[-1])}" if points else ""


def describe(
    claim: Claim, found: Judged, saying: str, points: list[float], ways: Sequence[str] = (), digits: int | None = None
) -> Comparison:
    """Report an estimate in a sentence. Where there are ways to say it, the sign becomes a word."""
    measure = claim.number
    shown = measure.shown if digits is None else replace(measure, digits=digits, ratio=False).shown
    value, (low, high), way = found.value, found.interval(claim.level), ""
    if np.isnan(value):
        place = f" at {', '.join(f'{x:g}' for x in claim.points)}" if claim.points else ""
        return Comparison(found, f"sweep {claim.sweep} has too few trials{place} to tell the {_noun(claim)}")
    if ways:
        way = ways[int(value > 0)]
        value, low, high = (value, low, high) if value > 0 else (-value, -high, -low)
    trials = f"{found.n} trial{'s' if found.n > 1 else ''}{' a point' if len(points) > 1 else ''}"
    span = shown(low) if low == high == np.inf else f"{shown(low)} to {shown(high)}"
    interval = "no interval" if np.isnan(low) else f"{claim.level * 100:.0f} % interval {span}"
    against = f", against a limit of {shown(claim.limit)}" if claim.limit and claim.directed else ""
    sentence = saying.format(shown(value), way=way)
    return Comparison(found, f"{sentence} ({interval}, {'paired, ' if claim.pairs else ''}{trials}){against}")
