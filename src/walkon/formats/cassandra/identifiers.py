"""Identifiers for names that the format does not allow.

A name in the format is a letter followed by letters, digits, `_` and `-`; walkon's may be any text. Any other name is
written as an identifier made from it, with the name itself as a JSON string in a comment above:

    #@ state agent_0_3 "agent (0,3)"

Other programs skip the comment; walkon's reader restores the name.
"""

import json
import re
from collections.abc import Iterator, Sequence

from walkon.arrays import Names
from walkon.formats.cassandra.source import Source

RESERVED = frozenset(
    {"discount", "values", "states", "actions", "observations", "start", "include", "exclude"}
    | {"reward", "cost", "uniform", "identity", "reset", "T", "O", "R"}
)

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)
_FOREIGN = re.compile(r"[^A-Za-z0-9-]+")
_COMMENT = re.compile(rb'^#@ (state|action|observation) ([A-Za-z][\w-]*) (".*")[ \t\r]*$', re.MULTILINE)


def identifiers(kind: str, names: Sequence[str]) -> Names:
    """Make a different identifier for each name; the name itself wherever the format allows it.

    >>> identifiers("state", ["tiger-left", "tiger left", "tiger (left)", "7"])
    ('tiger-left', 'tiger_left', 'tiger_left_2', 'state_7')
    """
    taken = {name for name in names if _valid(name)}
    made = []
    for i, name in enumerate(names):
        identifier = name
        if not _valid(name):
            identifier = _FOREIGN.sub("_", name).strip("_")
            if not _valid(identifier):
                identifier = f"{kind}_{identifier}" if identifier else f"{kind}_{i}"
            if identifier in taken:
                identifier = f"{identifier}_{i}"
            while identifier in taken:
                identifier += "_"
            taken.add(identifier)
        made.append(identifier)
    return tuple(made)


def comments(kind: str, names: Sequence[str], written: Sequence[str]) -> Iterator[str]:
    """Yield a comment line for each name that differs from its identifier."""
    for name, identifier in zip(names, written, strict=True):
        if name != identifier:
            yield f"#@ {kind} {identifier} {json.dumps(name)}\n"


def read_names(source: Source) -> dict[tuple[str, str], str]:
    """Read the names in a file's comments, by kind and identifier."""
    names = {}
    if b"#@ " in source.original:
        for comment in _COMMENT.finditer(source.original):
            try:
                name = json.loads(comment[3])
            except ValueError:  # an ordinary comment
                continue
            names[comment[1].decode(), comment[2].decode()] = name
    return names


def _valid(name: str) -> bool:
    return _IDENTIFIER.fullmatch(name) is not None and name not in RESERVED
