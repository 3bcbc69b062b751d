"""A task: a team's problem, how the teammates act in it, and what the ad hoc agent senses.

The paper's pair (MMDP m_k, teammates' policy pi_k), with the sensor {O_k,a}. Folding the policy in gives the POMDP
that the ad hoc agent would face if it knew that this is the task. A simulator asks the task one step at a time: the
teammates' joint action is drawn from `teammates`, the next state from `outcomes`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, TypedDict, Unpack

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, eye_array

from walkon.arrays import Floats, Ints, Names
from walkon.errors import InputError
from walkon.models.content import content_hash
from walkon.models.distributions import stochastic
from walkon.models.mdp import MDP
from walkon.models.mmdp import MMDP, NO_CHOICE
from walkon.models.outcomes import Outcomes, row
from walkon.models.pomdp import POMDP
from walkon.models.rules import Rules
from walkon.models.tabulate import tabulate
from walkon.tasks.team import Folded, Team
from walkon.tasks.view import View

Bools: TypeAlias = npt.NDArray[np.bool_]
Score: TypeAlias = Literal["steps", "soups"]


class Facts(TypedDict, total=False):
    """What else there is to know about a task; each may be left out.

    Attributes:
        horizon: How many steps an episode has.
        score: What is counted: the steps until it is solved, or the soups delivered.
        deliveries: Whether a joint action delivers a soup [X, A, B].
        state_numbers: The tuple behind each state [X, numbers]; its index if not given.
        observation_numbers: The tuple behind each observation [Z, numbers], likewise.
        view: How it is drawn.
    """

    horizon: int
    score: Score
    deliveries: Any
    state_numbers: Any
    observation_numbers: Any
    view: View


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Task:
    """One task that the ad hoc agent may find itself in.

    >>> swap, keep = [[0, 1], [1, 0]], [[1, 0], [0, 1]]
    >>> lever = MMDP(P=[[keep, swap], [swap, keep]], R=np.zeros((2, 2, 2)))
    >>> task = Task(lever, teammates=[[1, 0], [0, 1]], sensor=[keep, keep], start=[1, 0], name="lever")
    >>> task
    Task("lever": 2 states, 2 actions, 2 observations)
    >>> task.outcomes(x=0, a=1, b=0).indices
    array([1])
    """

    pomdp: POMDP
    teammates: csr_array | None  # [X, B]; None where they are folded in already
    solved: Bools | None  # [X]; None where the task has no end
    team: Team  # what a joint action does
    name: str
    horizon: int  # how many steps an episode has
    score: Score  # what is counted: the steps until it is solved, or the soups delivered
    deliveries: Bools | None  # [X, A, B]: whether a joint action delivers a soup
    state_numbers: Ints  # [X, numbers]: the tuple behind each state
    observation_numbers: Ints  # [Z, numbers]: the tuple behind each observation
    view: View | None  # how it is drawn

    def __init__(
        self,
        mmdp: MMDP,
        teammates: Any,
        sensor: Any,
        start: Any = None,
        solved: Any = None,
        name: str = "task",
        *,
        observations: Sequence[Any] | None = None,
        **facts: Unpack[Facts],
    ) -> None:
        """Fold the teammates in, and check that everything fits.

        Args:
            mmdp: The team's problem.
            teammates: Their joint policy [X, B], a distribution over B in each state.
            sensor: One matrix [X, Z] per action of the ad hoc agent.
            start: The distribution of the first state [X]; uniform if not given.
            solved: The states in which the task is solved [X]; none if not given.
            name: What it is called.
            observations: Names of the observations.
            **facts: What else there is to know, see `Facts`.
        """
        X, _, B = mmdp.R.shape
        policy = stochastic("teammates", teammates, (X, B), mmdp.states, NO_CHOICE)
        pomdp = mmdp.pomdp(policy, sensor, start, observations=observations)
        self._keep(pomdp, policy, solved, mmdp, name, **facts)
        self.__dict__["mmdp"] = mmdp

    @classmethod
    def from_pomdp(cls, pomdp: POMDP, solved: Any = None, name: str = "task", **facts: Unpack[Facts]) -> "Task":
        """A task whose teammates are folded in already: no agent can watch their actions.

        Args:
            pomdp: The problem that the ad hoc agent faces.
            solved: The states in which the task is solved [X]; none if not given.
            name: What it is called.
            **facts: What else there is to know, see `Facts`.
        """
        task = cls.__new__(cls)
        task._keep(pomdp, None, solved, Folded(pomdp), name, **facts)
        return task

    @classmethod
    def from_rules(
        cls,
        rules: Rules[Any, Any, Any],
        teammates: Callable[[Any], Iterable[tuple[Any, float]]],
        sensor: Any,
        start: Any,
        solved: Any,
        name: str,
        *,
        mmdp: MMDP | None = None,
        mdp: MDP | None = None,
        observations: Sequence[Any] | None = None,
        **facts: Unpack[Facts],
    ) -> "Task":
        """A task from its rules: only the folded matrices are made; those of each joint action when asked for.

        Args:
            rules: The team's problem.
            teammates: The joint actions that they may take in a state, with their probabilities.
            sensor: One matrix [X, Z] per action of the ad hoc agent.
            start: The distribution of the first state [X].
            solved: The states in which the task is solved [X], or None.
            name: What it is called.
            mmdp: The matrices of these rules where they are known already: tasks may share them.
            mdp: These matrices with the teammates folded in, where they are known already.
            observations: Names of the observations.
            **facts: What else there is to know, see `Facts`.
        """
        asked = {x: tuple(teammates(x)) for x in rules.states}.__getitem__  # once, and not again for each action
        policy = tabulate(rules.states, rules.teammate_actions, asked)
        policy = stochastic("teammates", policy, policy.shape, rules.names, NO_CHOICE)
        seen = mdp or (rules.mdp(asked, start) if mmdp is None else mmdp.mdp(policy, start))
        names = {"states": seen.states, "actions": seen.actions, "observations": observations}
        pomdp = POMDP(seen.P, sensor, seen.R, start, seen.discount, **names)
        task = cls.__new__(cls)
        task._keep(pomdp, policy, solved, rules, name, **facts)
        if mmdp is not None:
            task.__dict__["mmdp"] = mmdp
        return task

    def _keep(
        self,
        pomdp: POMDP,
        teammates: csr_array | None,
        solved: Any,
        team: Team,
        name: str,
        *,
        horizon: int = 50,
        score: Score = "steps",
        deliveries: Any = None,
        state_numbers: Any = None,
        observation_numbers: Any = None,
        view: View | None = None,
    ) -> None:
        (X, A), Z = pomdp.R.shape, pomdp.O[0].shape[1]
        B = 1 if teammates is None else teammates.shape[1]
        if horizon < 1:
            raise InputError(f"horizon is {horizon}, expected at least one step")
        if score not in ("steps", "soups"):
            raise InputError(f'score is {score!r}, expected "steps" or "soups"')
        if (score == "soups") != (deliveries is not None):
            raise InputError(f'score is "{score}": deliveries [X, A, B] are needed to count soups, and only then')
        put = object.__setattr__
        put(self, "pomdp", pomdp)
        put(self, "teammates", teammates)
        put(self, "solved", None if solved is None else _flags("solved", solved, (X,)))
        put(self, "team", team)
        put(self, "name", name)
        put(self, "horizon", horizon)
        put(self, "score", score)
        put(self, "deliveries", None if deliveries is None else _flags("deliveries", deliveries, (X, A, B)))
        put(self, "state_numbers", _tuples("state_numbers", state_numbers, X))
        put(self, "observation_numbers", _tuples("observation_numbers", observation_numbers, Z))
        put(self, "view", view)

    def __repr__(self) -> str:
        X, A = self.pomdp.R.shape
        return f'Task("{self.name}": {X} states, {A} actions, {self.pomdp.O[0].shape[1]} observations)'

    @property
    def mdp(self) -> MDP:
        """The problem of an agent that knows the task and sees the state."""
        return self.pomdp.mdp

    @cached_property
    def mmdp(self) -> MMDP | None:
        """The team's problem as matrices, made at the first call; None where the teammates are folded in."""
        return self.team.mmdp() if isinstance(self.team, Rules) else None

    @property
    def sensor(self) -> tuple[csr_array, ...]:
        """What the ad hoc agent senses: [A] of [X, Z], X being the state arrived in."""
        return self.pomdp.O

    @property
    def start(self) -> Floats:
        """The distribution of the first state [X]."""
        return self.pomdp.start

    @property
    def states(self) -> Names | None:
        """Names of the states."""
        return self.pomdp.states

    @property
    def actions(self) -> Names | None:
        """Names of the ad hoc agent's actions."""
        return self.pomdp.actions

    @property
    def observations(self) -> Names | None:
        """Names of the observations."""
        return self.pomdp.observations

    @cached_property
    def observed(self) -> bool:
        """Whether the observation is the state. The first state is then seen before the first action."""
        X = len(self.pomdp.start)
        return all(o.shape == (X, X) and (o != eye_array(X, format="csr")).nnz == 0 for o in self.pomdp.O)

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """The number of actions of each teammate; empty where they are folded in."""
        if self.teammates is None:
            return ()
        seats: tuple[int, ...] | None = getattr(self.team, "seats", None)
        return seats or (self.teammates.shape[1],)

    @cached_property
    def hash(self) -> str:
        """A digest of the numbers, the horizon and the score. Names are labels and do not count."""
        joint = self.team.hash if isinstance(self.team, MMDP) else ""
        parts = (joint, self.pomdp.hash, self.teammates, self.solved, self.horizon, self.score, self.deliveries)
        return content_hash("task", *parts)

    def teammate_actions(self, x: int) -> Outcomes:
        """The joint actions that the teammates may take in state x; the single action 0 where they are folded in."""
        if self.teammates is None:
            return Outcomes(np.zeros(1, dtype=np.int64), np.ones(1))
        return row(self.teammates, x)

    def outcomes(self, x: int, a: int, b: int) -> Outcomes:
        """The next states after the joint action (a, b) in state x."""
        return self.team.outcomes(x, a, b)

    def observation_outcomes(self, a: int, y: int) -> Outcomes:
        """The observations that may be made after action a led to state y."""
        return row(self.pomdp.O[a], y)

    def paid(self, x: int, a: int, b: int, y: int) -> float:
        """What a step paid that led to state y; an expectation where the task came as arrays."""
        return self.team.paid(x, a, b, y)

    def soups(self, x: int, a: int, b: int) -> int:
        """How many soups the joint action delivers."""
        return 0 if self.deliveries is None else int(self.deliveries[x, a, b])


def _flags(name: str, values: Any, shape: tuple[int, ...]) -> Bools:
    """A yes or no for each place, read-only."""
    array = np.array(values)
    if array.shape != shape or not np.isin(array, (0, 1)).all():
        raise InputError(f"{name} has shape {array.shape} and holds {array.dtype}, expected bools of shape {shape}")
    flags = array.astype(np.bool_)
    flags.setflags(write=False)
    return flags


def _tuples(name: str, values: Any, size: int) -> Ints:
    """A tuple of whole numbers for each place, read-only; its index if none is given."""
    table = np.array(np.arange(size)[:, None] if values is None else values, dtype=np.int64)
    if table.ndim != 2 or len(table) != size:
        raise InputError(f"{name} has shape {table.shape}, expected a tuple of numbers for each of the {size}")
    table.setflags(write=False)
    return table
