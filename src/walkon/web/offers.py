"""What the page offers to play, which is also all that it may ask this machine to solve."""

from collections.abc import Mapping
from typing import Any

from walkon.domains.registry import WORLDS
from walkon.domains.world import Option
from walkon.errors import InputError
from walkon.formats.episode_file import OWN
from walkon.trials.trial import WorldSpec

TREMBLE = 0.1  # how often a teammate errs in the agent's eyes where a person plays it
RESERVED = {
    "world",
    "agent",
    "other",
    "task",
    "seed",
    "seat",
    "moves",
    "token",
    "tremble",
}  # with a meaning of their own
MOST_STATES = 12_000  # of all tasks together, in an episode that is opened


def offers(domain: str) -> Mapping[str, Option]:
    """The options of a world that can be chosen. None for a world that there is not."""
    options = WORLDS[domain].options if domain in WORLDS else ()
    return {option.name: option for option in options if option.page and option.name not in RESERVED}


def offered(domain: str, given: Mapping[str, str]) -> WorldSpec:
    """A world with options that were chosen on a page, each one of those on offer; the usual one if not given."""
    if domain != OWN:
        _ = WORLDS[domain]  # says what is wrong with it
    options = {}
    for name, option in offers(domain).items():
        text = given.get(name, str(option.default))
        found = [value for value in option.page if str(value) == text]
        if not found:
            raise InputError(f"{name} is {text!r:.40}, expected one of {', '.join(map(str, option.page))}")
        options[name] = found[0]
    return WorldSpec.of(domain, **options)


def affordable(domain: str, options: Mapping[str, Any]) -> None:
    """Refuse a world that is too large to be made for a page."""
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
    for name, value in options.items():  # how large it would be, nobody knows before it is made
        option = world.every_option[name]
        if name != "tremble" and value not in (option.default, *option.page):
            raise InputError(
                f"{name} is {value!r:.40}, and a page cannot tell how large {domain} is then: "
                "use walkon play in a terminal"
            )
