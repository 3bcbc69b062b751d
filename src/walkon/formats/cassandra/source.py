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

from walkon.arrays import Ints
from walkon.formats.format_error import FormatError, at
from walkon.formats.limits import read_whole

TOKEN = re.compile(rb":|[^\s:]+")
_CHUNK = 2**20
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
    return of(os.fspath(path), read_whole(path))


def of(name: str, data: bytes) -> Source:
    """The source of a text that is already in memory."""
    text = data
    if text.startswith(b"\xef\xbb\xbf"):  # the mark that some editors put before UTF-8
        text = b"   " + text[3:]
    if b"#" in text:
        text = _without_comments(text)
    if any(sign in text for sign in _SIGN_AND_SPACE):  # far faster than the expression, which is rarely needed
        text = _LONE_SIGN.sub(rb"\2\1", text)  # the grammar has "- 5" for -5
    return Source(name, data, text)


def _without_comments(text: bytes) -> bytes:
    """The text with blanks from each `#` to the end of its line.

    >>> _without_comments(b"a # b # c")
    b'a        '
    """
    blanked = np.frombuffer(text, np.uint8).copy()
    inside = 0
    for first in range(0, len(text), _CHUNK):
        chunk = blanked[first : first + _CHUNK]
        # The last mark so far: odd in a comment, even outside.
        mark = np.arange(2, 2 * len(chunk) + 2, 2, dtype=np.int32)
        mark = np.where(chunk == ord("#"), mark + 1, np.where(chunk == ord("\n"), mark, 0))
        mark[0] = max(mark[0], inside)
        comment = np.maximum.accumulate(mark) & 1
        chunk[comment.astype(bool)] = ord(" ")
        inside = int(comment[-1])
    return blanked.tobytes()


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
