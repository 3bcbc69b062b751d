"""A game on the page: a match, and every moment of it so far, frozen.

A step makes a longer game and leaves the old one unchanged, so a game can be rewound to any step and branched there.
The luck of every step follows from the seed: the same moves lead to the same game, to the last bit. A person plays the
first teammate; other teammates play by their policies.
"""

import threading
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.changing import same_states
from walkon.agents.evidence import Evidence, evidence
from walkon.agents.memory import Memory, UnexplainedWarning
from walkon.arrays import Floats, Names
from walkon.errors import InputError
from walkon.formats.episode_file import Recording
from walkon.models.chance_kernels import choose
from walkon.simulation.picture import Picture, picture_of
from walkon.simulation.stepping import Step, begun, draw, first_state, fits, sensed, step
from walkon.tasks import Task, TaskLibrary
from walkon.tasks.last_states import is_last
from walkon.tasks.naming import name_of
from walkon.tasks.rule_task import RuleTask
from walkon.trials.episode import Episode
from walkon.trials.luck import Luck
from walkon.trials.rule_stepping import stream
from walkon.trials.trial import Trial

KEYS = {name: f"Arrow{name}" for name in ("Up", "Down", "Left", "Right")} | {"Stay": " ", "Act": " ", "Noop": "n"}


class _Unwarned:
    """Leaves out warnings about unexplained observations, which the page shows. Threads share one change of filters."""

    def __init__(self) -> None:
        self._lock, self._inside = threading.Lock(), 0
        self._filters = warnings.catch_warnings()

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._filters = warnings.catch_warnings()
                self._filters.__enter__()
                warnings.simplefilter("ignore", UnexplainedWarning)
            self._inside += 1

    def __exit__(self, *problem: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._filters.__exit__(None, None, None)


_unexplained_is_shown = _Unwarned()


@dataclass(frozen=True, eq=False)
class Match:
    """A trial, with the library and the agent that it needs."""

    trial: Trial
    library: TaskLibrary  # made by the trial's world
    agent: Agent[Memory]
    ready: bool = True  # whether the agent has its policies; without them it can be shown but cannot act
    steady: TaskLibrary | None = None  # the tasks with teammates that make no mistakes, if those of the library do

    @property
    def played(self) -> Task:
        """The task that is played."""
        return self.library[self.trial.task]

    @property
    def players(self) -> Task:
        """The task whose teammates make the page's own moves, without the mistakes that are expected of people."""
        trial = self.trial
        return (self.steady or self.library)[trial.task if trial.played_by is None else trial.played_by]

    @property
    def horizon(self) -> int:
        """The largest number of steps."""
        return self.played.horizon if self.trial.horizon is None else self.trial.horizon

    @property
    def kind(self) -> tuple[Any, ...]:
        """What decides how long a decision takes: the agent, its options and its library."""
        return self.trial.agent, self.trial.options, self.library.hash

    @cached_property
    def luck(self) -> Luck:
        """The luck of every step."""
        return Luck.of(self.trial.seed, self.horizon)


class Moment(NamedTuple):
    """The world's state, the agent's memory and next choice, and the step that led here."""

    state: Any  # its number, or itself where the task has no tables
    memory: Memory
    choices: Floats  # [A]: the probability of each action as the next one
    action: int | None = None  # None at the start, as the following
    step: Step | None = None
    evidence: Evidence | None = None  # None also for agents without beliefs
    fits: Floats | None = None  # [K]: the probability that each task's teammates would have acted as they did
    move: int | None = None  # a person's move; None if the teammates played by themselves
    decided: bool = True  # whether the choices are known; otherwise they are worked out when somebody looks at them


@dataclass(frozen=True, eq=False)
class Game:
    """A match and its moments so far."""

    match: Match
    moments: tuple[Moment, ...]  # [T + 1]

    @classmethod
    def begin(cls, match: Match, state: Any = None, choices: Floats | None = None) -> "Game":
        """Start a game; the first state and the agent's first choices may be given where they are known."""
        fits(match.played, match.agent)
        x = first_state(match.played, match.luck) if state is None else state
        with _unexplained_is_shown:
            memory = begun(match.agent, match.played, x)
        return cls(match, (Moment(x, memory, match.agent.act(memory) if choices is None else choices),))

    @property
    def steps(self) -> int:
        """The number of steps so far."""
        return len(self.moments) - 1

    @cached_property
    def over(self) -> bool:
        """Whether the task is solved or the horizon reached."""
        return self.steps >= self.match.horizon or is_last(self.match.played, self.moments[-1].state)

    def until(self, t: int) -> "Game":
        """The game as it was after t steps."""
        if not 0 <= t <= self.steps:
            raise InputError(f"step {t} does not exist: there were {self.steps}")
        return self if t == self.steps else replace(self, moments=self.moments[: t + 1])

    def draw_teammates(self) -> Any:
        """Draw the joint action of teammates that play by themselves, with the luck of the next step."""
        match, players = self.match, self.match.players
        if isinstance(players, RuleTask):
            number = match.luck[self.steps].teammates
            return players.simulator.draw_teammates(self.moments[-1].state, stream(number))
        return draw(players.teammate_actions(self.moments[-1].state), match.luck[self.steps].teammates)

    def step(self, move: int | None = None) -> "Game":
        """Play one step, with a person's move as the first teammate; without one, the teammates play by themselves."""
        match = self.match
        if self.over:
            raise InputError(f"the game is over after {self.steps} steps: rewind it, or start another")
        teammate_action = self.draw_teammates()
        if move is not None:
            teammate_action = replace_first(match.played, teammate_action, move)
        if not match.ready:
            raise InputError("the agent's policies are not there, so it cannot act: solve them first")
        luck, game = match.luck[self.steps], self.decide(self.steps)
        last = game.moments[-1]
        action = choose(last.choices, luck.agent)
        return game.append(action, step(match.played, last.state, action, luck, teammate_action), move=move)

    def append(self, action: int, happened: Step, choices: Floats | None = None, move: int | None = None) -> "Game":
        """Add a step that is known, and the agent's next choices if they are known too."""
        agent, last = self.match.agent, self.moments[-1]
        x, z, theirs = happened.state, happened.observation, happened.teammate_action
        with _unexplained_is_shown:
            memory = agent.update(last.memory, action, sensed(agent, self.match.played, x, z, theirs))
        doubt = 0.0 if last.evidence is None else last.evidence.doubt
        found = evidence(agent, last.memory, action, z, theirs, memory, doubt)
        choices = agent.act(memory) if choices is None else choices
        moment = Moment(x, memory, choices, action, happened, found, _fits(self.match, last.state, theirs), move)
        return replace(self, moments=(*self.moments, moment))

    def with_agent(self, agent: Agent[Memory], steady: TaskLibrary | None = None) -> "Game":
        """The same game with an agent that has its policies. Its choices are worked out when they are looked at."""
        moments = tuple(moment._replace(decided=False) for moment in self.moments)
        return replace(self, match=replace(self.match, agent=agent, ready=True, steady=steady), moments=moments)

    def decide(self, t: int) -> "Game":
        """The same game with what the agent would choose after t steps."""
        moment = self.moments[t]
        if moment.decided:
            return self
        decided = moment._replace(choices=self.match.agent.act(moment.memory), decided=True)
        return replace(self, moments=(*self.moments[:t], decided, *self.moments[t + 1 :]))

    @property
    def moves(self) -> tuple[int | None, ...]:
        """A person's move in each step, None where the teammates played by themselves: enough to play it again."""
        return tuple(moment.move for moment in self.moments[1:])

    def play(self, moves: Sequence[int | None]) -> "Game":
        """Play further moves, until the game is over."""
        return deque(self.playing(moves), 1)[0]

    def playing(self, moves: Sequence[int | None]) -> "Iterator[Game]":
        """The game as it is, and after each of further moves, until it is over."""
        game = self
        yield game
        for move in moves:
            if game.over:
                return
            game = game.step(move)
            yield game

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
            task_names=match.library.names if match.agent.identifies else (),
        )

    @property
    def recording(self) -> Recording:
        """The game as an episode that can be written to a file."""
        choices = np.array([moment.choices for moment in self.moments])
        return Recording(self.match.trial, self.match.library, self.episode, choices)


