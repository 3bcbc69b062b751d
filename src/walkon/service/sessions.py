"""All sessions of a service. They may be used from several threads.

The state of a session follows from its journal alone. So a session from before the last start of the service is
recomputed at its first request, from its last checkpoint, and must arrive at the same beliefs to the last bit. If that
is long, as without a checkpoint, it goes on in a thread of its own while requests are told to come again.
"""

import secrets
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any

from walkon.agents.agent import Agent
from walkon.agents.memory import Memory
from walkon.service.checkpoint import EVERY
from walkon.service.decision import Decision, agent_for, updated
from walkon.service.journal import Journal, Journals
from walkon.service.messages import BUSY, CONFLICT, UNKNOWN, UNWRITTEN, Opening, RefusalError, Told
from walkon.service.recomputing import Replay, Resuming, State, fields_of, mark
from walkon.service.vocabulary import Vocabulary
from walkon.tasks.naming import name_of

AT_ONCE = EVERY  # a session with no more steps to recompute is resumed while its request waits


@dataclass(eq=False)
class Session:
    """One stay in one team. Its state is None until its first request, and while it is recomputed."""

    name: str
    journal: Journal
    state: State | None = None
    lock: Lock = field(default_factory=Lock)
    ended: bool = False
    used: float = 0.0  # when it was last asked for
    resuming: tuple[Resuming, "Future[State | None]"] | None = None

    def __post_init__(self) -> None:
        self.used = time.monotonic()


