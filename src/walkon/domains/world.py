"""A world describes itself: its name, title, goal, options and size. All other modules take them from here.

A world of another package may be just a function `library(*, option=default, ...) -> TaskLibrary`: its options are then
taken from the signature, and their meaning from the Args of its docstring.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from inspect import Parameter, getdoc, signature
from typing import Any, Literal, TypeAlias, get_args, get_origin

from walkon.checks import one_of, share, typed
from walkon.errors import InputError
from walkon.memory import check_memory
from walkon.plugins import suggestion
from walkon.tasks import TaskLibrary
from walkon.tasks.library import trembling

Check: TypeAlias = Callable[[str, Any], Any]  # takes an option's name and a value, returns the value to use
MISSING = Parameter.empty
PLAIN = (bool, int, float, str)
TABLES = "tables"  # the option of worlds that can do without
BYTES_PER_STATE = 400  # the least that the tables of a state were found to take


def words(name: str) -> str:
    """Turn a name in code into words.

    >>> words("back_door")
    'Back door'
    """
    return name.replace("_", " ").replace("-", " ").capitalize()


def as_is(name: str, value: Any) -> Any:
    """Leave the check of a value to the world."""
    return value


def say(value: Any) -> str:
    """Write a value as text.

    >>> say((0, 1, 2)), say((19, 27))  # the first three, and two out of many
    ('3', '2 (19, 27)')
    """
    if isinstance(value, bool):
        return {True: "yes", False: "no"}[value]
    if isinstance(value, list | tuple):
        first = list(value) == list(range(len(value)))
        return f"{len(value)}" if first else f"{len(value)} ({', '.join(map(str, value))})"
    return str(value)


@dataclass(frozen=True)
class Option:
    """One option of a world.

    Attributes:
        default: The default value; MISSING if a value has to be given.
        check: Raises an InputError for a value that cannot be used.
        help: The meaning, in a sentence.
        page: The values that the page offers; empty if the page does not offer the option.
        choices: All possible values, where these are few; the page offers them, and no check is needed.
        label: The name on the page; made from the name if not given.
        said: How the page writes a value.
        kind: The type on the command line, that of the default if not given; the command line offers plain types only.
        parse: Turns a text of the command line into another one, such as a file's name into what it holds.
    """

    name: str
    default: Any
    check: Check = as_is
    help: str = ""
    page: tuple[Any, ...] = ()
    choices: tuple[Any, ...] = ()
    label: str = ""
    said: Callable[[Any], str] = say
    kind: type | None = None
    parse: Callable[[str], str] = str

    def __post_init__(self) -> None:
        kind = self.kind or (type(self.default) if type(self.default) in PLAIN else None)
        check: Check = partial(one_of, choices=self.choices) if self.choices else self.check
        if check is as_is and kind is bool:
            check = partial(typed, kind=bool)
        page, label = self.page or self.choices, self.label or words(self.name)
        for name, value in (("kind", kind), ("check", check), ("page", page), ("label", label)):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, parameter: Parameter, help: str) -> "Option":
        """Make an option of a function's parameter. The page offers yes and no, few choices, or else the default."""
        name, default, hint = parameter.name, parameter.default, parameter.annotation
        if get_origin(hint) is Literal:
            return cls(name, default, help=help, choices=get_args(hint))
        page = (False, True) if isinstance(default, bool) else (default,) if type(default) in PLAIN else ()
        if hint not in PLAIN:
            return cls(name, default, help=help, page=page)
        return cls(name, default, partial(typed, kind=hint), help, page, kind=hint)

    def read(self, text: Any) -> Any:
        """Turn a text into a value; where that fails, return the text, for the check to refuse."""
        if not isinstance(text, str) or self.kind in (None, str):
            return self.parse(text) if isinstance(text, str) else text
        try:
            return {"yes": True, "no": False}[text] if self.kind is bool else self.kind(text)
        except (KeyError, ValueError):
            return text


TREMBLE = Option("tremble", 0.0, share, "How often a teammate makes a uniform move instead of its own.")


@dataclass(frozen=True)
class World:
    """A world that can be played.

    Attributes:
        name: The name for `walkon.make`.
        title: The name in texts.
        goal: The goal of the team, in a sentence.
        options: The options. Every world also has a tremble, whether listed here or not.
        library: Makes the tasks from a value of each of these options.
        names: Returns the names of the tasks for the same options, without making matrices.
        scale: Returns about how many states all tasks have together, and how many observations.
        observed: Whether the ad hoc agent sees the state. None, as for names and scale, if unknown beforehand.
    """

    name: str
    title: str
    goal: str
    options: tuple[Option, ...]
    library: Callable[..., TaskLibrary]
    names: Callable[..., Iterable[str]] | None = None
    scale: Callable[..., tuple[int, int]] | None = None
    observed: bool | None = None

    @classmethod
    def of(cls, name: str, library: Callable[..., TaskLibrary]) -> "World":
        """Make a world of a function, as far as its signature and docstring describe it."""
        said = getdoc(library) or ""
        helps = dict(re.findall(r"^ +(\w+)(?: \(.*?\))?: (.*(?:\n {6,}.*)*)", said.partition("Args:")[2], re.M))
        try:
            parameters = signature(library, eval_str=True).parameters.values()
        except NameError:  # annotations with names that only a type checker knows
            parameters = signature(library).parameters.values()
        named = [each for each in parameters if each.kind in (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)]
        options = tuple(Option.of(each, " ".join(helps.get(each.name, "").split())) for each in named)
        return cls(name, words(name), said.partition("\n")[0], options, library)

    @cached_property
    def every_option(self) -> Mapping[str, Option]:
        """The options by name, with the tremble that every world has."""
        found = {option.name: option for option in self.options}
        return found if TREMBLE.name in found else {**found, TREMBLE.name: TREMBLE}

    def checked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Check the options that are given, and add the defaults of the others."""
        known = self.every_option
        for name in options:
            if name not in known:
                has = ", ".join(known)
                raise InputError(f"{self.name} has no option {name!r}{suggestion(name, known)}: it has {has}")
        values = {
            name: option.check(name, options[name]) if name in options else option.default
            for name, option in known.items()
        }
        if missing := [name for name, value in values.items() if value is MISSING]:
            raise InputError(f"{self.name} has no default for {', '.join(missing)}: give a value")
        return {option.name: values[option.name] for option in self.options}

    def make(self, options: Mapping[str, Any]) -> TaskLibrary:
        """Make the library with these options."""
        values = self.checked(options)
        tremble = 0.0 if TREMBLE.name in values else options.get(TREMBLE.name, 0.0)
        if self.names is not None:
            self.names(**values)  # which refuses what the world itself refuses, before any memory is needed
        if self.scale is not None and values.get(TABLES, True):
            states, _ = self.scale(**values)
            what = f"the tables of a library with {states:,} states in all"
            check_memory(BYTES_PER_STATE * states, what, "take fewer tasks or a smaller world")
        library = self.library(**values)
        if not isinstance(library, TaskLibrary):
            raise InputError(f"the world {self.name} made {library!r:.60}, expected a TaskLibrary")
        return trembling(library, tremble, named="{}", folded=True) if tremble else library

    def task_names(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of the tasks with these options; the library is made only where the world has no `names`."""
        return self.make(options).names if self.names is None else tuple(self.names(**self.checked(options)))
