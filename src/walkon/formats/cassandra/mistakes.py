"""Where a statement is wrong.

The reader takes statements by the thousand and only finds that one of them is wrong. This is the slow observation of
that one, token by token, which says what was expected where. It must refuse whatever the fast observation refuses.
"""

from collections.abc import Iterator

import numpy as np

from walkon.formats.cassandra.axis import UNKNOWN
from walkon.formats.cassandra.grammar import Statement
from walkon.formats.cassandra.layout import LETTERS
from walkon.formats.cassandra.preamble import KEYWORDS, NUMBER
from walkon.formats.cassandra.source import Source, shown
from walkon.formats.format_error import FormatError
from walkon.models.distributions import ROW_SUM_TOLERANCE


def mistake(source: Source, offset: int, grammar: dict[int, Statement]) -> FormatError:
    """The first mistake of the statement that begins at an offset."""
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
            return source.error(place, f"{shown(token)} is too large a number")
        if statement.is_probability and not 0 <= value <= 1 + ROW_SUM_TOLERANCE:
            return source.error(place, f"{shown(token)} is not a probability: expected a number from 0 to 1")
        place, token = next(tokens)
    return _after(source, place, token, f"{form}, which is complete")


def _after(source: Source, place: int, token: bytes, complete: str) -> FormatError:
    """All is well up to here, so the mistake is a token that does not begin a statement."""
    if token in KEYWORDS:
        return source.error(place, f"{shown(token)} must stand before the first T, O or R")
    return source.unexpected(place, f"T, O or R after {complete}")
