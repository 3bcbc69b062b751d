"""Serves a saved agent, with its journals, at an address, behind the guard."""

import logging
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.agent import AgentBase
from walkon.agents.memory import Percept, UnexplainedWarning
from walkon.errors import InputError
from walkon.formats.bundle import load
from walkon.network import Address
from walkon.saying import briefly
from walkon.service.app import make_app
from walkon.service.connections import LARGEST_HEAD, Connection
from walkon.service.executor import Executor
from walkon.service.journal import KEEP_DAYS, Journals, digest_of
from walkon.service.middleware import LARGEST_BODY
from walkon.service.sessions import Sessions
from walkon.tasks import TaskLibrary
from walkon.tasks.simulator import RuleSimulator


@dataclass(frozen=True)
class Settings:
    """The limits of a service."""

    deadline: float = 5.0  # seconds that a request may take
    sessions: int = 256  # open at once
    keep_days: float = KEEP_DAYS  # for journals of closed sessions
    idle_hours: float | None = None  # after which a session without requests is closed; never if None

    def __post_init__(self) -> None:
        if not 0 < self.deadline < 3600:
            raise InputError(f"deadline is {self.deadline:g}, expected seconds: more than 0, less than 3600")
        if not 1 <= self.sessions <= 100_000:
            raise InputError(f"sessions is {self.sessions}, expected a number from 1 to 100,000")
        if not 0 <= self.keep_days <= 100_000:
            raise InputError(f"keep_days is {self.keep_days:g}, expected a number from 0 to 100,000")
        if self.idle_hours is not None and not 0 < self.idle_hours <= 1_000_000:
            raise InputError(f"idle_hours is {self.idle_hours:g}, expected hours: more than 0, at most 1,000,000")


class Started(NamedTuple):
    """What is said when the service starts."""

    address: str
    agent: str
    sessions: int  # that are resumed
    refused: tuple[str, ...]  # why files in the journal folder cannot be used


def serve(
    bundle: Path,
    address: Address,
    journal: Path,
    version: str,
    ready: Callable[[Started], None],
    settings: Settings,
    library: TaskLibrary | None = None,
) -> None:
    """Serve until the process is stopped; `ready` is called when it listens.

    An agent without tables needs the `library` of its rules.
    """
    agent = _load(bundle, library)
    digest = digest_of(bundle)
    journals = Journals(journal, digest, settings.keep_days)
    executor, sessions = Executor(settings.deadline), None
    try:
        listening = address.bound()
        warnings.simplefilter("ignore", UnexplainedWarning)  # the answers say so
        _warm(agent)
        idle = None if settings.idle_hours is None else 3600 * settings.idle_hours
        sessions = Sessions(agent, journals, settings.sessions, idle)
        app = make_app(sessions, digest, version, executor)
        limits = {"http": Connection, "h11_max_incomplete_event_size": LARGEST_HEAD, "ws_max_size": LARGEST_BODY}
        logging.getLogger("uvicorn.error").addFilter(_without_tracebacks)
        ready(Started(address.url(listening), agent.name, len(sessions), tuple(journals.refused.values())))
        address.serve(app, listening, as_json=True, lifespan="off", **limits)
    finally:
        if sessions is not None:
            sessions.stop()
        executor.close()
        journals.close()


def _without_tracebacks(record: logging.LogRecord) -> bool:
    """Log a client's bad bytes in one line, without a traceback through the server."""
    if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
        record.exc_info = record.exc_text = None
    return True


def _load(bundle: Path, library: TaskLibrary | None) -> Any:
    if not bundle.is_file():
        raise InputError(f'there is no file "{bundle}": expected a bundle that walkon.save(agent, ...) wrote')
    agent = load(bundle, library)
    if not isinstance(agent, AgentBase):
        raise InputError(f"{bundle} holds {briefly(agent)}, expected an agent: `walkon prepare {bundle}` makes one")
    return agent


def _warm(agent: Any) -> None:
    """Load and compile everything before the first request."""
    with suppress(InputError):
        memory = agent.start(Percept(state=0) if "state" in agent.senses else None)
        agent.act(memory)
        seen = 0 if agent.library.tables else _first_observation(agent.library[0].simulator)
        after = agent.update(memory, 0, Percept(observation=seen) if "observation" in agent.senses else Percept())
        agent.act(after)
        agent.update(after, 0, Percept())
        if not agent.library.tables:
            return
        if "observation" in agent.senses and not agent.library.observed:  # the kernel for weights too small for floats
            agent.update(after, 0, Percept(likelihood=np.ones(agent.library[0].pomdp.O[0].shape[1])))


def _first_observation(rules: RuleSimulator) -> Any:
    """Return some observation after a first step."""
    luck = Random(0).random
    y, _ = rules.step(rules.draw_start(luck), 0, luck)
    return rules.observe(0, y, luck)
