"""The worlds by name."""

from collections.abc import Callable
from difflib import get_close_matches
from inspect import signature
from typing import Any

from walkon.domains import night_pursuit, overcooked, pursuit
from walkon.errors import InputError
from walkon.tasks import TaskLibrary

DOMAINS: dict[str, Callable[..., TaskLibrary]] = {
    "night-pursuit": night_pursuit.library,
    "pursuit": pursuit.library,
    "overcooked": overcooked.library,
}


def make(name: str, **options: Any) -> TaskLibrary:
    """A library of tasks, by the name of its world. The options are those of the world.

    >>> library = make("night-pursuit", size=3, tasks=2)
    >>> len(library), library[0].pomdp
    (2, POMDP(81 states, 5 actions, 81 observations, discount 0.95))
    """
    if name not in DOMAINS:
        raise InputError(f"there is no world called {name!r}{_meant(name, DOMAINS)}: expected {_listed(DOMAINS)}")
    known = signature(DOMAINS[name]).parameters
    for option in options:
        if option not in known:
            raise InputError(f"{name} has no option {option!r}{_meant(option, known)}: it has {_listed(known)}")
    return DOMAINS[name](**options)


def _meant(word: str, words: Any) -> str:
    """A guess at a misspelt word."""
    close = get_close_matches(str(word), list(words), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _listed(words: Any) -> str:
    return ", ".join(words)
