"""The kitchen, drawn once (the paper, figure "The Overcooked domain").

The helper walks on the left, the cook on the right, each between a top and a bottom cell. Between them lie two
counters. Beside the helper are the supplies, beside the cook the pan and the window.
"""

from walkon.pictures.scene import Cell

KITCHEN = """
#######
#O.=.U#
#P.=.W#
#######
"""
LEGEND: dict[str, str] = {
    "#": "wall",
    "=": "counter",
    "O": "onions",
    "P": "plates",
    "U": "pan",
    "W": "window",
}

ROWS = KITCHEN.split()
TILES: dict[Cell, str] = {
    (c, r): LEGEND[mark] for r, line in enumerate(ROWS) for c, mark in enumerate(line) if mark in LEGEND
}
FLOOR: list[Cell] = [(c, r) for r, line in enumerate(ROWS) for c, mark in enumerate(line) if mark == "."]
COUNTERS: list[Cell] = [cell for cell, ground in TILES.items() if ground == "counter"]  # top, bottom
HELPER: list[Cell] = [cell for cell in FLOOR if cell[0] < COUNTERS[0][0]]  # top, bottom
COOK: list[Cell] = [cell for cell in FLOOR if cell[0] > COUNTERS[0][0]]  # top, bottom
SUPPLIES: list[str] = [TILES[c - 1, r] for c, r in HELPER]  # beside the helper at the top, at the bottom
STATIONS: list[str] = [TILES[c + 1, r] for c, r in COOK]  # beside the cook at the top, at the bottom
