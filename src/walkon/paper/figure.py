"""What an experiment of the paper is: its sweeps, the figures drawn from them, and the decisions it rests on."""

from dataclasses import dataclass, field
from typing import NamedTuple

from matplotlib.figure import Figure as Picture

from walkon.agents.registry import AGENTS
from walkon.errors import InputError
from walkon.figures.rows import Way, horizon_of, number
from walkon.figures.style import looks
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table
from walkon.runs.sweep import Sweep

FEW = 6  # points of a line that are all told in words
INTERVAL = "95 % interval (± 1.96 s/√n)"


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure. It is a function of the table of results and of nothing else."""

    name: str
    title: str
    sweep: str
    way: Way  # how it is drawn
    text: str  # what is to be seen, and how it was measured; {horizon} is after how many steps trials end
    each: str = "trials for each agent"  # what n counts
    part: str = ""  # of the run that has its trials; by its own name if not given
    headline: str = ""  # what its numbers are called among the results at a glance; they are not there if not given

    @property
    def label(self) -> str:
        """Its title, after its number if it has one."""
        return f"{self.name}. {self.title}" if self.name[0].isdigit() else self.title

    @property
    def command(self) -> str:
        """What runs its trials."""
        return f"walkon reproduce {self.part or self.name}"

    def rows(self, table: Table) -> list[Row]:
        """The numbers behind it; none if the table has no trials for it."""
        return [row for row in self.way.data(table.where(sweep=self.sweep)) if row["n"]]

    def draw(self, table: Table) -> Picture:
        """The figure, drawn from a table that may hold more than it needs, or less."""
        rows = self.rows(table)
        if not rows:
            raise InputError(
                f"there is nothing to draw figure {self.name} from: the table has no trials of the sweep "
                f'"{self.sweep}"; `{self.command}` runs them'
            )
        with looks():
            return self.way.draw(table.where(sweep=self.sweep), rows)

    def caption(self, table: Table) -> str:
        """What is to be seen, and how many trials it is of."""
        counts = sorted({int(number(row, "n")) for row in self.rows(table)})
        n = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
        steps = horizon_of(table.where(sweep=self.sweep))
        horizon = "the horizon" + (f", {steps} steps" if steps else "")
        return f"{self.text.format(horizon=horizon)} {n} {self.each}."

    def in_words(self, rows: list[Row]) -> str:
        """The figure for people who cannot see it: every line by its first point, its last, and some between."""
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
    """One decision where the paper is silent, ambiguous or wrong; docs/reading.md has all of them."""

    anchor: str
    question: str
    answer: str
    figures: tuple[str, ...]  # the figures it concerns


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A chapter of the report. Claims about its figures stand in claims.toml."""

    chapter: str
    sweeps: tuple[Sweep, ...]
    figures: tuple[Figure, ...]
    decisions: tuple[Decision, ...] = field(default=())
