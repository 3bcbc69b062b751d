"""A log: episodes as rows of words, with empty words where something is not known; and its words as numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

import numpy as np

from walkon.arrays import Floats, Ints, Names
from walkon.errors import InputError
from walkon.tasks.learning.counts import Rows, Sizes
from walkon.tasks.task import Task

MOST_GUESSES = 1000  # among more names, looking for a similar one takes too long

Column: TypeAlias = tuple[str, ...]  # [N]; "" where it is not known
Row: TypeAlias = tuple[int, str, int, str, str, str, str, float]  # in the order of the fields of `Log`


@dataclass(frozen=True, eq=False)
class Log:
    """N rows in the order of their episodes and steps.

    A row describes one step of an episode: the state before it, the actions of the agent and of its teammates, the
    observation after it, and its reward. The last row of an episode may have only the state in which it ended.

    Attributes:
        source: Where the log comes from, for error messages.
        lines: The line of each row in its file.
        episodes: The episode of each row; the rows of one episode are consecutive.
        steps: The step; a gap means that the steps in between are missing.
        actions: The agent's action.
        observations: The observation after the action.
        states: The state before the action.
        teammates: The teammates' joint action.
        rewards: The reward; NaN where it is not known.
    """

    source: str
    lines: Ints  # [N]
    episodes: Column
    steps: Ints  # [N]
    actions: Column
    observations: Column
    states: Column
    teammates: Column
    rewards: Floats  # [N]

    @classmethod
    def of(cls, source: str, rows: Sequence[Row]) -> "Log":
        """Make a log of rows that are in the right order."""
        lines, episodes, steps, actions, observations, states, teammates, rewards = zip(*rows, strict=True)
        line, step = np.array(lines, np.int64), np.array(steps, np.int64)
        return cls(source, line, episodes, step, actions, observations, states, teammates, np.array(rewards))

    def __len__(self) -> int:
        return len(self.steps)

    def runs(self) -> list[range]:
        """Return the stretches of rows that follow one another without a gap."""
        runs, begin = [], 0
        for i in range(1, len(self) + 1):
            if i == len(self) or self.episodes[i] != self.episodes[i - 1] or self.steps[i] != self.steps[i - 1] + 1:
                runs.append(range(begin, i))
                begin = i
        return runs


@dataclass(frozen=True, eq=False)
class Words:
    """The names of all things, and the rows of the log in their numbers."""

    sizes: Sizes
    rows: Rows
    states: Names | None
    actions: Names | None
    observations: Names | None
    teammate_actions: Names | None  # None where the teammates are folded in

    def state(self, word: str) -> int:
        """Return the number of a state."""
        assert self.states is not None
        if word not in self.states:
            raise InputError(f"solved has {word!r}, which is not a state: {_few(self.states)}")
        return self.states.index(word)


def read_words(log: Log, base: Task | None, listed: dict[str, Sequence[Any] | None]) -> Words:
    """Turn the words of a log into numbers: the words of the base, those that are listed, or those that occur."""
    if base is None:
        columns = (log.states, log.actions, log.observations, log.teammates)
        states, actions, observations, teammates = (
            _names(name, given, words) for (name, given), words in zip(listed.items(), columns, strict=True)
        )
        for what, names in (("state", states), ("action", actions), ("observation", observations)):
            if not names:
                raise InputError(
                    f"{log.source} has no {what}: without a base task, a task can be learned only where it is known"
                )
        theirs: Names | None = teammates or None
        sizes = Sizes(len(states), len(actions), len(teammates) or 1, len(observations))
        rows = _rows(log, states, actions, observations, theirs)
        return Words(sizes, rows, states, actions, observations, theirs)
    if any(given is not None for given in listed.values()):
        raise InputError(f"{', '.join(listed)} are those of the base: leave them out")
    pomdp, team = base.pomdp, base.mmdp
    X, A = pomdp.R.shape
    sizes = Sizes(X, A, 1 if team is None else team.R.shape[2], pomdp.O[0].shape[1])
    theirs = None if team is None else team.teammate_actions or _numbers(sizes.B)
    known = (pomdp.states or _numbers(X), pomdp.actions or _numbers(A), pomdp.observations or _numbers(sizes.Z))
    return Words(sizes, _rows(log, *known, theirs), pomdp.states, pomdp.actions, pomdp.observations, theirs)


def _names(name: str, given: Sequence[Any] | None, words: Sequence[str]) -> Names:
    if given is None:
        return tuple(sorted(set(words) - {""}, key=_by_value))
    if isinstance(given, str):
        raise InputError(f"{name} is the string {given!r}, expected a list of names")
    return tuple(map(str, given))


def _by_value(word: str) -> tuple[bool, int, str]:
    """Order numbers by their value, then other words alphabetically."""
    is_whole = word.isascii() and word.isdigit() and len(word) < 19
    return not is_whole, int(word) if is_whole else 0, word


def _numbers(size: int) -> Names:
    return tuple(map(str, range(size)))


def _rows(log: Log, states: Names, actions: Names, observations: Names, teammate_actions: Names | None) -> Rows:
    folded = np.zeros(len(log), dtype=np.int64)
    return Rows(
        _column(log, "state", log.states, states),
        _column(log, "action", log.actions, actions),
        folded if teammate_actions is None else _column(log, "teammates", log.teammates, teammate_actions),
        _column(log, "observation", log.observations, observations),
    )


def _column(log: Log, what: str, words: Sequence[str], known: Names) -> Ints:
    """Return the numbers of a column; -1 where the cell is empty."""
    number = {word: i for i, word in enumerate(known)} | {"": -1}
    for line, word in zip(log.lines.tolist(), words, strict=True):
        if word not in number:
            close = get_close_matches(word, known, n=1) if len(known) <= MOST_GUESSES else []
            meant = f" (did you mean {close[0]!r}?)" if close else ""
            raise InputError(f"{log.source}, line {line}: {what} {word!r:.80} is not known{meant}: {_few(known)}")
    return np.array([number[word] for word in words], dtype=np.int64)


def _few(known: Names) -> str:
    return f"expected one of {', '.join(known[:8])}{', ...' if len(known) > 8 else ''}"
