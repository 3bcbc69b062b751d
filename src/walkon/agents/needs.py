"""The problems that have to be solved before an agent can play. Agents declare them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP
from walkon.solvers.defaults import Effort, Kind, default_perseus, default_solver
from walkon.solvers.solve import Solver
from walkon.tasks import TaskLibrary
from walkon.tasks.union import Union

Scope: TypeAlias = Literal["each task", "the told task", "all at once"]


@dataclass(frozen=True)
class Needs:
    """Which problems an agent has policies for.

    Attributes:
        model: Whether they are the tasks' POMDPs or MDPs; empty if the agent has no policies. Where the state is
            observed, a task's MDP takes the place of its POMDP.
        scope: One policy for each task; one for the task that the agent is told; or one for the union of all tasks.
        perseus: Whether Perseus solves them where no solver is named.
    """

    model: Literal["", "mdp", "pomdp"] = "pomdp"
    scope: Scope = "each task"
    perseus: bool = False

    @property
    def informed(self) -> bool:
        """Whether the agent is told the task."""
        return self.scope == "the told task"

    def kind(self, observed: bool = False) -> Kind | None:
        """The kind of the problems, in a library whose states are observed or not; None where there are none."""
        if not self.model:
            return None
        if self.scope == "all at once":
            return "union"
        return "mdp" if observed else self.model

    def places(self, K: int, target: int | None = None) -> tuple[int | None, ...]:
        """The tasks of a library of K whose problems are solved; None stands for the union of all."""
        if not self.model:
            return ()
        if self.scope == "all at once":
            return (None,)
        return (target,) if self.informed else tuple(range(K))

    def problems(self, library: TaskLibrary, prior: Any = None, target: int | None = None) -> tuple[MDP, ...]:
        """The problems for a library, a prior over its tasks [K] (uniform if not given) and a told task."""
        kind = self.kind(library.observed)
        return tuple(problem_of(library, place, kind, prior) for place in self.places(len(library), target))

    def solver(self, problems: Sequence[MDP], solver: Solver | None = None, effort: Effort = "usual") -> Solver:
        """The solver for these problems: for POMDPs the one that was named, else the default."""
        observed = not isinstance(problems[0], POMDP)
        if solver is not None and not observed:
            return solver
        if self.perseus and not observed:
            return default_perseus(effort)
        return default_solver(self.kind(observed) or "mdp", max(len(each.start) for each in problems), effort)


def problem_of(library: TaskLibrary, place: int | None, kind: Kind | None = "pomdp", prior: Any = None) -> MDP:
    """One task of a library as a problem of a kind; the union of all where the place is None."""
    if place is None:
        K = len(library)
        return Union.of(library, np.full(K, 1 / K) if prior is None else prior).pomdp
    return library[place].mdp if kind == "mdp" else library[place].pomdp
