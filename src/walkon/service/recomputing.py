"""Recomputes sessions from their journals: to resume one after a restart, and to replay one from its start."""

import json
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.memory import Memory
from walkon.service.checkpoint import EVERY, Checkpoint, document_of, memory_of
from walkon.service.decision import Decision, agent_for, decides_by_the_clock, fingerprint, updated
from walkon.service.journal import Journal
from walkon.service.messages import FAILED, Message, Opening, RefusalError
from walkon.service.vocabulary import Vocabulary

PIECE = 0.02  # seconds
OF_THE_CLOCK = {"action", "action_name", "probabilities"}  # may differ for agents that decide by the clock


class State(NamedTuple):
    """The state of a session."""

    agent: Agent[Memory]  # with the session's own prior and alarm
    opening: Opening
    seed: int
    decision: Decision


class Resuming:
    """The way of a session from its last checkpoint, or its start, to its last step."""

    def __init__(self, journal: Journal, agent: Agent[Memory], vocabulary: Vocabulary) -> None:
        """Find where to begin; nothing is recomputed yet."""
        self._journal, self._vocabulary = journal, vocabulary
        self._heading = heading = journal.heading()
        self._agent = agent_for(heading.opening, agent)
        self._memory, self._answer = self._agent.start(vocabulary.first(heading.opening)), heading.answer
        self._place, self.step, self.last = heading.end, 0, len(journal)
        self._start_at_the_checkpoint()

    def _start_at_the_checkpoint(self) -> None:
        found = self._journal.checkpoint()
        if found is None:
            return
        checkpoint, before = found
        memory = memory_of(checkpoint.memory, self._agent, self._memory)
        if memory is not None and fingerprint(memory) == before.answer.get("fingerprint"):
            self._memory, self._answer = memory, before.answer
            self._place, self.step = checkpoint.place, checkpoint.step

    def run(self, stopped: Callable[[], bool] = lambda: False) -> State | None:
        """Recompute the rest, and return the state; None if it was stopped. The beliefs must be those recorded."""
        agent, heading = self._agent, self._heading
        for each in self._journal.steps(self.step, self._place):
            if stopped():
                return None
            self._memory = updated(agent, self._memory, self._vocabulary, each.action, each.told)
            self._answer = each.answer
            self.step += 1
            mark(self._journal, self.step, each.end, self._memory)
        recorded = self._answer
        if fingerprint(self._memory) != recorded.get("fingerprint"):
            raise RefusalError(
                FAILED,
                f"{self._journal.path} does not lead to the beliefs that it records at step {self.step}: "
                "it was changed, or this walkon computes otherwise; move it away, and open a new session",
            )
        if decides_by_the_clock(agent):  # it may decide otherwise now: the recorded decision counts
            try:
                decision = _recorded(self.step, self._memory, recorded)
            except (KeyError, TypeError, ValueError) as cause:
                raise self._journal.damaged(self.step + 1, str(cause)) from None
        else:
            decision = Decision.of(agent, heading.seed, self.step, self._memory)
        return State(agent, heading.opening, heading.seed, decision)


def mark(journal: Journal, step: int, place: int, memory: Memory) -> None:
    """Write a checkpoint, every so many steps. Agents with a memory of another kind have none."""
    if step % EVERY == 0 and type(memory) is Memory:
        journal.mark(Checkpoint(step, place, document_of(memory)))


class Replay:
    """A session that is recomputed from its start, step by step, and compared with the recorded answers.

    Iterating yields the recorded steps as JSON data; `verdict` says how they compare with the recomputed ones so far.
    """

    def __init__(self, name: str, journal: Journal, agent: Agent[Memory], vocabulary: Vocabulary) -> None:
        self._name, self._journal, self._vocabulary = name, journal, vocabulary
        self._heading = journal.heading()
        self._agent = agent_for(self._heading.opening, agent)
        self._loose = OF_THE_CLOCK if decides_by_the_clock(self._agent) else set()
        self._differs: int | None = None
        self._damaged: str | None = None

    def opening(self) -> dict[str, Any]:
        """Return how the session began."""
        opening, seed, answer, _ = self._heading
        return {"session": self._name, "opening": fields_of(opening) | {"seed": seed}, "first": answer}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        heading, step = self._heading, 0
        memory = self._agent.start(self._vocabulary.first(heading.opening))
        self._compare(0, memory, heading.answer)
        try:
            for each in self._journal.steps(0, heading.end):
                memory = updated(self._agent, memory, self._vocabulary, each.action, each.told)
                step += 1
                self._compare(step, memory, each.answer)
                yield {"told": fields_of(each.told), "action": each.action, "answer": each.answer}
        except RefusalError as problem:  # in a line, or a message that no client can have sent
            self._damaged = str(problem)
            self._differs = step + 1 if self._differs is None else self._differs

    def verdict(self) -> dict[str, Any]:
        """Say whether the recomputed answers equal the recorded ones, to the last bit."""
        return {"exact": self._differs is None, "differs": self._differs, "damaged": self._damaged}

    def _compare(self, step: int, memory: Memory, recorded: dict[str, Any]) -> None:
        if self._differs is not None:
            return
        try:
            if self._loose:  # what it would decide now says nothing
                decision = _recorded(step, memory, recorded)
            else:
                decision = Decision.of(self._agent, self._heading.seed, step, memory)
            answer = decision.answer(self._agent, self._vocabulary, self._name)
        except (KeyError, TypeError, ValueError, IndexError):
            self._differs = step
        else:
            if any(answer[key] != recorded.get(key) for key in answer.keys() - self._loose):
                self._differs = step


def document_text(replaying: Callable[[], Replay]) -> Iterator[str]:
    """Yield the document of a replay in pieces of a few milliseconds' work."""
    replay = replaying()
    yield json.dumps(replay.opening(), allow_nan=False)[:-1] + ', "steps": ['
    batch, comma, until = "", "", perf_counter() + PIECE
    for step in replay:
        batch += comma + json.dumps(step, allow_nan=False)
        comma = ", "
        if perf_counter() > until:
            yield batch
            batch, until = "", perf_counter() + PIECE
    yield batch + "], " + json.dumps(replay.verdict())[1:]


def fields_of(message: Message) -> dict[str, Any]:
    """Return the fields that a message has."""
    return message.model_dump(exclude_none=True)


def _recorded(step: int, memory: Memory, answer: dict[str, Any]) -> Decision:
    return Decision(step, memory, np.array(answer["probabilities"]), int(answer["action"]))
