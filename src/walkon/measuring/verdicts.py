"""Which claims hold, which fail, and which this run cannot decide.

A number is shown to lie beyond a limit if it is significant at 5 %, two-sided. It is shown to lie within borders if two
one-sided tests at 5 % say so (TOST), that is, if its 90 % interval lies inside; and outside them if that interval does.

A claim that makes several comparisons holds if every one of them does. To show this needs no adjustment: where one of
them is false, it passes its own test by chance in at most 5 % of runs, and so do all of them (an intersection-union
test). The claim fails if any one of them fails, and the more there are the more often one does by chance. So these
p-values are adjusted after Holm over all comparisons of the figure: in at most 5 % of runs any true one of them fails.

Otherwise the claim is not decided, and more trials are needed: as many as decide it with a probability of 80 % if the
truth is what was found. Before the amendment of the claims both p-values of a difference were adjusted.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from scipy.special import ndtr, stdtrit

from walkon.arrays import Floats
from walkon.measuring.across import compare
from walkon.measuring.claims import Claim, read_claims
from walkon.measuring.comparisons import Comparison, Judged, margin
from walkon.measuring.exact import Bounded, Median, Share
from walkon.measuring.statistics import NAN, Estimate, holm
from walkon.measuring.table import Table
from walkon.measuring.trends import Orders, Resampled

Outcome = Literal["holds", "fails", "not decided", "not comparable", "no data"]
WORST_FIRST: tuple[Outcome, ...] = ("fails", "no data", "not decided", "not comparable", "holds")
LEVEL = 0.05
POWER = 0.8
MOST = 10**7  # a difference that takes more trials than this counts as none
Reach: TypeAlias = tuple[int | None, int | None]
Measured: TypeAlias = Estimate | Share | Bounded | Resampled


@dataclass(frozen=True)
class Finding:
    """The result of one comparison."""

    outcome: Outcome  # whether the claim holds as far as this comparison goes
    estimate: float
    low: float  # the interval: of 95 % for a difference, of 90 % for an equivalence
    high: float
    p: float  # that the claim holds, or if smaller that it fails, adjusted after Holm
    n: int  # trials (at each point)
    trials: int | None  # how many would decide it, if it is not decided; None if more than `MOST`, or unknown
    reach: Reach  # likewise, the least and the greatest number over the values in the interval
    words: str  # all of it as a sentence


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim. It holds if all findings do, and fails if one fails."""

    claim: Claim
    outcome: Outcome
    margin: float  # of an equivalence, in the units of the estimate; NaN for a difference
    findings: tuple[Finding, ...]  # one for each comparison
    before: Outcome | None  # by the test and the rules before the amendment; None if the claim is new

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
    def needed(self) -> str:
        """How many trials would decide it, in words; empty if it is decided or nothing is known."""
        return "" if self.trials is None else trials_in_words(self.trials, *self.decisive.reach)

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
    before = {each.claim.id: each.outcome for each in _judged(table, [c.before for c in chosen if c.before])}
    return tuple(replace(each, before=before.get(each.claim.id)) for each in _judged(table, chosen))


def by_sentence(outcomes: Mapping[Claim, Outcome]) -> dict[str, Outcome]:
    """Return the outcome of each sentence on results: it holds if all its claims do, and fails if one fails."""
    found: dict[str, list[Outcome]] = {}
    for claim, outcome in outcomes.items():
        if claim.section == "claims":
            found.setdefault(claim.sentence or claim.id, []).append(outcome)
    return {name: min(each, key=WORST_FIRST.index) for name, each in found.items()}


def count_sentences(verdicts: Iterable[Verdict]) -> Counter[str]:
    """Count the sentences by outcome."""
    return Counter(map(str, by_sentence({verdict.claim: verdict.outcome for verdict in verdicts}).values()))


