"""A game on the page: a match, every moment of it so far, frozen, and a timeline of the lines that were played.

A step makes a longer game and leaves the old one unchanged, so a game can be rewound to any step and branched there.
The luck of every step follows from the seed: the same moves lead to the same game, to the last bit. A person plays the
first teammate; other teammates play by their policies.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import NamedTuple

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.evidence import Evidence, evidence
from walkon.agents.memory import Memory, UnexplainedWarning
from walkon.arrays import Floats, Names
from walkon.errors import InputError
from walkon.formats.episode_file import Recording
from walkon.models.chance_kernels import choose
from walkon.models.rules import Rules
from walkon.simulation.picture import Picture, picture_of
from walkon.simulation.stepping import Luck, Step, begun, draw, first_state, fits, sensed, step
from walkon.tasks import Task, TaskLibrary
from walkon.trials.episode import Episode
from walkon.trials.trial import Trial

KEYS = {name: f"Arrow{name}" for name in ("Up", "Down", "Left", "Right")} | {"Stay": " ", "Act": " ", "Noop": "n"}
MOST_LINES = 12  # the oldest is dropped, so that a timeline stays small


@dataclass(frozen=True, eq=False)
class Match:
    """A trial, with the library and the agent that it needs."""

    trial: Trial
    library: TaskLibrary  # made by the trial's world
    agent: Agent[Memory]
    ready: bool = True  # whether the agent has its policies; without them it can be shown but cannot act

    @property
    def played(self) -> Task:
        """The task that is played."""
        return self.library[self.trial.task]

    @property
    def horizon(self) -> int:
        """The largest number of steps."""
        return self.played.horizon if self.trial.horizon is None else self.trial.horizon

    @cached_property
    def luck(self) -> Luck:
        """The luck of every step."""
        return Luck.of(self.trial.seed, self.horizon)


class Moment(NamedTuple):
    """The world's state, the agent's memory and next choice, and the step that led here."""

    state: int
    memory: Memory
    choices: Floats  # [A]: the probability of each action as the next one
    action: int | None = None  # None at the start, as the following
    step: Step | None = None
    evidence: Evidence | None = None  # None also for agents without beliefs
    fits: Floats | None = None  # [K]: the probability that each task's teammates would have acted as they did
    move: int | None = None  # a person's move; None if the teammates played by themselves


@dataclass(frozen=True, eq=False)
class Game:
    """A match and its moments so far."""

    match: Match
    moments: tuple[Moment, ...]  # [T + 1]

    @classmethod
    def begin(cls, match: Match, state: int | None = None, choices: Floats | None = None) -> "Game":
        """Start a game; the first state and the agent's first choices may be given where they are known."""
        fits(match.played, match.agent)
        x = first_state(match.played, match.luck) if state is None else state
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnexplainedWarning)  # the page shows it
            memory = begun(match.agent, match.played, x)
        return cls(match, (Moment(x, memory, match.agent.act(memory) if choices is None else choices),))

    @property
    def steps(self) -> int:
        """The number of steps so far."""
        return len(self.moments) - 1

    @cached_property
    def over(self) -> bool:
        """Whether the task is solved or the horizon reached."""
        solved = self.match.played.solved
        return self.steps >= self.match.horizon or (solved is not None and bool(solved[self.moments[-1].state]))

    def until(self, t: int) -> "Game":
        """The game as it was after t steps."""
        if not 0 <= t <= self.steps:
            raise InputError(f"step {t} does not exist: there were {self.steps}")
        return self if t == self.steps else replace(self, moments=self.moments[: t + 1])

    def draw_teammates(self) -> int:
        """Draw the joint action of teammates that play by themselves, with the luck of the next step."""
        match, trial = self.match, self.match.trial
        players = match.library[trial.task if trial.played_by is None else trial.played_by]
        return draw(players.teammate_actions(self.moments[-1].state), match.luck[self.steps].teammates)

    def step(self, move: int | None = None) -> "Game":
        """Play one step, with a person's move as the first teammate; without one, the teammates play by themselves."""
        match, last = self.match, self.moments[-1]
        if self.over:
            raise InputError(f"the game is over after {self.steps} steps: rewind it, or start another")
        teammate_action = self.draw_teammates()
        if move is not None:
            teammate_action = replace_first(match.played, teammate_action, move)
        if not match.ready:
            raise InputError("the agent's policies are not there, so it cannot act: solve them first")
        luck = match.luck[self.steps]
        action = choose(last.choices, luck.agent)
        return self.append(action, step(match.played, last.state, action, luck, teammate_action), move=move)

    def append(self, action: int, happened: Step, choices: Floats | None = None, move: int | None = None) -> "Game":
        """Add a step that is known, and the agent's next choices if they are known too."""
        agent, last = self.match.agent, self.moments[-1]
        x, z, theirs = happened.state, happened.observation, happened.teammate_action
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnexplainedWarning)
            memory = agent.update(last.memory, action, sensed(agent, self.match.played, x, z, theirs))
        doubt = 0.0 if last.evidence is None else last.evidence.doubt
        found = evidence(agent, last.memory, action, z, theirs, memory, doubt)
        choices = agent.act(memory) if choices is None else choices
        moment = Moment(x, memory, choices, action, happened, found, _fits(self.match, last.state, theirs), move)
        return replace(self, moments=(*self.moments, moment))

    def with_agent(self, agent: Agent[Memory]) -> "Game":
        """The same game with an agent that has its policies, and what it would have chosen at each moment."""
        moments = tuple(moment._replace(choices=agent.act(moment.memory)) for moment in self.moments)
        return replace(self, match=replace(self.match, agent=agent, ready=True), moments=moments)

    @property
    def moves(self) -> tuple[int | None, ...]:
        """A person's move in each step, None where the teammates played by themselves: enough to play it again."""
        return tuple(moment.move for moment in self.moments[1:])

    def play(self, moves: Sequence[int | None]) -> "Game":
        """Play further moves, until the game is over."""
        return reduce(lambda game, move: game if game.over else game.step(move), moves, self)

    def picture(self, t: int, supposed: int | None = None) -> Picture:
        """Picture the game after t steps, with the state belief of a supposed task."""
        match, moment = self.match, self.moments[t]
        episode = self.until(t).episode
        return picture_of(episode, match.library, match.trial.task, t, moment.choices, moment.memory, supposed)

    @cached_property
    def episode(self) -> Episode:
        """The episode so far."""
        match = self.match
        steps = [moment.step for moment in self.moments if moment.step is not None]
        return Episode.of(
            match.played,
            match.agent.name,
            match.trial.seed,
            horizon=match.horizon,
            states=[moment.state for moment in self.moments],
            actions=[moment.action for moment in self.moments[1:]],
            teammate_actions=[each.teammate_action for each in steps],
            observations=[each.observation for each in steps],
            rewards=[each.reward for each in steps],
            task_beliefs=[moment.memory.tasks for moment in self.moments] if match.agent.identifies else None,
            events=self.moments[-1].memory.events,
        )

    @property
    def recording(self) -> Recording:
        """The game as an episode that can be written to a file."""
        choices = np.array([moment.choices for moment in self.moments])
        return Recording(self.match.trial, self.match.library, self.episode, choices)


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
        return replace(self, line=line, at=self.lines[line].steps)

    def with_agent(self, agent: Agent[Memory]) -> "Timeline":
        """The same lines with an agent that has its policies."""
        return replace(self, lines=tuple(game.with_agent(agent) for game in self.lines))


