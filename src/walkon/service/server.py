"""Serves a saved agent, with its journals, at an address, behind the guard."""

import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from walkon.agents.agent import AgentBase
from walkon.agents.memory import Percept, UnexplainedWarning
from walkon.errors import InputError
from walkon.formats.bundle import load
from walkon.network import Address
from walkon.service.app import make_app
from walkon.service.journal import KEEP_DAYS, Journals, digest_of
from walkon.service.middleware import LARGEST_BODY, Executor
from walkon.service.sessions import Sessions

MOST_CONNECTIONS = 1000


@dataclass(frozen=True)
class Settings:
    """The limits of a service."""

    deadline: float = 5.0  # seconds that a request may take
    sessions: int = 256  # open at once
    keep_days: float = KEEP_DAYS  # for journals of closed sessions

    def __post_init__(self) -> None:
        if not 0 < self.deadline < 3600:
            raise InputError(f"deadline is {self.deadline:g}, expected seconds: more than 0, less than 3600")
        if not 1 <= self.sessions <= 100_000:
            raise InputError(f"sessions is {self.sessions}, expected a number from 1 to 100,000")
        if not 0 <= self.keep_days <= 100_000:
            raise InputError(f"keep_days is {self.keep_days:g}, expected a number from 0 to 100,000")


Ready = Callable[[str, str, int], None]


def serve(bundle: Path, address: Address, journal: Path, version: str, ready: Ready, settings: Settings) -> None:
    """Serve until the process is stopped.

    `ready` is called with the address, the agent's name, and the number of sessions that are resumed.
    """
    agent = _load(bundle)
    digest = digest_of(bundle)
    journals = Journals(journal, digest, settings.keep_days)
    executor = Executor(settings.deadline)
    try:
        listening = address.bound()
        warnings.simplefilter("ignore", UnexplainedWarning)  # the answers say so
        _warm(agent)
        sessions = Sessions(agent, journals, settings.sessions)
        app = make_app(sessions, digest, version, executor)
        limits = {"limit_concurrency": MOST_CONNECTIONS, "ws_max_size": LARGEST_BODY}
        ready(address.url(listening), agent.name, len(sessions))
        address.serve(app, listening, as_json=True, lifespan="off", **limits)
    finally:
        executor.close()
        journals.close()


def _load(bundle: Path) -> Any:
    if not bundle.is_file():
        raise InputError(f'there is no file "{bundle}": expected a bundle that walkon.save(agent, ...) wrote')
    agent = load(bundle)
    if not isinstance(agent, AgentBase):
        raise InputError(f"{bundle} holds a {type(agent).__name__}, expected an agent: walkon.save(agent, ...)")
    return agent


def _warm(agent: Any) -> None:
    """Load and compile everything before the first request."""
    with suppress(InputError):
        memory = agent.start(Percept(state=0) if "state" in agent.senses else None)
        agent.act(memory)
        after = agent.update(memory, 0, Percept(observation=0) if "observation" in agent.senses else Percept())
        agent.act(after)
        agent.update(after, 0, Percept())