def _judged(table: Table, claims: Sequence[Claim]) -> list[Verdict]:
    spans = {claim: margin(claim, table) for claim in claims}
    compared = [(claim, comparison) for claim in claims for comparison in compare(claim, table)]
    ps = np.array([_p_values(claim, comparison.found, spans[claim]) for claim, comparison in compared]).reshape(-1, 2)
    family = np.zeros(len(compared), dtype=int)
    for figure in {claim.figure for claim in claims}:
        mine = [i for i, (claim, _) in enumerate(compared) if claim.figure == figure]
        new = [i for i in mine if compared[i][0].amended and not compared[i][0].differs and not np.isnan(ps[i, 1])]
        ps[new, 1], family[new] = holm(ps[new, 1].tolist()), len(new)
        old = [i for i in mine if not compared[i][0].amended and compared[i][0].directed and not np.isnan(ps[i, 1])]
        adjusted = np.array(holm(ps[old].min(axis=1).tolist()))
        ps[old] = np.where(ps[old] < 1, adjusted[:, None], 1.0)
    findings: dict[Claim, list[Finding]] = {}
    for i, (claim, comparison) in enumerate(compared):
        findings.setdefault(claim, []).append(_finding(claim, comparison, spans[claim], ps[i], int(family[i])))
    verdicts = []
    for claim, each in findings.items():
        worst = min((finding.outcome for finding in each), key=WORST_FIRST.index)
        verdicts.append(Verdict(claim, worst, spans[claim], tuple(each), None))
    return verdicts


def _borders(claim: Claim, span: float) -> tuple[float, float]:
    """Return where the number has to lie."""
    if claim.directed:
        return (-math.inf, claim.limit) if claim.must == "be below" else (claim.limit, math.inf)
    return claim.limit - span if claim.must == "stay within" else -math.inf, claim.limit + span


def _p_values(claim: Claim, found: Judged, span: float) -> tuple[float, float]:
    """Return the p-value of the claim and that of its opposite; two-sided ones if it is about a difference."""
    borders = _borders(claim, span)
    if not found.n or math.isnan(found.value) or math.isnan(sum(borders)) or claim.must == "never exceed":
        return NAN, NAN
    pair = np.array([inside(found, *borders), outside(found, *borders)])
    return tuple(np.minimum(1.0, 2 * pair).tolist() if claim.directed else pair.tolist())


def _finding(claim: Claim, comparison: Comparison, span: float, ps: Floats, family: int) -> Finding:
    """Decide one comparison by the p-values of the claim and of its opposite, which is one of a family."""
    (found, words), (p, p_fails) = comparison, ps.tolist()
    low, high = found.interval(claim.level)

    def finding(outcome: Outcome, more: str = "", trials: int | None = None, reach: Reach = (None, None)) -> Finding:
        shown: Outcome = "not comparable" if claim.differs and outcome != "no data" else outcome
        return Finding(shown, found.value, low, high, float(np.fmin(p, p_fails)), found.n, trials, reach, words + more)

    if not found.n or math.isnan(found.value):
        return finding("no data")
    if claim.must == "never exceed":
        return finding("fails" if found.value > 0 else "holds")
    if not claim.directed and math.isnan(span):
        where = claim.stake_sweep or claim.sweep
        return finding("no data", f"; no margin, for want of Random and Value Iteration in sweep {where}")
    about = f" {'around' if claim.must == 'stay within' else 'above'} {claim.limit:g}" if claim.limit else ""
    more = "" if claim.directed else f", with a margin of {span:.3g}{about}"
    outcome: Outcome = "holds" if p < LEVEL else "fails" if p_fails < LEVEL else "not decided"
    if outcome != "not decided":
        return finding(outcome, more)
    tail = LEVEL / 2 if claim.directed else LEVEL
    return finding(outcome, more, *_needed(found, *_borders(claim, span), tail, max(family, 1)))


def inside(found: Judged, low: float, high: float) -> float:
    """Return the p-value of lying between two borders: the larger of two one-sided ones."""
    above = [found.p_above(low)] if math.isfinite(low) else []
    return float(np.max(above + ([found.p_below(high)] if math.isfinite(high) else [])))


