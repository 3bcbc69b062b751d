"""A task: a team's problem, the teammates' policy, and the ad hoc agent's sensor.

The paper's pair (MMDP m_k, teammates' policy pi_k), with the sensor {O_k,a}. Folding the policy in gives the POMDP
that the ad hoc agent would face if it knew the task. A step is drawn from `teammate_actions`, then from `outcomes`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np
from scipy.sparse import csr_array, eye_array

from walkon.arrays import Bools, Floats, Ints, Names
from walkon.checks import whole
from walkon.deprecated import renamed
from walkon.errors import InputError
from walkon.models.content import content_hash
from walkon.models.distributions import flags, stochastic, tuples
from walkon.models.mdp import MDP
from walkon.models.mmdp import MMDP, NO_CHOICE
from walkon.models.pomdp import POMDP
from walkon.models.rules import Rules
from walkon.models.stacked import Outcomes, row
from walkon.models.tabulate import tabulate
from walkon.saying import briefly
from walkon.tasks.tally import Tally, old_tally, score_of
from walkon.tasks.view import NamedView, View

Team: TypeAlias = MMDP | Rules[Any, Any, Any]  # a team's problem as matrices or as rules


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Task:
    """One task that the ad hoc agent may have to help with.

    >>> swap, keep = [[0, 1], [1, 0]], [[1, 0], [0, 1]]
    >>> lever = MMDP(P=[[keep, swap], [swap, keep]], R=np.zeros((2, 2, 2)))
    >>> task = Task(lever, teammates=[[1, 0], [0, 1]], sensor=[keep, keep], start=[1, 0], name="lever")
    >>> task
    Task("lever": 2 states, 2 actions, 2 observations)
    >>> task.outcomes(x=0, a=1, b=0).indices
    array([1])
    """

    pomdp: POMDP
    team: Team | None  # the team's problem; None where the teammates are folded in
    teammates: csr_array | None  # [X, B]; None where they are folded in
    solved: Bools | None  # [X]; None where the task has no end
    name: str
    horizon: int  # steps of an episode
    tally: Tally | None  # what is counted; None where nothing is
    score: str  # what an episode is judged by: the tally's name, the "steps" until it is solved, or the "return"
    state_numbers: Ints  # [X, numbers]: the tuple behind each state
    observation_numbers: Ints  # [Z, numbers]: the tuple behind each observation
    view: View | None  # None where the task has no picture of its own

    tables: ClassVar[bool] = True  # whether it has matrices; see `walkon.tasks.rule_task`
    omitted: ClassVar[Names] = ()  # what holds because a function of `walkon.define` was left out, in words

    def __init__(
        self,
        mmdp: MMDP | None = None,
        teammates: Any = None,
        sensor: Any = None,
        start: Any = None,
        solved: Any = None,
        name: str = "task",
        *,
        observations: Sequence[Any] | None = None,
        horizon: int = 50,
        tally: Tally | None = None,
        score: str | None = None,
        state_numbers: Any = None,
        observation_numbers: Any = None,
        view: View | None = None,
        pomdp: POMDP | None = None,
        team: Team | None = None,
        deliveries: Any = None,
    ) -> None:
        """Fold the teammates in, and check that everything fits.

        Args:
            mmdp: The team's problem.
            teammates: Their joint policy [X, B], a distribution over B in each state.
            sensor: One matrix [X, Z] per action of the ad hoc agent.
            start: The distribution of the first state [X]; uniform if not given.
            solved: The states in which the task is solved [X]; none if not given.
            name: The name of the task.
            observations: Names of the observations.
            horizon: The number of steps of an episode.
            tally: What is counted; it is then the task's score.
            score: "return" where episodes are judged by it although there is a tally or an end; follows from them else.
            state_numbers: The tuple behind each state [X, numbers]; its index if not given.
            observation_numbers: The tuple behind each observation [Z, numbers]; its index if not given.
            view: Draws the task.
            pomdp: In place of `mmdp`, `sensor` and `start`: the problem with these teammates folded in.
            team: With `pomdp`, the team's problem.
            deliveries: Deprecated: a tally of soups [X, A, B].
        """
        if deliveries is not None:
            tally, score = tally or old_tally(score, deliveries), None
        if pomdp is None:
            if not isinstance(mmdp, MMDP):
                form = "Task(mmdp, teammates, sensor), or Task.from_pomdp(pomdp)"
                raise InputError(f"a task needs the team's problem, an MMDP, and not {briefly(mmdp)}: {form}")
            X, _, B = mmdp.R.shape
            teammates = stochastic("teammates", teammates, (X, B), mmdp.states, NO_CHOICE)
            pomdp, team = mmdp.pomdp(teammates, sensor, start, observations=observations), mmdp
        elif not (mmdp is sensor is start is observations is None):
            raise InputError("a task is made from a pomdp, with its sensor, start and observations, or from an mmdp")
        if teammates is not None and pomdp.__dict__.setdefault("folded", teammates) is not teammates:
            raise InputError("the pomdp has other teammates folded in: change them by task.with_teammates(policy)")
        if pomdp.discount == 1:
            raise InputError("the discount is 1; a task needs one below 1: discount=0.95, or pomdp.with_discount(0.95)")
        (X, A), Z = pomdp.R.shape, pomdp.O[0].shape[1]
        B = 1 if teammates is None else teammates.shape[1]
        horizon = whole("horizon", horizon, 1, None)
        if tally is not None and tally.counts.shape != (X, A, B):
            raise InputError(f"the counts of {tally.name} have shape {tally.counts.shape}, expected {(X, A, B)}")
        facts = self.__dict__
        facts.update(pomdp=pomdp, team=team, teammates=teammates, name=name, horizon=horizon, tally=tally, view=view)
        facts["solved"] = None if solved is None else flags("solved", solved, X)
        facts["score"] = score_of(score, tally, solved is not None)
        facts["state_numbers"] = tuples("state_numbers", state_numbers, X)
        facts["observation_numbers"] = tuples("observation_numbers", observation_numbers, Z)

    @classmethod
    def from_pomdp(cls, pomdp: POMDP, solved: Any = None, name: str = "task", **more: Any) -> "Task":
        """Make a task whose teammates are already folded in, so that no agent can observe their actions.

        Args:
            pomdp: The problem that the ad hoc agent faces.
            solved: The states in which the task is solved [X]; none if not given.
            name: The name of the task.
            **more: Further arguments of the constructor.
        """
        return cls(pomdp=pomdp, solved=solved, name=name, **more)

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
        **more: Any,
    ) -> "Task":
        """Make a task from rules: only the folded matrices are made now; those of each joint action on demand.

        Args:
            rules: The team's problem.
            teammates: The joint actions that they may take in a state, with their probabilities.
            sensor: One matrix [X, Z] per action of the ad hoc agent.
            start: The distribution of the first state [X].
            solved: The states in which the task is solved [X], or None.
            name: The name of the task.
            mmdp: The matrices of these rules where they exist already: tasks may share them.
            mdp: These matrices with the teammates folded in, where they exist already.
            observations: Names of the observations.
            **more: Further arguments of the constructor.
        """
        choices = {x: tuple(teammates(x)) for x in rules.states}.__getitem__  # computed once, not for each action
        policy = tabulate(rules.states, rules.teammate_actions, choices)
        policy = stochastic("teammates", policy, policy.shape, rules.names, NO_CHOICE)
        folded = mdp or (rules.mdp(choices, start) if mmdp is None else mmdp.mdp(policy, start))
        names = {"states": folded.states, "actions": folded.actions, "observations": observations}
        pomdp = POMDP(folded.P, sensor, folded.R, start, folded.discount, **names)
        task = cls(pomdp=pomdp, team=rules, teammates=policy, solved=solved, name=name, **more)
        if mmdp is not None:
            task.__dict__["mmdp"] = mmdp
        return task

    def with_teammates(self, policy: Any, name: str | None = None) -> "Task":
        """Return the same task with other teammates, whose policy [X, B] is folded in."""
        if self.mmdp is None:
            raise InputError(f'the teammates of task "{self.name}" are folded in: they cannot be replaced')
        teammates = stochastic("teammates", policy, (len(self.start), self.mmdp.R.shape[2]), self.states, NO_CHOICE)
        pomdp = self.mmdp.pomdp(teammates, self.sensor, self.start, observations=self.observations)
        named = self.name if name is None else name
        return replace(self, pomdp=pomdp, team=self.mmdp, teammates=teammates, name=named)

    def __repr__(self) -> str:
        X, A = self.pomdp.R.shape
        return f'Task("{self.name}": {X} states, {A} actions, {self.pomdp.O[0].shape[1]} observations)'

    def _repr_html_(self) -> str:
        from walkon.tasks.notebook import task_html  # which imports this module

        return task_html(self)

    @property
    def mdp(self) -> MDP:
        """The problem of an agent that knows the task and observes the state."""
        return self.pomdp.mdp

    @cached_property
    def mmdp(self) -> MMDP | None:
        """The team's problem as matrices, made at the first call; None where the teammates are folded in."""
        return self.team.mmdp() if isinstance(self.team, Rules) else self.team

    @property
    def drawing(self) -> View:
        """Its own view, or else one that shows names."""
        return self.view or NamedView(self.name, self.states, self.observations)

    @property
    def ends(self) -> bool:
        """Whether it can be solved."""
        return self.solved is not None

    def is_solved(self, x: int) -> bool:
        """Whether the task is solved in a state."""
        return self.solved is not None and bool(self.solved[x])

    @property
    def discount(self) -> float:
        """The discount of its rewards."""
        return self.pomdp.discount

    @property
    def action_count(self) -> int:
        """The number of the ad hoc agent's actions."""
        return len(self.pomdp.P)

    @property
    def sensor(self) -> tuple[csr_array, ...]:
        """The probabilities of the observations: [A] of [X, Z], where X is the next state."""
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
        """Whether the observation is the state. The first state is then observed before the first action."""
        X = len(self.pomdp.start)
        return all(o.shape == (X, X) and (o != eye_array(X, format="csr")).nnz == 0 for o in self.pomdp.O)

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """The number of actions of each teammate; empty where they are folded in."""
        theirs = self.teammates
        return () if theirs is None else (self.team and self.team.seats) or (theirs.shape[1],)

    @cached_property
    def hash(self) -> str:
        """A digest of the numbers, the horizon and the tally, but not of other names."""
        joint = self.team.hash if isinstance(self.team, MMDP) else ""
        counted = ("steps", None) if self.tally is None else (self.tally.name, self.tally.counts)
        return content_hash("task", joint, self.pomdp.hash, self.teammates, self.solved, self.horizon, *counted)

    replies, readings = renamed("replies", "teammate_actions"), renamed("readings", "observation_outcomes")

    def teammate_actions(self, x: int) -> Outcomes:
        """The joint actions that the teammates may take in state x; the single action 0 where they are folded in."""
        if self.teammates is None:
            return Outcomes(np.zeros(1, dtype=np.int64), np.ones(1))
        return row(self.teammates, x)

    def outcomes(self, x: int, a: int, b: int) -> Outcomes:
        """The next states after the joint action (a, b) in state x."""
        return row(self.pomdp.P[a], x) if self.team is None else self.team.outcomes(x, a, b)

    def observation_outcomes(self, a: int, y: int) -> Outcomes:
        """The observations that may be made after action a led to state y."""
        return row(self.pomdp.O[a], y)

    def paid(self, x: int, a: int, b: int, y: int) -> float:
        """The reward of a step that led to state y; the expected reward where the task was made from arrays."""
        return float(self.pomdp.R[x, a]) if self.team is None else self.team.paid(x, a, b, y)

    def counted(self, x: int, a: int, b: int) -> int:
        """How much the joint action adds to the tally."""
        return 0 if self.tally is None else int(self.tally.counts[x, a, b])
