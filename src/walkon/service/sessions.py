"""All sessions of a service: opened, told, looked at, replayed and closed. They may be called from several threads.

What a session remembers follows from its journal alone. So one that was opened before the service was last started is
recomputed when it is first asked for, and must come to the same beliefs to the last bit.
"""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.agent import Agent, BeliefAgent
from walkon.agents.alarm import Alarm, WithAlarm
from walkon.agents.memory import Memory
from walkon.service.decision import Decision
from walkon.service.journal import Journal, Journals
from walkon.service.messages import Message, Opening, Told
from walkon.service.past import Past
from walkon.service.refusal import BUSY, CONFLICT, FAILED, UNKNOWN, UNUSABLE, RefusalError
from walkon.service.vocabulary import Vocabulary

MOST_STEPS = 10_000
OF_THE_CLOCK = {"action", "action_name", "probabilities"}  # what may differ where it decides


class State(NamedTuple):
    """How a session stands."""

    agent: Agent[Memory]  # with the session's own prior and alarm
    opening: Opening
    seed: int
    decision: Decision


@dataclass(eq=False)
class Session:
    """One joining of one team. How it stands is None until it is first asked for."""

    name: str
    journal: Journal
    state: State | None = None
    lock: Lock = field(default_factory=Lock)
    ended: bool = False


