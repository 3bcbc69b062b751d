"""The world of Overcooked (the paper, appendix "Overcooked").

The helper walks on the left, the cook on the right, each between a top and a bottom cell, with two counters between
them. Beside the helper are the supplies, beside the cook the pan and the window. Both act at once, on the state at the
start of the step. Three onions in the pan are a cooked soup; a plate takes it, the window delivers it. Acting does the
one thing that can be done with what is in the hand:

    helper, empty hand    take from the supply beside it, never from a counter
    helper, else          put it on the counter beside it, if that was empty
    cook, empty hand      take what lay on the counter beside it
    cook, onion           at the pan while that is not full: put it in; the third onion makes a cooked soup
    cook, plate           at the pan with a cooked soup: put the soup on the plate
    cook, soup            at the window: deliver it; never put it down
    cook, else            put it on the counter beside it, if that was empty and the helper puts nothing there now

A delivery pays 15, every other step costs 1.
"""

from functools import cache
from itertools import product
from typing import NamedTuple

from walkon.models.mmdp import MMDP
from walkon.models.rules import Rules
from walkon.pictures.scene import Cell

KITCHEN = """
#######
#O.=.U#
#P.=.W#
#######
"""
LEGEND = {"#": "wall", "=": "counter", "O": "onions", "P": "plates", "U": "pan", "W": "window"}
ROWS = KITCHEN.split()
MARKS: dict[Cell, str] = {(c, r): mark for r, line in enumerate(ROWS) for c, mark in enumerate(line)}
TILES = {cell: LEGEND[mark] for cell, mark in MARKS.items() if mark in LEGEND}
COUNTERS = [cell for cell, ground in TILES.items() if ground == "counter"]  # top, bottom
HELPER = [cell for cell in MARKS if cell not in TILES and cell[0] < COUNTERS[0][0]]  # the helper's cells, top, bottom
COOK = [cell for cell in MARKS if cell not in TILES and cell[0] > COUNTERS[0][0]]  # the cook's cells, top, bottom

NOTHING, ONION, PLATE, SOUP = range(4)  # what a hand or a counter may hold
THINGS = ("nothing", "onion", "plate", "soup")
TOP, BOTTOM = range(2)
CELLS = ("top", "bottom")
COOKED = 3  # onions in a full pan
PANS = ("empty", "1 onion", "2 onions", "cooked")

ACTIONS = ("Up", "Down", "Noop", "Act")
LEADS = {"Up": TOP, "Down": BOTTOM}
ROLES = ("helper", "cook")
DISCOUNT = 0.95
DELIVERY, STEP = 15.0, -1.0

SUPPLY = tuple({"onions": ONION, "plates": PLATE}[TILES[c - 1, r]] for c, r in HELPER)  # beside the helper
PAN, WINDOW = ([TILES[c + 1, r] for c, r in COOK].index(ground) for ground in ("pan", "window"))  # beside the cook


class Kitchen(NamedTuple):
    """A state of the kitchen."""

    helper: int  # top, bottom
    cook: int
    helper_hand: int  # nothing, onion, plate
    cook_hand: int  # nothing, onion, plate, soup
    top: int  # on the top counter: nothing, onion, plate
    bottom: int
    pan: int  # onions in it; three are cooked

    def __str__(self) -> str:
        return (
            f"helper {CELLS[self.helper]} with {THINGS[self.helper_hand]}, "
            f"cook {CELLS[self.cook]} with {THINGS[self.cook_hand]}, "
            f"counters {THINGS[self.top]} and {THINGS[self.bottom]}, pan {PANS[self.pan]}"
        )

    @property
    def counters(self) -> tuple[int, int]:
        """What lies on the counters, top and bottom."""
        return self.top, self.bottom


STATES = tuple(map(Kitchen._make, product(range(2), range(2), range(3), range(4), range(3), range(3), range(4))))
START = [Kitchen(helper, cook, NOTHING, NOTHING, NOTHING, NOTHING, 0) for helper, cook in product(range(2), repeat=2)]


def takes(x: Kitchen, action: str) -> bool:
    """Whether the cook takes something from the counter beside it."""
    return action == "Act" and x.cook_hand == NOTHING and x.counters[x.cook] != NOTHING


def delivers(x: Kitchen, action: str) -> bool:
    """Whether the cook delivers a soup."""
    return action == "Act" and x.cook_hand == SOUP and x.cook == WINDOW


def moves(x: Kitchen, helper: str, cook: str) -> tuple[tuple[Kitchen, float]]:
    """The next state after both actions at once, which is certain."""
    counters, hand_h, hand_c, pan = [*x.counters], x.helper_hand, x.cook_hand, x.pan
    if helper == "Act" and hand_h == NOTHING:
        hand_h = SUPPLY[x.helper]
    elif helper == "Act" and counters[x.helper] == NOTHING:
        counters[x.helper], hand_h = hand_h, NOTHING
    if cook == "Act":
        if takes(x, cook):
            hand_c, counters[x.cook] = counters[x.cook], NOTHING
        elif delivers(x, cook):
            hand_c = NOTHING
        elif x.cook == PAN and hand_c == ONION and pan < COOKED:
            hand_c, pan = NOTHING, pan + 1
        elif x.cook == PAN and hand_c == PLATE and pan == COOKED:
            hand_c, pan = SOUP, 0
        elif hand_c in (ONION, PLATE) and counters[x.cook] == NOTHING:
            counters[x.cook], hand_c = hand_c, NOTHING
    top, bottom = counters
    y = Kitchen(LEADS.get(helper, x.helper), LEADS.get(cook, x.cook), hand_h, hand_c, top, bottom, pan)
    return ((y, 1.0),)


def reward(x: Kitchen, helper: str, cook: str, y: Kitchen) -> float:
    """The reward of a step."""
    return DELIVERY if delivers(x, cook) else STEP


@cache
def matrices(role: str) -> MMDP:
    """Tabulate the rules, the ad hoc agent's action first: `P[a][b]`. All tasks of a role share the result."""
    if role == "helper":
        return Rules(STATES, ACTIONS, ACTIONS, moves, reward, DISCOUNT).mmdp()
    helping = matrices("helper")
    P, R, names = zip(*helping.P, strict=True), helping.R.swapaxes(1, 2), helping.states
    return MMDP(P, R, DISCOUNT, states=names, actions=ACTIONS, teammate_actions=ACTIONS)
