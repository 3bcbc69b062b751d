"""What is wrong with a statement, and where.

The reader parses thousands of statements at once and finds only that one of them is wrong. This slow parser goes
through that one token by token and says what it expected where. It must refuse whatever the fast parser refuses.
"""

from collections.abc import Iterator

import numpy as np

from walkon.formats.cassandra.grammar import LETTERS, Statement
from walkon.formats.cassandra.preamble import KEYWORDS, NUMBER, UNKNOWN
from walkon.formats.cassandra.source import Source, quote
from walkon.formats.files import FormatError
from walkon.models.distributions import ROW_SUM_TOLERANCE


def find_mistake(source: Source, offset: int, grammar: dict[int, Statement]) -> FormatError:
    """Return the error for the first mistake in the statement that begins at an offset."""
    tokens = source.walk(offset)
    place, token = next(tokens)
    if len(token) != 1 or token not in LETTERS:
        return _after(source, place, token, "the preamble")
    if ord(token) not in grammar:
        return source.error(place, 'an "O:" statement needs "observations:" in the preamble')
    return _in_statement(source, tokens, grammar[ord(token)])


def _in_statement(source: Source, tokens: Iterator[tuple[int, bytes]], statement: Statement) -> FormatError:
    fields = 0
    place, token = next(tokens)
    while token == b":" and fields < len(statement.axes):
        place, token = next(tokens)
        axis = statement.axes[fields]
        if token == b":" or axis.index[token] == UNKNOWN:
            return source.unexpected(place, axis.expected)
        fields += 1
        place, token = next(tokens)
    form = f"{statement.letter}: with {fields} field{'s' * (fields != 1)}"
    count = statement.count(fields)
    if not count:
        then = f": and {statement.axes[fields].expected}" if fields else "a colon"
        return source.unexpected(place, then)
    words = statement.words.get(fields, ())
    if token in words:
        place, token = next(tokens)
        return _after(source, place, token, f"{form}, which is complete")
    for i in range(count):
        if not NUMBER.fullmatch(token):
            which = "a number" if count == 1 else f"number {i + 1} of {count}"
            others = "".join(f" or {word.decode()}" for word in words) if not i else ""
            return source.unexpected(place, f"{which}{others} for {form}")
        value = float(token)
        if not np.isfinite(value):
            return source.error(place, f"{quote(token)} is too large a number")
        if statement.is_probability and not 0 <= value <= 1 + ROW_SUM_TOLERANCE:
            return source.error(place, f"{quote(token)} is not a probability: expected a number from 0 to 1")
        place, token = next(tokens)
    return _after(source, place, token, f"{form}, which is complete")


def _after(source: Source, place: int, token: bytes, complete: str) -> FormatError:
    """Return the error for a token that does not begin a statement where one should begin."""
    if token in KEYWORDS:
        return source.error(place, f"{quote(token)} must come before the first T, O or R")
    return source.unexpected(place, f"T, O or R after {complete}")
