"""What stands before the first `T`, `O` or `R`: the discount, the three axes, the sign of the values, the start."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from walkon.errors import InputError
from walkon.formats.cassandra.axis import Axis
from walkon.formats.cassandra.identifiers import carried
from walkon.formats.cassandra.source import TOKEN, Source
from walkon.formats.format_error import FormatError
from walkon.models.distributions import Floats, discounting, distribution

MOST_ACTIONS = 10_000
MOST_ROWS = 10_000_000  # actions times states, and actions times observations

NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_NAME = re.compile(rb"[A-Za-z][A-Za-z0-9_-]*")
_FIRST_STATEMENT = re.compile(rb"(?<![^\s:])[TOR]\s*:")
_ITEM = re.compile(rb"(?<![^\s:])(?:(start)\s+(include|exclude)|([^\s:]+))\s*:|:")
_ITEMS = (b"discount", b"values", b"states", b"actions", b"observations", b"start")

Parsed = TypeVar("Parsed")


@dataclass(frozen=True)
class Preamble:
    """The preamble of a file."""

    discount: float
    costs: bool
    states: Axis
    actions: Axis
    observations: Axis  # of size 0 if the file has none and is an MDP
    start: Floats  # [X]
    end: int  # where the first statement begins


@dataclass(frozen=True)
class _Item:
    """A keyword, and the text between its colon and the next keyword."""

    source: Source
    word: bytes  # "start", "include" and "exclude" for the three ways to give the start
    offset: int
    first: int
    last: int

    def tokens(self) -> Iterator[tuple[int, bytes]]:
        for token in TOKEN.finditer(self.source.text, self.first, self.last):
            yield token.start(), token.group()

    def only(self, expected: str) -> tuple[int, bytes]:
        """The item's single token."""
        tokens = self.tokens()
        place, token = next(tokens, (self.last, b""))
        if not token:
            raise self.source.unexpected(self.last, expected)
        if extra := next(tokens, None):
            raise self.source.unexpected(extra[0], f"the next keyword after {expected}")
        return place, token


def read_preamble(source: Source) -> Preamble:
    """Read a file up to its first statement."""
    first = _FIRST_STATEMENT.search(source.text)
    end = first.start() if first else len(source.text.rstrip())
    items = _items(source, end)
    missing = [word.decode() for word in _ITEMS[:4] if word not in items]
    if missing:
        raise source.unexpected(end, " and ".join(f'"{word}:"' for word in missing) + " in the preamble")
    names = carried(source)
    axes = {word: _axis(items[word], names) for word in (b"states", b"actions", b"observations") if word in items}
    states, actions = axes[b"states"], axes[b"actions"]
    observations = axes.get(b"observations", Axis("observation", 0, None, None))
    _check_size(items, states, actions, observations)
    return Preamble(
        _discount(items[b"discount"]),
        _costs(items[b"values"]),
        states,
        actions,
        observations,
        _start(items[b"start"], states) if b"start" in items else np.full(states.size, 1 / states.size),
        end,
    )


def _items(source: Source, end: int) -> dict[bytes, _Item]:
    """The items of the preamble by keyword, `start include` and `start exclude` under `start`."""
    items: dict[bytes, _Item] = {}
    found = list(_ITEM.finditer(source.text, 0, end))
    if (token := TOKEN.search(source.text, 0, end)) and not (found and found[0].start() == token.start()):
        raise source.unexpected(token.start(), "a keyword of the preamble and a colon")
    for item, after in zip(found, [*(later.start() for later in found[1:]), end], strict=True):
        word = item[1] or item[3]
        if word not in _ITEMS:
            raise source.unexpected(item.start(), "one of " + ", ".join(f'"{known.decode()}:"' for known in _ITEMS))
        if word in items:
            raise source.error(item.start(), f'"{word.decode()}:" is given a second time')
        items[word] = _Item(source, item[2] or word, item.start(), item.end(), after)
    return items


def _discount(item: _Item) -> float:
    place, token = item.only("a number in [0, 1)")
    if not NUMBER.fullmatch(token):
        raise item.source.unexpected(place, "a number in [0, 1)")
    return _checked(item, place, lambda: discounting(float(token)))


