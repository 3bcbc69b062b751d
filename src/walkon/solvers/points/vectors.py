"""Grows and prunes the arrays that hold a solver's vectors."""

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats, Ints
from walkon.solvers.points.point_kernels import Points
from walkon.solvers.points.vector_kernels import Vectors, move
from walkon.solvers.points.visible_kernels import Blocks


def no_vectors(blocks: Blocks, rooms: Ints, base: Floats, fixed: Ints) -> Vectors:
    """No vectors yet, with that much room for them in each block."""
    sizes = np.diff(blocks.first)
    wide = np.diff(blocks.ways).reshape(len(sizes), -1).max(axis=1)
    offset, seat, counted = (np.append(0, np.cumsum(each)) for each in (sizes * rooms, rooms, wide * rooms))
    return Vectors(
        np.empty(offset[-1]),
        np.empty(offset[-1], np.float32),
        offset,
        np.zeros(seat[-1], np.int64),
        np.zeros(seat[-1], np.int64),
        seat,
        np.zeros(len(sizes), np.int64),
        fixed,
        base,
        np.empty(rooms.max(), np.float32),
        np.zeros(counted[-1], np.int32),
        wide,
        counted,
    )


def moved(blocks: Blocks, old: Vectors, points: Points, stay: npt.NDArray[np.bool_], more: Ints) -> Vectors:
    """The vectors that stay, with room for so many more in each block. The points are told the winners' new numbers.

    What a vector counted on and does not stay is -1.
    """
    new = no_vectors(blocks, np.add.reduceat(stay, old.seat[:-1]) + more, old.base, old.fixed)
    number, n = move(blocks, old, new, stay), points.size[0]
    points.winner[:n] = number[old.seat[points.block[:n]] + points.winner[:n]]
    points.looked[:n] = new.held[points.block[:n]]
    return new


def winners(vectors: Vectors) -> npt.NDArray[np.bool_]:
    """The vectors that win somewhere, and those that stay in any case; the wins must have been counted."""
    rooms = np.diff(vectors.seat)
    number = np.arange(vectors.seat[-1]) - np.repeat(vectors.seat[:-1], rooms)
    return (vectors.wins > 0) | (number < np.repeat(vectors.fixed, rooms))
