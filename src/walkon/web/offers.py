"""What the page offers to play, which is also all that it may ask this machine to solve."""

from collections.abc import Mapping
from inspect import Parameter, signature
from typing import Any, Literal, get_args, get_origin

from walkon.domains.registry import DOMAINS, options_of
from walkon.errors import InputError
from walkon.formats.episode_file import OWN
from walkon.trials.trial import World

TREMBLE = 0.1  # how often a teammate errs in the agent's eyes where a person plays it

OFFERS: dict[str, dict[str, tuple[Any, ...]]] = {
    "night-pursuit": {"size": (3, 4, 5, 6), "noise": (0.0, 0.1, 0.2, 0.3, 0.4), "tasks": (2, 3, 4, 6, 8)},
    "pursuit": {"size": (3, 4, 5, 6), "capture": ("opposite", "adjacent")},
    "overcooked": {"role": ("helper", "cook")},
    OWN: {},
}
ADDRESS = {"world", "agent", "other", "task", "seed", "seat", "moves", "token"}  # other words of a page's address
MOST_STATES = {"night-pursuit": 12_000, "pursuit": 12_000}  # of all tasks together, in an episode that is opened


def offers(domain: str) -> Mapping[str, tuple[Any, ...]]:
    """The options of a world that can be chosen, and their values. None for a world that there is not.

    Of a world that this page knows nothing else about, the signature of its function is read: an option is yes or no,
    or one of the words of a `Literal`. Any other keeps its default, the one value that is known to be affordable.
    """
    if domain in OFFERS or domain not in DOMAINS:
        return OFFERS.get(domain, {})
    options = signature(DOMAINS[domain]).parameters.values()
    return {
        option.name: _values(option)
        for option in options
        if isinstance(option.default, bool | int | float | str) and option.name not in (*ADDRESS, "tremble")
    }


def _values(option: Parameter) -> tuple[Any, ...]:
    if isinstance(option.default, bool):
        return (False, True)
    return get_args(option.annotation) if get_origin(option.annotation) is Literal else (option.default,)


def offered(domain: str, given: Mapping[str, str]) -> World:
    """A world with options that were chosen on a page, each one of those on offer; the usual one if not given."""
    if domain not in (OWN, *DOMAINS):
        raise InputError(f"there is no world {domain!r:.40}: expected one of {', '.join(DOMAINS)}")
    options = {}
    for name, values in offers(domain).items():
        text = given.get(name, str(options_of(domain)[name]))
        found = [value for value in values if str(value) == text]
        if not found:
            raise InputError(f"{name} is {text!r:.40}, expected one of {', '.join(map(str, values))}")
        options[name] = found[0]
    return World.of(domain, **options)


def affordable(domain: str, options: Mapping[str, Any]) -> None:
    """Refuse a world that is too large to be made for a page. What is wrong with its options, the world itself says."""

    def number(name: str, usual: int) -> int:
        value = options.get(name, usual)
        size = len(value) if isinstance(value, list | tuple) else value
        return size if isinstance(size, int) and 0 <= size < 1000 else usual

    size = number("size", 5)
    if domain == "night-pursuit":
        states = size ** (2 + 2 * number("teammates", 1)) * number("tasks", 4)
    elif domain == "pursuit":
        states = size**4 * 3
    elif domain in OFFERS:
        return
    else:
        _only_offered(domain, options)
        return
    if states > MOST_STATES[domain]:
        raise InputError(
            f"{domain} with these options has {states:,} states in all its tasks, more than the "
            f"{MOST_STATES[domain]:,} that a page may ask for: use walkon play in a terminal"
        )


def _only_offered(domain: str, options: Mapping[str, Any]) -> None:
    """Of a world whose size nobody can tell from its options, take those that the page offers, and no others."""
    for name, value in options.items():
        if name != "tremble" and value not in offers(domain).get(name, (options_of(domain).get(name),)):
            raise InputError(
                f"{name} is {value!r:.40}, and a page cannot tell how large {domain} is then: "
                "use walkon play in a terminal"
            )
