"""The parts of a run: the paper's experiments, other readings of it, what goes beyond it, and the second paper."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from walkon.errors import InputError
from walkon.measuring.claims import Claim, read_claims
from walkon.measuring.table import Table
from walkon.measuring.verdicts import Verdict, judge
from walkon.paper import BEYOND, DARK, FITTED, PAPER, READINGS, beyond, dark
from walkon.paper.experiments import EXPERIMENTS
from walkon.paper.readings import readings
from walkon.runs.store import Store
from walkon.runs.sweep import Entry, Settings, Sweep, entries
from walkon.runs.tabulate import tabulate
from walkon.trials.trial import Recipe

FIGURES = {figure.name: figure for experiment in EXPERIMENTS for figure in experiment.figures}
BEYOND_FIGURES = {figure.name: figure for figure in beyond.EXPERIMENT.figures}
DARK_FIGURES = {figure.name: figure for figure in dark.EXPERIMENT.figures}
DECISIONS = tuple(decision for experiment in EXPERIMENTS for decision in experiment.decisions)
QUICK = Recipe(options=(("backups", 1000), ("beliefs", 300)))
QUICK_TRIALS = 4
LITERAL = "literal"  # the name of the reading whose part is PAPER


@dataclass(frozen=True)
class Run:
    """All trials that a run with some settings may consist of."""

    settings: Settings

    @cached_property
    def parts(self) -> dict[str, tuple[Sweep, ...]]:
        """The sweeps of the paper, of each other reading of it, of what goes beyond it, and of the second paper."""
        paper, further, second = (
            tuple(
                replace(sweep, **sweep.quick) if self.settings.quick else sweep
                for each in some
                for sweep in each.sweeps
            )
            for some in (EXPERIMENTS, (beyond.EXPERIMENT,), (dark.EXPERIMENT,))
        )
        second = tuple(replace(sweep, trials=sweep.trials or self.settings.dark) for sweep in second)
        under = {reading.name: reading.sweeps(paper) for reading in readings()}
        return {PAPER: paper, **under, BEYOND: further, DARK: second}

    def sweeps(self, *wanted: str, reading: str | None = None) -> list[Sweep]:
        """The sweeps of some figures, of "readings", "beyond" or "dark"; those of all figures if nothing is named.

        A figure is run under the literal and the fitted reading, or only under the one that is named.
        """
        for name in wanted:
            if name not in (*FIGURES, READINGS, BEYOND, DARK):
                known = ", ".join([*FIGURES, READINGS, BEYOND])
                raise InputError(f"there is no figure {name!r}: expected {known} or {DARK}")
        if reading not in (None, LITERAL, FITTED):
            raise InputError(f"there is no reading {reading!r}: expected {LITERAL} or {FITTED}")
        parts = [part for part, name in ((PAPER, LITERAL), (FITTED, FITTED)) if reading in (None, name)]
        drawn = {FIGURES[name].sweep for name in wanted if name in FIGURES}
        drawn |= {claim.sweep for claim in read_claims() if claim.figure in wanted}
        every = not wanted or READINGS in wanted
        found = [sweep for part in parts for sweep in self.parts[part] if every or sweep.name in drawn]
        for part, sweeps in self.parts.items():
            if part not in (PAPER, FITTED) and (part if part in (BEYOND, DARK) else READINGS) in wanted:
                found += sweeps
        return found

    def entries(self, *wanted: str, reading: str | None = None) -> list[Entry]:
        """The trials of the same sweeps."""
        return [entry for sweep in self.sweeps(*wanted, reading=reading) for entry in entries(sweep, self.settings)]

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
