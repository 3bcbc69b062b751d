"""Problems of teams in which every agent has actions and observations of its own, and the tasks that they make.

A Dec-POMDP has P_j(y|x), O_j(w|y) and r(x, j) for each joint action j, and w is a joint observation. With one agent as
the ad hoc agent and policies for the others, it is a task: its sensor is the agent's share of the observation,

    O_ab(z|y) = sum of O_ab(w|y) over the joint observations w in which the agent observes z.

A task's sensor depends on the agent's own action and the next state, and this one also on the teammates' joint action
b. Where that matters, a state of the task is a state of the problem together with what matters of b: in the tiger
problem of two agents, whether the teammate has just listened or opened a door.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from scipy.sparse import csr_array, kron

from walkon.arrays import Floats, Ints, Names
from walkon.checks import whole
from walkon.errors import InputError
from walkon.models.distributions import columns, discounting, distribution, labels, numbers, stochastic
from walkon.models.mdp import BLOCKED, per_action
from walkon.models.mmdp import MMDP, NO_CHOICE
from walkon.models.pomdp import LOST_OBSERVATION
from walkon.tasks.task import Task

BYTES_PER_ENTRY = 12  # a float64 and an int32
LARGEST = 2**30  # bytes of the matrices of a task


@dataclass(frozen=True, init=False, eq=False, repr=False)
class DecPOMDP:
    """A team's problem in which every agent acts on observations of its own; `walkon.read_dpomdp` reads one."""

    P: tuple[csr_array, ...]  # [J] of [X, X]; joint actions are row-major over the agents
    O: tuple[csr_array, ...]  # [J] of [X, W], X being the state arrived in; joint observations likewise
    R: Floats  # [X, J]
    start: Floats  # [X]
    discount: float
    states: Names | None  # [X]
    agents: Names
    actions: tuple[Names, ...]  # of each agent
    observations: tuple[Names, ...]  # of each agent

    def __init__(
        self,
        P: Any,
        O: Any,
        R: Any,
        *,
        actions: Sequence[Sequence[Any]],
        observations: Sequence[Sequence[Any]],
        start: Any = None,
        discount: float = 0.95,
        states: Sequence[Any] | None = None,
        agents: Sequence[Any] | None = None,
    ) -> None:
        """Check and store the arrays.

        Args:
            P: One matrix [X, X] for each joint action.
            O: One matrix [X, joint observations] for each joint action; the row is the state arrived in.
            R: Expected rewards [X, joint actions].
            actions: Names of the actions of each agent.
            observations: Names of the observations of each agent.
            start: The distribution of the first state [X]; uniform if not given.
            discount: The discount, in [0, 1].
            states: Names of the states.
            agents: Names of the agents.
        """
        moves, sensors = per_action("P", P), per_action("O", O)
        X, J, W = columns("P[0]", moves[0]), prod(map(len, actions)), prod(map(len, observations))
        if not len(moves) == len(sensors) == J or not 0 < len(actions) == len(observations):
            raise InputError(
                f"P has {len(moves)} matrices and O {len(sensors)}, expected one for each of the {J} joint actions of "
                f"{len(actions)} agents, and the observations of as many agents, found {len(observations)}"
            )
        put = object.__setattr__
        names = labels("states", states, X)
        put(self, "states", names)
        put(self, "P", tuple(stochastic(f"P[{j}]", p, (X, X), names, BLOCKED) for j, p in enumerate(moves)))
        put(self, "O", tuple(stochastic(f"O[{j}]", o, (X, W), names, LOST_OBSERVATION) for j, o in enumerate(sensors)))
        put(self, "R", numbers("R", R, (X, J), "(X, joint actions)"))
        put(self, "start", distribution("start", np.full(X, 1 / X) if start is None else start, X))
        put(self, "discount", discounting(discount, most=1.0))
        given = [f"agent {i}" for i in range(len(actions))] if agents is None else agents
        put(self, "agents", labels("agents", given, len(actions)))
        put(self, "actions", tuple(labels(f"actions[{i}]", each, len(each)) for i, each in enumerate(actions)))
        sensed = (labels(f"observations[{i}]", each, len(each)) for i, each in enumerate(observations))
        put(self, "observations", tuple(sensed))

    def __repr__(self) -> str:
        X, J = self.R.shape
        sizes = f"{X} states, {J} joint actions, {self.O[0].shape[1]} joint observations"
        return f"DecPOMDP({len(self.agents)} agents, {sizes}, discount {self.discount:g})"

    def task(
        self,
        teammates: Sequence[Any],
        agent: int = 0,
        *,
        discount: float | None = None,
        name: str = "task",
        **more: Any,
    ) -> Task:
        """Return the task of one agent, the ad hoc agent, whose teammates follow policies that see the state.

        Args:
            teammates: A policy [X, actions] for each other agent in turn, a distribution over its actions in each
                state.
            agent: The number of the ad hoc agent.
            discount: A discount in place of the problem's own, which for a task has to be below 1.
            name: The name of the task.
            **more: Further arguments of `Task`.
        """
        agent = whole("agent", agent, 0, len(self.agents) - 1)
        others = [i for i in range(len(self.agents)) if i != agent]
        rate = self.discount if discount is None else discounting(discount)
        if rate == 1:
            raise InputError("the discount is 1, and a task needs one below 1: give discount=0.95")
        policy = self._joint_policy(list(teammates), others)
        seats = tuple(len(self.actions[i]) for i in others)
        joint = self._joint_actions(agent)  # [A, B]
        sensors, kept = self._sensors(agent, joint)
        C = len(sensors)
        self._check_size(C)
        arrive = [csr_array(np.tile(np.arange(C) == c, (C, 1)).astype(float)) for c in range(C)]
        P = [[kron(self.P[j], arrive[kept[b]], format="csr") for b, j in enumerate(each)] for each in joint.tolist()]
        mmdp = MMDP(
            P,
            np.repeat(self.R[:, joint], C, axis=0),
            rate,
            seats or None,
            states=self._state_names(C, kept, others),
            actions=self.actions[agent],
            teammate_actions=[self._said(b, others) for b in range(joint.shape[1])] if others else None,
        )
        sensor = [_interleave([each[a] for each in sensors]) for a in range(len(joint))]
        start = np.kron(self.start, np.arange(C) == 0)
        observed = self.observations[agent]
        return Task(mmdp, np.repeat(policy, C, axis=0), sensor, start, name=name, observations=observed, **more)

    def _joint_policy(self, policies: list[Any], others: list[int]) -> Floats:
        """Return the joint policy [X, B] of teammates that act independently."""
        if len(policies) != len(others):
            who = ", ".join(self.agents[i] for i in others) or "none"
            raise InputError(f"{len(policies)} policies of teammates, expected one for each of {len(others)}: {who}")
        joint = np.ones((len(self.start), 1))
        for i, policy in zip(others, policies, strict=True):
            shape = (len(self.start), len(self.actions[i]))
            own = stochastic(f"the policy of {self.agents[i]}", policy, shape, self.states, NO_CHOICE).toarray()
            joint = (joint[:, :, None] * own[:, None, :]).reshape(len(joint), -1)
        return joint

    def _joint_actions(self, agent: int) -> Ints:
        """Return the numbers of the joint actions as [A, B]."""
        sizes = [len(each) for each in self.actions]
        table = np.moveaxis(np.arange(prod(sizes)).reshape(sizes), agent, 0)
        return table.reshape(sizes[agent], -1)

    def _sensors(self, agent: int, joint: Ints) -> tuple[list[list[csr_array]], list[int]]:
        """Return the different sensors [C][A] of [X, Z] that the teammates' joint actions make, and that of each."""
        sizes = [len(each) for each in self.observations]
        W, Z = prod(sizes), sizes[agent]
        own = np.arange(W) // prod(sizes[agent + 1 :]) % Z
        share = csr_array((np.ones(W), (np.arange(W), own)), shape=(W, Z))
        by_joint = [self.O[j] @ share for j in range(joint.size)]
        made: list[list[csr_array]] = []
        kept: list[int] = []
        known: dict[tuple[bytes, ...], int] = {}
        for each in joint.T.tolist():
            key = tuple(_key(by_joint[j]) for j in each)
            if known.setdefault(key, len(made)) == len(made):
                made.append([by_joint[j] for j in each])
            kept.append(known[key])
        return made, kept

    def _check_size(self, C: int) -> None:
        """Refuse a task whose matrices would be too large before they are made."""
        entries = sum(p.nnz for p in self.P) * C
        size = BYTES_PER_ENTRY * entries + 8 * self.R.size * C
        if size > LARGEST:
            raise InputError(
                f"the matrices of the task would take {size / 2**30:.1f} GiB, more than {LARGEST // 2**30}"
            )

    def _state_names(self, C: int, kept: list[int], others: list[int]) -> Sequence[str] | None:
        """Return the names of a task's states: after which action of the teammates, where that matters."""
        if C == 1:
            return self.states
        names = self.states or [str(x) for x in range(len(self.start))]
        firsts = [self._said(kept.index(c), others) for c in range(C)]
        return [f"{x}, after {said}" for x in names for said in firsts]

    def _said(self, b: int, others: list[int]) -> str:
        """Return the name of a joint action of the teammates."""
        choice = np.unravel_index(b, [len(self.actions[i]) for i in others]) if others else ()
        return ", ".join(self.actions[i][int(k)] for i, k in zip(others, choice, strict=True))


def _key(sensor: csr_array) -> bytes:
    """Return the same bytes for sensors that differ only by rounding."""
    same = csr_array(sensor, copy=True)
    same.data = same.data.round(12)
    same.sum_duplicates()
    same.eliminate_zeros()
    return b"".join(part.tobytes() for part in (same.indptr, same.indices, same.data))


def _interleave(sensors: list[csr_array]) -> csr_array:
    """Return the rows of C sensors [X, Z] as one [X * C, Z], in which C is the faster."""
    C, (X, Z) = len(sensors), sensors[0].shape
    parts = [each.tocoo() for each in sensors]
    rows = np.concatenate([part.row.astype(np.int64) * C + c for c, part in enumerate(parts)])
    values, places = (np.concatenate([getattr(part, name) for part in parts]) for name in ("data", "col"))
    return csr_array((values, (rows, places)), shape=(X * C, Z))
