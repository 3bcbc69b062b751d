"""A log: what happened in some episodes, as words; where something is not known, nothing stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from walkon.arrays import Floats, Ints

Words: TypeAlias = tuple[str, ...]  # [N]; "" where it is not known


@dataclass(frozen=True, eq=False)
class Log:
    """N rows in the order of their episodes and steps.

    Row t of an episode tells of one step: the state in which it began, what the agent and its teammates did in it,
    what was read after it, and what it paid. A last row may have nothing but the state in which the episode ended.

    Attributes:
        source: Where it is from, to be named in messages.
        lines: The line of each row in its file.
        episodes: The episode of each row; rows of one stand together.
        steps: The step; a gap means that steps in between are missing.
        actions: The agent's action.
        observations: What it read after it.
        states: The state in which the step began.
        teammates: The teammates' joint action.
        rewards: What the step paid; not a number where it is not known.
    """

    source: str
    lines: Ints  # [N]
    episodes: Words
    steps: Ints  # [N]
    actions: Words
    observations: Words
    states: Words
    teammates: Words
    rewards: Floats  # [N]

    def __len__(self) -> int:
        return len(self.steps)

    def runs(self) -> list[range]:
        """The rows that follow one another without a gap."""
        runs, begin = [], 0
        for i in range(1, len(self) + 1):
            if i == len(self) or self.episodes[i] != self.episodes[i - 1] or self.steps[i] != self.steps[i - 1] + 1:
                runs.append(range(begin, i))
                begin = i
        return runs


def vocabulary(words: Sequence[str]) -> list[str]:
    """All different words, numbers by their value and other words by the alphabet."""
    return sorted(set(words) - {""}, key=lambda word: (not _is_whole(word), int(word) if _is_whole(word) else 0, word))


def _is_whole(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 19
