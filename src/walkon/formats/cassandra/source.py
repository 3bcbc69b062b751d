"""The text of a file, ready to be read: comments blanked out, every byte still at its place.

Tokens are separated by white space, and a colon is a token of its own. They are found by a few passes of array
arithmetic over the bytes, because a loop over millions of tokens would take seconds.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from walkon.formats.format_error import FormatError, at
from walkon.models.distributions import Ints

LARGEST_FILE = 2**30  # bytes

TOKEN = re.compile(rb":|[^\s:]+")
_COMMENT = re.compile(rb"#[^\n]*")
_LONE_SIGN = re.compile(rb"(?<![^\s:])([+-])(\s+)(?=[\d.])")

_SPACES = b" \t\n\r\f\v"
_SIGN_AND_SPACE = [bytes([sign, space]) for sign in b"+-" for space in _SPACES]

_SPACE, _COLON, _OTHER = 0, 1, 2
_KIND = np.full(256, _OTHER, np.uint8)
_KIND[list(_SPACES)] = _SPACE
_KIND[ord(":")] = _COLON


class Tokens(NamedTuple):
    """Where the tokens of a piece of text begin and end."""

    starts: Ints  # [tokens]
    ends: Ints  # [tokens]


@dataclass(frozen=True)
class Source:
    """A file's text and its name."""

    name: str
    original: bytes
    text: bytes  # as long as the original; blanks in place of comments

    def error(self, offset: int, message: str) -> FormatError:
        """The error of the byte at an offset."""
        line_start = self.original.rfind(b"\n", 0, offset) + 1
        column = len(self.original[line_start:offset].decode("utf-8", "replace")) + 1
        return at(self.name, self.original.count(b"\n", 0, offset) + 1, column, message)

    def unexpected(self, offset: int, expected: str) -> FormatError:
        """The error of a token that is not what belongs there."""
        token = TOKEN.match(self.text, offset)
        found = shown(token.group()) if token else "the end of the file"
        return self.error(offset, f"expected {expected}, found {found}")

    def walk(self, offset: int) -> Iterator[tuple[int, bytes]]:
        """The tokens from an offset on, one by one, each with its place; an empty one at the end of the file."""
        for token in TOKEN.finditer(self.text, offset):
            yield token.start(), token.group()
        yield len(self.text.rstrip()), b""


def load(path: str | os.PathLike[str]) -> Source:
    """Read a file."""
    with open(path, "rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise FormatError(f"{os.fspath(path)} has more than {LARGEST_FILE:,} bytes, the most that is read")
    return of(os.fspath(path), data)


def of(name: str, data: bytes) -> Source:
    """The source of a text that is already in memory."""
    text = data
    if text.startswith(b"\xef\xbb\xbf"):  # the mark that some editors put before UTF-8
        text = b"   " + text[3:]
    if b"#" in text:
        text = _COMMENT.sub(lambda comment: b" " * len(comment.group()), text)
    if any(sign in text for sign in _SIGN_AND_SPACE):  # far faster than the expression, which is rarely needed
        text = _LONE_SIGN.sub(rb"\2\1", text)  # the grammar has "- 5" for -5
    return Source(name, data, text)


def tokenise(text: bytes) -> Tokens:
    """Find all tokens of a piece of text.

    >>> [int(i) for i in tokenise(b"T: a 0.5").starts]
    [0, 1, 3, 5]
    """
    kind = np.empty(len(text) + 2, np.uint8)
    kind[0] = kind[-1] = _SPACE
    np.take(_KIND, np.frombuffer(text, np.uint8), out=kind[1:-1])
    here, before, after = kind[1:-1], kind[:-2], kind[2:]
    colon, other = here == _COLON, here == _OTHER
    return Tokens(
        np.flatnonzero(colon | (other & (before != _OTHER))),
        np.flatnonzero(colon | (other & (after != _OTHER))) + 1,
    )


def shown(token: bytes) -> str:
    """A token as a message shows it: in quotes, short, and without control characters."""
    text = token[:40].decode("utf-8", "replace").encode("unicode_escape").decode("ascii")
    return f'"{text}"' if len(token) <= 40 else f'"{text}"...'
