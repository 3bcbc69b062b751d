"""One choice changed: another world, option, task, seat or agent; everything that it leaves possible stays."""

from dataclasses import replace

from walkon.domains.registry import WORLDS
from walkon.errors import InputError
from walkon.formats.episode_file import OWN
from walkon.web.offers import offered, offers
from walkon.web.setup import Setup, chosen

Agents = tuple[str, ...]


def changed(now: Setup, agents: Agents, name: str, value: str, usual: Setup) -> tuple[Setup, Agents]:
    """The choice with one thing changed.

    Args:
        now: What is chosen.
        agents: Who plays: one agent, or two to compare.
        name: What is changed: "world", one of its options, "task", "seat", "agent" or "other".
        value: To what.
        usual: What is played by somebody who has chosen nothing.
    """
    if name == "world":
        fresh = usual.world if value == usual.world.domain else offered(value, {})
        seat = usual.seat if value == OWN else None if now.seat is None else 0
        return replace(now, world=fresh, task=0, seat=seat), agents
    if name in dict(now.world.options):
        return _with_option(now, name, value), agents
    if name in ("task", "seat"):
        return chosen({name: value}, now)[0], agents
    if name == "agent":
        return now, (value, *agents[1:])
    if name == "other":
        return now, (agents[0], value)
    raise InputError(f"there is nothing called {name!r:.40} to choose")


def _with_option(now: Setup, name: str, value: str) -> Setup:
    values = offers(now.world.domain)
    given = {key: str(each) for key, each in now.world.options if key in values and each in values[key].page}
    world = offered(now.world.domain, given | {name: value})
    known = WORLDS[world.domain].names is not None  # else they would have to be made, to be counted
    task = 0 if known and now.task >= world.size else now.task
    seat = now.seat if now.seat is None else task
    return replace(now, world=world, task=task, seat=seat)
