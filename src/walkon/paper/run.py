"""The parts of a run: the paper's experiments, the same under other readings of the paper, and what goes beyond it.

Where the paper can be read in another way, the world or the agent has an option for it. The trials of figures 2a and 5a
are run with that option, and the same claims are tested.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from walkon.domains.night_pursuit.tasks import pool
from walkon.errors import InputError
from walkon.measuring.claims import Claim, read_claims
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table
from walkon.measuring.verdicts import Verdict, judge
from walkon.paper import BEYOND, PAPER, READINGS, beyond
from walkon.paper.experiments import BASELINE, EXPERIMENTS, PURSUIT
from walkon.runs.store import Store
from walkon.runs.sweep import NOTHING, Entry, Point, Settings, Sweep, entries
from walkon.runs.tabulate import tabulate
from walkon.trials.trial import Recipe, WorldSpec

FIGURES = {figure.name: figure for experiment in EXPERIMENTS for figure in experiment.figures}
BEYOND_FIGURES = {figure.name: figure for figure in beyond.EXPERIMENT.figures}
DECISIONS = tuple(decision for experiment in EXPERIMENTS for decision in experiment.decisions)
QUICK = Recipe(options=(("backups", 1000), ("beliefs", 300)))
QUICK_TRIALS = 4
POOLS = (1001, 1002)  # other seeds for the pool of placements
READ_ANEW = {"baseline": "2a", "pursuit": "5a"}  # the sweeps, and the figures whose claims are tested


def readings() -> dict[str, tuple[Sweep, ...]]:
    """The sweeps under each other reading, by its name."""
    night, torus = BASELINE.points[0].world, PURSUIT.points[0].world
    return {
        "capture from any two sides": (_in(PURSUIT, torus.having(capture="adjacent")),),
        "noise as printed": (_in(PURSUIT, torus.having(literal_noise=True)),),
        "a teammate whose moves fail too": (_in(BASELINE, night.having(teammate_noise=True)),),
        "BOPA by transitions": (replace(BASELINE, evidence="transitions"), replace(PURSUIT, evidence="transitions")),
        **{
            f"a pool drawn with seed {seed}": (_in(BASELINE, night.having(tasks=pool(5, seed=seed)[: night.size])),)
            for seed in POOLS
        },
    }


def _in(sweep: Sweep, world: WorldSpec) -> Sweep:
    return replace(sweep, points=(Point(NOTHING, world),))


@dataclass(frozen=True)
class Run:
    """All trials that a run with some settings may consist of."""

    settings: Settings

    @cached_property
    def parts(self) -> dict[str, tuple[Sweep, ...]]:
        """The sweeps of the paper, of each other reading of it, and of what goes beyond it."""
        paper = tuple(sweep for experiment in EXPERIMENTS for sweep in experiment.sweeps)
        parts = {PAPER: paper, **readings(), BEYOND: beyond.EXPERIMENT.sweeps}
        if not self.settings.quick:
            return parts
        return {name: tuple(replace(sweep, **sweep.quick) for sweep in sweeps) for name, sweeps in parts.items()}

    def sweeps(self, *wanted: str) -> list[Sweep]:
        """The sweeps of some figures, of "readings" or of "beyond"; those of the paper if nothing is named."""
        for name in wanted:
            if name not in (*FIGURES, READINGS, BEYOND):
                raise InputError(f"there is no figure {name!r}: expected {', '.join(FIGURES)}, readings or beyond")
        drawn = {FIGURES[name].sweep for name in wanted if name in FIGURES}
        drawn |= {claim.sweep for claim in read_claims() if claim.figure in wanted}
        drawn |= set(READ_ANEW) if READINGS in wanted else set()
        found = [sweep for sweep in self.parts[PAPER] if not wanted or sweep.name in drawn]
        for part, sweeps in self.parts.items():
            if part != PAPER and (BEYOND if part == BEYOND else READINGS) in wanted:
                found += sweeps
        return found

    def entries(self, *wanted: str) -> list[Entry]:
        """The trials of some figures or parts; those of the paper if none is named."""
        return [entry for sweep in self.sweeps(*wanted) for entry in entries(sweep, self.settings)]

    def begun(self, store: Store) -> dict[str, list[Entry]]:
        """The trials of the sweeps that a store may have trials of, by part. No other world is built."""
        played = {(world.having(tasks=()), measure) for world, measure in store.worlds()}
        return {
            part: [
                entry
                for sweep in sweeps
                if any((point.world.having(tasks=()), sweep.measure) in played for point in sweep.points)
                for entry in entries(sweep, self.settings)
            ]
            for part, sweeps in self.parts.items()
        }


class Found(NamedTuple):
    """The results of one part of a run."""

    table: Table
    verdicts: tuple[Verdict, ...]
    missing: int  # trials of sweeps that were started

    @classmethod
    def of(cls, places: Sequence[Entry], store: Store, claims: Sequence[Claim]) -> "Found":
        """Collect the finished trials from a store and judge the claims."""
        table = tabulate(places, store)
        begun = set(table["sweep"].tolist())
        return cls(table, judge(table, claims), sum(entry.sweep in begun for entry in places) - len(table))


def verdicts_by_reading(begun: Mapping[str, Sequence[Entry]], ours: Sequence[Verdict], store: Store) -> list[Row]:
    """The verdicts on the claims of figures 2a and 5a under each reading whose trials are all finished.

    `begun` has the trials of each part of a run, and `ours` the verdicts under our reading.
    """
    finished = store.finished()
    before = {verdict.claim.id: verdict.outcome for verdict in ours}
    rows: list[Row] = []
    for name in readings():
        places = begun.get(name, ())
        played = {entry.sweep for entry in places}
        mine = [entry for entry in begun[PAPER] if entry.sweep in played]
        if not mine or not {entry.trial.key for entry in (*places, *mine)} <= finished:
            continue
        claims = [each.claim for each in ours if READ_ANEW.get(each.claim.sweep) == each.claim.figure]
        rows += [
            {
                "reading": name,
                "figure": verdict.claim.figure,
                "claim": verdict.claim.says,
                "verdict": verdict.outcome,
                "ours": before[verdict.claim.id],
                "changed": "yes" if verdict.outcome != before[verdict.claim.id] else "no",
                "estimate": verdict.decisive.estimate,
                "low": verdict.decisive.low,
                "high": verdict.decisive.high,
                "words": verdict.words,
            }
            for verdict in judge(tabulate(places, store), [claim for claim in claims if claim.sweep in played])
        ]
    return rows
