"""Random numbers inside kernels: a small generator whose state is one number in an array.

It is splitmix64 (Steele, Lea and Flood 2014): the state is advanced by a fixed odd number and then mixed. Equal states
give equal numbers on every machine.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from walkon.arrays import Ints
from walkon.compiled import kernel

Luck: TypeAlias = npt.NDArray[np.uint64]  # [1]: the state of the generator

ADVANCE, FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
THIRTY, FAR, NEAR, ELEVEN = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@kernel
def uniform(luck: Luck) -> float:
    """Draw a number in [0, 1), and advance the generator whose state is in `luck[0]`."""
    luck[0] += ADVANCE
    z = luck[0]
    z = (z ^ (z >> THIRTY)) * FIRST
    z = (z ^ (z >> FAR)) * SECOND
    return float((z ^ (z >> NEAR)) >> ELEVEN) / 9007199254740992.0


@kernel
def fingerprint(row: Ints, count: int) -> int:
    """Mix the first numbers of a row into one, by which rows are told apart."""
    mixed = np.uint64(count)
    for i in range(count):
        mixed = (mixed ^ np.uint64(row[i])) * FIRST
        mixed ^= mixed >> FAR
    return int(np.int64(mixed * SECOND))
