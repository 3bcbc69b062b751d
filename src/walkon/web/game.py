"""A game: who sits at the table, and all that has happened so far, frozen.

A step makes a longer game and leaves the old one as it is, so a game can be rewound to any step and branched from
there. The luck of every step is fixed by the seed: the same moves on the same luck lead to the same game, to the last
bit.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.bopa import evidence_of
from walkon.agents.memory import Memory, UnexplainedWarning
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.formats.episode_file import Recording
from walkon.models.chance_kernels import choose
from walkon.simulation.luck import Luck, draw
from walkon.simulation.moment import Moment, moment
from walkon.simulation.stepping import Step, begun, first_state, fits, sensed, step
from walkon.tasks import Task, TaskLibrary
from walkon.trials.episode import Episode
from walkon.web.evidence import Evidence, evidence
from walkon.web.seats import taken


@dataclass(frozen=True, eq=False)
class Table:
    """Who plays what."""

    world: str  # the name of the world
    options: Mapping[str, Any]  # its options
    library: TaskLibrary  # the tasks that they make, which is what the agent holds possible
    task: int  # which of them is going on
    agent: Agent[Memory]  # who joins the team
    seed: int  # what all luck follows from
    seat: int | None  # whose teammates play: those of a task of the library; None for a person
    horizon: int  # how many steps at most
    ready: bool = True  # whether the agent's policies are there; without them its past can be shown, but it cannot act

    @property
    def played(self) -> Task:
        """The task that is going on."""
        return self.library[self.task]

    @cached_property
    def luck(self) -> Luck:
        """The luck of every step."""
        return Luck.of(self.seed, self.horizon)


class Point(NamedTuple):
    """One point in time: where the world is, what the agent remembers and would do, and the step that led here."""

    state: int
    memory: Memory
    choices: Floats  # [A]
    action: int | None  # None at the start
    step: Step | None
    evidence: Evidence | None  # None at the start, and for agents without beliefs
    fits: Floats | None  # [K]: how likely each task's teammates do what was done; None at the start
    own: int | None = None  # what a person did; None where the teammates played by themselves


@dataclass(frozen=True, eq=False)
class Game:
    """All points so far."""

    table: Table
    points: tuple[Point, ...]  # [T + 1]

    @classmethod
    def begin(cls, table: Table, state: int | None = None, choices: Floats | None = None) -> "Game":
        """Before the first step; in the state that the luck gives and with what the agent would do, unless known."""
        fits(table.played, table.agent)
        x = first_state(table.played, table.luck) if state is None else state
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnexplainedWarning)  # the page says so itself
            memory = begun(table.agent, table.played, x)
        ready = table.agent.act(memory) if choices is None else choices
        return cls(table, (Point(x, memory, ready, None, None, None, None),))

    @property
    def steps(self) -> int:
        """How many steps there were."""
        return len(self.points) - 1

    @cached_property
    def over(self) -> bool:
        """Whether the task is solved, or the horizon reached."""
        solved = self.table.played.solved
        return self.steps >= self.table.horizon or (solved is not None and bool(solved[self.points[-1].state]))

    def until(self, t: int) -> "Game":
        """The game as it was after t steps."""
        if not 0 <= t <= self.steps:
            raise InputError(f"step {t} does not exist: there were {self.steps}")
        return self if t == self.steps else replace(self, points=self.points[: t + 1])

    def drawn(self) -> int:
        """The joint action that the luck of the next step gives the teammates who sit there."""
        table, last = self.table, self.points[-1]
        sitting = table.library[table.task if table.seat is None else table.seat]
        return draw(sitting.teammate_actions(last.state), table.luck[self.steps].teammates)

    def step(self, own: int | None = None) -> "Game":
        """The game one step later.

        Args:
            own: What a person does as the first teammate; if not given, the teammates play by themselves.
        """
        if not self.over:
            teammate_action = self.drawn()
            game = self._after(teammate_action if own is None else taken(self.table.played, teammate_action, own))
            return game if own is None else replace(game, points=(*self.points, game.points[-1]._replace(own=own)))
        raise InputError(f"the game is over after {self.steps} steps: rewind it, or begin another")

    def _after(self, teammate_action: int) -> "Game":
        """The game one step later, with that joint action of the teammates."""
        uniforms = self.table.luck[self.steps]
        if not self.table.ready:
            raise InputError("the agent's policies are not there, so it cannot act: solve them first")
        action = choose(self.points[-1].choices, uniforms.agent)
        happened = step(self.table.played, self.points[-1].state, action, uniforms, teammate_action)
        return self.happened(action, happened)

    def happened(self, action: int, happened: Step, choices: Floats | None = None) -> "Game":
        """The game after a step that is known already, with the agent's next choices where they are known too."""
        table, last = self.table, self.points[-1]
        agent, task = table.agent, table.played
        percept = sensed(agent, task, happened.state, happened.observation, happened.teammate_action)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnexplainedWarning)
            memory = agent.update(last.memory, action, percept)
        doubt = 0.0 if last.evidence is None else last.evidence.doubt
        point = Point(
            state=happened.state,
            memory=memory,
            choices=agent.act(memory) if choices is None else choices,
            action=action,
            step=happened,
            evidence=evidence(
                agent, last.memory, action, happened.observation, happened.teammate_action, memory, doubt
            ),
            fits=_fits(table, last.state, happened.teammate_action),
        )
        return replace(self, points=(*self.points, point))

    def seated_by(self, agent: Agent[Memory]) -> "Game":
        """The same game with an agent that has its policies now: what it would do at each point is worked out."""
        points = tuple(point._replace(choices=agent.act(point.memory)) for point in self.points)
        return replace(self, table=replace(self.table, agent=agent, ready=True), points=points)

    @property
    def moves(self) -> tuple[int | None, ...]:
        """What a person did at each step; None where the teammates played by themselves. Enough to play it again."""
        return tuple(point.own for point in self.points[1:])

    def again(self, moves: Sequence[int | None]) -> "Game":
        """The game after further moves, as far as it goes."""
        game = self
        for own in moves:
            if game.over:
                break
            game = game.step(own)
        return game

    def moment(self, t: int, supposed: int | None = None) -> Moment:
        """What there is to see after t steps, supposing a task."""
        table, point = self.table, self.points[t]
        return moment(self.until(t).episode, table.library, table.task, t, point.choices, point.memory, supposed)

    @cached_property
    def episode(self) -> Episode:
        """What has happened."""
        table = self.table
        steps = [point.step for point in self.points if point.step is not None]
        return Episode.of(
            table.played,
            table.agent.name,
            table.seed,
            horizon=table.horizon,
            states=[point.state for point in self.points],
            actions=[point.action for point in self.points[1:]],
            teammate_actions=[each.teammate_action for each in steps],
            observations=[each.observation for each in steps],
            rewards=[each.reward for each in steps],
            task_beliefs=[point.memory.tasks for point in self.points] if table.agent.identifies else None,
            events=self.points[-1].memory.events,
        )

    @property
    def recording(self) -> Recording:
        """The game as an episode that can be written to a file."""
        table, choices = self.table, np.array([point.choices for point in self.points])
        follows = evidence_of(table.agent)
        return Recording(table.world, table.options, table.library, table.task, self.episode, choices, follows)


def _fits(table: Table, state: int, teammate_action: int) -> Floats | None:
    """How likely each task's teammates do this in this state; None where states differ or teammates are folded in."""
    X = len(table.played.pomdp.start)
    policies = [task.teammates for task in table.library if task.teammates is not None]
    if len(policies) < len(table.library) or any(policy.shape[0] != X for policy in policies):
        return None
    return np.array(
        [policy[state, teammate_action] if teammate_action < policy.shape[1] else 0.0 for policy in policies]
    )
