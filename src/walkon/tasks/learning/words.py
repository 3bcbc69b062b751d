"""The words of a log as numbers: those of a base task, those that were listed, or those that occur."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from walkon.arrays import Ints, Names
from walkon.errors import InputError
from walkon.tasks.learning.counts import Rows, Sizes
from walkon.tasks.learning.log import Log
from walkon.tasks.task import Task

MOST_GUESSES = 1000  # among more names, looking for one that is alike takes too long


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
        """The number of a state."""
        assert self.states is not None
        if word not in self.states:
            raise InputError(f"solved has {word!r}, which is no state: {_few(self.states)}")
        return self.states.index(word)


def read_words(
    log: Log,
    base: Task | None,
    *,
    states: Sequence[Any] | None,
    actions: Sequence[Any] | None,
    observations: Sequence[Any] | None,
    teammate_actions: Sequence[Any] | None,
) -> Words:
    """Turn the words of a log into numbers. A word that is not known is told with its line."""
    if base is None:
        known = {
            "state": _listed("states", states, log.states),
            "action": _listed("actions", actions, log.actions),
            "observation": _listed("observations", observations, log.observations),
        }
        for what, words in known.items():
            if not words:
                raise InputError(
                    f"{log.source} has no {what}: without a base task, a task can be learned only where it is known"
                )
        joint: Names | None = _listed("teammate_actions", teammate_actions, log.teammates) or None
        return Words(
            Sizes(len(known["state"]), len(known["action"]), len(joint or " "), len(known["observation"])),
            _rows(log, known["state"], known["action"], known["observation"], joint),
            known["state"], known["action"], known["observation"], joint,
        )  # fmt: skip
    if any(given is not None for given in (states, actions, observations, teammate_actions)):
        raise InputError("states, actions, observations and teammate_actions are those of the base: leave them out")
    pomdp, team = base.pomdp, base.mmdp
    X, A = pomdp.R.shape
    B, Z = 1 if team is None else team.R.shape[2], pomdp.O[0].shape[1]
    theirs = None if team is None else team.teammate_actions or _numbers(B)
    named = (pomdp.states or _numbers(X), pomdp.actions or _numbers(A), pomdp.observations or _numbers(Z))
    return Words(Sizes(X, A, B, Z), _rows(log, *named, theirs), pomdp.states, pomdp.actions, pomdp.observations, theirs)


def _listed(name: str, given: Sequence[Any] | None, words: Sequence[str]) -> Names:
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
    return Rows(
        _column(log, "state", log.states, states),
        _column(log, "action", log.actions, actions),
        np.zeros(len(log), dtype=np.int64)
        if teammate_actions is None
        else _column(log, "teammates", log.teammates, teammate_actions),
        _column(log, "observation", log.observations, observations),
    )


def _column(log: Log, what: str, words: Sequence[str], known: Names) -> Ints:
    """The numbers of a column; -1 where the cell is empty."""
    number = {word: i for i, word in enumerate(known)} | {"": -1}
    for line, word in zip(log.lines.tolist(), words, strict=True):
        if word not in number:
            close = get_close_matches(word, known, n=1) if len(known) <= MOST_GUESSES else []
            meant = f" (did you mean {close[0]!r}?)" if close else ""
            raise InputError(f"{log.source}, line {line}: {what} {word!r:.80} is not known{meant}: {_few(known)}")
    return np.array([number[word] for word in words], dtype=np.int64)


def _few(known: Names) -> str:
    return f"expected one of {', '.join(known[:8])}{', ...' if len(known) > 8 else ''}"
