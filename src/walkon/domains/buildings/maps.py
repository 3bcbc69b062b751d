"""The maps of the buildings: the paper's five, and how a map of one's own is read.

A map is text, one character for each cell: `#` a wall, `.` floor, `S` floor where a team may start, `G` floor that is a
goal. Everything outside the map is wall.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import numpy as np

from walkon.arrays import Ints
from walkon.domains.hunting import MOVES_AND_STAY, Cell, next_to
from walkon.errors import InputError

WALL, FLOOR, START, GOAL = "#.SG"
LETTERS = "# (wall), . (floor), S (floor to start on) or G (goal)"
MOST_CELLS = 200  # free ones: the states are all pairs of them

NTU = """
###S##
#G..G#
S.##.#
#.##.S
#G..G#
##S###
"""
ISR = """
#.#S#.#.#
.....G...
#.#####.#
..#####.S
#.#####.#
S.#####..
#.#G###.#
G........
##..#.#.#
##.S#####
"""
MIT = """
##S#.#.#####.#G##
#...............#
S.#.###.##.####.G
#...............#
##S#.#.#####.#G##
"""
PENTAGON = """
#S.......S#
#.###.###.#
#.###.###.#
#.##...G#.#
#....#....G
#.##...##.#
#.###.###.#
#.###..##.#
G.........#
"""
CIT = """
###..........#
####.#######.#
####...####..#
.###.#.......#
.....#.###G#.#
.#####..G###.#
.######.####.#
.#####.......G
.#####.###.###
.###.......###
.....#####S###
S###S#########
"""
MAPS = {"ntu": NTU, "isr": ISR, "mit": MIT, "pentagon": PENTAGON, "cit": CIT}


@dataclass(frozen=True)
class Plan:
    """A map that was read. Cells are in the order of their (column, row).

    >>> plan = read(" G.S #.G ".replace(" ", chr(10)))
    >>> plan.cells
    ((0, 0), (1, 0), (1, 1), (2, 0), (2, 1))
    >>> plan.goals, plan.starts
    (((0, 0), (2, 1)), ((2, 0),))
    """

    rows: tuple[str, ...]

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that are not wall."""
        return self._having(FLOOR + START + GOAL)

    @cached_property
    def starts(self) -> tuple[Cell, ...]:
        """The cells where a team may start."""
        return self._having(START)

    @cached_property
    def goals(self) -> tuple[Cell, ...]:
        """The goals."""
        return self._having(GOAL)

    @cached_property
    def beside(self) -> Ints:
        """The cell [cells, moves] after each move: the same one where a wall is in the way."""
        number = {cell: i for i, cell in enumerate(self.cells)}
        table = [[number.get(next_to(cell, move), i) for move in MOVES_AND_STAY] for i, cell in enumerate(self.cells)]
        return np.array(table)

    @property
    def size(self) -> tuple[int, int]:
        """How many columns and rows there are."""
        return len(self.rows[0]), len(self.rows)

    def _having(self, letters: str) -> tuple[Cell, ...]:
        columns, rows = self.size
        return tuple((c, r) for c in range(columns) for r in range(rows) if self.rows[r][c] in letters)


def open_floor(columns: int, rows: int) -> Plan:
    """A map without walls and goals."""
    return Plan((FLOOR * columns,) * rows)


def pairs(plan: Plan) -> list[tuple[Cell, Cell]]:
    """All pairs of goals, the tasks of a building."""
    return list(combinations(plan.goals, 2))


def known_or_text(name: str, value: object) -> str:
    """Check a map, and return the name of one of ours, or the lines of another."""
    if not isinstance(value, str):
        raise InputError(f"{name} is {value!r:.60}, expected one of {', '.join(MAPS)}, or a map as text")
    if value in MAPS:
        return value
    if len(value.split()) == 1 and not set(value.strip()) <= set(WALL + FLOOR + START + GOAL):
        known = f"expected one of {', '.join(MAPS)}, a map as text"
        raise InputError(f"{name} is {value!r:.60}, {known}, or on the command line a file with one")
    return "\n".join(read(value).rows)


def from_file(text: str) -> str:
    """Return the map in a file, if the text is the name of one; else the text itself."""
    path = Path(text)
    try:
        return path.read_text(encoding="utf-8") if text not in MAPS and path.is_file() else text
    except (OSError, ValueError) as problem:
        raise InputError(f"the map {text:.60} cannot be read ({problem}): expected a text file") from None


def plan_of(value: str) -> Plan:
    """The map of a name, or of a text."""
    return read(MAPS.get(value, value))


def read(text: str) -> Plan:
    """Read a map and check it. Empty lines before and after it are left out, and so are spaces at the ends of lines."""
    lines = [line.rstrip() for line in text.splitlines()]
    filled = [i for i, line in enumerate(lines) if line]
    if not filled:
        raise InputError(f"the map is empty, expected lines of {LETTERS}")
    first = filled[0]
    rows = tuple(lines[first : filled[-1] + 1])
    _check_letters(rows, first + 1)
    plan = Plan(rows)
    if len(plan.goals) < 2:
        raise InputError(f"the map has {len(plan.goals)} goals, expected at least two: mark them with G")
    if len(plan.cells) > MOST_CELLS:
        free = (
            f"the map has {len(plan.cells)} free cells, which make {len(plan.cells) * (len(plan.cells) - 1):,} states"
        )
        raise InputError(f"{free}: at most {MOST_CELLS} cells can be free, turn some into #")
    _check_ways(plan, first + 1)
    return plan


def _check_letters(rows: Sequence[str], line: int) -> None:
    for r, row in enumerate(rows):
        if wrong := [c for c, letter in enumerate(row) if letter not in WALL + FLOOR + START + GOAL]:
            place = f"line {line + r}, column {wrong[0] + 1} of the map"
            raise InputError(f"{place} is {row[wrong[0]]!r}, expected {LETTERS}")
        if len(row) != len(rows[0]):
            lengths = f"line {line + r} of the map has {len(row)} cells, line {line} has {len(rows[0])}"
            raise InputError(f"{lengths}: fill the shorter lines up with #")


def _check_ways(plan: Plan, line: int) -> None:
    """Refuse a map in which some free cell cannot be reached from the first goal."""
    cells = {cell: i for i, cell in enumerate(plan.cells)}
    reached = edge = {cells[plan.goals[0]]}
    while edge:
        edge = {int(j) for i in edge for j in plan.beside[i]} - reached
        reached = reached | edge
    lost = [cell for cell, i in cells.items() if i not in reached]
    if lost:
        goals = [cell for cell in lost if cell in plan.goals]
        (c, r), what = (goals or lost)[0], "goal" if goals else "free cell"
        home = plan.goals[0]
        raise InputError(
            f"the {what} in line {line + r}, column {c + 1} of the map cannot be reached from the goal in line "
            f"{line + home[1]}, column {home[0] + 1}: open a way between them, or turn it into #"
        )