def outside(found: Judged, low: float, high: float) -> float:
    """Return the p-value of lying beyond one of two borders: the smaller of two one-sided ones."""
    below = [found.p_below(low)] if math.isfinite(low) else []
    return float(np.min(below + ([found.p_above(high)] if math.isfinite(high) else [])))


def _needed(found: Judged, low: float, high: float, tail: float, family: int) -> tuple[int | None, Reach]:
    """Return how many trials would decide whether it lies between the borders, and the range of that number.

    The range is that of all values in the interval; where it contains a border, that value is never decided.
    """
    if isinstance(found, Median):
        beyond = Share(int((found.numbers > low).sum()), found.n) if math.isfinite(low) else found.below(high)
        return _needed(beyond, 0.5, math.inf, tail, family)
    if isinstance(found, Orders):
        k = found.needed(low)
        tail /= len(found.parts) - k + 1
        counts = []
        for values in ([each.value for each in found.parts], [each.interval(1 - 2 * tail)[0] for each in found.parts]):
            each_needs = [
                trials_needed(part, -math.inf, 0.0, tail, value=value) if value < 0 else None
                for part, value in zip(found.parts, values, strict=True)
            ]
            counts.append(sorted(n or math.inf for n in each_needs)[k - 1])
        trials, fewest = (None if n == math.inf else int(n) for n in counts)
        return trials, (fewest, None)
    if not found.error > 0:
        return trials_needed(found, low, high, tail, family), (None, None)
    bottom, top = found.interval(1 - 2 * tail)
    middle = min(max((low + high) / 2, bottom), top) if math.isfinite(low + high) else bottom
    able = [trials_needed(found, low, high, tail, family, value=value) for value in (bottom, middle, top)]
    never = any(bottom <= border <= top for border in (low, high))
    most = None if never or None in able else max(n for n in able if n)
    return trials_needed(found, low, high, tail, family), (min((n for n in able if n), default=None), most)


def trials_in_words(trials: int, few: int | None, many: int | None) -> str:
    """Say how many trials would decide a claim, with the range of that number as far as it is known.

    >>> trials_in_words(1200, 24, None)
    'about 1,200 trials (at least 24) would decide it'
    """
    reach = f" ({few:,} to {many:,})" if few and many else f" (at least {few:,})" if few else ""
    return f"about {trials:,} trials{reach} would decide it"


def trials_needed(
    found: Measured, low: float, high: float, tail: float = LEVEL, comparisons: int = 1, *, value: float = NAN
) -> int | None:
    """Return how many trials would show that it lies between the borders, or outside as one of several comparisons.

    Args:
        found: What was found.
        low: The lower border; minus infinity if there is none.
        high: The upper border, likewise.
        tail: The level of a one-sided test.
        comparisons: How many comparisons might fail.
        value: The truth; what was found if not given.
    """
    truth = found.value if math.isnan(value) else value
    gap = min(abs(truth - border) for border in (low, high) if math.isfinite(border))
    if not found.error >= 0 or not gap > 0:
        return None
    tail = tail if low < truth < high else tail / comparisons
    if found.error == 0:
        return _enough_alike(found, low, high, tail)
    spread = found.error * np.sqrt(found.n)

    def power(n: int) -> float:
        root, z = np.sqrt(n) / spread, stdtrit(n - 1, 1 - tail)
        if not low < truth < high:
            return float(ndtr(gap * root - z))
        return float(ndtr((high - truth) * root - z) - ndtr((low - truth) * root + z))

    return _first(lambda n: power(n) >= POWER, found.n)


def _enough_alike(found: Measured, low: float, high: float, tail: float) -> int | None:
    """Return how many trials decide it if all give the same number."""

    def decided(n: int) -> bool:
        more = found.often(n)
        return min(inside(more, low, high), outside(more, low, high)) < tail

    return _first(decided, found.n)


def _first(decided: Callable[[int], bool], few: int) -> int | None:
    """Return the least number above `few` that decides, if more always decide too; None if it exceeds `MOST`."""
    many = max(2 * few, 2)
    while not decided(many):
        few, many = many, 2 * many
        if many > MOST:
            return None
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if decided(middle) else (middle, many)
    return many
