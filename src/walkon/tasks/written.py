"""Checks of the object that a user wrote as a task, before any of its functions is called: names, lists and parameters.

`walkon.tasks.outline` describes the names.
"""

import inspect
from collections.abc import Collection, Hashable
from difflib import get_close_matches
from typing import Any

from walkon.errors import InputError
from walkon.tasks.naming import name_of

ARGUMENTS = {
    "moves": ("state", "action", "teammate_action"),
    "teammates": ("state",),
    "sensor": ("action", "state"),
    "reward": ("state", "action", "teammate_action", "next_state"),
    "solved": ("state",),
    "counts": ("state", "action", "teammate_action"),
    "picture": ("state", "observation"),
    "advice": ("state",),
}
NEEDED = ("start", "actions", "moves", "teammates")
LISTS = ("actions", "teammate_actions", "states", "observations")
KNOWN = (
    *dict.fromkeys([*NEEDED, *ARGUMENTS, *LISTS]),
    "name",
    "discount",
    "horizon",
    "tally",
    "score",
    "own",
    "compiled",
)
SYNONYMS = {"gamma": "discount", "done": "solved", "terminal": "solved", "observe": "sensor", "transition": "moves"}
NEARLY = 0.8  # the similarity from which a parameter counts as a misspelt name


def listing(name: str, word: str, values: Any) -> tuple[Hashable, ...]:
    """Check a list of different things."""
    things = tuple(values)
    if not things:
        raise InputError(f"{name}: {word} is empty, expected at least one")
    for i, thing in enumerate(things):
        if not isinstance(thing, Hashable):
            raise InputError(f"{name}: {word} has {thing!r:.80}, expected words, numbers or tuples")
        if thing in things[:i]:
            raise InputError(f"{name}: {word} has {name_of(thing)} twice")
    return things


def check_order(name: str, word: str, values: Any) -> None:
    """Refuse what is no list, and sets, whose order is not fixed."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise InputError(f"{name}: {word} is {values!r:.80}, expected a list")
    if isinstance(values, set | frozenset):
        remedy = "whose order may change from run to run: give a list"
        raise InputError(f"{name}: {word} is the set {name_of(values):.80}, {remedy}")


def refuse_unknown(name: str, written: Any) -> None:
    """Refuse a public name that could be a misspelt one."""
    own = getattr(written, "own", ())
    if not isinstance(own, list | tuple | set | frozenset) or not all(isinstance(word, str) for word in own):
        raise InputError(f"{name}: own is {own!r:.80}, expected a list of names")
    built_in = {word for kind in type(written).__mro__ if kind.__module__ == "builtins" for word in vars(kind)}
    parameters = _parameters(type(written))
    missing = [word for word in KNOWN if getattr(written, word, None) is None]
    for word in dir(written):
        if word.startswith("_") or word in {*KNOWN, *own, *built_in}:
            continue
        meant = SYNONYMS.get(word) if SYNONYMS.get(word) in missing else None
        close = [meant] if meant else get_close_matches(word, missing, 1, NEARLY if word in parameters else 0.6)
        if close or word not in parameters:
            hint = f"is `{close[0]}` meant? If not," if close else "if it is the task's own,"
            remedy = "list its name in `own`, or begin it with an underscore"
            raise InputError(f"{name} has `{word}`, which is not part of a task: {hint} {remedy}")


def _parameters(kind: type) -> Collection[str]:
    """Return the names of the parameters of a constructor."""
    try:
        return inspect.signature(kind).parameters.keys()
    except (TypeError, ValueError):  # some built-in classes have no signature
        return ()


def bindable(function: Any, *arguments: Any) -> bool:
    """Whether a function can be called with so many arguments."""
    try:
        inspect.signature(function).bind(*arguments)
    except ValueError:  # some built-in functions have no signature
        return not arguments
    except TypeError:
        return False
    return True


def check_call(name: str, word: str, function: Any) -> None:
    """Refuse a function that cannot be called with its arguments."""
    wanted = ARGUMENTS[word]
    if not callable(function):
        raise InputError(f"{name}: {word} is {function!r:.80}, expected a function {word}({', '.join(wanted)})")
    try:
        signature = inspect.signature(function)
    except ValueError:  # some built-in functions have no signature
        return
    try:
        signature.bind(*wanted)
    except TypeError:
        call = f"{word}({', '.join(wanted)})"
        raise InputError(f"{name}: {word}{signature} cannot be called as {call}: give it these arguments") from None
