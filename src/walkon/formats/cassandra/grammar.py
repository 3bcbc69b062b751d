"""The forms of the three statements: which axes their fields run over, and what may follow the last field.

    T: a : x : y p      T: a : x  (X numbers, uniform, reset)      T: a  (X x X numbers, uniform, identity)
    O: a : y : z p      O: a : y  (Z numbers, uniform)             O: a  (X x Z numbers, uniform)
    R: a : x : y : z r  R: a : x : y  (Z numbers)                  R: a : x  (X x Z numbers)

Numbers fill the axes that have no field, row by row. In a file without observations R has one axis less; `: *` may
stand in its place.
"""

from dataclasses import dataclass
from math import prod

from walkon.formats.cassandra.axis import Axis
from walkon.formats.cassandra.preamble import Preamble


@dataclass(frozen=True)
class Statement:
    """The grammar of one letter."""

    letter: str
    axes: tuple[Axis, ...]
    words: dict[int, tuple[bytes, ...]]  # by the number of fields
    fewest: int  # fields
    optional: int = 0  # axes at the end that need no field and take no numbers

    @property
    def is_probability(self) -> bool:
        """Whether the numbers are probabilities."""
        return self.letter != "R"

    def rest(self, fields: int) -> tuple[int, ...]:
        """The sizes of the axes that the numbers after so many fields fill."""
        return tuple(axis.size for axis in self.axes[fields : len(self.axes) - self.optional])

    def count(self, fields: int) -> int:
        """How many numbers follow so many fields; 0 where there is no such form."""
        return prod(self.rest(fields)) if self.fewest <= fields <= len(self.axes) else 0


def grammar(preamble: Preamble) -> dict[int, Statement]:
    """The statements that a file with this preamble may have, by their letter's byte."""
    x, a, z = preamble.states, preamble.actions, preamble.observations
    statements = [Statement("T", (a, x, x), {1: (b"uniform", b"identity"), 2: (b"uniform", b"reset")}, 1)]
    if z.size:
        statements.append(Statement("O", (a, x, z), {1: (b"uniform",), 2: (b"uniform",)}, 1))
        statements.append(Statement("R", (a, x, x, z), {}, 2))
    else:
        statements.append(Statement("R", (a, x, x, z), {}, 1, optional=1))
    return {ord(statement.letter): statement for statement in statements}
