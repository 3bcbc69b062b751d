"""Claims about several worlds: a test that is made in each of them, or one of all of them together.

Each world is a sweep of its own. Trials are paired within a world; those of different worlds are independent.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from walkon.agents.registry import AGENTS
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.measuring.claims import Claim
from walkon.measuring.comparisons import TESTS, Comparison, describe
from walkon.measuring.statistics import NAN, Estimate, estimate, minus
from walkon.measuring.table import Table, grid, measure_of
from walkon.measuring.trends import Resampled, ranks

DRAWS = 2000


def compare(claim: Claim, table: Table) -> list[Comparison]:
    """Make all comparisons of a claim: those of its test, in each of its sweeps, or its test of all of them."""
    if claim.test in ACROSS:
        return list(ACROSS[claim.test](claim, table))
    if claim.test not in TESTS:
        known = ", ".join([*TESTS, *ACROSS])
        raise InputError(f"claim {claim.id}: test is {claim.test!r}, expected one of {known}")
    if not claim.sweeps:
        return list(TESTS[claim.test](claim, table))
    return [
        each._replace(words=f"{sweep}: {each.words}")
        for sweep in claim.sweeps
        for each in TESTS[claim.test](replace(claim, sweep=sweep), table)
    ]


def _in(claim: Claim, table: Table, sweep: str, *agents: str, measure: str = "") -> Floats:
    """Return the numbers of the trials that all agents played in a sweep, [n, A]."""
    _, numbers = grid(table, sweep, agents, measure or claim.measure, claim.options)
    return numbers[:, :, 0] if numbers.shape[2] else numbers.reshape(0, len(agents))


def _elsewhere(claim: Claim, table: Table) -> Iterator[Comparison]:
    """Compare an agent's mean in the first world with that in each other one."""
    here, *others = claim.sweeps
    measure = claim.number
    for agent in claim.agents:
        for there in others:
            means = [estimate(_in(claim, table, sweep, agent)[:, 0]) for sweep in (here, there)]
            saying = f"in {here} {AGENTS.title(agent)} {measure.compared} in {there}"
            yield describe(claim, minus(*means), saying, [], ways=measure.ways)


def _mean_of_worlds(claim: Claim, table: Table) -> Iterator[Comparison]:
    """Average an agent's means over the worlds."""
    for agent in claim.agents:
        own = [estimate(_in(claim, table, sweep, agent)[:, 0]) for sweep in claim.sweeps]
        noun = claim.number.noun.format(at=claim.at, when="", cap="")
        saying = f"over {len(own)} worlds {AGENTS.title(agent)}'s mean {noun} is {{}}"
        yield describe(claim, mean_of_worlds(own), saying, [])


def mean_of_worlds(own: list[Estimate]) -> Estimate:
    """Average the means of worlds, each of which counts the same."""
    value, error = np.mean([each.value for each in own]), np.hypot.reduce([each.error for each in own]) / len(own)
    n = sum(each.n for each in own)
    return Estimate(float(value), float(error), n, n - len(own))


def _rank_correlation(claim: Claim, table: Table) -> Iterator[Comparison]:
    """Correlate the worlds' ranks by an agent's mean, or a pair's mean difference, with those by another measure."""
    other = measure_of(claim.other_measure).noun
    for agents in [*claim.pairs, *((agent,) for agent in claim.agents)]:
        firsts, seconds = [], []
        for sweep in claim.sweeps:
            numbers = _in(claim, table, sweep, *agents)
            firsts.append(np.mean(numbers @ [1, -1][: len(agents)]) if len(numbers) else NAN)
            beside = _in(claim, table, sweep, agents[0], measure=claim.other_measure)
            seconds.append(beside.mean() if len(beside) else NAN)
        whose = " minus ".join(map(AGENTS.title, agents))
        saying = f"the rank correlation of {whose}'s {claim.number.noun} with the {other} over the worlds is {{}}"
        yield describe(claim, spearman(np.array([firsts, seconds])), saying, [], digits=2)


def spearman(both: Floats, *, draws: int = DRAWS, seed: int = 0) -> Resampled:
    """Return Spearman's rank correlation of two rows, [2, n], with bootstrap samples that draw whole columns."""
    n = both.shape[1]
    if np.isnan(both).any():
        return Resampled(NAN, 0, np.empty(0))
    picks = np.random.default_rng(seed).integers(n, size=(draws, n))
    first, second = ranks(both[:, np.vstack([np.arange(n), picks])])  # [1 + draws, n] each
    spread = np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1))
    agreed = (first * second).sum(axis=1) / np.where(spread > 0, spread, NAN)  # NaN where all are equal
    return Resampled(float(agreed[0]), n, np.sort(agreed[1:][spread[1:] > 0]))


def _gap_closed_together(claim: Claim, table: Table) -> Iterator[Comparison]:
    ours, worse, best = map(AGENTS.title, claim.agents)
    worlds = [_in(claim, table, sweep, *claim.agents) for sweep in claim.sweeps]
    saying = f"over {len(worlds)} worlds {ours} closes a share of {{}} of the gap between {worse} and {best}"
    yield describe(claim, gap_closed_together(worlds), saying, [], digits=2)


def gap_closed_together(worlds: list[Floats]) -> Estimate:
    """Estimate the share of a gap that ours closes: sum of mean (worse - ours) over sum of mean (worse - best).

    The numbers of ours, worse and best are [n, 3] in each world. To first order, trial j of a world moves the share by
    ((worse_j - ours_j) - share (worse_j - best_j)) / n / the sum of the mean gaps.
    """
    n = sum(map(len, worlds))
    gains = [numbers[:, 1] - numbers[:, 0] for numbers in worlds]
    gaps = [numbers[:, 1] - numbers[:, 2] for numbers in worlds]
    if not all(map(len, worlds)) or not (total := sum(gap.mean() for gap in gaps)) > 0:
        return Estimate(NAN, NAN, n, 0)
    share = sum(gain.mean() for gain in gains) / total
    moved = [estimate(gain - share * gap).error for gain, gap in zip(gains, gaps, strict=True)]
    return Estimate(float(share), float(np.hypot.reduce(moved) / total), n, n - len(worlds))


ACROSS: dict[str, Callable[[Claim, Table], Iterator[Comparison]]] = {
    "difference-elsewhere": _elsewhere,
    "mean-of-worlds": _mean_of_worlds,
    "rank-correlation": _rank_correlation,
    "gap-closed-together": _gap_closed_together,
}
