"""Things by name: walkon's own, and those that other packages add by entry points.

A package is imported only when its agent, world or solver is asked for, so a broken one disturbs nothing else.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from walkon.errors import InputError

T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """All things of one kind, walkon's own first."""

    def __init__(self, kind: str, own: Mapping[str, T], accept: Callable[[str, Any], T]) -> None:
        """Collect what there is.

        Args:
            kind: What they are, such as "agent"; the group of entry points is "walkon.agents".
            own: Those of walkon.
            accept: Turn what an entry point of this name refers to into one of them, or raise an `InputError`.
        """
        self.kind, self._own, self._accept = kind, own, accept
        self._loaded: dict[str, T | InputError] = {}

    @cached_property
    def _declared(self) -> dict[str, EntryPoint]:
        points = entry_points(group=f"walkon.{self.kind}s")
        return {point.name: point for point in points if point.name not in self._own}

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from self._declared

    def __len__(self) -> int:
        return len(self._own) + len(self._declared)

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._declared

    def __getitem__(self, name: str) -> T:
        if not isinstance(name, str) or name not in self:
            raise InputError(
                f"there is no {self.kind} {name!r:.60}{suggestion(name, self)}: expected one of {', '.join(self)}"
            )
        found = self._own[name] if name in self._own else self._load(name)
        if isinstance(found, InputError):
            raise found
        return found

    def _load(self, name: str) -> T | InputError:
        if name not in self._loaded:
            point = self._declared[name]
            try:
                self._loaded[name] = self._accept(name, point.load())
            except Exception as problem:  # whatever a foreign package may raise
                why = problem if isinstance(problem, InputError) else f"{type(problem).__name__}: {problem}"
                whose = f"the {self.kind} {name} of another package ({point.value}) cannot be used"
                self._loaded[name] = InputError(f"{whose}: {why}; repair or remove that package")
        return self._loaded[name]

    def working(self) -> dict[str, T]:
        """All but those that cannot be loaded."""
        return {name: self[name] for name in self if name not in self.broken()}

    def broken(self) -> dict[str, str]:
        """Why some of those of other packages cannot be loaded."""
        return {name: str(why) for name in self._declared if isinstance(why := self._load(name), InputError)}


def suggestion(word: object, known: Iterable[str]) -> str:
    """What a misspelt word may mean."""
    close = get_close_matches(str(word), list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
