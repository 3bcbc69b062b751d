"""Grows and prunes the arrays that hold a solver's belief points and vectors."""

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from walkon.arrays import Bools, Floats, Ints
from walkon.memory import check_memory
from walkon.solvers.points.point_kernels import Points, enter_all
from walkon.solvers.points.vector_kernels import Vectors, move, set_columns
from walkon.solvers.points.visible_kernels import Blocks

OF_POINTS = "block", "value", "winner", "looked", "keys"  # arrays with one entry for each point
FEWER = "solve with fewer backups, or a smaller problem"
Kind = TypeVar("Kind", bound=np.generic)


def extend(array: npt.NDArray[Kind], length: int, fill: Any = 0) -> npt.NDArray[Kind]:
    """Return a copy that is longer along the first axis."""
    shape = (length, *array.shape[1:])
    copy = (
        np.full(shape, fill, array.dtype) if fill else np.zeros(shape, array.dtype)
    )  # zeros take no memory until used
    copy[: len(array)] = array
    return copy


def no_points() -> Points:
    """Return an empty set of points without room for any."""
    none = np.zeros(0, np.int64)
    return Points(
        first=np.zeros(1, np.int64),
        slots=np.zeros(0, np.int32),
        weights=np.zeros(0),
        block=none,
        value=np.zeros(0),
        winner=none,
        looked=none,
        keys=np.zeros(0, np.uint64),
        table=np.full(1, -1),
        size=np.zeros(1, np.int64),
    )


def extend_points(points: Points, more: int, entries: int) -> Points:
    """Make room for more points with the given number of slots in total."""
    size = points.size[0]
    used = points.first[size]
    if used + entries > len(points.slots):
        room = 2 * (used + entries)
        check_memory(12 * (used + entries), f"room for {size + more:,} beliefs", FEWER)
        points = points._replace(slots=extend(points.slots, room), weights=extend(points.weights, room))
    if size + more > len(points.block):
        room = 2 * (size + more)
        grown = {name: extend(getattr(points, name), room) for name in OF_POINTS}
        points = _hash(points._replace(first=extend(points.first, room + 1), **grown), room)
    return points


def select_points(points: Points, kept: Ints) -> Points:
    """Return some of the points, with as much room as before."""
    sizes = np.diff(points.first)[kept]
    first = np.zeros_like(points.first)
    np.cumsum(sizes, out=first[1 : len(kept) + 1])
    where = np.repeat(points.first[kept] - first[: len(kept)], sizes) + np.arange(sizes.sum())
    room = len(points.block)
    entries = {name: extend(getattr(points, name)[where], len(points.slots)) for name in ("slots", "weights")}
    fewer = {name: extend(getattr(points, name)[kept], room) for name in OF_POINTS}
    return _hash(points._replace(first=first, size=np.array([len(kept)]), **entries, **fewer), room)


def _hash(points: Points, room: int) -> Points:
    """Enter the points into a new hash table, which is at most half full."""
    points = points._replace(table=np.full(2 ** int(2 * room).bit_length(), -1))
    enter_all(points)
    return points


def no_vectors(blocks: Blocks, rooms: Ints, base: Floats, fixed: Ints) -> Vectors:
    """Return an empty set of vectors with the given room in each block."""
    sizes = np.diff(blocks.first)
    wide = np.diff(blocks.ways).reshape(len(sizes), -1).max(axis=1)
    offset, first, counted = (np.append(0, np.cumsum(each)) for each in (sizes * rooms, rooms, wide * rooms))
    check_memory(12 * offset[-1] + 16 * first[-1] + 4 * counted[-1], f"room for {first[-1]:,} vectors", FEWER)
    rows, columns = np.empty(offset[-1]), np.empty(offset[-1], np.float32)
    actions, wins, held = (np.zeros(length, np.int64) for length in (first[-1], first[-1], len(sizes)))
    scores, follow = np.empty(rooms.max(), np.float32), np.zeros(counted[-1], np.int32)
    X = len(blocks.slot)
    buffers = scores, np.empty(X), np.zeros(X, np.bool_), np.empty(X, np.int32)
    return Vectors(rows, columns, offset, actions, wins, first, held, fixed, base, *buffers, follow, wide, counted)


def move_vectors(blocks: Blocks, old: Vectors, points: Points, stay: Bools, more: Ints) -> Vectors:
    """Return the vectors that stay, with room for `more` in each block, and renumber the winners at the points.

    Successors that do not stay become -1. The columns are left out, so that the old vectors can be given up first.
    """
    new = without_columns(no_vectors(blocks, np.add.reduceat(stay, old.first[:-1]) + more, old.base, old.fixed))
    number, n = move(blocks, old, new, stay), points.size[0]
    points.winner[:n] = number[old.first[points.block[:n]] + points.winner[:n]]
    points.looked[:n] = new.held[points.block[:n]]
    return new


def without_columns(vectors: Vectors) -> Vectors:
    """Return the vectors without what follows from their rows, to need less memory for a while."""
    return vectors._replace(columns=np.empty(0, np.float32))


def with_columns(blocks: Blocks, vectors: Vectors) -> Vectors:
    """Return the vectors with all that follows from their rows."""
    if len(vectors.columns) < len(vectors.rows):
        vectors = vectors._replace(columns=np.empty(len(vectors.rows), np.float32))
        set_columns(blocks, vectors)
    return vectors


def winners(vectors: Vectors) -> Bools:
    """Return which vectors are best somewhere or fixed; the wins must have been counted."""
    rooms = np.diff(vectors.first)
    number = np.arange(vectors.first[-1]) - np.repeat(vectors.first[:-1], rooms)
    return (vectors.wins > 0) | (number < np.repeat(vectors.fixed, rooms))
