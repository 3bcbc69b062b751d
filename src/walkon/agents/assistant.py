"""Assistant (Fern et al. 2007), the paper's baseline that sees what its teammates do.

After the teammates' joint action b and observation z, the unnormalised posterior of task k is

    joint_k(y) = sum_x b_k(x) pi_k(b|x) P_k,ab(y|x) O_k,a(z|y)

whose sum multiplies p(k) and whose normalisation is the next b_k. The action is that of ATPO-Q,
argmax_a sum_k p(k) q_k(b_k, a).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from walkon.agents.atpo_q import ATPOQ
from walkon.agents.faint_kernels import faint_posterior
from walkon.agents.inference import predict_step
from walkon.agents.memory import Memory, Percept, Sense
from walkon.agents.naming import numbered
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.belief import check_index
from walkon.models.packed_beliefs import has_tail
from walkon.models.scaled_kernels import SMALL, shown
from walkon.tasks import Task


@dataclass(frozen=True, eq=False, repr=False)
class Assistant(ATPOQ):
    """Takes the action of the highest expected q-value, knowing what the teammates just did."""

    name: ClassVar[str] = "assistant"
    title: ClassVar[str] = "Assistant"
    summary: ClassVar[str] = "Takes the action of the highest expected q-value, knowing what the teammates just did."
    senses: ClassVar[frozenset[Sense]] = frozenset({"observation", "teammates"})

    def __post_init__(self) -> None:
        for task in self.library:
            if task.mmdp is None:
                raise InputError(
                    f'Assistant watches the teammates\' actions, but in task "{task.name}" they are folded in: '
                    "build the task with Task(mmdp, teammates=...)"
                )

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """Return the posterior after an action, the teammates' action and the observation."""
        self.inference.origin.check(memory)
        action, percept = numbered(self.library, action, percept, self.senses)
        if percept.teammates is None:
            return self.inference.update(memory, action, percept)
        observation = percept.state if percept.observation is None and self.library.observed else percept.observation
        check_index("action", action, self.inference.A)
        if observation is not None:
            check_index("observation", observation, self.inference.Z)
        memory = self.inference.switch_task(memory)
        after = self._update_exactly(memory, action, percept.teammates, observation, percept.likelihood)
        if after is not None:
            return after
        joints = [
            _joint(task, belief, action, percept.teammates, observation, percept.likelihood)
            for task, belief in zip(self.library, memory.states, strict=True)
        ]
        likelihood = np.array([0.0 if dead else j.sum() for j, dead in zip(joints, memory.refuted, strict=True)])
        beliefs = [
            joint / total if total > 0 else before
            for joint, total, before in zip(joints, likelihood, memory.states, strict=True)
        ]
        return self.inference.weigh(memory, action, observation, beliefs, likelihood)

    @cached_property
    def least(self) -> float:
        """The smallest positive factor by which a step can multiply a weight."""
        found = [
            (
                task.teammates.data.min(),
                min(P.data.min() for row in task.mmdp.P for P in row),
                task.pomdp.sensor_rows.data.min(),
            )
            for task in self.library
            if task.mmdp is not None and task.teammates is not None
        ]
        return float(np.min(found, axis=0).prod())

    def _update_exactly(
        self, memory: Memory, action: int, teammate_action: int, observation: int | None, weights: Floats | None
    ) -> Memory | None:
        """Return the posterior if a weight is too small for floats; None if none is."""
        inference, K = self.inference, len(self.library)
        pairs = memory.beliefs[3 * K : 3 * K + 2 * int(memory.beliefs[3 * K - 1])].reshape(-1, 2)
        low = memory.tasks[memory.tasks > 0].min() * pairs[:, 1].min() * self.least
        if weights is not None and observation is None:
            low *= min(1.0, np.min(weights, where=np.asarray(weights) > 0, initial=1.0))
        if low >= SMALL and not has_tail(memory.beliefs, K):
            return None
        counted = np.ones(1) if weights is None else np.array(weights)
        if observation is not None:
            counted = np.eye(1, inference.Z, observation)[0]
        models, taken = inference.step_models(action, teammate_action, blind=observation is None and weights is None)
        found, total, faint = faint_posterior(*models, memory.beliefs, 0, taken, counted)
        if not faint and not has_tail(memory.beliefs, K):
            return None
        if total[0] == 0.0:
            return inference.restart(memory, action, observation)
        events, origin = memory.events, inference.origin
        return Memory(found, memory.sizes, memory.step + 1, memory.state, events, None, shown(total), origin)


def _joint(
    task: Task, belief: Floats, action: int, teammate_action: int, observation: int | None, weights: Floats | None
) -> Floats:
    """Return the unnormalised posterior of one task, [X]."""
    joint = predict_step(task, belief, action, teammate_action)
    if observation is not None:
        joint = joint * task.pomdp.O[action][:, [observation]].toarray().ravel()
    elif weights is not None:
        joint = joint * (task.pomdp.O[action] @ weights)
    return joint