class Sessions:
    """The sessions of one agent."""

    def __init__(self, agent: Agent[Memory], journals: Journals, most: int = 256) -> None:
        """Find the sessions that are still open.

        Args:
            agent: Who joins.
            journals: Where everything is kept.
            most: How many sessions there may be at once.
        """
        self.agent, self.vocabulary, self.most = agent, Vocabulary(agent), most
        self._journals, self._lock = journals, Lock()
        self._sessions = {name: Session(name, journals.of(name)) for name in journals.names()}

    def __len__(self) -> int:
        return len(self._sessions)

    def open(self, opening: Opening) -> dict[str, Any]:
        """Begin a session. Asked again in the same words, it is the same session."""
        name = opening.id or secrets.token_hex(8)
        with self._lock:
            session = self._sessions.get(name)
            if session is None:
                if self._journals.ended(name):
                    raise RefusalError(CONFLICT, f'id is "{name}", and that session has been closed: take another')
                if len(self._sessions) >= self.most:
                    told = f"there are {self.most} sessions, the most there may be: close one, or wait"
                    raise RefusalError(BUSY, told, retry_after=5)
                session = self._sessions[name] = self._begun(name, opening)
        with session.lock:
            agent, before, _, decision = self._resumed(session)
            if opening != before:
                raise RefusalError(CONFLICT, f'id is "{name}", and that session was opened otherwise: take another')
            return decision.answer(agent, self.vocabulary, name)

    def tell(self, name: str, told: Told) -> dict[str, Any]:
        """Take one step. A step that was told before is answered as before, and not taken twice."""
        session = self._found(name)
        with session.lock:
            agent, _, seed, decision = state = self._resumed(session)
            if told.step < decision.step:
                return _repeated(session, told)
            if told.step > decision.step:
                raise RefusalError(
                    CONFLICT, f"step is {told.step}, and step {decision.step} is next: tell that one first"
                )
            if decision.step >= MOST_STEPS:
                raise RefusalError(
                    CONFLICT, f"step is {told.step}, and {MOST_STEPS:,} are the most: open a new session"
                )
            percept = self.vocabulary.percept(told)
            action = self.vocabulary.action(told.action, decision.action)
            after = Decision.of(agent, seed, decision.step + 1, agent.update(decision.memory, action, percept))
            answer = after.answer(agent, self.vocabulary, name)
            session.journal.append({"told": _said(told), "action": action, "answer": answer})
            session.state = state._replace(decision=after)
            return answer

    def look(self, name: str) -> dict[str, Any]:
        """A session as it is."""
        session = self._found(name)
        with session.lock:
            agent, opening, seed, decision = self._resumed(session)
            return {
                "session": name,
                "opening": _said(opening) | {"seed": seed},
                "unexplained": [list(event) for event in decision.memory.events],
                "answer": decision.answer(agent, self.vocabulary, name),
            }

    def replay(self, name: str) -> dict[str, Any]:
        """The whole session, recomputed and compared with what was answered."""
        past = Past.of(self._found(name).journal)
        agent = self._opened(past.opening)
        loose = OF_THE_CLOCK if _by_the_clock(agent) else set()
        differs = None
        for step, memory in enumerate(self._memories(agent, past)):
            answer = Decision.of(agent, past.seed, step, memory).answer(agent, self.vocabulary, name)
            recorded = past.steps[step - 1].answer if step else past.first
            if differs is None and any(answer[key] != recorded.get(key) for key in answer.keys() - loose):
                differs = step
        return {
            "session": name,
            "opening": _said(past.opening) | {"seed": past.seed},
            "first": past.first,
            "steps": [{"told": _said(each.told), "action": each.action, "answer": each.answer} for each in past.steps],
            "exact": differs is None,
            "differs": differs,
        }

    def close(self, name: str) -> dict[str, Any]:
        """End a session and keep its journal for a while. Ending it twice is ending it once."""
        if name in self._sessions or not self._journals.ended(name):
            session = self._found(name)
            with session.lock, self._lock:
                if not session.ended:
                    session.ended = True
                    self._journals.retire(name)
                    del self._sessions[name]
            self._journals.sweep()
        return {"session": name, "closed": True}

    def list(self) -> list[dict[str, Any]]:
        """The open sessions, and how many steps each has."""
        with self._lock:
            sessions = sorted(self._sessions.values(), key=lambda session: session.name)
            return [
                {"session": s.name, "step": s.state.decision.step if s.state else s.journal.steps()} for s in sessions
            ]

    def _found(self, name: str) -> Session:
        session = self._sessions.get(name)
        if session is None:
            raise RefusalError(
                UNKNOWN, f"there is no session {name!r:.80}: it was closed, or never opened; POST /sessions"
            )
        return session

    def _begun(self, name: str, opening: Opening) -> Session:
        """A new session, on the disk."""
        seed = secrets.randbits(32) if opening.seed is None else opening.seed
        agent = self._opened(opening)
        decision = Decision.of(agent, seed, 0, agent.start(self.vocabulary.first(opening)))
        journal = self._journals.of(name)
        answer = decision.answer(agent, self.vocabulary, name)
        journal.begin(self._journals.heading(name, _said(opening), seed, answer))
        return Session(name, journal, State(agent, opening, seed, decision))

    def _opened(self, opening: Opening) -> Agent[Memory]:
        """The agent with the prior and the alarm of a session."""
        agent = self.agent
        if opening.prior is None and opening.alarm is None:
            return agent
        if not isinstance(agent, BeliefAgent):
            raise RefusalError(UNUSABLE, f"{agent.name} keeps no beliefs: leave prior and alarm out")
        if opening.prior is not None:
            agent = agent.with_prior(opening.prior)
        return agent if opening.alarm is None else WithAlarm(agent, Alarm(agent.inference, opening.alarm))

    def _resumed(self, session: Session) -> State:
        """How a session stands, from its journal where this is the first time since the start."""
        if session.ended:
            raise RefusalError(UNKNOWN, f'session "{session.name}" was closed: open a new one')
        if session.state is None:
            past = Past.of(session.journal)
            agent = self._opened(past.opening)
            *_, memory = self._memories(agent, past)
            decision = Decision.of(agent, past.seed, len(past.steps), memory)
            if decision.answer(agent, self.vocabulary, session.name)["fingerprint"] != past.last.get("fingerprint"):
                raise RefusalError(
                    FAILED,
                    f"{session.journal.path} does not lead to the beliefs that it records at step {decision.step}: "
                    "it was changed, or this walkon computes otherwise; move it away, and open a new session",
                )
            if _by_the_clock(agent):  # another time, another decision: what was said counts
                decision = replace(
                    decision, action=past.last["action"], probabilities=np.array(past.last["probabilities"])
                )
            session.state = State(agent, past.opening, past.seed, decision)
        return session.state

    def _memories(self, agent: Agent[Memory], past: Past) -> Iterator[Memory]:
        """What the agent remembered at each moment."""
        memory = agent.start(self.vocabulary.first(past.opening))
        yield memory
        for each in past.steps:
            memory = agent.update(
                memory, self.vocabulary.actions.index(each.action), self.vocabulary.percept(each.told)
            )
            yield memory


def _repeated(session: Session, told: Told) -> dict[str, Any]:
    """The answer that was given to a step."""
    before = Past.of(session.journal).steps[told.step]
    if before.told != told:
        raise RefusalError(
            CONFLICT,
            f"step {told.step} was told before as {_said(before.told)!r:.300}, and now as {_said(told)!r:.300}: "
            "what has happened cannot change",
        )
    return before.answer


def _said(message: Message) -> dict[str, Any]:
    """A message without what was left out."""
    return message.model_dump(exclude_none=True)


def _by_the_clock(agent: Agent[Memory]) -> bool:
    """Whether its decisions depend on how fast the machine is."""
    return getattr(getattr(agent, "options", None), "seconds", None) is not None
