"""Plays a recorded log through an agent, step by step: what it would have believed, and what it would have done.

Before each step the agent says how it would act. Then it is given the action that was taken, whoever took it, and what
it senses of what followed. An agent with beliefs predicts the observation: task k by f_k(z), and all tasks together by

    q(z) = sum_k p(k) f_k(z),

so that its surprise is -log2 q(z) bits, and the entropy of q is expected. Only the inference of an agent can be
replayed: had it acted in another way than whoever did, other observations would have followed.
"""

import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.agent import Agent, BeliefAgent, check_agent
from walkon.agents.alarm import WithAlarm
from walkon.agents.memory import Percept, UnexplainedWarning
from walkon.arrays import Bools, Floats, Ints, Names
from walkon.checks import index_of
from walkon.errors import InputError
from walkon.formats.log_file import Frame, read_log
from walkon.tasks import TaskLibrary, joint_actions
from walkon.tasks.learning.log import Log

UNKNOWN = -1


class Replayed(NamedTuple):
    """One step of a log, as an agent would have lived through it."""

    row: int  # of the log
    truth: int | None  # the task that the log says was going on
    action: int  # the one that was taken
    observation: int | None  # None where none was made
    choices: Floats  # [A], what the agent would have done
    before: Any  # its memory before the step
    after: Any  # and after it
    tasks: Floats | None  # [K], the belief over tasks that its prediction is made with; None without beliefs
    forecasts: Floats | None  # [K, Z], the probability of each observation under each task; None without beliefs

    @property
    def prediction(self) -> Floats | None:
        """The agent's own probability of each observation, [Z]."""
        return None if self.tasks is None or self.forecasts is None else self.tasks @ self.forecasts


@dataclass(frozen=True, eq=False)
class Replay:
    """A log that was played through an agent, in N steps."""

    agent: str
    task_names: Names  # [K]
    action_names: Names  # [A]
    observation_names: Names  # [Z]
    episodes: Names  # [N]
    steps: Ints  # [N], as the log numbers them
    truths: Ints  # [N], the task that the log says was going on; -1 where it does not say
    actions: Ints  # [N], those that were taken
    observations: Ints  # [N]; -1 where none was made
    choices: Floats  # [N, A], what the agent would have done
    beliefs: Floats | None  # [N, K], over tasks after each step; None for an agent without one
    surprises: Floats  # [N], in bits; NaN where nothing was predicted or observed
    expected_surprises: Floats  # [N], in bits, likewise
    alarms: Bools | None  # [N], whether the alarm was raised by then; None without one
    unexplained: Bools  # [N], whether no task allows the observation

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def best(self) -> Ints:
        """The action that the agent would most likely have taken, [N]."""
        best: Ints = self.choices.argmax(axis=1)
        return best

    def rows(self) -> list[dict[str, Any]]:
        """Return each step with names, for tables and files; None where something is not known."""
        found = []
        for i, (a, z, best) in enumerate(zip(self.actions, self.observations, self.best, strict=True)):
            row = {
                "episode": self.episodes[i],
                "step": int(self.steps[i]),
                "task": None if self.truths[i] == UNKNOWN else self.task_names[self.truths[i]],
                "action": self.action_names[a],
                "probability": float(self.choices[i, a]),
                "would": self.action_names[best],
                "would_probability": float(self.choices[i, best]),
                "observation": None if z == UNKNOWN else self.observation_names[z],
                "surprise": _plain(self.surprises[i]),
                "expected_surprise": _plain(self.expected_surprises[i]),
                "unexplained": bool(self.unexplained[i]),
            }
            if self.alarms is not None:
                row["alarm"] = bool(self.alarms[i])
            if self.beliefs is not None:
                row |= {f"p{k}": float(p) for k, p in enumerate(self.beliefs[i])}
            found.append(row)
        return found


def replay(log: Log | str | os.PathLike[str] | Frame, agent: Agent[Any]) -> Replay:
    """Play a recorded log through an agent.

    Args:
        log: A log, or the CSV file or frame that `walkon.read_log` reads. Actions and observations may be given by
            their names or numbers. A column `task` may say which task was going on, by its name or number.
        agent: The agent. Each episode begins with `agent.start()`.
    """
    known, library, alarmed = as_log(log), agent.library, isinstance(agent, WithAlarm)
    kept = [  # without the memories, which are large
        (
            step.row,
            UNKNOWN if step.truth is None else step.truth,
            step.action,
            UNKNOWN if step.observation is None else step.observation,
            step.choices,
            step.after.tasks if agent.identifies else None,
            *_surprise(step),
            alarmed and step.after.suspicion.alarm is not None,
            len(step.after.events) > len(step.before.events),
        )
        for step in follow(known, agent)
    ]
    rows, truths, actions, observations, choices, beliefs, bits, expected, alarms, unexplained = zip(*kept, strict=True)
    return Replay(
        agent=agent.name,
        task_names=library.names,
        action_names=library.actions or _numbers(len(choices[0])),
        observation_names=library.observations or _numbers(library[0].pomdp.O[0].shape[1]),
        episodes=tuple(known.episodes[i] for i in rows),
        steps=known.steps[np.array(rows)],
        truths=np.array(truths),
        actions=np.array(actions),
        observations=np.array(observations),
        choices=np.array(choices),
        beliefs=np.array(beliefs) if agent.identifies else None,
        surprises=np.array(bits),
        expected_surprises=np.array(expected),
        alarms=np.array(alarms) if alarmed else None,
        unexplained=np.array(unexplained),
    )


def as_log(log: Log | str | os.PathLike[str] | Frame) -> Log:
    """Return a log that is given as such, or as a file or frame."""
    return log if isinstance(log, Log) else read_log(log)


