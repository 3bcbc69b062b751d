"""One decision of a session: the agent's memory, and the proposed action."""

import hashlib
import math
from dataclasses import dataclass
from typing import Any

from walkon.agents.agent import Agent, BeliefAgent
from walkon.agents.alarm import WithAlarm
from walkon.agents.memory import Memory
from walkon.arrays import Floats
from walkon.models.chance_kernels import choose
from walkon.service.vocabulary import Vocabulary
from walkon.simulation.stepping import uniforms


@dataclass(frozen=True, eq=False)
class Decision:
    """The decision at one step. The draws are those of `walkon.play` with the same seed."""

    step: int
    memory: Memory
    probabilities: Floats  # [A]
    action: int

    @classmethod
    def of(cls, agent: Agent[Memory], seed: int, step: int, memory: Memory) -> "Decision":
        """Let the agent decide."""
        probabilities = agent.act(memory)
        return cls(step, memory, probabilities, int(choose(probabilities, uniforms(seed, step).agent)))

    def answer(self, agent: Agent[Memory], vocabulary: Vocabulary, session: str) -> dict[str, Any]:
        """Return the decision as JSON data. Floats keep every bit."""
        memory = self.memory
        alarm = None if memory.suspicion is None else memory.suspicion.alarm
        believes = isinstance(agent.agent if isinstance(agent, WithAlarm) else agent, BeliefAgent)
        return {
            "session": session,
            "step": self.step,
            "action": self.action,
            "action_name": vocabulary.actions.name(self.action),
            "probabilities": self.probabilities.tolist(),
            "tasks": memory.tasks.tolist() if agent.identifies else None,
            "surprise": max(0.0, -math.log2(memory.likelihood)) if believes and memory.likelihood > 0 else None,
            "explained": memory.likelihood > 0,
            "alarm": alarm,
            "fingerprint": hashlib.blake2b(memory.beliefs.tobytes(), digest_size=8).hexdigest(),
        }
