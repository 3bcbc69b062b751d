"""The worlds by name."""

from collections.abc import Callable
from difflib import get_close_matches
from inspect import Parameter, signature
from typing import Any

from walkon.domains import night_pursuit, overcooked, pursuit
from walkon.domains.options import share
from walkon.errors import InputError
from walkon.tasks import TaskLibrary
from walkon.tasks.trembling import trembling

TREMBLE = "tremble"  # how often a teammate makes a uniform move instead of its own

DOMAINS: dict[str, Callable[..., TaskLibrary]] = {
    "night-pursuit": night_pursuit.library,
    "pursuit": pursuit.library,
    "overcooked": overcooked.library,
}


def make(name: str, **options: Any) -> TaskLibrary:
    """A library of tasks, by the name of its world. The options are those of the world; `tremble` every world has.

    >>> library = make("night-pursuit", size=3, tasks=2)
    >>> len(library), library[0].pomdp
    (2, POMDP(81 states, 5 actions, 81 observations, discount 0.95))
    """
    if name not in DOMAINS:
        raise InputError(f"there is no world called {name!r}{_meant(name, DOMAINS)}: expected {_listed(DOMAINS)}")
    known = options_of(name)
    for option in options:
        if option not in known:
            raise InputError(f"{name} has no option {option!r}{_meant(option, known)}: it has {_listed(known)}")
    if missing := [option for option, default in known.items() if default is Parameter.empty and option not in options]:
        raise InputError(f"{name} has no default for {_listed(missing)}: give a value")
    tremble = 0.0 if TREMBLE in signature(DOMAINS[name]).parameters else share(TREMBLE, options.pop(TREMBLE, 0.0))
    library = DOMAINS[name](**options)
    return trembling(library, tremble, named="{}", folded=True) if tremble else library


def options_of(name: str) -> dict[str, Any]:
    """The options of a world and their defaults, read from the signature of its function.

    >>> options_of("overcooked")
    {'role': 'helper', 'tremble': 0.0}
    """
    found = {option: each.default for option, each in signature(DOMAINS[name]).parameters.items()}
    return found if TREMBLE in found else {**found, TREMBLE: 0.0}


def _meant(word: str, words: Any) -> str:
    """A guess at a misspelt word."""
    close = get_close_matches(str(word), list(words), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _listed(words: Any) -> str:
    return ", ".join(words)