class Sessions:
    """The sessions of one agent, at most `most` at once; those that are in the journals are still open.

    Where `idle` is given, sessions without a request for so many seconds are closed when another one is opened.
    """

    def __init__(self, agent: Agent[Memory], journals: Journals, most: int = 256, idle: float | None = None) -> None:
        self.agent, self.vocabulary, self.most, self.idle = agent, Vocabulary(agent), most, idle
        self._journals, self._lock, self._stopped = journals, Lock(), Event()
        self._sessions = {name: Session(name, journals.of(name)) for name in journals.names()}
        self._background = ThreadPoolExecutor(1, thread_name_prefix="walkon-resuming")

    def __len__(self) -> int:
        return len(self._sessions)

    @property
    def refused(self) -> list[str]:
        """The names of the sessions whose files cannot be used."""
        return sorted(self._journals.refused)

    def open(self, opening: Opening) -> dict[str, Any]:
        """Open a session. The same request again gets the same session."""
        name = opening.id or secrets.token_hex(8)
        self._close_idle()
        with self._lock:
            session, new = self._sessions.get(name), False
            if session is None:
                session, new = self._reserve(name), True
        if new:
            return self._begin(session, opening)
        with session.lock:
            session.used = time.monotonic()
            if not session.ended:
                agent, before, _, decision = self._resumed(session)
                if opening != before:
                    raise RefusalError(CONFLICT, f'id is "{name}", and that session was opened otherwise: take another')
                return decision.answer(agent, self.vocabulary, name)
        return self.open(opening)  # it was closed at this moment, or another request could not open it

    def tell(self, name: str, told: Told) -> dict[str, Any]:
        """Take one step. A repeated step gets the same answer, and is not taken twice."""
        session = self._find(name)
        with session.lock:
            agent, _, seed, decision = state = self._resumed(session)
            if told.step < decision.step:
                return _repeat(session, told)
            if told.step > decision.step:
                why = f"step is {told.step}, and step {decision.step} is next: send that one first"
                raise RefusalError(CONFLICT, why)
            action = decision.action if told.action is None else self.vocabulary.actions.index(told.action)
            memory = updated(agent, decision.memory, self.vocabulary, action, told)
            after = Decision.of(agent, seed, decision.step + 1, memory)
            answer = after.answer(agent, self.vocabulary, name)
            end = session.journal.append({"told": fields_of(told), "action": action, "answer": answer})
            session.state = state._replace(decision=after)
            mark(session.journal, after.step, end, memory)
            return answer

    def look(self, name: str) -> dict[str, Any]:
        """Return the present state of a session."""
        session = self._find(name)
        state = session.state
        if state is None:
            with session.lock:
                state = self._resumed(session)
        return {
            "session": name,
            "opening": fields_of(state.opening) | {"seed": state.seed},
            "unexplained": [
                [step, action, z if z is None or self.agent.library.tables else name_of(z)]
                for step, action, z in state.decision.memory.events
            ],
            "answer": state.decision.answer(state.agent, self.vocabulary, name),
        }

    def replaying(self, name: str) -> Replay:
        """Begin to recompute the whole session, step by step."""
        return Replay(name, self._find(name).journal, self.agent, self.vocabulary)

    def replay(self, name: str) -> dict[str, Any]:
        """Recompute the whole session, and compare it with the recorded answers."""
        replay = self.replaying(name)
        return replay.opening() | {"steps": list(replay)} | replay.verdict()

    def close(self, name: str) -> dict[str, Any]:
        """Close a session, and keep its journal for a while. Closing it twice is no error."""
        if name in self._sessions or not self._journals.ended(name):
            self._end(self._find(name))
            self._journals.sweep()
        return {"session": name, "closed": True}

    def list(self) -> list[dict[str, Any]]:
        """List the open sessions, and the number of their steps."""
        with self._lock:
            sessions = sorted(self._sessions.items())
        known = [(name, s.state.decision.step if s.state else _steps(s.journal)) for name, s in sessions]
        return [{"session": name, "step": step} for name, step in known if step is not None]

    def stop(self) -> None:
        """End what is being recomputed; it begins again, from its last checkpoint, after the next start."""
        self._stopped.set()
        self._background.shutdown(wait=True, cancel_futures=True)

    def _find(self, name: str) -> Session:
        session = self._sessions.get(name)
        if session is None:
            self._journals.of(name)  # refuses a file that is no journal
            why = f"there is no session {name!r:.80}: it was closed, or never opened; POST /sessions"
            raise RefusalError(UNKNOWN, why)
        session.used = time.monotonic()
        return session

    def _reserve(self, name: str) -> Session:
        """Take the name of a new session, with its lock held; the caller holds the lock of all."""
        if self._journals.ended(name):
            raise RefusalError(CONFLICT, f'id is "{name}", and that session has been closed: take another')
        if len(self._sessions) >= self.most:
            told = f"there are {self.most} sessions, the most there may be: close one, or wait"
            raise RefusalError(BUSY, told, retry_after=5)
        session = self._sessions[name] = Session(name, self._journals.of(name))
        session.lock.acquire()
        return session

    def _begin(self, session: Session, opening: Opening) -> dict[str, Any]:
        """Start a new session, and its journal."""
        try:
            seed = secrets.randbits(32) if opening.seed is None else opening.seed
            agent = agent_for(opening, self.agent)
            decision = Decision.of(agent, seed, 0, agent.start(self.vocabulary.first(opening)))
            answer = decision.answer(agent, self.vocabulary, session.name)
            self._journals.begin(session.name, opening=fields_of(opening), seed=seed, answer=answer)
            session.state = State(agent, opening, seed, decision)
            return answer
        except BaseException:
            session.ended = True
            del self._sessions[session.name]
            raise
        finally:
            session.lock.release()

    def _end(self, session: Session, idle: float = 0.0) -> None:
        """Close a session, if it has not been used for `idle` seconds. It has ended when its journal is renamed."""
        with session.lock, self._lock:
            if not session.ended and time.monotonic() - session.used >= idle:
                self._journals.retire(session.name)
                session.ended = True
                del self._sessions[session.name]

    def _close_idle(self) -> None:
        """Close the sessions that have not been used for long."""
        if self.idle is not None:
            now = time.monotonic()
            for session in [each for each in self._sessions.copy().values() if now - each.used >= self.idle]:
                if not session.lock.locked():  # else it is in use
                    self._end(session, self.idle)

    def _resumed(self, session: Session) -> State:
        """Return the state of a session, whose lock is held; recompute it from its journal at the first request."""
        if session.ended:
            raise RefusalError(UNKNOWN, f'session "{session.name}" was closed: open a new one')
        if session.state is None:
            session.state = self._recomputed(session)
        return session.state

    def _recomputed(self, session: Session) -> State:
        if session.resuming is None:
            resuming = Resuming(session.journal, self.agent, self.vocabulary)
            if resuming.last - resuming.step <= AT_ONCE:
                state = resuming.run()
                assert state is not None  # nothing stops it
                return state
            going = self._background.submit(resuming.run, lambda: session.ended or self._stopped.is_set())
            session.resuming = resuming, going
        resuming, going = session.resuming
        if going.done() and not going.cancelled():
            problem = going.exception()
            if isinstance(problem, RefusalError):
                raise RefusalError(problem.status, str(problem))
            if (state := going.result()) is not None:
                session.resuming = None
                return state
        raise RefusalError(
            UNWRITTEN,
            f'session "{session.name}" is being recomputed from its journal (step {resuming.step:,} of '
            f"{resuming.last:,}): send it again in a moment",
            retry_after=1,
        )


def _steps(journal: Journal) -> int | None:
    """Return the number of steps in a journal; None where there is none yet, or no longer."""
    try:
        return len(journal)
    except RefusalError:
        return None


def _repeat(session: Session, told: Told) -> dict[str, Any]:
    """Return the recorded answer to a step."""
    before = session.journal.step(told.step)
    if before.told != told:
        then, now = fields_of(before.told), fields_of(told)
        why = f"step {told.step} was sent before as {then!r:.300}, and now as {now!r:.300}: a step cannot change"
        raise RefusalError(CONFLICT, why)
    return before.answer
