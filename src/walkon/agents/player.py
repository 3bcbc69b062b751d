"""Any function as the ad hoc agent.

It is asked once for each step and answers with an action, by its number or its name, or with a probability for each.
What it may look at:

    of="history"    everything that happened: policy(history), a tuple of Event(action, observation), oldest first
    of="last"       what was read last: policy(observation), None before the first observation
    own=...         what was read last, and a state of its own: policy(observation, own) -> (choice, own)

A function is a rule, so it must not change anything that it keeps: what it wants to remember it hands over as `own`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from walkon.agents.origin import REMEDY
from walkon.agents.percept import Percept, Sense
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.policies.choice import chosen
from walkon.tasks import TaskLibrary

Looks: TypeAlias = Literal["history", "last", "own"]


class Event(NamedTuple):
    """One step of a history."""

    action: int | None  # the one that was executed; None for a state that is seen before the first
    observation: Any  # None where nothing was read


class PlayerMemory(NamedTuple):
    """What a player remembers: what it is about to do, and what its policy handed over."""

    choice: Floats  # [A]
    kept: Any  # the history, or a state of its own
    of: "tuple[Callable[..., Any], Looks]"  # who said so, and what it looks at
    step: int = 0
    tasks: Floats = np.zeros(0)  # it has no belief over tasks
    states: tuple[Floats, ...] = ()
    events: tuple[Any, ...] = ()


@dataclass(frozen=True, eq=False)
class Player:
    """An agent that does what a function says."""

    library: TaskLibrary
    policy: Callable[..., Any]
    looks: Looks
    first: Any  # the state of its own before the first step
    numbers: bool
    sees: Sense
    name: str

    identifies: ClassVar[bool] = False

    @property
    def senses(self) -> frozenset[Sense]:
        """What it is given at each step."""
        return frozenset({self.sees})

    def start(self, percept: Percept | None = None) -> PlayerMemory:
        """What it does first. A percept holds the first state where that is seen."""
        kept = () if self.looks == "history" else self.first
        return self._after(kept, None, percept or Percept(), 0)

    def act(self, memory: PlayerMemory) -> Floats:
        """What the policy said."""
        self._check(memory)
        return memory.choice

    def update(self, memory: PlayerMemory, action: int, percept: Percept) -> PlayerMemory:
        """What it does next."""
        self._check(memory)
        return self._after(memory.kept, action, percept, memory.step + 1)

    def _after(self, kept: Any, action: int | None, percept: Percept, step: int) -> PlayerMemory:
        """Ask the policy."""
        seen: Any = percept.observation if self.sees == "observation" else percept.state
        nothing = seen is None
        if self.numbers:
            seen = self.library.observation_numbers(seen)
        if self.looks == "history":
            kept = kept if action is None and nothing else (*kept, Event(action, seen))
            said = self.policy(kept)
        elif self.looks == "last":
            said = self.policy(seen)
        else:
            said, kept = _pair(self.policy(seen, kept), self.name)
        choice = chosen(said, len(self.library[0].pomdp.P), self.library.actions, self.name)
        return PlayerMemory(choice, kept, (self.policy, self.looks), step)

    def _check(self, memory: Any) -> None:
        """Refuse a memory of something else."""
        if not isinstance(memory, PlayerMemory):
            raise InputError(f"this is a {type(memory).__name__}, expected a memory of {self.name}: {REMEDY}")
        if memory.of != (self.policy, self.looks) or len(memory.choice) != len(self.library[0].pomdp.P):
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
    """Any function as an agent, for `walkon.play` and everything else that takes one.

    Args:
        policy: The function, see `walkon.agents.player` for what it is given.
        library: Whose actions and observations it knows.
        of: Whether it looks at the "history" or at the "last" reading alone.
        own: The first state of its own; if given, it is asked policy(observation, own) and answers (choice, own).
        numbers: Hand it the numbers of an observation, as `walkon.envs.AdHocEnv` does, in place of its index.
        sees: What it senses: the "observation", or the "state" itself.
        name: What it is called.
    """
    if not callable(policy):
        raise InputError(f"policy is {policy!r:.80}, expected a function")
    if of not in ("history", "last"):
        raise InputError(f'of is {of!r}, expected "history" or "last"')
    if sees not in ("observation", "state"):
        raise InputError(f'sees is {sees!r}, expected "observation" or "state"')
    if numbers and sees == "state":
        raise InputError("numbers are those of an observation: leave them out where the state is seen")
    keeps = own is not _NOTHING
    return Player(library, policy, "own" if keeps else of, own if keeps else None, numbers, sees, name)


def _pair(said: Any, name: str) -> tuple[Any, Any]:
    if not isinstance(said, tuple) or len(said) != 2:
        raise InputError(f"{name} says {said!r:.80}, expected a pair: what it does, and the next state of its own")
    return said
