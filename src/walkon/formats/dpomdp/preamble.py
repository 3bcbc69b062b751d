"""The preamble of a `.dpomdp` file: the agents, and what each can do and observe."""

from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np

from walkon.arrays import Floats, Names
from walkon.formats.cassandra.preamble import (
    ANY,
    FIRST_STATEMENT,
    KEYWORDS,
    NUMBER,
    UNKNOWN,
    VALUES,
    Axis,
    Item,
    check_size,
    checked,
    find_items,
    read_axis,
    read_start,
)
from walkon.formats.cassandra.rounding import Divided
from walkon.formats.cassandra.source import Source
from walkon.models.distributions import discounting

AGENTS = b"agents"
MOST_AGENTS = 100
MOST_JOINT = 10_000  # joint actions, and joint observations


@dataclass(frozen=True)
class Joint:
    """Joint actions or joint observations."""

    each: tuple[Axis, ...]  # of each agent

    @property
    def size(self) -> int:
        """The number of combinations."""
        return prod(axis.size for axis in self.each)

    def find(self, tokens: list[bytes]) -> list[int]:
        """Return the numbers that some tokens stand for, [ANY] for all, or nothing where they stand for none."""
        if tokens == [b"*"]:
            return [ANY]
        if len(tokens) == 1 and len(self.each) > 1:
            number = tokens[0]
            return [int(number)] if number.isdigit() and len(number) < 18 and int(number) < self.size else []
        if len(tokens) != len(self.each):
            return []
        values = [axis.index[token] for axis, token in zip(self.each, tokens, strict=True)]
        if UNKNOWN in values:
            return []
        if all(value == ANY for value in values):
            return [ANY]
        ranges = [range(axis.size) if value == ANY else (value,) for axis, value in zip(self.each, values, strict=True)]
        sizes = tuple(axis.size for axis in self.each)
        return [int(np.ravel_multi_index(choice, sizes)) for choice in product(*ranges)]

    @property
    def expected(self) -> str:
        """Describe the fields that are allowed."""
        kind, count = self.each[0].kind, len(self.each)
        each = f"one of each of the {count} agents, by name, number or *" if count > 1 else "a name or number"
        return f"a joint {kind}: *, a number below {self.size:,}, or {each}"


@dataclass(frozen=True)
class Preamble:
    """The preamble of a file."""

    agents: Names
    discount: float
    costs: bool
    states: Axis
    actions: Joint
    observations: Joint
    start: Floats  # [X]
    end: int  # where the first statement begins
    divided: Divided | None  # the start, if its digits explain what it misses


def read_preamble(source: Source) -> Preamble:
    """Read a file up to its first statement."""
    first = FIRST_STATEMENT.search(source.text)
    end = first.start() if first else len(source.text.rstrip())
    words = (AGENTS, *KEYWORDS)
    items = find_items(source, end, words, remedy="")
    if missing := [word.decode() for word in words[:-1] if word not in items]:
        raise source.unexpected(end, " and ".join(f'"{word}:"' for word in missing) + " in the preamble")
    agents = _agents(items[AGENTS])
    states = read_axis(items[b"states"], {})
    actions, observations = (_joint(items[word], len(agents)) for word in (b"actions", b"observations"))
    joint = (Axis(each.each[0].kind, each.size, None, None) for each in (actions, observations))
    check_size(items, states, *joint)
    discount = float(items[b"discount"].only("a number in [0, 1]", NUMBER))
    discount = checked(items[b"discount"], lambda: discounting(discount, most=1.0))
    costs = items[b"values"].only('"reward" or "cost"', VALUES) == b"cost"
    uniform = np.full(states.size, 1 / states.size)
    start, divided = read_start(items[b"start"], states) if b"start" in items else (uniform, None)
    return Preamble(agents, discount, costs, states, actions, observations, start, end, divided)


def _agents(item: Item) -> Names:
    """Read the agents: their number, or their names."""
    tokens = item.tokens
    if not tokens:
        raise item.unexpected(0, "the number of agents, or their names")
    if not tokens[0].isdigit():
        names = tuple(token.decode("utf-8", "replace") for token in tokens)
        if len(set(names)) < len(names):
            raise item.source.error(item.offset, "two agents have the same name: rename one")
    else:
        count = item.only("one number", NUMBER)
        if not count.isdigit() or len(count) > 9 or not int(count):
            raise item.unexpected(0, f"from 1 to {MOST_AGENTS} agents")
        names = tuple(f"agent {i}" for i in range(min(int(count), MOST_AGENTS + 1)))
    if len(names) > MOST_AGENTS:
        raise item.unexpected(0, f"from 1 to {MOST_AGENTS} agents")
    return names


def _joint(item: Item, agents: int) -> Joint:
    """Read the actions or observations of each agent, one agent a line."""
    lines, place = [], item.first
    for line in item.source.text[item.first : item.last].split(b"\n"):
        if line.strip():
            lines.append(replace(item, first=place, last=place + len(line)))
        place += len(line) + 1
    kind = item.word.decode()
    if len(lines) != agents:
        where = lines[agents].place(0) if len(lines) > agents else item.offset
        raise item.source.error(where, f"expected {agents} lines of {kind}, one for each agent, found {len(lines)}")
    joint = Joint(tuple(read_axis(line, {}) for line in lines))
    if joint.size > MOST_JOINT:
        raise item.source.error(item.offset, f"{joint.size:,} joint {kind} are too many: at most {MOST_JOINT:,}")
    return joint
