"""A timeline: the lines of play of one match, which branch where a person went back and moved differently."""

from dataclasses import dataclass, replace

from walkon.agents.agent import Agent
from walkon.agents.memory import Memory
from walkon.errors import InputError
from walkon.tasks import TaskLibrary
from walkon.web.game import Game, Moment

MOST_LINES = 12  # the oldest is dropped, so that a timeline stays small


@dataclass(frozen=True, eq=False)
class Timeline:
    """The lines of play of one match, and the line and step that the page shows.

    Playing on at the end extends a line. Playing from an earlier moment starts a branch, and the old line stays.
    Repeating the move that the line made there only goes on to its next moment: the same move with the same luck leads
    to the same state.
    """

    lines: tuple[Game, ...]
    line: int = 0
    at: int = 0
    seen: int = 0  # the furthest step of this line that was shown: a replay does not tell its end beforehand

    def __post_init__(self) -> None:
        object.__setattr__(self, "seen", max(self.seen, self.at))

    @classmethod
    def of(cls, game: Game, at: int | None = None) -> "Timeline":
        """Show a game that was played already, at its end or at a step."""
        return cls((game,), 0, game.steps if at is None else at)

    @property
    def game(self) -> Game:
        """The shown line."""
        return self.lines[self.line]

    @property
    def now(self) -> Moment:
        """The shown moment."""
        return self.game.moments[self.at]

    @property
    def past(self) -> Game:
        """The line up to the shown moment."""
        return self.game.until(self.at)

    @property
    def others(self) -> tuple[Game, ...]:
        """The lines that are not shown."""
        return (*self.lines[: self.line], *self.lines[self.line + 1 :])

    @property
    def over(self) -> bool:
        """Whether the game is over at the shown moment."""
        return self.past.over

    def play(self, move: int | None = None) -> "Timeline":
        """Play one step, with a person's move or with teammates that play by themselves."""
        game = self.game
        if self.at == game.steps:
            lines = (*self.lines[: self.line], game.step(move), *self.lines[self.line + 1 :])
            return replace(self, lines=lines, at=self.at + 1)
        if move is None:
            return replace(self, at=self.at + 1)
        branch = self.past.step(move)
        if branch.moments[-1].step == game.moments[self.at + 1].step:
            return replace(self, at=self.at + 1)
        kept = self.lines if len(self.lines) < MOST_LINES else self.lines[1:]
        return Timeline((*kept, branch), len(kept), branch.steps)

    def rewind(self, t: int) -> "Timeline":
        """Show an earlier or a later step."""
        if not 0 <= t <= self.game.steps:
            raise InputError(f"step {t} does not exist: this line has {self.game.steps}")
        return replace(self, at=t)

    def follow(self, line: int) -> "Timeline":
        """Show the end of another line."""
        if not 0 <= line < len(self.lines):
            raise InputError(f"line {line} does not exist: there are {len(self.lines)}")
        return Timeline(self.lines, line, self.lines[line].steps)

    def decide(self) -> "Timeline":
        """The same timeline with what the agent would choose at the shown moment."""
        lines = (*self.lines[: self.line], self.game.decide(self.at), *self.lines[self.line + 1 :])
        return replace(self, lines=lines)

    def with_agent(self, agent: Agent[Memory], steady: TaskLibrary | None = None) -> "Timeline":
        """The same lines with an agent that has its policies."""
        return replace(self, lines=tuple(game.with_agent(agent, steady) for game in self.lines))
