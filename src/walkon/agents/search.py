"""Search: plans for task and state together, by simulation, in worlds of any size.

The agent keeps the beliefs of any agent and plans from them at each step: what it may learn about task and state on
the way is part of the plan. Libraries with tables and those with compiled rules are searched by a compiled engine
(`walkon.agents.tree`), others by one in plain Python (`walkon.agents.planning`), a thousand times slower. Only that one
calls `advice`: the compiled engine has the `values` of the rules, whose best action is the advice (`walkon check`
compares them), or for tables those of the fast informed bounds (`walkon.solvers.upper_bounds`); where rules have none,
it tries random actions. Where rules say that little is seen for long, whole plans are compared
(`walkon.agents.scenarios`), and the memory holds what is left of the best. Nothing else is kept between steps: equal
memories give equal decisions, unless the budget is a time.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from walkon.agents.agent import BeliefAgent, Needs
from walkon.agents.array_belief import rows_of
from walkon.agents.effort import Effort, old_objects_aside
from walkon.agents.memory import Percept
from walkon.agents.planning import Plan, plan
from walkon.agents.scenario_kernels import NOTHING
from walkon.agents.scenarios import Intent, ScenarioSearch
from walkon.agents.tree import TreeSearch
from walkon.arrays import Floats, Ints
from walkon.checks import whole
from walkon.errors import InputError
from walkon.models.luck_kernels import fingerprint
from walkon.solvers.upper_bounds import FastInformedBound
from walkon.tasks import Task
from walkon.tasks.rule_task import RuleTask
from walkon.tasks.simulator import Simulator
from walkon.tasks.table_rules import table_rules
from walkon.tasks.table_simulator import simulator

COMPILED, PLAIN = 10_000, 300  # simulations, where their number is not given
PRECISION = 1e-3  # of the values of tables, relative
SHARED = ("tree", "scenarios", "simulators")  # what does not depend on the budget


@dataclass(frozen=True)
class Options:
    """The budget of each decision, and how it is spent."""

    simulations: int | None = None  # 10,000 if not given, and 300 with plain Python rules
    seconds: float | None = None  # in place of `simulations`
    depth: int = 30  # how many steps are looked ahead
    explore: float = 1.0  # how wide the confidence bounds are

    def __post_init__(self) -> None:
        if self.simulations is not None:
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
        luck, options = Random(f"{self.seed} {memory.step}"), self.options
        if self.tree is not None:
            if self.scenarios is not None:
                return self._intent(memory)[1]
            effort = Effort(options.simulations or COMPILED, options.seconds, options.depth, options.explore)
            return self.tree.grow(*self._particles(memory), effort, luck.getrandbits(64))
        budget, belief = self._until(perf_counter()), self._belief(memory)
        with old_objects_aside():
            return plan(self.simulators, belief, luck.random, depth=options.depth, explore=options.explore, **budget)

    def spending(self, simulations: int | None, seconds: float | None = None) -> "Search":
        """The same agent with another budget; what it has worked out of the tasks is kept."""
        other = replace(self, options=replace(self.options, simulations=simulations, seconds=seconds))
        vars(other).update({part: vars(self)[part] for part in SHARED if part in vars(self)})
        return other

    @cached_property
    def tree(self) -> TreeSearch | None:
        """The compiled engine; None where some task has plain Python rules only, or tasks discount differently."""
        if len({task.discount for task in self.library}) > 1:
            return None
        if self.library.tables:
            return TreeSearch(tuple(table_rules(task, _values(task)) for task in self.library))
        rules = tuple(task.compiled for task in self.library if isinstance(task, RuleTask))
        return None if None in rules else TreeSearch(rules)

    @cached_property
    def scenarios(self) -> ScenarioSearch | None:
        """The search for worlds in which little is seen for many steps."""
        if self.tree is None or not (self.tree.rules[0].repeats and self.tree.rules[0].values):
            return None
        return ScenarioSearch(self.tree.rules, max(task.horizon for task in self.library))

    def update(self, memory: Any, action: int, percept: Percept) -> Any:
        """The posterior after an action and an observation, and what is left of the intent."""
        after: Any = super().update(memory, action, percept)
        return after if self.scenarios is None else after._replace(intent=self._left_of_intent(memory, after))

    def _left_of_intent(self, memory: Any, after: Any) -> Intent | None:
        """What the agent still means to do after what it did and saw; None if it has to plan anew."""
        assert self.scenarios is not None
        intent, _ = self._intent(memory)
        if len(after.events) > len(memory.events) or not after.history or after.history[-1][0] != intent.action:
            return None
        z = after.history[-1][1].observation
        if z is None:
            return None
        row = rows_of(z, self.scenarios.rules[0].observation_size)[0]
        changed = _last_seen(memory) not in (NOTHING, _last_seen(after))
        return self.scenarios.goes_on(intent, row, changed, Random(f"{self.seed} {memory.step} guess").getrandbits(64))

    def _intent(self, memory: Any) -> tuple[Intent, Plan]:
        """What the agent means to do, and how it came to that; the last plan is kept, for the update that follows."""
        assert self.scenarios is not None
        if (intent := memory.intent) is not None:
            visits = [int(a == intent.action) for a in range(self.inference.A)]
            return intent, Plan((np.nan,) * len(visits), tuple(visits), 0, 0)
        kept = vars(self).get("kept")
        if kept is None or kept[0] is not memory:
            budget = self.options.simulations or COMPILED, self.options.seconds
            seed = Random(f"{self.seed} {memory.step}").getrandbits(62)
            kept = memory, self.scenarios.compare(self._particles(memory), *budget, _last_seen(memory), seed)
            vars(self)["kept"] = kept
        return kept[1]

    def _particles(self, memory: Any) -> tuple[Ints, Ints, Floats]:
        """The tasks, states and weights of all particles of a memory."""
        if self.library.tables:
            kept = [np.flatnonzero(belief) for belief in memory.states]
            rows = [rows_of(x, 1) for x in kept]
            weights = [belief[x] for belief, x in zip(memory.states, kept, strict=True)]
        else:
            assert self.tree is not None
            size = self.tree.rules[0].state_size
            rows = [
                rows_of(belief.rows if hasattr(belief, "rows") else belief.states, size) for belief in memory.beliefs
            ]
            weights = [belief.weights for belief in memory.beliefs]
        possible = [k for k, p in enumerate(memory.tasks) if p > 0]
        return (
            np.repeat(possible, [len(rows[k]) for k in possible]),
            np.concatenate([rows[k] for k in possible]),
            np.concatenate([memory.tasks[k] * weights[k] for k in possible]),
        )

    @cached_property
    def simulators(self) -> tuple[Simulator, ...]:
        """The tasks, [K]."""
        return tuple(simulator(task) for task in self.library)

    def _until(self, began: float) -> dict[str, Any]:
        """Whether a search goes on after so many simulations, of which at least one is made, and whether it is late."""
        seconds, most = self.options.seconds, self.options.simulations or PLAIN
        if seconds is None:
            return {"more": lambda done: done < most}
        end = began + seconds
        return {"more": lambda done: done == 0 or perf_counter() < end, "late": lambda: perf_counter() >= end}

    def _belief(self, memory: Any) -> list[tuple[int, Any, float]]:
        """The tasks and states that a memory holds possible, with their weights."""
        if not self.library.tables:
            each = [belief.probabilities for belief in memory.beliefs]
        else:
            each = [{x: b[x] for x in np.flatnonzero(b).tolist()} for b in memory.states]
        tasks = memory.tasks.tolist()
        return [(k, x, tasks[k] * w) for k, states in enumerate(each) if tasks[k] > 0 for x, w in states.items()]


def _values(task: Task) -> Floats:
    """The fast informed bound of each state and action, [X, A]: the next observation is used, then all is known."""
    return FastInformedBound(epsilon=PRECISION).solve(task.pomdp).policy.columns


def _last_seen(memory: Any) -> int:
    """The fingerprint of the last observation."""
    seen = memory.history[-1][1].observation if memory.history else None
    if seen is None:
        return NOTHING
    row = rows_of(seen, np.size(seen))[0]
    return int(fingerprint(row, len(row)))
