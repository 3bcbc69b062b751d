"""Other readings of the paper, as data in readings.toml, and the verdicts on its claims under each of them."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from walkon.domains.night_pursuit.pool import pool
from walkon.measuring.claims import Claim
from walkon.measuring.summaries import Row
from walkon.measuring.verdicts import Verdict, judge
from walkon.paper.experiments import BASELINE
from walkon.runs.store import Store
from walkon.runs.sweep import NOTHING, Entry, Point, Sweep
from walkon.runs.tabulate import tabulate
from walkon.trials.trial import TIMED


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A reading of the paper, with the fields of readings.toml."""

    name: str
    title: str
    worlds: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    evidence: str = ""
    pool: int | None = None
    pro: str = ""
    con: str = ""
    sure: str = ""
    chosen_by: Sequence[str] = ()  # the figures whose claims it was chosen by
    parts: Sequence[str] = ()  # the names of the readings it consists of

    def sweeps(self, paper: Sequence[Sweep]) -> tuple[Sweep, ...]:
        """The sweeps of the paper that it changes, as it changes them. No computing time depends on the reading."""
        return tuple(changed for sweep in paper if sweep.measure not in TIMED and (changed := self._of(sweep)) != sweep)

    def _of(self, sweep: Sweep) -> Sweep:
        if self.pool is not None:
            world = BASELINE.points[0].world
            drawn = Point(NOTHING, world.having(tasks=pool(5, seed=self.pool)[: world.size]))
            return replace(sweep, points=(drawn,)) if sweep.points == BASELINE.points else sweep
        points = (Point(x, world.having(**self.worlds.get(world.domain, {}))) for x, world in sweep.points)
        evidence = self.evidence if self.evidence and "bopa" in sweep.agents else sweep.evidence
        return replace(sweep, points=tuple(points), evidence=evidence)


@cache
def readings() -> tuple[Reading, ...]:
    """The other readings; the first is the fitted one, a joint reading of all worlds."""
    told = tomllib.loads((files("walkon.paper") / "readings.toml").read_text(encoding="utf-8"))
    return tuple(Reading(**fields) for fields in (told["fitted"], *told["reading"]))


def verdicts_by_reading(
    begun: Mapping[str, Sequence[Entry]], literal: Sequence[Verdict], store: Store
) -> dict[str, tuple[Verdict, ...]]:
    """The verdicts on the claims that each reading touches, as far as all their trials are finished."""
    finished, found = store.finished(), {}
    for reading in readings():
        places = begun.get(reading.name, ())
        missing = {entry.sweep for entry in places if entry.trial.key not in finished}
        played = {entry.sweep for entry in places} - missing
        claims: list[Claim] = [
            each.claim for each in literal if {each.claim.sweep, each.claim.other_sweep or each.claim.sweep} <= played
        ]
        if claims:
            table = tabulate([entry for entry in places if entry.sweep in played], store)
            found[reading.name] = judge(table, claims)
    return found


def tests_of_fitted(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts under the fitted reading on sentences about figures that it was not chosen by."""
    used = readings()[0].chosen_by
    return [each for each in verdicts if each.claim.figure not in used and each.claim.section == "claims"]


def rows_by_reading(literal: Sequence[Verdict], found: Mapping[str, Sequence[Verdict]]) -> list[Row]:
    """The same as rows, each beside the verdict under the literal reading."""
    ours = {verdict.claim.id: verdict.outcome for verdict in literal}
    return [
        {
            "reading": name,
            "figure": verdict.claim.figure,
            "id": verdict.claim.id,
            "claim": verdict.claim.says,
            "verdict": verdict.outcome,
            "literal": ours[verdict.claim.id],
            "changed": "yes" if verdict.outcome != ours[verdict.claim.id] else "no",
            "estimate": verdict.decisive.estimate,
            "low": verdict.decisive.low,
            "high": verdict.decisive.high,
            "words": verdict.words,
        }
        for name, verdicts in found.items()
        for verdict in verdicts
    ]
