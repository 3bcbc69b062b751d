"""Which claims hold, which fail, and which this run cannot decide.

A number is shown to lie beyond a limit if it is significant at 5 %, two-sided, after the adjustment for the other
comparisons of its figure. It is shown to lie within borders if two one-sided tests at 5 % say so (TOST), that is, if
its 90 % interval lies inside; and outside them if that interval lies outside. Otherwise the claim is not decided, and
more trials are needed: as many as decide it with a probability of 80 % if the truth is what was found.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import ndtr, ndtri

from walkon.measuring.claims import Claim, read_claims
from walkon.measuring.comparisons import Comparison, Judged, compare, margin
from walkon.measuring.statistics import NAN, holm
from walkon.measuring.table import Table

Outcome = Literal["holds", "fails", "not decided", "no data"]
WORST_FIRST: tuple[Outcome, ...] = ("fails", "no data", "not decided", "holds")
LEVEL = 0.05
POWER = 0.8
MOST = 10**7  # a difference that takes more trials than this counts as none


@dataclass(frozen=True)
class Finding:
    """The result of one comparison."""

    outcome: Outcome  # whether the claim holds as far as this comparison goes
    estimate: float
    low: float  # the interval: of 95 % for a difference, of 90 % for an equivalence
    high: float
    p: float  # adjusted after Holm for a difference; of the two one-sided tests for an equivalence
    n: int  # trials (at each point)
    trials: int | None  # how many would decide it, if it is not decided; None if that is unknown
    words: str  # all of it as a sentence


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim. It holds if all findings do, and fails if one fails."""

    claim: Claim
    outcome: Outcome
    margin: float  # of an equivalence, in the units of the estimate; NaN for a difference
    findings: tuple[Finding, ...]  # one for each comparison

    @property
    def decisive(self) -> Finding:
        """The finding that the verdict depends on: the first that fails, else the least clear."""
        worst = [finding for finding in self.findings if finding.outcome == self.outcome]
        if self.outcome in ("fails", "no data"):
            return worst[0]
        return max(worst, key=lambda each: (each.trials or math.inf, 1.0 if math.isnan(each.p) else each.p))

    @property
    def trials(self) -> int | None:
        """How many trials would decide it, if it is not decided; None if that is unknown."""
        return self.decisive.trials if self.outcome == "not decided" else None

    @property
    def words(self) -> str:
        """All findings in one sentence; with their outcomes, where these differ."""
        mixed = len({finding.outcome for finding in self.findings}) > 1
        parts = [f"{each.words} [{each.outcome}]" if mixed else each.words for each in self.findings]
        sentence = "; ".join(dict.fromkeys(parts))
        return sentence[:1].upper() + sentence[1:]


def judge(table: Table, claims: Sequence[Claim] | None = None) -> tuple[Verdict, ...]:
    """Return the verdict on each claim; on all of the paper's if none are given."""
    chosen = read_claims() if claims is None else tuple(claims)
    compared = [(claim, comparison) for claim in chosen for comparison in compare(claim, table)]
    families: dict[str, list[int]] = {}
    for i, (claim, comparison) in enumerate(compared):
        if claim.directed and _known(comparison):
            families.setdefault(claim.figure, []).append(i)
    adjusted = [NAN] * len(compared)
    for members in families.values():
        ps = holm([two_sided(compared[i][1].found, compared[i][0].limit) for i in members])
        for i, p in zip(members, ps, strict=True):
            adjusted[i] = p
    verdicts = []
    for claim in chosen:
        span, family = margin(claim, table), len(families.get(claim.figure, ()))
        findings = tuple(
            _finding(claim, comparison, span, p, family)
            for (other, comparison), p in zip(compared, adjusted, strict=True)
            if other is claim
        )
        worst = min((each.outcome for each in findings), key=WORST_FIRST.index)
        verdicts.append(Verdict(claim, worst, span, findings))
    return tuple(verdicts)


def _known(comparison: Comparison) -> bool:
    return comparison.found.n > 0 and not math.isnan(comparison.found.value)


