"""The preamble before the first `T`, `O` or `R`: the discount, the three axes, the sign of the values, the start."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

import numpy as np

from walkon.arrays import Floats, Names
from walkon.errors import InputError
from walkon.formats.cassandra.rounding import Divided, divide_start
from walkon.formats.cassandra.source import TOKEN, Source
from walkon.formats.files import MOST_ACTIONS, FormatError, allowed_numbers
from walkon.models.distributions import discounting, distribution

MOST_ROWS = 10_000_000  # actions times states, and actions times observations
ANY = -1  # the field is `*`
UNKNOWN = -2

NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
VALUES = re.compile(rb"reward|cost")
_NAME = re.compile(rb"[A-Za-z][A-Za-z0-9_-]*")
_COMMENT = re.compile(rb'^#@ (state|action|observation) ([A-Za-z][\w-]*) (".*")[ \t\r]*$', re.MULTILINE)
FIRST_STATEMENT = re.compile(rb"(?<![^\s:])[TOR]\s*:|^[TOR](?=\s)", re.MULTILINE)
_ITEM = re.compile(rb"(?<![^\s:])(?:(start)\s+(include|exclude)|([^\s:]+))\s*:|:")
KEYWORDS = (b"discount", b"values", b"states", b"actions", b"observations", b"start")
_SKIPPED = ": --skip-unknown, or skip_unknown=True in Python, skips such lines"
_OPTIONAL = {b"discount": "1 is taken", b"values": "reward is taken"}  # in a dialect

Parsed = TypeVar("Parsed")


class Index(dict[bytes, int]):
    """The number that each token stands for. Numbers are added when they first occur."""

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
    """The states, the actions or the observations of a model."""

    kind: str  # "state", "action" or "observation"
    size: int
    identifiers: Names | None  # as they are written in the file
    names: Names | None  # as walkon shows them
    index: Index = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", Index(self.size, self.identifiers))

    @property
    def expected(self) -> str:
        """Describe the fields that this axis allows."""
        if not self.size:
            return '"*" (the file has no observations)'
        return f"{'a name or ' if self.names else ''}the number of one of the {self.size} {self.kind}s, or *"


@dataclass(frozen=True)
class Preamble:
    """The preamble of a file."""

    discount: float
    costs: bool
    states: Axis
    actions: Axis
    observations: Axis  # of size 0 in an MDP
    start: Floats  # [X]
    end: int  # where the first statement begins
    divided: Divided | None = None  # the start, if its digits explain what it misses
    absent: str = ""  # what a dialect leaves out, and what is taken instead


@dataclass(frozen=True)
class Item:
    """A keyword, and the text between its colon and the next keyword."""

    source: Source
    word: bytes  # for the three forms of the start: "start", "include" and "exclude"
    offset: int
    first: int
    last: int

    @property
    def tokens(self) -> list[bytes]:
        """The words of the item."""
        return self.source.text[self.first : self.last].split()

    def place(self, i: int) -> int:
        """Return the offset of the i-th token, or the end of the item if it has no such token."""
        tokens = TOKEN.finditer(self.source.text, self.first, self.last)
        found = next(islice(tokens, i, None), None)
        return found.start() if found else self.last

    def unexpected(self, i: int, expected: str) -> FormatError:
        """Return the error for the i-th token."""
        return self.source.unexpected(self.place(i), expected)

    def only(self, expected: str, pattern: re.Pattern[bytes]) -> bytes:
        """Return the item's only token, which has to match a pattern."""
        tokens = self.tokens
        if len(tokens) > 1:
            raise self.unexpected(1, f"the next keyword after {expected}")
        if not tokens or not pattern.fullmatch(tokens[0]):
            raise self.unexpected(0, expected)
        return tokens[0]


def read_preamble(source: Source, *, dialect: bool = False) -> Preamble:
    """Read a file up to its first statement. Those of a dialect need neither a discount nor the sign of the values."""
    first = FIRST_STATEMENT.search(source.text)
    end = first.start() if first else len(source.text.rstrip())
    items = find_items(source, end)
    missing = [word.decode() for word in KEYWORDS[:4] if word not in items and not (dialect and word in _OPTIONAL)]
    if missing:
        raise source.unexpected(end, " and ".join(f'"{word}:"' for word in missing) + " in the preamble")
    names = _read_names(source)
    axes = {word: read_axis(items[word], names) for word in (b"states", b"actions", b"observations") if word in items}
    states, actions = axes[b"states"], axes[b"actions"]
    observations = axes.get(b"observations", Axis("observation", 0, None, None))
    check_size(items, states, actions, observations)
    discount, costs = 1.0, False
    if b"discount" in items:
        discounted = float(items[b"discount"].only("a number in [0, 1)", NUMBER))
        discount = checked(items[b"discount"], lambda: discounting(discounted, most=1.0))
    if b"values" in items:
        costs = items[b"values"].only('"reward" or "cost"', VALUES) == b"cost"
    uniform = np.full(states.size, 1 / states.size)
    start, divided = read_start(items[b"start"], states) if b"start" in items else (uniform, None)
    absent = " and ".join(f"no {word.decode()} ({taken})" for word, taken in _OPTIONAL.items() if word not in items)
    return Preamble(discount, costs, states, actions, observations, start, end, divided, absent)


