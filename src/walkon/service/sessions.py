"""All sessions of a service. They may be used from several threads.

The state of a session follows from its journal alone. So a session from before the last start of the service is
recomputed at its first request, and must arrive at the same beliefs to the last bit.
"""

import hashlib
import math
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.agent import Agent, BeliefAgent
from walkon.agents.alarm import Alarm, WithAlarm
from walkon.agents.memory import Memory
from walkon.arrays import Floats
from walkon.models.chance_kernels import choose
from walkon.service.journal import Journal, Journals, Past
from walkon.service.messages import BUSY, CONFLICT, FAILED, UNKNOWN, Message, Opening, RefusalError, Told, unusable
from walkon.service.vocabulary import Vocabulary
from walkon.simulation.stepping import uniforms

MOST_STEPS = 10_000
OF_THE_CLOCK = {"action", "action_name", "probabilities"}  # may differ for agents that decide by the clock


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


class State(NamedTuple):
    """The state of a session."""

    agent: Agent[Memory]  # with the session's own prior and alarm
    opening: Opening
    seed: int
    decision: Decision


@dataclass(eq=False)
class Session:
    """One stay in one team. Its state is None until its first request."""

    name: str
    journal: Journal
    state: State | None = None
    lock: Lock = field(default_factory=Lock)
    ended: bool = False


