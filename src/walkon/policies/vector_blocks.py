"""Alpha vectors, each with a value of its own only where it needs one: on a block of states that it shares with others.

Where a part of the state is seen, a plan is of use only in the states that agree with it, and the solver keeps vectors
for each such block (`walkon.solvers.points.visible`). Written out over all states, most of them would hold the same
numbers: on the states outside of its block, every vector has the value of the floor, a lower bound on the value of any
plan. Vectors that are given as a whole are a single block with all states, and have no floor.

Blocks may overlap: the states of the start belief may be a block of their own. So blocks lie in layers, in each of
which a state has at most one.

Kernels take K policies as a few arrays (`Stack`). The numbers of one policy are in its `entries`: those of each block
[states, vectors], then the floor [X]. Its layout says where: X, the number of blocks G, that of layers L and the begin
of the floor; then the first vector of each block, [G + 1]; then for each layer and state its block (-1 for none) and
the first of its numbers there, [L, X, 2]. A single block with all states needs no layout.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from walkon.arrays import Floats, Ints, fixed
from walkon.errors import InputError
from walkon.memory import check_memory
from walkon.policies.block_kernels import LEVELS, Levels
from walkon.policies.ties import TOLERANCE

CHUNK = 2**16  # numbers that are rounded at a time
WRITTEN_OUT = "use its value, action and probabilities, which need no matrix, or solve with fewer backups"


@dataclass(frozen=True, init=False, eq=False, repr=False)
class VectorBlocks:
    """N vectors over X states, by blocks."""

    states: Ints  # the states of each block, ascending
    begins: Ints  # [G + 1]: where those of each block begin
    firsts: Ints  # [G + 1]: the first vector of each block
    entries: Floats  # for each block [states, vectors], then the floor [X], unless one block has all states
    state_count: int  # X

    def __init__(self, states: Any, begins: Any, firsts: Any, entries: Any, state_count: int) -> None:
        """Check and store the arrays. The entries, which may be large, are not copied."""
        lists = {"states": states, "begins": begins, "firsts": firsts}
        given = {name: np.array(each, dtype=np.int64) for name, each in lists.items()}
        numbers = np.asarray(entries, dtype=np.float64)
        put = object.__setattr__
        for name, array in given.items():
            put(self, name, fixed(array))
        put(self, "entries", numbers)
        put(self, "state_count", int(state_count))
        self._check()
        numbers.setflags(write=False)

    def _check(self) -> None:
        """Refuse arrays that do not fit together, such as those of a file that was changed."""
        if any(array.ndim != 1 for array in (self.states, self.begins, self.firsts)):
            raise InputError("states, begins and firsts are not lists of numbers")
        X, sizes, counts = self.state_count, np.diff(self.begins), np.diff(self.firsts)
        if not len(sizes) or len(sizes) != len(counts) or (sizes < 1).any() or (counts < 1).any():
            raise InputError("expected blocks with at least one state and one vector each")
        if self.begins[0] or self.firsts[0] or self.begins[-1] != len(self.states):
            raise InputError("begins and firsts do not say where the states and the vectors of each block begin")
        steps = np.diff(self.states)
        steps[self.begins[1:-1] - 1] = 1
        if (steps < 1).any() or self.states.min() < 0 or self.states.max() >= X:
            raise InputError(f"states is not a list of ascending numbers from 0 to {X - 1} for each block")
        wanted = int(sizes @ counts) + (0 if self.whole else X)
        if self.entries.shape != (wanted,):
            raise InputError(f"entries has shape {self.entries.shape}, expected {wanted} numbers for these blocks")
        if not np.isfinite(self.entries.sum()) and len(bad := np.flatnonzero(~np.isfinite(self.entries))):
            raise InputError(f"entries[{bad[0]}] is {self.entries[bad[0]]}; every entry must be a finite number")

    @classmethod
    def dense(cls, vectors: Floats) -> "VectorBlocks":
        """Keep vectors [N, X] as one block."""
        N, X = vectors.shape
        return cls(np.arange(X), [0, X], [0, N], vectors.T.reshape(-1), X)

    @classmethod
    def of(
        cls, states: Sequence[Any], counts: Sequence[int], vectors: Iterable[Floats], floor: Floats
    ) -> "VectorBlocks":
        """Keep vectors by blocks, of which those without vectors are left out.

        Args:
            states: The states of each block, ascending.
            counts: The number of vectors of each block.
            vectors: Those of one block after the other, a few at a time, [vectors, states].
            floor: The value of a vector in the states that are not in its block, [X].
        """
        some = [g for g, count in enumerate(counts) if count]
        sizes, held = np.array([len(states[g]) for g in some]), np.array([counts[g] for g in some])
        whole = len(some) == 1 and sizes[0] == len(floor)
        entries = np.empty(int(sizes @ held) + (0 if whole else len(floor)))
        at, few = 0, iter(vectors)
        for size, count in zip(sizes, held, strict=True):
            own, n = entries[at : at + size * count].reshape(size, count), 0
            while n < count:
                part = next(few)
                own[:, n : n + len(part)] = part.T
                n += len(part)
            at += size * count
        entries[at:] = floor[: len(entries) - at]
        begins, firsts = np.append(0, np.cumsum(sizes)), np.append(0, np.cumsum(held))
        return cls(np.concatenate([states[g] for g in some]), begins, firsts, entries, len(floor))

    @property
    def count(self) -> int:
        """The number of vectors, N."""
        return int(self.firsts[-1])

    @property
    def whole(self) -> bool:
        """Whether one block has all states."""
        return len(self.begins) == 2 and len(self.states) == self.state_count

    def columns(self) -> Floats:
        """Return the whole vectors [X, N]; made anew, if there is more than one block and memory for all of them."""
        X, N = self.state_count, self.count
        if self.whole:
            return self.entries.reshape(X, N)
        check_memory(8 * X * N, f"the matrix of {N:,} vectors over {X:,} states", WRITTEN_OUT)
        matrix = np.repeat(self.entries[-X:, None], N, axis=1)
        at = 0
        for g in range(len(self.begins) - 1):
            own = slice(self.firsts[g], self.firsts[g + 1])
            states = self.states[self.begins[g] : self.begins[g + 1]]
            size = len(states) * (own.stop - own.start)
            matrix[states, own] = self.entries[at : at + size].reshape(len(states), -1)
            at += size
        return fixed(matrix)

    def rows(self) -> Iterator[Floats]:
        """Yield each whole vector, [X], without the matrix of all."""
        at, floor = 0, self.entries[-self.state_count :]
        for begin, end, count in zip(self.begins, self.begins[1:], np.diff(self.firsts), strict=False):
            size = int(end - begin) * int(count)
            for own in self.entries[at : at + size].reshape(-1, count).T:
                row = floor.copy()
                row[self.states[begin:end]] = own
                yield row
            at += size

    @cached_property
    def place(self) -> Ints:
        """The place of this policy in a stack of it alone, [1, 4]."""
        return fixed(np.array([[0, 0, self.count, -1 if self.whole else 0]]))

    @cached_property
    def layout(self) -> Ints | None:
        """Where kernels find each number; None if one block has all states."""
        if self.whole:
            return None
        X, G = self.state_count, len(self.begins) - 1
        sizes, counts = np.diff(self.begins), np.diff(self.firsts)
        rows = np.repeat(np.cumsum(sizes * counts) - sizes * counts, sizes)
        rows += (np.arange(len(self.states)) - np.repeat(self.begins[:-1], sizes)) * np.repeat(counts, sizes)
        places = np.stack([np.repeat(np.arange(G), sizes), rows], axis=1)
        new = np.zeros(len(self.states), bool)
        new[np.unique(self.states, return_index=True)[1]] = True
        apart = np.repeat(np.minimum.reduceat(new, self.begins[:-1]), sizes)  # blocks that overlap no earlier one
        layers = [_layer(X, self.states[apart], places[apart])]
        for g in np.unique(places[~apart, 0]):
            own = slice(self.begins[g], self.begins[g + 1])
            free = (layer for layer in layers if (layer[self.states[own], 0] < 0).all())
            if (layer := next(free, None)) is None:
                layers.append(_layer(X, self.states[own], places[own]))
            else:
                layer[self.states[own]] = places[own]
        head = np.array([X, G, len(layers), int(sizes @ counts)])
        return fixed(np.concatenate([head, self.firsts, *(layer.ravel() for layer in layers)]))

    @cached_property
    def levels(self) -> Levels:
        """The entries in steps."""
        levels, low = np.empty(len(self.entries), np.uint16), self.entries.min()
        for at in range(0, len(levels), CHUNK):
            levels[at : at + CHUNK] = np.rint((self.entries[at : at + CHUNK] - low) / self.unit)
        return fixed(levels)

    @cached_property
    def unit(self) -> float:
        """The size of a step."""
        return float(np.ptp(self.entries)) / LEVELS or 1.0

    @cached_property
    def near(self) -> Floats:
        """The tolerance for ties, in steps, [1]."""
        return fixed(np.array([TOLERANCE * max(-self.entries.min(), self.entries.max()) / self.unit]))


def _layer(X: int, states: Ints, places: Ints) -> Ints:
    layer = np.stack([np.full(X, -1), np.zeros(X, np.int64)], axis=1)
    layer[states] = places
    return layer


class Stack(NamedTuple):
    """The vectors of K policies, for kernels."""

    places: (
        Ints  # [K, 4]: where its entries and its vectors begin, how many these are, and where its layout begins, or -1
    )
    layouts: Ints | None  # None if each policy is a single block with all states
    levels: Levels  # the entries in steps
    entries: Floats
    near: Floats  # [K]: the tolerance for ties, in steps
    actions: Ints
    A: int
    tolerance: float  # for ties, relative to the best value


def stack_blocks(policies: Sequence[tuple[VectorBlocks, Ints]], A: int) -> Stack:
    """Stack the blocks of K policies and the actions of their vectors.

    There is one copy of the numbers: the policies' own arrays become parts of those of the stack.
    """
    blocks = [each for each, _ in policies]
    some = [each.layout for each in blocks if each.layout is not None]
    sizes = np.array([[len(b.entries), b.count, 0, 0 if b.layout is None else len(b.layout)] for b in blocks])
    places = np.cumsum(sizes, axis=0) - sizes
    places[:, 2] = sizes[:, 1]
    places[sizes[:, 3] == 0, 3] = -1
    return Stack(
        fixed(places),
        fixed(np.concatenate(some)) if some else None,
        _joined(blocks, "levels"),
        _joined(blocks, "entries"),
        fixed(np.concatenate([each.near for each in blocks])),
        fixed(np.concatenate([actions for _, actions in policies])),
        A,
        TOLERANCE,
    )


def _joined(blocks: Sequence[VectorBlocks], name: str) -> Any:
    """Return one array of all policies' numbers. Where they are not next to each other yet, move them there."""
    arrays = [getattr(each, name) for each in blocks]
    if len(arrays) == 1:
        return arrays[0]
    ends = np.cumsum([len(array) for array in arrays])
    base = arrays[0].base
    if np.shape(base) == (ends[-1],) and all(array.base is base for array in arrays):
        first, width = base.ctypes.data, base.itemsize
        starts = [first + width * int(end - len(array)) for array, end in zip(arrays, ends, strict=True)]
        if [array.ctypes.data for array in arrays] == starts:
            return base
    check_memory(sum(array.nbytes for array in arrays), f"the vectors of {len(arrays)} policies", "take fewer tasks")
    joined = np.empty(ends[-1], arrays[0].dtype)
    del arrays
    for each, end in zip(blocks, ends, strict=True):
        own = getattr(each, name)
        place = joined[end - len(own) : end]
        place[:] = own
        vars(each)[name] = fixed(place)
        del own
    return fixed(joined)
