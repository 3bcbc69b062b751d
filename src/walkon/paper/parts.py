"""The parts of a run as people browse them: a title, a sentence, the figures, and the claims that are tested.

`Run.parts` has the trials of each part. A part that is no reading of the paper and is not listed in `BESIDE` has
neither figures nor claims.
"""

from dataclasses import dataclass
from importlib.resources.abc import Traversable

from walkon.measuring.claims import BEYOND as EXPECTED
from walkon.measuring.claims import DARK as SECOND
from walkon.measuring.claims import PAPER as CLAIMS
from walkon.measuring.claims import Claim, read_claims
from walkon.measuring.verdicts import Verdict
from walkon.paper import BEYOND, DARK, PAPER, beyond, dark
from walkon.paper.experiments import VARIATIONS
from walkon.paper.figure import Figure
from walkon.paper.readings import Reading, readings
from walkon.paper.run import FIGURES

BESIDE = {  # the parts beside the paper and its readings: experiment, file of claims, what it is about, who says it
    BEYOND: (beyond.EXPERIMENT, EXPECTED, "Agents that plan for what they do not know, beside ATPO.", "we expected"),
    DARK: (dark.EXPERIMENT, SECOND, "The eleven worlds of the authors' second paper.", "the paper says"),
}
UNDRAWN = {  # sweeps without a figure
    "decision-tasks": "Computing in the trial: more tasks",
    **beyond.UNDRAWN,
    **dark.UNDRAWN,
    **{f"beyond-{figure.sweep}": f"{figure.title}, the paper's libraries" for figure in VARIATIONS.figures},
}


@dataclass(frozen=True)
class Part:
    """What can be shown of one part of a run."""

    name: str
    title: str
    about: str
    figures: tuple[Figure, ...] = ()
    claims: tuple[Claim, ...] = ()
    said: str = "the paper says"
    reading: Reading | None = None
    source: Traversable = CLAIMS  # of the claims

    @classmethod
    def of(cls, name: str) -> "Part":
        """Return the part of this name, one of `Run.parts`."""
        figures = tuple(FIGURES.values())
        if name == PAPER:
            about = "The paper's experiments, under the reading closest to its text."
            return cls(name, "The paper", about, figures, read_claims())
        reading = next((each for each in readings() if each.name == name), None)
        if reading is not None:
            under = tuple(figure.under(name) for figure in figures)
            return cls(name, f"Reading: {name}", reading.title, under, read_claims(), reading=reading)
        if name in BESIDE:
            experiment, source, about, said = BESIDE[name]
            return cls(name, experiment.chapter, about, experiment.figures, read_claims(source), said, source=source)
        return cls(name, name.capitalize(), "")

    @property
    def experiments(self) -> dict[str, str]:
        """The titles of sweeps, without the reading; others are called by their names."""
        found: dict[str, list[Figure]] = {}
        for figure in FIGURES.values() if self.reading else self.figures:
            if figure.sweeps:
                continue  # of several sweeps, none of which it names
            found.setdefault(figure.sweep, []).append(figure)
        titles = dict(UNDRAWN)
        for sweep, drawn in found.items():
            title = drawn[0].title if len(drawn) == 1 else drawn[0].title.partition(":")[0]
            numbers = [figure.name for figure in drawn if figure.name[0].isdigit()]
            titles[sweep] = f"{', '.join(numbers)} {title}".strip()
        return titles

    def counted(self, verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
        """The verdicts that count: a reading cannot be confirmed by the claims that it was chosen by."""
        used = self.reading.chosen_by if self.reading else ()
        return tuple(each for each in verdicts if each.claim.figure not in used)
