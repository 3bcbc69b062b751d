"""Search: plans for task and state together, by simulation, in worlds of any size.

The agent keeps the beliefs of any agent and plans from them at each step (`walkon.agents.planning`): what it may learn
about task and state on the way is part of the plan. It solves nothing beforehand. It plays libraries without tables by
calling their rules, and libraries with tables by their matrices. Nothing is kept between steps: equal memories give
equal decisions, unless the budget is a time.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from walkon.agents.agent import BeliefAgent, Needs
from walkon.agents.planning import Plan, plan
from walkon.arrays import Floats
from walkon.checks import whole
from walkon.errors import InputError
from walkon.tasks.simulator import Simulator
from walkon.tasks.table_simulator import simulator


@dataclass(frozen=True)
class Options:
    """The budget of each decision, and how it is spent."""

    simulations: int = 1000
    seconds: float | None = None  # in place of `simulations`
    depth: int = 30  # how many steps are looked ahead
    explore: float = 0.5  # how wide the confidence bounds are

    def __post_init__(self) -> None:
        whole("simulations", self.simulations, 1, None)
        whole("depth", self.depth, 1, None)
        for word in ("seconds", "explore"):
            value = getattr(self, word)
            if value is not None and not (isinstance(value, int | float | np.number) and 0 < value < np.inf):
                raise InputError(f"{word} is {value!r:.60}, expected a positive number")


USUAL = Options()


@dataclass(frozen=True, eq=False, repr=False)
class Search(BeliefAgent):
    """Plans at each step by simulating what may happen. Its seed decides what it tries."""

    inference: Any = None  # an Inference, or a Tracking where the library has no tables
    options: Options = USUAL

    name: ClassVar[str] = "search"
    title: ClassVar[str] = "Search"
    summary: ClassVar[str] = "Plans at each step by simulating what may happen, in worlds of any size."
    needs: ClassVar[Needs] = Needs("")
    plays_rules: ClassVar[bool] = True
    Options: ClassVar[type[Any]] = Options

    def act(self, memory: Any) -> Floats:
        """The action that was tried most in the search, with certainty, [A]."""
        self.inference.origin.check(memory)
        return self.decide(memory)

    def decide(self, memory: Any) -> Floats:
        """The action that was tried most in the search, with certainty, [A]."""
        return np.eye(1, self.inference.A, self.plan(memory).action).ravel()

    def plan(self, memory: Any) -> Plan:
        """Search from the beliefs of a memory."""
        more = self._until(perf_counter())
        luck = Random(f"{self.seed} {memory.step}").random
        belief = self._belief(memory)
        return plan(self.simulators, belief, luck, depth=self.options.depth, explore=self.options.explore, more=more)

    @cached_property
    def simulators(self) -> tuple[Simulator, ...]:
        """The tasks, [K]."""
        return tuple(simulator(task) for task in self.library)

    def _until(self, began: float) -> Callable[[int], bool]:
        """Whether a search goes on after so many simulations; at least one is made."""
        seconds, most = self.options.seconds, self.options.simulations
        if seconds is None:
            return lambda done: done < most
        return lambda done: done == 0 or perf_counter() < began + seconds

    def _belief(self, memory: Any) -> list[tuple[int, Any, float]]:
        """The tasks and states that a memory holds possible, with their weights."""
        if not self.library.tables:
            each = [belief.probabilities for belief in memory.beliefs]
        else:
            each = [{x: b[x] for x in np.flatnonzero(b).tolist()} for b in memory.states]
        tasks = memory.tasks.tolist()
        return [(k, x, tasks[k] * w) for k, states in enumerate(each) if tasks[k] > 0 for x, w in states.items()]