def _read_names(source: Source) -> dict[tuple[str, str], str]:
    """Read the names that `writer` put into comments, by kind and identifier."""
    names = {}
    if b"#@ " in source.original:
        for comment in _COMMENT.finditer(source.original):
            try:
                name = json.loads(comment[3])
            except ValueError:  # an ordinary comment
                continue
            names[comment[1].decode(), comment[2].decode()] = name
    return names


def find_items(
    source: Source, end: int, keywords: tuple[bytes, ...] = KEYWORDS, remedy: str = _SKIPPED
) -> dict[bytes, Item]:
    """Find the items of the preamble by keyword; `start include` and `start exclude` are found as `start`."""
    heads: dict[bytes, re.Match[bytes]] = {}
    expected = "one of " + ", ".join(f'"{word.decode()}:"' for word in keywords)
    first = TOKEN.search(source.text, 0, end)
    for head in _ITEM.finditer(source.text, 0, end):
        if not heads and first and first.start() < head.start():
            break
        word = head[1] or head[3]
        if word not in keywords:
            raise source.unexpected(head.start(), expected, remedy)
        if word in heads:
            raise source.error(head.start(), f'"{word.decode()}:" is given a second time')
        heads[word] = head
    if first and not heads:
        raise source.unexpected(first.start(), expected)
    ends = [*(head.start() for head in heads.values()), end][1:]
    spans = zip(heads.items(), ends, strict=False)
    return {word: Item(source, head[2] or word, head.start(), head.end(), last) for (word, head), last in spans}


def read_axis(item: Item, written_names: dict[tuple[str, str], str]) -> Axis:
    """Read an axis from a number, or from the list of its names."""
    kind = item.word.decode()[:-1]
    name = f"the name of {'a' if kind == 'state' else 'an'} {kind} (a letter, then letters, digits, _ or -)"
    tokens = item.tokens
    if not tokens:
        raise item.unexpected(0, f"the number of {kind}s, or {name}")
    if tokens[0].isdigit():
        size = item.only("one number", NUMBER)
        if len(size) > 18 or not 0 < int(size) <= MOST_ROWS:
            raise item.unexpected(0, f"from 1 to {MOST_ROWS:,} {kind}s")
        return Axis(kind, int(size), None, None)
    seen = set()
    for i, token in enumerate(tokens):
        if token in (b"T", b"O", b"R"):
            begins = f'"{token.decode()}" begins a statement, so it cannot be the name of'
            raise item.source.error(item.place(i), f"{begins} one of the {kind}s: rename it")
        if not _NAME.fullmatch(token):
            raise item.unexpected(i, name if i else f"the number of {kind}s, or {name}")
        if token in seen:
            raise item.source.error(item.place(i), f'two {kind}s are called "{token.decode()}"')
        seen.add(token)
    identifiers = tuple(token.decode() for token in tokens)
    names = tuple(written_names.get((kind, identifier), identifier) for identifier in identifiers)
    if len(set(names)) < len(names):
        raise item.source.error(item.offset, f"the #@ comments give two {kind}s the same name")
    return Axis(kind, len(names), identifiers, names)


def check_size(items: dict[bytes, Item], states: Axis, actions: Axis, observations: Axis) -> None:
    """Refuse a model that is too large before allocating memory for it."""
    if actions.size > MOST_ACTIONS:
        item, most = items[b"actions"], f"at most {MOST_ACTIONS:,} are allowed"
        raise item.source.error(item.offset, f"{actions.size:,} actions are too many: {most}")
    size = len(items[b"actions"].source.original)
    rows = min(MOST_ROWS, allowed_numbers(size))
    for axis in (states, observations):
        if axis.size * actions.size > rows:
            item, sizes = items[f"{axis.kind}s".encode()], f"{axis.size:,} {axis.kind}s times {actions.size:,} actions"
            small = f" in a file of {size:,} bytes" if rows < MOST_ROWS else ""
            raise item.source.error(item.offset, f"{sizes} are too many: at most {rows:,} are allowed{small}")


def read_start(item: Item, states: Axis) -> tuple[Floats, Divided | None]:
    """Read the start: a state, `uniform`, a vector (it may be divided), or the states over which it is uniform."""
    X, tokens = states.size, item.tokens
    if item.word != b"start":
        listed = np.zeros(X, dtype=bool)
        for i, token in enumerate(tokens):
            if (state := states.index[token]) < 0:
                raise item.unexpected(i, f"the name or number of one of the {X} states")
            listed[state] = True
        chosen = listed if item.word == b"include" else ~listed
        if not tokens or not chosen.any():
            raise item.unexpected(len(tokens), "states, with at least one state left to start in")
        return np.asarray(chosen / chosen.sum()), None
    if tokens == [b"uniform"]:
        return np.full(X, 1 / X), None
    if len(tokens) == 1 and (state := states.index[tokens[0]]) >= 0:
        return np.eye(1, X, state).ravel(), None
    wrong = next((i for i, token in enumerate(tokens[:X]) if not NUMBER.fullmatch(token)), min(len(tokens), X))
    if wrong < X or len(tokens) > X:
        raise item.unexpected(wrong, f"{X} probabilities, a state, or uniform")
    vector, divided = divide_start(np.array([float(token) for token in tokens]), tokens)
    return checked(item, lambda: distribution("start", vector, X)), divided


def checked(item: Item, make: Callable[[], Parsed]) -> Parsed:
    """Make a value that the models' own checks may refuse, and report their error at the item's first token."""
    try:
        return make()
    except InputError as cause:
        raise item.source.error(item.place(0), str(cause)) from None
