"""The trials that the page offers: their choices, and their addresses.

    ?world=night-pursuit&size=5&noise=0.3&tasks=4&agent=atpo&task=1&seed=3&seat=you&moves=0.3.t.2

Luck follows from the seed, so a person's moves are enough to return to the same moment: after a reload, after a lost
connection, or on another machine. A `t` stands for a step in which the teammates played by themselves. Nothing but the
offered options can be asked of the server.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from walkon.agents.registry import AGENTS
from walkon.checks import number_of
from walkon.domains.registry import WORLDS
from walkon.domains.world import Option
from walkon.errors import InputError
from walkon.formats.episode_file import OBSERVATIONS, OWN, TRANSITIONS
from walkon.trials.trial import Trial, WorldSpec
from walkon.web.thinking_time import COUNTED, TIMED, read_thinking, searching

YOU = "you"
BY_THEMSELVES = "t"
LARGEST_SEED = 2**63 - 1
MOST_MOVES = 1000
MOST_STATES = 12_000  # of all tasks together, in an episode that is opened
TREMBLE = 0.1  # the probability of an error that the agent ascribes to a person
RESERVED = (
    "world", "agent", "other", "task", "seed", "seat", "moves", "token", "tremble", "evidence", COUNTED, TIMED,
)  # fmt: skip


def offers(domain: str) -> Mapping[str, Option]:
    """The options that the page offers for a world; empty for an unknown world."""
    options = WORLDS[domain].options if domain in WORLDS else ()
    return {option.name: option for option in options if option.page and option.name not in RESERVED}


def choose_world(domain: str, given: Mapping[str, str]) -> WorldSpec:
    """Make a world from offered values of its options, with defaults for the rest."""
    if domain != OWN:
        _ = WORLDS[domain]  # an unknown name raises InputError
    options = {}
    for name, option in offers(domain).items():
        text = given.get(name, str(option.default))
        found = [value for value in option.page if str(value) == text]
        if not found:
            raise InputError(f"{name} is {text!r:.40}, expected one of {', '.join(map(str, option.page))}")
        options[name] = found[0]
    return WorldSpec.of(domain, **options)


def is_offered(world: WorldSpec) -> bool:
    """Whether the page offers this world; files and runs may contain others."""
    values = offers(world.domain)
    known = world.domain in (OWN, *WORLDS)
    return known and all(name in values and value in values[name].page for name, value in world.options)


def check_affordable(domain: str, options: Mapping[str, Any]) -> None:
    """Refuse a world that is too large for the page."""
    if domain == OWN:
        return
    world = WORLDS[domain]
    values = world.checked(options)
    if world.scale is not None:
        states, _ = world.scale(**values)
        if states > MOST_STATES:
            raise InputError(
                f"{domain} with these options has {states:,} states in all its tasks, more than the "
                f"{MOST_STATES:,} that a page may ask for: use walkon play in a terminal"
            )
        return
    for name, value in options.items():  # its size is unknown until it is made
        option = world.every_option[name]
        if name != "tremble" and value not in (option.default, *option.page):
            raise InputError(
                f"{name} is {value!r:.40}, and the page cannot tell how large {domain} would be: "
                "use walkon play in a terminal"
            )


def library_world(setup: Trial) -> WorldSpec:
    """The world of the agent's library. Where a person plays, its teammates tremble."""
    return setup.world.having(tremble=TREMBLE) if setup.played_by is None else setup.world


def address_of(setup: Trial, moves: Sequence[int | None] = (), other: str = "") -> str:
    """Write a setup, the moves so far and a second agent as the query of an address."""
    parts: dict[str, object] = {"world": setup.world.domain, **dict(setup.world.options), "agent": setup.agent}
    parts |= {"task": setup.task, "seed": setup.seed, "seat": YOU if setup.played_by is None else setup.played_by}
    parts |= AGENTS[setup.agent].picked({"evidence": setup.evidence})
    if other:
        parts["other"] = other
    if searching([setup.agent, other]):
        parts |= dict(setup.options)
    if moves:
        parts["moves"] = ".".join(BY_THEMSELVES if move is None else str(move) for move in moves)
    return urlencode(parts)


def read_address(query: Mapping[str, str], usual: Trial) -> tuple[Trial, tuple[int | None, ...]]:
    """Read a setup and the moves from an address; missing parts are as usual."""
    domain = query.get("world", usual.world.domain)
    given = {name: query[name] for name in offers(domain) if name in query}
    world = usual.world if domain == usual.world.domain and not given else choose_world(domain, given)
    agent = query.get("agent", usual.agent)
    AGENTS[agent]
    task = number_of("task", query.get("task", str(usual.task) if world == usual.world else "0"), 999)
    by_themselves = str(usual.played_by if usual.played_by != usual.task else task)
    seat = query.get("seat", YOU if usual.played_by is None else by_themselves)
    evidence = query.get("evidence", usual.evidence if domain == usual.world.domain else OBSERVATIONS)
    if evidence not in (OBSERVATIONS, TRANSITIONS):
        raise InputError(f"evidence is {evidence!r:.40}, expected {OBSERVATIONS} or {TRANSITIONS}")
    seed = number_of("seed", query.get("seed", str(usual.seed)), LARGEST_SEED)
    played_by = None if seat == YOU else number_of("seat", seat, 999)
    setup = replace(usual, world=world, agent=agent, task=task, seed=seed, played_by=played_by, evidence=evidence)
    return replace(setup, options=read_thinking(query) or usual.options), read_moves(query)[0]


def read_moves(query: Mapping[str, str]) -> tuple[tuple[int | None, ...], str]:
    """Read the moves of an address up to the first that is wrong, and say what is wrong; nothing if all are right."""
    texts = [text for text in query.get("moves", "").split(".") if text]
    moves: list[int | None] = []
    try:
        for text in texts[:MOST_MOVES]:
            moves.append(None if text == BY_THEMSELVES else number_of("moves", text, 10**6))
    except InputError as problem:
        return tuple(moves), f"{problem}; the {len(moves)} moves before it were played"
    most = f"moves has {len(texts):,} moves, and the first {MOST_MOVES:,} were played"
    return tuple(moves), most if len(texts) > MOST_MOVES else ""


def change(now: Trial, agents: tuple[str, ...], name: str, value: str, usual: Trial) -> tuple[Trial, tuple[str, ...]]:
    """Change one choice of a setup, by its name in an address, and keep the others where they are still valid."""
    if name == "world":
        own = value == OWN
        world = usual.world if value == usual.world.domain else choose_world(value, {})
        played_by = usual.played_by if own else None if now.played_by is None else 0
        evidence = usual.evidence if own else OBSERVATIONS
        return replace(now, world=world, task=0, played_by=played_by, evidence=evidence), agents
    if name in dict(now.world.options):
        offered = offers(now.world.domain)
        given = {key: str(each) for key, each in now.world.options if key in offered and each in offered[key].page}
        world = choose_world(now.world.domain, given | {name: value})
        countable = WORLDS[world.domain].names is not None  # without making the library
        task = 0 if countable and now.task >= world.size else now.task
        return replace(now, world=world, task=task, played_by=None if now.played_by is None else task), agents
    if name in ("task", "seat"):
        return read_address({name: value}, now)[0], agents
    if name == TIMED:
        return replace(now, options=read_thinking({TIMED: value})), agents
    if name == "agent":
        return now, (value, *agents[1:])
    if name == "other":
        return now, (agents[0], value)
    raise InputError(f"there is nothing called {name!r:.40} to choose")
