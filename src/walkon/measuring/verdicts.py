"""Which of the paper's claims hold, which fail, and which this run cannot decide."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from walkon.measuring.claims import NAN, Claim, read_claims
from walkon.measuring.comparisons import Comparison, compare, margin
from walkon.measuring.decision import Outcome, beyond, inside, trials_beyond, trials_within, two_sided, within
from walkon.measuring.statistics import holm
from walkon.measuring.table import Table

WORST_FIRST: tuple[Outcome, ...] = ("fails", "no data", "not decided", "holds")


@dataclass(frozen=True)
class Finding:
    """What came of one comparison.

    Attributes:
        outcome: Whether the claim holds as far as this comparison goes.
        estimate: What was found.
        low, high: Its interval: of 95 % for a difference, of 90 % for an equivalence.
        p: Adjusted after Holm for a difference; of the two one-sided tests for an equivalence.
        n: How many trials (at each point).
        trials: How many would decide it, if it is not decided; None if that cannot be said.
        words: All of it as a sentence.
    """

    outcome: Outcome
    estimate: float
    low: float
    high: float
    p: float
    n: int
    trials: int | None
    words: str


@dataclass(frozen=True)
class Verdict:
    """What came of a claim. It holds if all findings do, and fails if one fails.

    Attributes:
        claim: The claim.
        outcome: "holds", "fails", "not decided" or "no data".
        margin: The margin of an equivalence, in the units of the estimate; not a number for a difference.
        findings: One for each comparison.
    """

    claim: Claim
    outcome: Outcome
    margin: float
    findings: tuple[Finding, ...]

    @property
    def decisive(self) -> Finding:
        """The finding that the verdict hangs on: the first that fails, else the least clear."""
        worst = [finding for finding in self.findings if finding.outcome == self.outcome]
        if self.outcome in ("fails", "no data"):
            return worst[0]
        return max(worst, key=lambda each: (each.trials or math.inf, 1.0 if math.isnan(each.p) else each.p))

    @property
    def trials(self) -> int | None:
        """How many trials would decide it, if it is not decided; None if that cannot be said."""
        return self.decisive.trials if self.outcome == "not decided" else None

    @property
    def words(self) -> str:
        """All findings in one sentence; with their outcomes, where these differ."""
        mixed = len({finding.outcome for finding in self.findings}) > 1
        parts = [f"{each.words} [{each.outcome}]" if mixed else each.words for each in self.findings]
        sentence = "; ".join(dict.fromkeys(parts))
        return sentence[:1].upper() + sentence[1:]


def judge(table: Table, claims: Sequence[Claim] | None = None) -> tuple[Verdict, ...]:
    """The verdict on each claim; on all of the paper's if none are given."""
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
    margins = {claim.id: margin(claim, table) for claim in chosen}
    findings: dict[str, list[Finding]] = {claim.id: [] for claim in chosen}
    for (claim, comparison), p in zip(compared, adjusted, strict=True):
        family = len(families.get(claim.figure, ()))
        findings[claim.id].append(_finding(claim, comparison, margins[claim.id], p, family))
    return tuple(
        Verdict(
            claim,
            min((each.outcome for each in findings[claim.id]), key=WORST_FIRST.index),
            margins[claim.id],
            tuple(findings[claim.id]),
        )
        for claim in chosen
    )


def _known(comparison: Comparison) -> bool:
    return comparison.found.n > 0 and not math.isnan(comparison.found.value)


def _finding(claim: Claim, comparison: Comparison, span: float, adjusted: float, family: int) -> Finding:
    """The outcome of one comparison, which has an adjusted p-value if it is one of a family of so many."""
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
