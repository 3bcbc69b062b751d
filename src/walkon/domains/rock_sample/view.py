"""The picture of a moment of RockSample: north is up, and the last column is where the rover leaves."""

from collections.abc import Mapping, Sequence
from typing import Any

from walkon.domains.rock_sample.rules_kernels import GOOD, KNOWN, NONE, UNIT
from walkon.pictures.scene import AGENT, Cell, Piece, Scene, Tile

SHOWN = {NONE: "nothing", GOOD: "good"}


def draw(size: int, rocks: Sequence[Cell], state: Any, z: Any, belief: Mapping[Any, float] | None) -> Scene:
    """Draw the rover and the rocks, and write how likely each rock is good."""

    def place(column: int, row: int) -> Cell:
        return column, size - 1 - row

    kinds = ["good rock" if state[2] >> i & 1 else "bad rock" for i in range(len(rocks))]
    notes = [] if z is None else [f"observed: {SHOWN.get(z, 'bad')}"]
    if belief is not None:
        shares = ", ".join(f"{i}: {p:.2f}" for i, p in enumerate(good(belief, len(rocks))))
        notes.append(f"good with probability: rock {shares}")
    return Scene(
        title=f"RockSample, {size} x {size}",
        columns=size + 1,
        rows=size,
        pieces=(
            *(
                Piece(kind, place(*cell), label=f"rock {i}")
                for i, (kind, cell) in enumerate(zip(kinds, rocks, strict=True))
            ),
            Piece(AGENT, place(*state[:2])),
        ),
        tiles=tuple(
            Tile("exit", (size, row), label="exit") for row in range(size) if state[0] < size or row < size - 1
        ),
        visible=frozenset((column, row) for column in range(size) for row in range(size)),
        notes=tuple(notes),
    )


def good(belief: Mapping[Any, float], rocks: int) -> list[float]:
    """The probability that each rock is good; a state may be a row of such probabilities itself."""
    shares = [0.0] * rocks
    for state, p in belief.items():
        for i in range(rocks):
            shares[i] += p * (state[KNOWN + i] * UNIT if len(state) > KNOWN else state[2] >> i & 1)
    return shares
