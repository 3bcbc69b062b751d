"""The state of a page: one or two timelines with the same setup, played by the same keys."""

from walkon.trials.trial import Trial
from walkon.web.game import Match, move_names
from walkon.web.setup import address_of, is_offered
from walkon.web.timeline import Timeline


class State:
    """Everything that a page shows."""

    def __init__(self, usual: Trial, agents: tuple[str, ...]) -> None:
        self.agents = agents  # one, or two to compare
        self.setup = usual  # its world has no tremble
        self.timelines: tuple[Timeline, ...] = ()  # one for each agent; none before the first match is ready
        self.progress: float | None = None  # how much of another game is ready; None if none is being prepared
        self.doing = ""  # what the page is waiting for, in words; empty if for nothing
        self.message = ""  # the last error or notice
        self.note = ""  # what there is to know about an opened game
        self.running = False  # whether steps are played automatically
        self.supposed: int | None = None  # the task whose state belief is shown; None for the most probable one
        self.opened = False  # whether the game is from a file or a run, so that no address leads to it

    @property
    def match(self) -> Match | None:
        """The first match; None before it is ready."""
        return self.timelines[0].game.match if self.timelines else None

    @property
    def person(self) -> bool:
        """Whether a person plays the teammate."""
        return self.match is not None and self.match.trial.played_by is None

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of a person's moves."""
        return move_names(self.match.played) if self.match is not None and self.person else ()

    @property
    def at(self) -> int:
        """The shown step."""
        return max((timeline.at for timeline in self.timelines), default=0)

    @property
    def last(self) -> int:
        """The last step played."""
        return max((timeline.game.steps for timeline in self.timelines), default=0)

    @property
    def over(self) -> bool:
        """Whether every game is over at the shown step."""
        return all(timeline.over for timeline in self.timelines)

    @property
    def query(self) -> str:
        """The query of the address that leads back here; empty for an opened game and for a world not offered."""
        if self.opened or not self.timelines or not is_offered(self.setup.world):
            return ""
        longest = max(self.timelines, key=lambda timeline: timeline.at)
        return address_of(self.setup, longest.past.moves, self.agents[1] if len(self.agents) > 1 else "")
