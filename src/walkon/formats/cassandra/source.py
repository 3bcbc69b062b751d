"""The text of a file with its comments blanked out, every byte still at its place.

Tokens are separated by white space, and a colon is a token of its own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from walkon.formats.files import FormatError, error_at

TOKEN = re.compile(rb":|[^\s:]+")
_CHUNK = 2**20
_LONE_SIGN = re.compile(rb"(?<![^\s:])([+-])(\s+)(?=[\d.])")
SPACES = b" \t\n\r\f\v"
_SIGN_AND_SPACE = [bytes([sign, space]) for sign in b"+-" for space in SPACES]


@dataclass(frozen=True)
class Source:
    """A file's text and its name."""

    name: str
    original: bytes
    text: bytes  # as long as the original; blanks in place of comments

    def error(self, offset: int, message: str) -> FormatError:
        """Return the error for the byte at an offset."""
        line_start = self.original.rfind(b"\n", 0, offset) + 1
        column = len(self.original[line_start:offset].decode("utf-8", "replace")) + 1
        return error_at(self.name, self.original.count(b"\n", 0, offset) + 1, column, message)

    def unexpected(self, offset: int, expected: str, remedy: str = "") -> FormatError:
        """Return the error for an unexpected token."""
        token = TOKEN.match(self.text, offset)
        found = quote(token.group()) if token else "the end of the file"
        return self.error(offset, f"expected {expected}, found {found}{remedy}")

    def walk(self, offset: int) -> Iterator[tuple[int, bytes]]:
        """Yield each token from an offset on with its place, and an empty token at the end of the file."""
        for token in TOKEN.finditer(self.text, offset):
            yield token.start(), token.group()
        yield len(self.text.rstrip()), b""


def blank_comments(name: str, data: bytes) -> Source:
    """Prepare the text of a file."""
    text = data
    if text.startswith(b"\xef\xbb\xbf"):  # the byte order mark that some editors write
        text = b"   " + text[3:]
    if b"#" in text:
        text = _without_comments(text)
    if any(sign in text for sign in _SIGN_AND_SPACE):  # far faster than the regular expression, which is rarely needed
        text = _LONE_SIGN.sub(rb"\2\1", text)  # the grammar has "- 5" for -5
    return Source(name, data, text)


def _without_comments(text: bytes) -> bytes:
    """Put blanks from each `#` to the end of its line.

    >>> _without_comments(b"a # b # c")
    b'a        '
    """
    blanked = np.frombuffer(text, np.uint8).copy()
    inside = 0
    for first in range(0, len(text), _CHUNK):
        chunk = blanked[first : first + _CHUNK]
        # The last mark so far: odd inside a comment, even outside.
        mark = np.arange(2, 2 * len(chunk) + 2, 2, dtype=np.int32)
        mark = np.where(chunk == ord("#"), mark + 1, np.where(chunk == ord("\n"), mark, 0))
        mark[0] = max(mark[0], inside)
        comment = np.maximum.accumulate(mark) & 1
        chunk[comment.astype(bool)] = ord(" ")
        inside = int(comment[-1])
    return blanked.tobytes()


def quote(token: bytes) -> str:
    """Format a token for a message: in quotes, short, and without control characters."""
    text = token[:40].decode("utf-8", "replace").encode("unicode_escape").decode("ascii")
    return f'"{text}"' if len(token) <= 40 else f'"{text}"...'