def _finding(claim: Claim, comparison: Comparison, span: float, adjusted: float, family: int) -> Finding:
    """Decide one comparison; its p-value is adjusted if it belongs to a family of directed ones."""
    found, words = comparison
    low, high = found.interval(claim.level)

    def finding(outcome: Outcome, p: float, trials: int | None, more: str = "") -> Finding:
        decided = None if outcome != "not decided" else trials
        return Finding(outcome, found.value, low, high, p, found.n, decided, words + more)

    if not _known(comparison):
        return finding("no data", NAN, None)
    if claim.must == "never exceed":
        return finding("fails" if found.value > 0 else "holds", NAN, None)
    if claim.directed:
        below = claim.must == "be below"
        outcome = beyond(found, claim.limit, adjusted, below=below)
        return finding(outcome, adjusted, trials_beyond(found, claim.limit, family))
    if math.isnan(span):
        where = claim.stake_sweep or claim.sweep
        return finding("no data", NAN, None, f"; no margin, for want of Random and Value Iteration in sweep {where}")
    top = claim.limit + span
    bottom = claim.limit - span if claim.must == "stay within" else -math.inf
    about = f" around {claim.limit:g}" if claim.limit else ""
    outcome = within(found, bottom, top)
    margin_words = f", with a margin of {span:.3g}{about}"
    return finding(outcome, inside(found, bottom, top), trials_within(found, bottom, top), margin_words)


def two_sided(found: Judged, limit: float) -> float:
    """Return the p-value of a difference from the limit, in either direction."""
    p = np.minimum(found.p_below(limit), found.p_above(limit))  # NaN stays NaN
    return float(np.minimum(1.0, 2 * p))


def inside(found: Judged, low: float, high: float) -> float:
    """Return the p-value of lying between two borders: the larger of two one-sided ones."""
    return float(np.maximum(found.p_above(low), found.p_below(high)))


def beyond(found: Judged, limit: float, adjusted: float, *, below: bool) -> Outcome:
    """Decide whether a number lies below the limit, or above it, by its adjusted p-value."""
    if not adjusted < LEVEL:
        return "not decided"
    return "holds" if (found.value < limit) == below else "fails"


def within(found: Judged, low: float, high: float) -> Outcome:
    """Decide whether a number lies between two borders."""
    if inside(found, low, high) < LEVEL:
        return "holds"
    outside = np.minimum(found.p_below(low), found.p_above(high))
    return "fails" if outside < LEVEL else "not decided"


def trials_beyond(found: Judged, limit: float, comparisons: int = 1) -> int | None:
    """Return how many trials would decide on which side of the limit it lies, as one of several comparisons."""
    reach = ndtri(1 - LEVEL / 2 / comparisons) + ndtri(POWER)
    return _trials(found, abs(found.value - limit), float(reach), LEVEL / 2 / comparisons)


def trials_within(found: Judged, low: float, high: float) -> int | None:
    """Return how many trials would decide whether it lies between the borders."""
    if not low < found.value < high:
        gap = low - found.value if found.value <= low else found.value - high
        return _trials(found, gap, float(ndtri(1 - LEVEL) + ndtri(POWER)), LEVEL)
    if not found.error > 0:
        return _trials(found, 1.0, 0.0, LEVEL)
    spread, z = found.error * np.sqrt(found.n), ndtri(1 - LEVEL)

    def power(n: int) -> float:
        root = np.sqrt(n) / spread
        return float(ndtr((high - found.value) * root - z) - ndtr((low - found.value) * root + z))

    few, many = found.n, max(2 * found.n, 2)
    while power(many) < POWER:
        few, many = many, 2 * many
        if many > MOST:
            return None
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if power(middle) >= POWER else (middle, many)
    return many


def _trials(found: Judged, gap: float, reach: float, tail: float) -> int | None:
    """Return how many trials make the gap `reach` standard errors; where nothing varies, enough for the sign test."""
    if not found.error >= 0 or not gap > 0:
        return None
    if found.error == 0:
        return max(found.n + 1, int(np.ceil(-np.log2(tail))))
    times = reach * found.error / gap
    needed = found.n * times * times  # not by a power, which would raise where this is infinite
    return max(found.n + 1, int(np.ceil(needed))) if needed < MOST else None