def _fits(match: Match, state: int, b: int) -> Floats | None:
    """How probable joint action b is for each task's teammates; None if states differ or teammates are folded in."""
    X = len(match.played.pomdp.start)
    policies = [task.teammates for task in match.library if task.teammates is not None]
    if len(policies) < len(match.library) or any(policy.shape[0] != X for policy in policies):
        return None
    return np.array([policy[state, b] if b < policy.shape[1] else 0.0 for policy in policies])


def move_names(task: Task) -> Names:
    """The names of the first teammate's actions; empty if the teammates are folded into the model."""
    if not task.seats:
        return ()
    size = task.seats[0]
    if isinstance(task.team, Rules):
        joint = (task.team.teammate_actions[replace_first(task, 0, move)] for move in range(size))
        return tuple(str(each[0] if isinstance(each, tuple) else each) for each in joint)
    names: Names | None = getattr(task.team, "teammate_actions", None)
    return names if names and len(task.seats) == 1 else tuple(map(str, range(size)))


def move_keys(task: Task) -> dict[str, int]:
    """The move for each key, as browsers name keys: arrows and the like by name, digits by number."""
    names = move_names(task)
    found = {str(i + 1): i for i in range(min(9, len(names)))}
    return found | {KEYS[name]: i for i, name in enumerate(names) if name in KEYS}


def replace_first(task: Task, teammate_action: int, move: int) -> int:
    """Replace the first teammate's part of a joint action by a person's move."""
    count = task.seats[0] if task.seats else 0
    if not 0 <= move < count:
        raise InputError(f"action {move} does not exist: the teammate has {count}, numbered from 0")
    others = np.unravel_index(teammate_action, task.seats)[1:]
    return int(np.ravel_multi_index((move, *map(int, others)), task.seats))
