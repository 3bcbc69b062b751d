"""The states, the actions or the observations of a file: how many, what they are called, how fields refer to them."""

from dataclasses import dataclass, field

from walkon.arrays import Names

ANY = -1  # the field is `*`
UNKNOWN = -2


class Index(dict[bytes, int]):
    """The number that a field's token stands for. Numbers are put in when they are first met."""

    def __init__(self, size: int, names: Names | None) -> None:
        super().__init__({name.encode(): i for i, name in enumerate(names or ())})
        self.size = size
        self[b"*"] = ANY

    def __missing__(self, token: bytes) -> int:
        if not token.isdigit() or len(token) > 18 or int(token) >= self.size:
            return UNKNOWN
        number = self[token] = int(token)
        return number


@dataclass(frozen=True)
class Axis:
    """One axis of the model."""

    kind: str  # "state", "action" or "observation"
    size: int
    identifiers: Names | None  # as the file's fields spell them
    names: Names | None  # as walkon calls them
    index: Index = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", Index(self.size, self.identifiers))

    @property
    def expected(self) -> str:
        """What a field of this axis may be, in words."""
        if not self.size:
            return '"*" (the file has no observations)'
        return f"{'a name or ' if self.names else ''}the number of one of the {self.size} {self.kind}s, or *"