def follow(log: Log, agent: Agent[Any]) -> Iterator[Replayed]:
    """Play a log through an agent, and yield each of its steps."""
    check_agent(agent)
    believer = agent.agent if isinstance(agent, WithAlarm) else agent
    words = Words(log, agent.library)
    memory: Any = None
    some = False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnexplainedWarning)  # each step says whether it was explained
        for i in range(len(log)):
            if i == 0 or log.episodes[i] != log.episodes[i - 1]:
                memory = agent.start(_first(words, agent, i))
            elif not log.actions[i - 1] or log.steps[i] != log.steps[i - 1] + 1:
                raise words.error(i, f"follows step {log.steps[i - 1]}: give an action for every step in between")
            if not log.actions[i]:
                continue  # the state in which an episode ended
            some = True
            action, percept = words.action(i), _percept(words, agent, i)
            choices, before, tasks, forecasts = agent.act(memory), memory, None, None
            if isinstance(believer, BeliefAgent):
                expecting = believer.inference.switch_task(memory)
                tasks, forecasts = expecting.tasks, believer.inference.forecast(expecting, action)[:, 0]
            if percept is not None:
                memory = agent.update(memory, action, percept)
            yield Replayed(i, words.task(i), action, words.observation(i), choices, before, memory, tasks, forecasts)
    if not some:
        raise InputError(f"{log.source} has no actions: there is nothing to replay")


class Words:
    """The words of a log as numbers: each is a name or, if there is no such name, a number."""

    def __init__(self, log: Log, library: TaskLibrary) -> None:
        """Look the names up once."""
        pomdp = library[0].pomdp
        self.log, self.library = log, library
        self.sizes = {"action": len(pomdp.P), "observation": pomdp.O[0].shape[1], "task": len(library)}
        self.names = {"action": library.actions, "observation": library.observations, "task": library.names}
        self.sizes["state"] = max(len(task.start) for task in library)
        self.names["state"] = library[0].states if library.shared else None
        self.sizes["teammates"] = max(joint_actions.count(task) for task in library)
        self.names["teammates"] = joint_actions.names(library[0])

    def error(self, row: int, problem: str) -> InputError:
        """An error that names the line."""
        log = self.log
        where = f"{log.source}, line {log.lines[row]}: step {log.steps[row]} of episode {log.episodes[row]}"
        return InputError(f"{where} {problem}")

    def action(self, row: int) -> int:
        """The action of a row."""
        return self._number(row, "action", self.log.actions)

    def observation(self, row: int) -> int | None:
        """The observation of a row; None where there is none."""
        return self._number(row, "observation", self.log.observations) if self.log.observations[row] else None

    def task(self, row: int) -> int | None:
        """The task that is going on; None where the log does not say, or the agent knows only the one it was told."""
        if not self.log.tasks or not self.log.tasks[row] or len(self.library) == 1:
            return None
        return self._number(row, "task", self.log.tasks)

    def state(self, row: int) -> int | None:
        """The state before the step of a row; None where it is not known."""
        return self._number(row, "state", self.log.states) if self.log.states[row] else None

    def state_after(self, row: int) -> int | None:
        """The state after it: that before the next step, or the observation where the state is observed."""
        if self.library.observed and self.log.observations[row]:
            return self.observation(row)
        last = row + 1 == len(self.log) or self.log.episodes[row + 1] != self.log.episodes[row]
        return None if last else self.state(row + 1)

    def teammates(self, row: int) -> int | None:
        """The teammates' joint action; None where it is not known."""
        return self._number(row, "teammates", self.log.teammates) if self.log.teammates[row] else None

    def _number(self, row: int, what: str, column: Sequence[str]) -> int:
        word, size, names = column[row], self.sizes[what], self.names[what]
        numeric = word not in (names or ()) and word.isascii() and word.isdigit() and len(word) < 19
        try:
            return index_of(what, int(word) if numeric else word, size, names)
        except InputError as cause:
            raise InputError(f"{self.log.source}, line {self.log.lines[row]}: {cause}") from None


def _first(words: Words, agent: Agent[Any], row: int) -> Percept | None:
    """What the agent senses before the first action of an episode."""
    if "state" not in agent.senses and not words.library.observed:
        return None
    state = words.state(row)
    if state is None and "state" in agent.senses:
        raise words.error(row, f"has no state, which {agent.name} senses: add a column `state`, or take another agent")
    return None if state is None else Percept(state=state)


def _percept(words: Words, agent: Agent[Any], row: int) -> Percept | None:
    """What the agent senses after a step; None where the log ends before the state that it would sense."""
    state = teammates = observation = None
    if "state" in agent.senses:
        state = words.state_after(row)
        if state is None:
            last = row + 1 == len(words.log) or words.log.episodes[row + 1] != words.log.episodes[row]
            if last:
                return None
            raise words.error(row, f"is followed by an unknown state, which {agent.name} senses: fill `state` in")
    if "teammates" in agent.senses:
        teammates = words.teammates(row)
        if teammates is None:
            raise words.error(row, f"lacks the teammates' action, which {agent.name} senses: add a column `teammates`")
    if "observation" in agent.senses:
        observation = words.observation(row)
    return Percept(observation=observation, state=state, teammates=teammates)


def _surprise(step: Replayed) -> tuple[float, float]:
    """The surprise of a step and its expectation, in bits."""
    q = step.prediction
    if q is None or step.observation is None:
        return np.nan, np.nan
    some = q[q > 0]
    bits = -np.log2(q[step.observation]) if q[step.observation] > 0 else np.inf
    return float(bits), float(-some @ np.log2(some))


def _plain(number: float) -> float | None:
    return None if np.isnan(number) else float(number)


def _numbers(size: int) -> Names:
    return tuple(map(str, range(size)))