def _fits(match: Match, state: Any, b: Any) -> Floats | None:
    """How probable joint action b is for each task's teammates; None if states differ or teammates are folded in."""
    if not match.library.tables:
        shown: Any = match.library if same_states(match.library) else ()
        chances = [task.outline.each_teammate(state) for task in shown]
        parts = (b,) if isinstance(match.played, RuleTask) and match.played.outline.alone else b
        each = [[dict(own).get(part, 0.0) for own, part in zip(mates, parts, strict=True)] for mates in chances]
        return np.prod(each, axis=1) if each else None
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
    if isinstance(task, RuleTask):
        return tuple(map(name_of, task.outline.theirs))
    names: Sequence[Any] = getattr(task.team, "teammate_actions", None) or ()
    joint = [names[replace_first(task, 0, move)] for move in range(size)] if names else []
    if len(task.seats) > 1:  # "left, stay" or "(left, stay)", where names had to be text
        joint = [tuple(each.strip("()").split(", ")) if isinstance(each, str) else each for each in joint]
    if not joint or any(isinstance(each, tuple) and len(each) != len(task.seats) for each in joint):
        return tuple(map(str, range(size)))
    return tuple(str(each[0] if isinstance(each, tuple) else each) for each in joint)


def move_keys(task: Task) -> dict[str, int]:
    """The move for each key, as browsers name keys: arrows and the like by name, digits by number."""
    names = move_names(task)
    found = {str(i + 1): i for i in range(min(9, len(names)))}
    return found | {KEYS[name.capitalize()]: i for i, name in enumerate(names) if name.capitalize() in KEYS}


def replace_first(task: Task, teammate_action: Any, move: int) -> Any:
    """Replace the first teammate's part of a joint action by a person's move."""
    count = task.seats[0] if task.seats else 0
    if not 0 <= move < count:
        raise InputError(f"action {move} does not exist: the teammate has {count}, numbered from 0")
    if isinstance(task, RuleTask):
        own = task.outline.theirs[move]
        return own if task.outline.alone else (own, *teammate_action[1:])
    others = np.unravel_index(teammate_action, task.seats)[1:]
    return int(np.ravel_multi_index((move, *map(int, others)), task.seats))
