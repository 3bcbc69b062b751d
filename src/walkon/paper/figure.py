"""Experiments of the paper: their sweeps, the figures drawn from them, and the decisions they depend on."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkon.agents.registry import AGENTS
from walkon.errors import InputError
from walkon.figures.rows import Way, horizon_of, number
from walkon.figures.style import imprint, looks
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table
from walkon.runs.sweep import Sweep

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

FEW = 6  # the most points of a line that are all written in words
INTERVAL = "95 % interval (± 1.96 s/√n)"


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure, which is a function of the table of results and of nothing else."""

    name: str
    title: str
    sweep: str
    way: Way  # how it is drawn
    text: str  # what it shows and how it was measured; {horizon} is the number of steps after which trials end
    sweeps: tuple[str, ...] = ()  # all whose trials are drawn, if there are several
    each: str = "trials for each agent"  # the unit of n
    part: str = ""  # the part of the run that has its trials; its own name if empty
    headline: str = ""  # the name of its numbers among the results at a glance; they are left out if empty

    @property
    def label(self) -> str:
        """Its title, after its number in the paper if it has one."""
        number = self.name.partition("-")[0]
        return f"{number}. {self.title}" if number[0].isdigit() else self.title

    def under(self, reading: str) -> "Figure":
        """The same figure under another reading of the paper."""
        return replace(
            self,
            name=f"{self.name}-{reading}",
            title=f"{self.title} ({reading} reading)",
            headline=f"{self.headline} ({reading} reading)" if self.headline else "",
            part=self.name,
        )

    @property
    def command(self) -> str:
        """The command that runs its trials."""
        return f"walkon reproduce {self.part or self.name}"

    def rows(self, table: Table) -> list[Row]:
        """The numbers behind it; empty if the table has no trials for it."""
        return [row for row in self.way.data(self._own(table)) if row["n"]]

    def _own(self, table: Table) -> Table:
        """Its trials."""
        return table.rows(np.isin(table["sweep"], self.sweeps or (self.sweep,)))

    def draw(self, table: Table) -> "Picture":
        """Draw the figure from a table, which may have other trials too."""
        rows = self.rows(table)
        if not rows:
            raise InputError(
                f"cannot draw figure {self.name}: the table has no trials of the sweep "
                f'"{self.sweep}"; `{self.command}` runs them'
            )
        with looks():
            drawn = self.way.draw(self._own(table), rows)
            imprint(drawn, self.name[1:] if self.name[0].isdigit() else "", ", ".join(self._sizes(table, rows)))
        return drawn

    def caption(self, table: Table) -> str:
        """What the figure shows, how many tasks the libraries have, and the number of trials."""
        tasks, n = self._sizes(table, self.rows(table))
        steps = horizon_of(self._own(table))
        horizon = "the horizon" + (f", {steps} steps" if steps else "")
        return f"{self.text.format(horizon=horizon)} {tasks} (tasks in the library), {n} {self.each}."

    def _sizes(self, table: Table, rows: list[Row]) -> tuple[str, str]:
        """K, the number of tasks in a library, and n, the number of values behind a row; or their ranges."""
        found = {"K": self._own(table)["tasks"].tolist(), "n": [number(row, "n") for row in rows]}
        ends = {name: (min(sizes), max(sizes)) for name, sizes in found.items()}
        K, n = (f"{name} = {' to '.join(f'{size:,.0f}' for size in dict.fromkeys(ends[name]))}" for name in ends)
        return K, n

    def in_words(self, rows: list[Row]) -> str:
        """Describe the figure for people who cannot see it: some points of each line, the first among them."""
        groups: dict[str, list[Row]] = {}
        for row in rows:
            curve = self.way.curves.get(str(row.get("curve", "")))
            groups.setdefault(curve or AGENTS.title(str(row["agent"])), []).append(row)
        lines = []
        for name, own in groups.items():
            chosen = own if len(own) <= FEW else own[:: max(1, (len(own) - 1) // (FEW - 1))]
            places = (f" at {number(row, 'x'):g}" if "x" in row else "" for row in chosen)
            said = (f"{self.way.words(row)}{place}" for row, place in zip(chosen, places, strict=True))
            lines.append(f"{name}: {', '.join(said)}")
        return f"{self.title}. {'; '.join(lines)}."


class Decision(NamedTuple):
    """A decision where the paper is silent, ambiguous or wrong; docs/reading.md has all of them."""

    anchor: str
    question: str
    answer: str
    figures: tuple[str, ...]  # the figures it concerns


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A chapter of the report. The claims about its figures are in claims.toml."""

    chapter: str
    sweeps: tuple[Sweep, ...]
    figures: tuple[Figure, ...]
    decisions: tuple[Decision, ...] = ()
