"""What a memory is a memory of. An agent takes its own memories, and no others.

Beliefs are numbers without names: those of another library may be as many, and mean something else. So a memory says
what it is of, and an agent asks before it looks. Agents over one library understand each other's beliefs; so do those
over another with the same numbers, such as one that was saved and loaded.
"""

from typing import Any

from walkon.errors import InputError
from walkon.models.content import content_hash
from walkon.tasks import TaskLibrary

REMEDY = "a memory goes with what it began with, so begin with agent.start()"


class Origin:
    """What is remembered, and of which libraries. Told apart by identity, and by content only where that fails.

    Where one is sent to another process, it has a digest of the libraries and not the libraries.
    """

    def __init__(self, what: str, libraries: tuple[TaskLibrary, ...], digest: str = "", about: str = "") -> None:
        """Keep what it is made of; the digest and the description only where the libraries are not there."""
        self.what, self.libraries = what, libraries
        self._digest, self._about = digest, about

    def __reduce__(self) -> Any:
        return Origin, (self.what, (), self.digest, self.about)

    def __repr__(self) -> str:
        return f"Origin({self.what} of {self.about})"

    @property
    def digest(self) -> str:
        """What the models of the libraries contain, names aside; worked out when it is first asked for."""
        self._digest = self._digest or content_hash(*(tuple(t.pomdp.hash for t in each) for each in self.libraries))
        return self._digest

    @property
    def about(self) -> str:
        """The libraries in words."""
        return self._about or " and ".join(
            ", ".join(f"{task.name} ({len(task.pomdp.start)} states)" for task in each) for each in self.libraries
        )

    def check(self, memory: Any) -> None:
        """Refuse a memory of something else."""
        other = getattr(memory, "of", None)
        if other is not self:
            self._compare(memory, other)

    def _compare(self, memory: Any, other: Any) -> None:
        """The same, slowly."""
        if not isinstance(other, Origin):
            whose = " that does not say what it is of" if hasattr(memory, "of") else ""
            raise InputError(f"this is a {type(memory).__name__}{whose}, expected a memory of {self.what}: {REMEDY}")
        if other.what != self.what:
            raise InputError(f"this is a memory of {other.what}, expected one of {self.what}: {REMEDY}")
        if (not self.libraries or other.libraries != self.libraries) and other.digest != self.digest:
            raise InputError(f"this is a memory of {other.about:.200}, expected one of {self.about:.200}: {REMEDY}")