def _costs(item: _Item) -> bool:
    place, token = item.only('"reward" or "cost"')
    if token not in (b"reward", b"cost"):
        raise item.source.unexpected(place, '"reward" or "cost"')
    return token == b"cost"


def _axis(item: _Item, carried_names: dict[tuple[str, str], str]) -> Axis:
    """An axis from a number, or from the list of its names."""
    kind = item.word.decode()[:-1]
    expected = f"the number of {kind}s, or their names (a letter, then letters, digits, _ or -)"
    tokens = list(item.tokens())
    if not tokens:
        raise item.source.unexpected(item.last, expected)
    place, token = tokens[0]
    if token.isdigit():
        item.only("one number")
        if len(token) > 18 or not 0 < int(token) <= MOST_ROWS:
            raise item.source.unexpected(place, f"from 1 to {MOST_ROWS:,} {kind}s")
        return Axis(kind, int(token), None, None)
    seen = set()
    for place, token in tokens:
        if not _NAME.fullmatch(token) or token in (b"T", b"O", b"R"):
            raise item.source.unexpected(place, expected if place == tokens[0][0] else f"the name of a {kind}")
        if token in seen:
            raise item.source.error(place, f'two {kind}s are called "{token.decode()}"')
        seen.add(token)
    identifiers = tuple(token.decode() for _, token in tokens)
    names = tuple(carried_names.get((kind, identifier), identifier) for identifier in identifiers)
    if len(set(names)) < len(names):
        raise item.source.error(item.offset, f"the #@ comments give two {kind}s the same name")
    return Axis(kind, len(names), identifiers, names)


def _check_size(items: dict[bytes, _Item], states: Axis, actions: Axis, observations: Axis) -> None:
    """Refuse a model that is too large before anything is made for it."""

    def refuse(word: bytes, message: str) -> FormatError:
        return items[word].source.error(items[word].offset, message)

    if actions.size > MOST_ACTIONS:
        raise refuse(b"actions", f"{actions.size:,} actions are too many: at most {MOST_ACTIONS:,} are read")
    for axis in (states, observations):
        if axis.size * actions.size > MOST_ROWS:
            raise refuse(
                f"{axis.kind}s".encode(),
                f"{axis.size:,} {axis.kind}s times {actions.size:,} actions are too many: "
                f"at most {MOST_ROWS:,} are read",
            )


def _start(item: _Item, states: Axis) -> Floats:
    """The start: a state, `uniform`, a vector, or the states that it is uniform over."""
    X, source = states.size, item.source
    tokens = list(item.tokens())
    if item.word != b"start":
        listed = np.zeros(X, dtype=bool)
        for place, token in tokens:
            if (state := states.index[token]) < 0:
                raise source.unexpected(place, f"the name or number of one of the {X} states")
            listed[state] = True
        chosen = listed if item.word == b"include" else ~listed
        if not tokens or not chosen.any():
            raise source.unexpected(item.last, "states that leave a state to start in")
        share: Floats = chosen / chosen.sum()
        return share
    if len(tokens) == 1 and tokens[0][1] == b"uniform":
        return np.full(X, 1 / X)
    if len(tokens) == 1 and (state := states.index[tokens[0][1]]) >= 0:
        alone = np.zeros(X)
        alone[state] = 1
        return alone
    for place, token in tokens[:X]:
        if not NUMBER.fullmatch(token):
            raise source.unexpected(place, f"{X} probabilities, a state, or uniform")
    if len(tokens) != X:
        place = tokens[X][0] if len(tokens) > X else item.last
        raise source.unexpected(place, f"{X} probabilities, a state, or uniform")
    vector = np.array([float(token) for _, token in tokens])
    return _checked(item, tokens[0][0], lambda: distribution("start", vector, X))


def _checked(item: _Item, offset: int, make: Callable[[], Parsed]) -> Parsed:
    """A value that the models' own gate checks, its complaint put at the value's place."""
    try:
        return make()
    except InputError as cause:
        raise item.source.error(offset, str(cause)) from None
