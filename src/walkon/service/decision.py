"""Decisions of the served agent: what it does and believes at one step of a session."""

import hashlib
import math
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.agent import Agent, BeliefAgent
from walkon.agents.alarm import Alarm, WithAlarm
from walkon.agents.memory import Memory
from walkon.arrays import Floats
from walkon.models.chance_kernels import choose
from walkon.service.messages import Opening, Told, unusable
from walkon.service.vocabulary import Vocabulary
from walkon.tasks.naming import name_of
from walkon.trials.luck import uniforms

MOST_EVENTS = 1000  # observations that no task explained: the last ones are kept


class Decision(NamedTuple):
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
        suspicion = getattr(memory, "suspicion", None)  # a memory without tables has none
        alarm = None if suspicion is None else suspicion.alarm
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
            "fingerprint": fingerprint(memory),
        }


def fingerprint(memory: Memory) -> str:
    """Return a hash of all beliefs, to the last bit."""
    if isinstance(memory.beliefs, np.ndarray):
        return hashlib.blake2b(memory.beliefs.tobytes(), digest_size=8).hexdigest()
    tracked: Any = memory
    digest = hashlib.blake2b(tracked.log_joint.tobytes(), digest_size=8)
    for belief in tracked.beliefs:
        rows = belief.rows.tobytes() if hasattr(belief, "rows") else "\n".join(map(name_of, belief.states)).encode()
        digest.update(rows + belief.weights.tobytes())
    return digest.hexdigest()


def agent_for(opening: Opening, agent: Agent[Memory]) -> Agent[Memory]:
    """Return the agent with the prior and the alarm of a session."""
    if opening.prior is None and opening.alarm is None:
        return agent
    if not isinstance(agent, BeliefAgent):
        raise unusable(f"{agent.name} keeps no beliefs: leave prior and alarm out")
    if opening.alarm is not None and not agent.library.tables:
        raise unusable(
            "an alarm keeps its promise only where every likelihood is exact, which takes tables: leave it out"
        )
    if opening.prior is not None:
        agent = agent.with_prior(opening.prior)
    return agent if opening.alarm is None else WithAlarm(agent, Alarm(agent.inference, opening.alarm))


def updated(agent: Agent[Memory], memory: Memory, vocabulary: Vocabulary, action: int, told: Told) -> Memory:
    """Return the memory after a step."""
    after = agent.update(memory, vocabulary.actions.index(action), vocabulary.percept(told))
    return after._replace(events=after.events[-MOST_EVENTS:]) if len(after.events) > MOST_EVENTS else after


def decides_by_the_clock(agent: Agent[Memory]) -> bool:
    """Check whether an agent's decisions depend on the speed of the machine."""
    return getattr(getattr(agent, "options", None), "seconds", None) is not None
