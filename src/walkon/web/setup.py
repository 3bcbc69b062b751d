"""What somebody chose to play, as plain data, and as the query of the page's address.

    ?world=night-pursuit&size=5&noise=0.3&tasks=4&agent=atpo&task=1&seed=3&seat=you&moves=0.3.t.2

The luck follows from the seed, so a person's moves are enough to come back to the same point: after a reload, after a
lost connection, or on another machine. A `t` stands for a step in which the teammates played by themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from walkon.agents.registry import AGENTS
from walkon.checks import number_of
from walkon.domains.registry import WORLDS
from walkon.errors import InputError
from walkon.formats.episode_file import OWN
from walkon.trials.trial import WorldSpec
from walkon.web.offers import TREMBLE, offered, offers

YOU = "you"
BY_THEMSELVES = "t"
LARGEST_SEED = 2**63 - 1
MOST_MOVES = 1000


@dataclass(frozen=True)
class Setup:
    """Who plays what.

    Attributes:
        world: The world, without the tremble that a person is granted.
        agent: Who joins the team.
        task: The task that is going on.
        seed: What all luck follows from.
        seat: Whose teammates play: those of a task of the library; None for a person.
    """

    world: WorldSpec
    agent: str = "atpo"
    task: int = 0
    seed: int = 0
    seat: int | None = None

    @property
    def library(self) -> WorldSpec:
        """The world whose tasks the agent holds possible: its teammates tremble where a person plays."""
        return self.world.having(tremble=TREMBLE) if self.seat is None else self.world

    @property
    def on_offer(self) -> bool:
        """Whether the page itself offers this world; a file or a run may hold others."""
        values = offers(self.world.domain)
        known = self.world.domain in (OWN, *WORLDS)
        return known and all(name in values and value in values[name].page for name, value in self.world.options)

    def query(self, moves: Sequence[int | None] = (), other: str = "") -> str:
        """The choice, the moves since, and the agent that is compared, as the query of an address."""
        parts: dict[str, object] = {"world": self.world.domain, **dict(self.world.options), "agent": self.agent}
        parts |= {"task": self.task, "seed": self.seed, "seat": YOU if self.seat is None else self.seat}
        if other:
            parts["other"] = other
        if moves:
            parts["moves"] = ".".join(BY_THEMSELVES if own is None else str(own) for own in moves)
        return urlencode(parts)


def chosen(query: Mapping[str, str], usual: Setup) -> tuple[Setup, tuple[int | None, ...]]:
    """The choice in an address, and the moves; what it does not say is as usual."""
    domain = query.get("world", usual.world.domain)
    given = {name: query[name] for name in offers(domain) if name in query}
    world = usual.world if domain == usual.world.domain and not given else offered(domain, given)
    agent = query.get("agent", usual.agent)
    AGENTS[agent]
    same = world == usual.world
    task = number_of("task", query.get("task", str(usual.task) if same else "0"), 999)
    by_themselves = str(usual.seat if usual.seat != usual.task else task)
    seat = query.get("seat", YOU if usual.seat is None else by_themselves)
    setup = replace(
        usual,
        world=world,
        agent=agent,
        task=task,
        seed=number_of("seed", query.get("seed", str(usual.seed)), LARGEST_SEED),
        seat=None if seat == YOU else number_of("seat", seat, 999),
    )
    texts = [text for text in query.get("moves", "").split(".") if text]
    if len(texts) > MOST_MOVES:
        raise InputError(f"moves has {len(texts):,} moves, expected at most {MOST_MOVES:,}")
    return setup, tuple(None if text == BY_THEMSELVES else number_of("moves", text, 10**6) for text in texts)
