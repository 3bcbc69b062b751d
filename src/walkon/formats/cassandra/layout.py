"""Where the statements of a piece of text begin, and where their fields and values stand.

    T  :  a  :  x  :  y  0.5
    head  field field field value

The k-th field is 2k tokens behind the head; what stands behind the last field is the statement's values.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from walkon.arrays import Ints
from walkon.formats.cassandra.source import Tokens, tokenise

LETTERS = b"TOR"
MOST_FIELDS = 4

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Layout:
    """The places of S statements, in numbers of tokens."""

    text: bytes
    tokens: Tokens
    heads: Ints  # [S]
    letters: npt.NDArray[np.uint8]  # [S]
    fields: Ints  # [S], how many
    values: Ints  # [S], the first one
    counts: Ints  # [S], how many values
    well_placed: Bools  # [S], no colon stands where none belongs, and no field is missing

    def words(self, places: Ints) -> list[bytes]:
        """The tokens at some places."""
        starts, ends = self.tokens.starts[places].tolist(), self.tokens.ends[places].tolist()
        return [self.text[start:end] for start, end in zip(starts, ends, strict=True)]

    def values_only(self, chosen: Bools) -> bytes:
        """The text with nothing left in it but the values of the chosen statements."""
        step = np.zeros(len(self.text) + 1, np.int8)
        step[self.tokens.starts[self.values[chosen]]] = 1
        step[self.tokens.ends[(self.values + self.counts - 1)[chosen]]] = -1
        inside = np.cumsum(step[:-1], dtype=np.int8).view(bool)
        return np.where(inside, np.frombuffer(self.text, np.uint8), np.uint8(ord(" "))).tobytes()


def lay_out(text: bytes) -> Layout | None:
    """Find the statements of a text; None if it does not begin with one."""
    tokens = tokenise(text)
    first_bytes = np.frombuffer(text, np.uint8)[tokens.starts]
    one_byte = tokens.ends - tokens.starts == 1
    heads = np.flatnonzero(one_byte & np.isin(first_bytes, np.frombuffer(LETTERS, np.uint8)))
    if not len(heads) or heads[0]:
        return None
    behind = np.append(heads[1:], len(one_byte))
    colon = first_bytes == ord(":")
    padded = np.append(colon, np.zeros(2 * MOST_FIELDS, bool))
    fields, going = np.zeros(len(heads), np.int64), np.ones(len(heads), bool)
    for place in range(1, 2 * MOST_FIELDS, 2):
        going &= padded[heads + place] & (heads + place < behind)
        fields += going
    values = heads + 1 + 2 * fields
    colons = np.add.reduceat(colon, heads, dtype=np.int64)
    return Layout(
        text, tokens, heads, first_bytes[heads], fields, values, behind - values, (colons == fields) & (values < behind)
    )
