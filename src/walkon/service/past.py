"""What happened in a session so far, read from its journal and understood."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from walkon.service.journal import Journal
from walkon.service.messages import Opening, Told
from walkon.service.refusal import FAILED, RefusalError


class Happened(NamedTuple):
    """One step: what was told, which action was executed, and what was answered."""

    told: Told
    action: int
    answer: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Past:
    """A session from its opening on."""

    opening: Opening
    seed: int
    first: dict[str, Any]  # the answer to the opening
    steps: tuple[Happened, ...]

    @classmethod
    def of(cls, journal: Journal) -> "Past":
        """Read a journal. One that was tampered with is refused in words."""
        heading, *lines = journal.lines()
        try:
            steps = tuple(Happened(Told(**line["told"]), int(line["action"]), dict(line["answer"])) for line in lines)
            past = cls(Opening(**heading["opening"]), int(heading["seed"]), dict(heading["answer"]), steps)
            if past.seed < 0 or [each.told.step for each in steps] != list(range(len(steps))):
                raise ValueError("its steps do not follow one another")
        except (KeyError, TypeError, ValueError) as cause:
            problem = " ".join(str(cause).split())
            raise RefusalError(
                FAILED, f"{journal.path} is damaged ({problem:.200}): move it away, and open a new session"
            ) from None
        return past

    @property
    def last(self) -> dict[str, Any]:
        """The last answer."""
        return self.steps[-1].answer if self.steps else self.first
