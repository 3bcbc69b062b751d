"""Grows and prunes the arrays that hold a solver's belief points."""

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from walkon.arrays import Ints
from walkon.solvers.points.point_kernels import Points, enter_all

OF_POINTS = "block", "value", "winner", "looked", "keys"  # arrays with one entry for each point
Kind = TypeVar("Kind", bound=np.generic)


def no_points() -> Points:
    """No points, and no room for any."""
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


def roomier(points: Points, more: int, entries: int) -> Points:
    """The same points with room for so many more, which have so many slots together."""
    size = points.size[0]
    used = points.first[size]
    if used + entries > len(points.slots):
        room = 2 * (used + entries)
        points = points._replace(slots=longer(points.slots, room), weights=longer(points.weights, room))
    if size + more > len(points.block):
        room = 2 * (size + more)
        grown = {name: longer(getattr(points, name), room) for name in OF_POINTS}
        points = _entered(points._replace(first=longer(points.first, room + 1), **grown), room)
    return points


def chosen(points: Points, kept: Ints) -> Points:
    """Only those points, with as much room as before."""
    sizes = np.diff(points.first)[kept]
    first = np.zeros_like(points.first)
    np.cumsum(sizes, out=first[1 : len(kept) + 1])
    where = np.repeat(points.first[kept] - first[: len(kept)], sizes) + np.arange(sizes.sum())
    room = len(points.block)
    entries = {name: longer(getattr(points, name)[where], len(points.slots)) for name in ("slots", "weights")}
    fewer = {name: longer(getattr(points, name)[kept], room) for name in OF_POINTS}
    return _entered(points._replace(first=first, size=np.array([len(kept)]), **entries, **fewer), room)


def longer(array: npt.NDArray[Kind], length: int, fill: Any = 0) -> npt.NDArray[Kind]:
    """A copy with more room along the first axis."""
    copy = np.full((length, *array.shape[1:]), fill, array.dtype)
    copy[: len(array)] = array
    return copy


def _entered(points: Points, room: int) -> Points:
    """The points in a table that is at most half full."""
    points = points._replace(table=np.full(2 ** int(2 * room).bit_length(), -1))
    enter_all(points)
    return points
