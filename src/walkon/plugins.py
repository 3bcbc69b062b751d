"""Registries by name: walkon's own entries, and those that other packages add by entry points.

A package is imported only when its agent, world or solver is used, so a broken one affects nothing else.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from walkon.errors import InputError

T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """All entries of one kind, walkon's own first."""

    def __init__(self, kind: str, own: Mapping[str, T], accept: Callable[[str, Any], T]) -> None:
        """Make a registry of a kind, such as "agent", with the entry points "walkon.agents".

        `accept` turns the object of an entry point into an entry of this name, or raises an `InputError`.
        """
        self.kind, self._own, self._accept = kind, own, accept
        self._loaded: dict[str, T | InputError] = {}

    @cached_property
    def _declared(self) -> dict[str, EntryPoint]:
        points = entry_points(group=f"walkon.{self.kind}s")
        return {point.name: point for point in points if point.name not in self._own}

    def __iter__(self) -> Iterator[str]:
        return iter((*self._own, *self._declared))

    def __len__(self) -> int:
        return len(self._own) + len(self._declared)

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._declared

    def __getitem__(self, name: str) -> T:
        if not isinstance(name, str) or name not in self:
            what = f"there is no {self.kind} {name!r:.60}{suggestion(name, self)}"
            one = "one name, without commas, of" if "," in str(name) else "one of"
            raise InputError(f"{what}: expected {one} {', '.join(self)}")
        found = self._own[name] if name in self._own else self._load(name)
        if isinstance(found, InputError):
            raise found
        return found

    def _load(self, name: str) -> T | InputError:
        if name not in self._loaded:
            point = self._declared[name]
            try:
                self._loaded[name] = self._accept(name, point.load())
            except Exception as problem:  # anything that another package may raise
                why = problem if isinstance(problem, InputError) else f"{type(problem).__name__}: {problem}"
                whose = f"the {self.kind} {name} of another package ({point.value}) cannot be used"
                self._loaded[name] = InputError(f"{whose}: {why}; repair or remove that package")
        return self._loaded[name]

    def working(self) -> dict[str, T]:
        """Return all entries that can be loaded."""
        return {name: self[name] for name in self if name not in self.broken()}

    def broken(self) -> dict[str, str]:
        """Return the names that cannot be loaded, with the reasons."""
        return {name: str(why) for name in self._declared if isinstance(why := self._load(name), InputError)}


def suggestion(word: object, known: Iterable[str]) -> str:
    """Suggest a name for a misspelt one, or for one in capital letters."""
    names = {name.lower(): name for name in known}
    close = get_close_matches(str(word).lower(), list(names), n=1)
    return f" (did you mean {names[close[0]]!r}?)" if close else ""
