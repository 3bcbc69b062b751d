"""A timeline: the lines that somebody has played at one table, and the point that is being looked at.

Playing on at the end makes a line longer. Playing from an earlier point branches: the old line stays, and can be gone
back to. A move that the line has already made there only moves the point on, since the same move on the same luck leads
to the same place.
"""

from dataclasses import dataclass, replace

from walkon.agents.agent import Agent
from walkon.agents.memory import Memory
from walkon.errors import InputError
from walkon.web.game import Game, Point, Table

MOST_LINES = 12  # older ones are forgotten, so that a timeline stays small


@dataclass(frozen=True, eq=False)
class Timeline:
    """What one person has played."""

    lines: tuple[Game, ...]
    line: int = 0  # the one that is looked at
    at: int = 0  # the step that is looked at

    @classmethod
    def begin(cls, table: Table) -> "Timeline":
        """A new game."""
        return cls((Game.begin(table),))

    @classmethod
    def of(cls, game: Game, at: int | None = None) -> "Timeline":
        """A game that was played already, looked at from its end, or from a step."""
        return cls((game,), 0, game.steps if at is None else min(max(at, 0), game.steps))

    @property
    def game(self) -> Game:
        """The line that is looked at."""
        return self.lines[self.line]

    @property
    def now(self) -> Point:
        """The point that is looked at."""
        return self.game.points[self.at]

    @property
    def past(self) -> Game:
        """The line up to that point."""
        return self.game.until(self.at)

    @property
    def over(self) -> bool:
        """Whether nothing can be played from here."""
        return self.past.over

    def play(self, own: int | None = None) -> "Timeline":
        """One step on: a person's move, or whatever the teammates at the table do."""
        game = self.game
        if self.at == game.steps:
            return self._with(game.step(own))
        ahead = game.points[self.at + 1].step
        if own is None:
            return replace(self, at=self.at + 1)
        branch = self.past.step(own)
        now = branch.points[-1].step
        return replace(self, at=self.at + 1) if now == ahead else self._branched(branch)

    def rewind(self, t: int) -> "Timeline":
        """Look at an earlier or a later step."""
        if not 0 <= t <= self.game.steps:
            raise InputError(f"step {t} does not exist: this line has {self.game.steps}")
        return replace(self, at=t)

    def follow(self, line: int) -> "Timeline":
        """Look at the end of another line."""
        if not 0 <= line < len(self.lines):
            raise InputError(f"line {line} does not exist: there are {len(self.lines)}")
        return replace(self, line=line, at=self.lines[line].steps)

    def seated_by(self, agent: Agent[Memory]) -> "Timeline":
        """The same lines with an agent that has its policies now."""
        return replace(self, lines=tuple(game.seated_by(agent) for game in self.lines))

    def _with(self, game: Game) -> "Timeline":
        lines = (*self.lines[: self.line], game, *self.lines[self.line + 1 :])
        return replace(self, lines=lines, at=game.steps)

    def _branched(self, game: Game) -> "Timeline":
        kept = self.lines if len(self.lines) < MOST_LINES else self.lines[1:]
        return Timeline((*kept, game), len(kept), game.steps)
