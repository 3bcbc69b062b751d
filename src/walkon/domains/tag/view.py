"""The picture of a moment of Tag: the 29 cells, with north up."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from walkon.domains.tag import rules_kernels as rules
from walkon.domains.tag.rules_kernels import CAUGHT, FOUND
from walkon.pictures.scene import AGENT, NOTHING, WALL, Cell, Heat, Observation, Piece, Scene, Tile

COLUMNS, ROWS = 10, 5
OPPONENT = "opponent"


def draw(cells: Sequence[Cell], state: Any, z: Any, belief: Mapping[Any, float] | None) -> Scene:
    """Draw both, what was observed, and where each is believed to be."""
    places = [(column, ROWS - 1 - row) for column, row in cells]
    us, them = places[state[0]], places[state[0] if state[1] == CAUGHT else state[1]]
    walls = [(c, r) for c in range(COLUMNS) for r in range(ROWS) if (c, r) not in places]
    seen = () if z is None else (Observation(OPPONENT if z == FOUND else NOTHING, us),)
    return Scene(
        title="Tag",
        columns=COLUMNS,
        rows=ROWS,
        pieces=(Piece(OPPONENT, them), Piece(AGENT, us)),
        tiles=tuple(Tile(WALL, cell) for cell in walls),
        visible=frozenset({us}),
        observations=seen,
        beliefs=() if belief is None else tuple(_heats(places, belief)),
        notes=("caught",) if state[1] == CAUGHT else (),
    )


def _heats(places: Sequence[Cell], belief: Mapping[Any, float]) -> list[Heat]:
    """Where we may be, and where the opponent may be; one that is caught is nowhere."""
    grids = np.zeros((2, ROWS, COLUMNS))
    for state, p in belief.items():
        for grid, chances in zip(grids, _chances(state), strict=True):
            for cell, chance in chances.items():
                grid[places[cell][1], places[cell][0]] += p * chance
    return [Heat(f"where the {who} may be", who, grid) for who, grid in zip((AGENT, OPPONENT), grids, strict=True)]


def _chances(state: Any) -> tuple[Mapping[int, float], Mapping[int, float]]:
    """The probabilities of our cells and of the opponent's; a state may be a row of such probabilities itself."""
    if len(state) == 2:
        return {state[0]: 1.0}, {} if state[1] == CAUGHT else {state[1]: 1.0}
    theirs = {i: rules.UNIT * share for i, share in enumerate(state[rules.THEIRS :])}
    if state[:2] == (rules.UNSEEN, rules.NONE):
        theirs = dict.fromkeys(range(rules.CELLS), 1 / rules.CELLS)
    return theirs if state[0] == rules.UNSEEN else {state[0]: 1.0}, theirs