class Sessions:
    """The sessions of one agent, at most `most` at once; those that are in the journals are still open."""

    def __init__(self, agent: Agent[Memory], journals: Journals, most: int = 256) -> None:
        self.agent, self.vocabulary, self.most = agent, Vocabulary(agent), most
        self._journals, self._lock = journals, Lock()
        self._sessions = {name: Session(name, journals.of(name)) for name in journals.names()}

    def __len__(self) -> int:
        return len(self._sessions)

    def open(self, opening: Opening) -> dict[str, Any]:
        """Open a session. The same request again gets the same session."""
        name = opening.id or secrets.token_hex(8)
        with self._lock:
            session = self._sessions.get(name)
            if session is None:
                if self._journals.ended(name):
                    raise RefusalError(CONFLICT, f'id is "{name}", and that session has been closed: take another')
                if len(self._sessions) >= self.most:
                    told = f"there are {self.most} sessions, the most there may be: close one, or wait"
                    raise RefusalError(BUSY, told, retry_after=5)
                session = self._sessions[name] = self._begin(name, opening)
        with session.lock:
            agent, before, _, decision = self._resume(session)
            if opening != before:
                raise RefusalError(CONFLICT, f'id is "{name}", and that session was opened otherwise: take another')
            return decision.answer(agent, self.vocabulary, name)

    def tell(self, name: str, told: Told) -> dict[str, Any]:
        """Take one step. A repeated step gets the same answer, and is not taken twice."""
        session = self._find(name)
        with session.lock:
            agent, _, seed, decision = state = self._resume(session)
            if told.step < decision.step:
                return _repeat(session, told)
            if told.step > decision.step:
                why = f"step is {told.step}, and step {decision.step} is next: send that one first"
                raise RefusalError(CONFLICT, why)
            if decision.step >= MOST_STEPS:
                why = f"step is {told.step}, and {MOST_STEPS:,} are the most: open a new session"
                raise RefusalError(CONFLICT, why)
            percept = self.vocabulary.percept(told)
            action = decision.action if told.action is None else self.vocabulary.actions.index(told.action)
            after = Decision.of(agent, seed, decision.step + 1, agent.update(decision.memory, action, percept))
            answer = after.answer(agent, self.vocabulary, name)
            session.journal.append({"told": _fields(told), "action": action, "answer": answer})
            session.state = state._replace(decision=after)
            return answer

    def look(self, name: str) -> dict[str, Any]:
        """Return the present state of a session."""
        session = self._find(name)
        with session.lock:
            agent, opening, seed, decision = self._resume(session)
            return {
                "session": name,
                "opening": _fields(opening) | {"seed": seed},
                "unexplained": [list(event) for event in decision.memory.events],
                "answer": decision.answer(agent, self.vocabulary, name),
            }

    def replay(self, name: str) -> dict[str, Any]:
        """Recompute the whole session, and compare it with the recorded answers."""
        past = Past.of(self._find(name).journal)
        agent = self._agent_of(past.opening)
        loose = OF_THE_CLOCK if _by_the_clock(agent) else set()
        differs = None
        for step, memory in enumerate(self._memories(agent, past)):
            answer = Decision.of(agent, past.seed, step, memory).answer(agent, self.vocabulary, name)
            recorded = past.steps[step - 1].answer if step else past.first
            if differs is None and any(answer[key] != recorded.get(key) for key in answer.keys() - loose):
                differs = step
        return {
            "session": name,
            "opening": _fields(past.opening) | {"seed": past.seed},
            "first": past.first,
            "steps": [each._asdict() | {"told": _fields(each.told)} for each in past.steps],
            "exact": differs is None,
            "differs": differs,
        }

    def close(self, name: str) -> dict[str, Any]:
        """Close a session, and keep its journal for a while. Closing it twice is no error."""
        if name in self._sessions or not self._journals.ended(name):
            session = self._find(name)
            with session.lock, self._lock:
                if not session.ended:
                    session.ended = True
                    self._journals.retire(name)
                    del self._sessions[name]
            self._journals.sweep()
        return {"session": name, "closed": True}

    def list(self) -> list[dict[str, Any]]:
        """List the open sessions, and the number of their steps."""
        with self._lock:
            steps = {s.name: s.state.decision.step if s.state else s.journal.steps() for s in self._sessions.values()}
        return [{"session": name, "step": steps[name]} for name in sorted(steps)]

    def _find(self, name: str) -> Session:
        session = self._sessions.get(name)
        if session is None:
            why = f"there is no session {name!r:.80}: it was closed, or never opened; POST /sessions"
            raise RefusalError(UNKNOWN, why)
        return session

    def _begin(self, name: str, opening: Opening) -> Session:
        """Start a new session, and its journal."""
        seed = secrets.randbits(32) if opening.seed is None else opening.seed
        agent = self._agent_of(opening)
        decision = Decision.of(agent, seed, 0, agent.start(self.vocabulary.first(opening)))
        answer = decision.answer(agent, self.vocabulary, name)
        journal = self._journals.begin(name, opening=_fields(opening), seed=seed, answer=answer)
        return Session(name, journal, State(agent, opening, seed, decision))

    def _agent_of(self, opening: Opening) -> Agent[Memory]:
        """Return the agent with the prior and the alarm of a session."""
        agent = self.agent
        if opening.prior is None and opening.alarm is None:
            return agent
        if not isinstance(agent, BeliefAgent):
            raise unusable(f"{agent.name} keeps no beliefs: leave prior and alarm out")
        if opening.prior is not None:
            agent = agent.with_prior(opening.prior)
        return agent if opening.alarm is None else WithAlarm(agent, Alarm(agent.inference, opening.alarm))

    def _resume(self, session: Session) -> State:
        """Return the state of a session, from its journal at the first request."""
        if session.ended:
            raise RefusalError(UNKNOWN, f'session "{session.name}" was closed: open a new one')
        if session.state is None:
            past = Past.of(session.journal)
            agent = self._agent_of(past.opening)
            *_, memory = self._memories(agent, past)
            decision = Decision.of(agent, past.seed, len(past.steps), memory)
            if decision.answer(agent, self.vocabulary, session.name)["fingerprint"] != past.last.get("fingerprint"):
                raise RefusalError(
                    FAILED,
                    f"{session.journal.path} does not lead to the beliefs that it records at step {decision.step}: "
                    "it was changed, or this walkon computes otherwise; move it away, and open a new session",
                )
            if _by_the_clock(agent):  # it may decide otherwise now: the recorded decision counts
                action, probabilities = past.last["action"], np.array(past.last["probabilities"])
                decision = decision._replace(action=action, probabilities=probabilities)
            session.state = State(agent, past.opening, past.seed, decision)
        return session.state

    def _memories(self, agent: Agent[Memory], past: Past) -> Iterator[Memory]:
        """Yield the agent's memory before each step, and after the last."""
        vocabulary = self.vocabulary
        memory = agent.start(vocabulary.first(past.opening))
        yield memory
        for each in past.steps:
            memory = agent.update(memory, vocabulary.actions.index(each.action), vocabulary.percept(each.told))
            yield memory


def _repeat(session: Session, told: Told) -> dict[str, Any]:
    """Return the recorded answer to a step."""
    before = Past.of(session.journal).steps[told.step]
    if before.told != told:
        then, now = _fields(before.told), _fields(told)
        why = f"step {told.step} was sent before as {then!r:.300}, and now as {now!r:.300}: a step cannot change"
        raise RefusalError(CONFLICT, why)
    return before.answer


def _fields(message: Message) -> dict[str, Any]:
    """Return the fields that a message has."""
    return message.model_dump(exclude_none=True)


def _by_the_clock(agent: Agent[Memory]) -> bool:
    """Check whether an agent's decisions depend on the speed of the machine."""
    return getattr(getattr(agent, "options", None), "seconds", None) is not None
