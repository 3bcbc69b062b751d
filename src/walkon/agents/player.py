"""Any function as the ad hoc agent.

The function is called once for each step and returns an action, by its number or its name, or a probability for each.
Its arguments:

    of="history"    everything that happened: policy(history), a tuple of Event(action, observation), oldest first
    of="last"       the last observation: policy(observation), None before the first observation
    own=...         the last observation, and a state of its own: policy(observation, own) -> (choice, own)

The function must not keep a state between calls: it returns what it wants to remember as `own`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from walkon.agents.memory import REMEDY, Percept, Sense
from walkon.agents.naming import first_percept, numbered
from walkon.arrays import Floats
from walkon.checks import one_of
from walkon.errors import InputError
from walkon.policies.choice import as_distribution
from walkon.saying import briefly
from walkon.tasks import TaskLibrary
from walkon.tasks.given import check_library

Looks: TypeAlias = Literal["history", "last", "own"]


class Event(NamedTuple):
    """One step of a history."""

    action: int | None  # the one that was executed; None for a state that is seen before the first
    observation: Any  # None where there was none


class PlayerMemory(NamedTuple):
    """A player's memory: its next choice, and what its policy returned to be kept."""

    choice: Floats  # [A]
    kept: Any  # the history, or a state of its own
    of: "tuple[Callable[..., Any], Looks]"  # the policy, and its kind of argument
    step: int = 0
    tasks: Floats = np.zeros(0)  # it has no belief over tasks
    states: tuple[Floats, ...] = ()
    events: tuple[Any, ...] = ()


@dataclass(frozen=True, eq=False)
class Player:
    """An agent whose policy is a function."""

    library: TaskLibrary
    policy: Callable[..., Any]
    looks: Looks
    first: Any  # its own state before the first step
    numbers: bool
    sees: Sense
    name: str

    identifies: ClassVar[bool] = False

    def __repr__(self) -> str:
        return f"Player({self.name} for {self.library!r:.200})"

    @property
    def senses(self) -> frozenset[Sense]:
        """The fields of a percept that it is given."""
        return frozenset({self.sees})

    def start(self, percept: Percept | None = None) -> PlayerMemory:
        """The memory before the first action; a percept holds the first state for a player that sees it."""
        kept = () if self.looks == "history" else self.first
        first = Percept() if percept is None else first_percept(self.library, percept, self.senses)
        return self._after(kept, None, first, 0)

    def act(self, memory: PlayerMemory) -> Floats:
        """The policy's choice, [A]."""
        self._check(memory)
        return memory.choice

    def update(self, memory: PlayerMemory, action: int, percept: Percept) -> PlayerMemory:
        """The memory with the policy's next choice."""
        self._check(memory)
        action, percept = numbered(self.library, action, percept, self.senses)
        return self._after(memory.kept, action, percept, memory.step + 1)

    def _after(self, kept: Any, action: int | None, percept: Percept, step: int) -> PlayerMemory:
        """Call the policy."""
        sensed: Any = percept.observation if self.sees == "observation" else percept.state
        seen = self.library.observation_numbers(sensed) if self.numbers else sensed
        if self.looks == "history":
            kept = kept if action is None and sensed is None else (*kept, Event(action, seen))
            said = self.policy(kept)
        elif self.looks == "last":
            said = self.policy(seen)
        else:
            pair = self.policy(seen, kept)
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise InputError(
                    f"{self.name} returns {pair!r:.80}, expected a pair: its choice, and its next own state"
                )
            said, kept = pair
        choice = as_distribution(said, self.library.action_count, self.library.actions, self.name)
        return PlayerMemory(choice, kept, (self.policy, self.looks), step)

    def _check(self, memory: Any) -> None:
        """Refuse a memory of another agent."""
        if not isinstance(memory, PlayerMemory):
            raise InputError(f"this is {briefly(memory)}, expected a memory of {self.name}: {REMEDY}")
        if memory.of != (self.policy, self.looks) or len(memory.choice) != self.library.action_count:
            raise InputError(f"this is a memory of another player than {self.name}: {REMEDY}")


_NOTHING = object()


def player(
    policy: Callable[..., Any],
    library: TaskLibrary,
    *,
    of: Literal["history", "last"] = "history",
    own: Any = _NOTHING,
    numbers: bool = False,
    sees: Literal["observation", "state"] = "observation",
    name: str = "player",
) -> Player:
    """Make an agent of a function, for `walkon.play` and everything else that takes one.

    Args:
        policy: The function; `walkon.agents.player` describes its arguments.
        library: The tasks whose actions and observations it uses.
        of: Whether it is called with the "history" or with the "last" observation alone.
        own: Its own first state; if given, the function is called as policy(observation, own) -> (choice, own).
        numbers: Pass the numbers of an observation, as `walkon.envs.AdHocEnv` does, in place of its index.
        sees: What it senses: the "observation", or the "state" itself.
        name: The agent's name.
    """
    if not callable(policy):
        raise InputError(f"policy is {policy!r:.80}, expected a function: walkon.player(function, library)")
    check_library(library)
    one_of("of", of, choices=("history", "last"))
    one_of("sees", sees, choices=("observation", "state"))
    if numbers and sees == "state":
        raise InputError("numbers are those of an observation: leave them out where the state is seen")
    keeps = own is not _NOTHING
    return Player(library, policy, "own" if keeps else of, own if keeps else None, numbers, sees, name)
