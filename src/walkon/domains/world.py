"""A world describes itself: its name, title, goal, options and size. Whatever else walkon says of it is read here.

Somebody else's world may be as little as a function `library(*, option=default, ...) -> TaskLibrary`: its options are
then read from the signature, and what they mean from the Args of its docstring.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from inspect import Parameter, getdoc, signature
from typing import Any, Literal, TypeAlias, get_args, get_origin

from walkon.checks import one_of, share, typed
from walkon.errors import InputError
from walkon.plugins import suggestion
from walkon.tasks import TaskLibrary
from walkon.tasks.library import trembling

Check: TypeAlias = Callable[[str, Any], Any]  # from an option's name and a value to the value that is meant
MISSING = Parameter.empty
PLAIN = (bool, int, float, str)


def words(name: str) -> str:
    """A name of the code, as people write it.

    >>> words("back_door")
    'Back door'
    """
    return name.replace("_", " ").replace("-", " ").capitalize()


def as_is(name: str, value: Any) -> Any:
    """Whatever the world itself makes of it."""
    return value


def say(value: Any) -> str:
    """A value, as people write it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Option:
    """One thing that can be chosen about a world.

    Attributes:
        default: Its usual value; MISSING where one has to be given.
        check: Refuses a value that cannot be used, by an InputError that says what can.
        help: What it means, in a sentence.
        page: The values that the page offers: those that are affordable there; none if it is not to be chosen there.
        choices: All values that can be used, where these are few; the page offers them, and no check is needed.
        label: What the page calls it; its name if not given.
        said: How the page writes a value.
        kind: The type that the command line reads, that of the default if not given; it has no such option where that
            is not a plain one.
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

    def __post_init__(self) -> None:
        kind = self.kind or (type(self.default) if type(self.default) in PLAIN else None)
        check: Check = partial(one_of, choices=self.choices) if self.choices else self.check
        if check is as_is and kind is bool:
            check = partial(typed, kind=bool)
        known = {
            "kind": kind,
            "check": check,
            "page": self.page or self.choices,
            "label": self.label or words(self.name),
        }
        for name, value in known.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, parameter: Parameter, help: str) -> "Option":
        """The option that a function's parameter is. The page offers yes and no, few choices, or else the default."""
        name, default, hint = parameter.name, parameter.default, parameter.annotation
        if get_origin(hint) is Literal:
            return cls(name, default, help=help, choices=get_args(hint))
        page = (False, True) if isinstance(default, bool) else (default,) if type(default) in PLAIN else ()
        if hint not in PLAIN:
            return cls(name, default, help=help, page=page)
        return cls(name, default, partial(typed, kind=hint), help, page, kind=hint)

    def read(self, text: Any) -> Any:
        """The value that a text says; the text itself where it says none, for the check to refuse."""
        if not isinstance(text, str) or self.kind in (None, str):
            return text
        try:
            return {"yes": True, "no": False}[text] if self.kind is bool else self.kind(text)
        except (KeyError, ValueError):
            return text


TREMBLE = Option("tremble", 0.0, share, "How often a teammate makes a uniform move instead of its own.")


@dataclass(frozen=True)
class World:
    """What there is to play.

    Attributes:
        name: What `walkon.make` calls it.
        title: What people call it.
        goal: What is to be done in it, in a sentence.
        options: What can be chosen. Every world has a tremble, whether it stands here or not.
        library: The tasks, for a value of each of these options.
        names: The names of the tasks for the same options, without their matrices.
        scale: About how many states all tasks have together, and how many observations, for the same options.
        observed: Whether the ad hoc agent sees the state. None, as for names and scale: unknown before it is made.
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
        """The world that a function makes, as far as its signature and docstring describe it."""
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
        """A value for each of its own options: those that are given, if they can be used, and else the default."""
        known = self.every_option
        for name in options:
            if name not in known:
                raise InputError(
                    f"{self.name} has no option {name!r}{suggestion(name, known)}: it has {', '.join(known)}"
                )
        values = {
            name: option.check(name, options[name]) if name in options else option.default
            for name, option in known.items()
        }
        if missing := [name for name, value in values.items() if value is MISSING]:
            raise InputError(f"{self.name} has no default for {', '.join(missing)}: give a value")
        return {option.name: values[option.name] for option in self.options}

    def make(self, options: Mapping[str, Any]) -> TaskLibrary:
        """The library with these options."""
        values = self.checked(options)
        tremble = 0.0 if TREMBLE.name in values else options.get(TREMBLE.name, 0.0)
        library = self.library(**values)
        if not isinstance(library, TaskLibrary):
            raise InputError(f"the world {self.name} made {library!r:.60}, expected a TaskLibrary")
        return trembling(library, tremble, named="{}", folded=True) if tremble else library

    def task_names(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of the tasks with these options; nothing is built, where the world can tell."""
        return self.make(options).names if self.names is None else tuple(self.names(**self.checked(options)))
