"""Assistant (Fern et al. 2007), the paper's baseline that sees what its teammates do.

With the teammates' joint action b observed, task k weighs a step by

    joint_k(y) = sum_x b_k(x) pi_k(b|x) P_k,ab(y|x) O_k,a(z|y)

whose sum multiplies p(k) and whose normalisation is the next b_k. It acts as ATPO-Q does, by
argmax_a sum_k p(k) q_k(b_k, a).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from walkon.agents.atpo_q import ATPOQ
from walkon.agents.memory import Memory
from walkon.agents.percept import Percept, Sense
from walkon.errors import InputError
from walkon.models.distributions import Floats
from walkon.tasks import Task


@dataclass(frozen=True, eq=False)
class Assistant(ATPOQ):
    """Takes the action of the highest expected worth, knowing what the teammates just did."""

    name: ClassVar[str] = "assistant"
    senses: ClassVar[frozenset[Sense]] = frozenset({"observation", "teammates"})

    def __post_init__(self) -> None:
        for task in self.library:
            if task.mmdp is None:
                raise InputError(
                    f'Assistant watches the teammates\' actions, and in task "{task.name}" they are folded in: '
                    "build the task with Task(mmdp, teammates=...)"
                )

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """The posterior after an action, the teammates' action and what was read."""
        if percept.teammates is None:
            return self.inference.update(memory, action, percept)
        reading = percept.state if percept.observation is None and self.library.observed else percept.observation
        memory = self.inference.switched(memory)
        joints = [
            _joint(task, belief, action, percept.teammates, reading, percept.likelihood)
            for task, belief in zip(self.library, memory.states, strict=True)
        ]
        likelihood = np.array([0.0 if dead else j.sum() for j, dead in zip(joints, memory.refuted, strict=True)])
        beliefs = [
            joint / total if total > 0 else before
            for joint, total, before in zip(joints, likelihood, memory.states, strict=True)
        ]
        return self.inference.weighed(memory, action, reading, beliefs, likelihood)


def _joint(task: Task, belief: Floats, action: int, reply: int, reading: int | None, weights: Floats | None) -> Floats:
    """The unnormalised posterior of one task, [X]."""
    assert task.mmdp is not None
    assert task.teammates is not None
    if not 0 <= reply < task.teammates.shape[1]:
        return np.zeros_like(belief)
    taken = task.teammates[:, [reply]].toarray().ravel()
    arrived: Floats = (belief * taken) @ task.mmdp.P[action][reply]
    if reading is not None:
        arrived = arrived * task.pomdp.O[action][:, [reading]].toarray().ravel()
    elif weights is not None:
        arrived = arrived * (task.pomdp.O[action] @ weights)
    return arrived
