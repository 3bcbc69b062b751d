"""The world of Overcooked (the paper, appendix "Overcooked").

A helper and a cook act at once, both on the state at the step's start. Three onions in the pan are a cooked soup; a
plate takes it, the window delivers it. Acting does the one thing that can be done with what is in the hand:

    helper, empty hand    take from the supply beside it, never from a counter
    helper, else          put it on the counter beside it, if that was empty
    cook, empty hand      take what lay on the counter beside it
    cook, onion           at the pan while that is not full: in it goes, and the third cooks at once
    cook, plate           at the pan with a cooked soup: the soup is on the plate
    cook, soup            at the window: delivered; never put down
    cook, else            put it on the counter beside it, if that was empty and the helper puts nothing there now

A delivery pays 15, every other step costs 1.
"""

from functools import cache
from itertools import product
from typing import NamedTuple

from walkon.domains.overcooked.layout import STATIONS, SUPPLIES
from walkon.models.mmdp import MMDP
from walkon.models.rules import Rules

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
DELIVERY = 15.0
STEP = -1.0

SUPPLY = tuple({"onions": ONION, "plates": PLATE}[ground] for ground in SUPPLIES)
PAN, WINDOW = STATIONS.index("pan"), STATIONS.index("window")


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


def walked(cell: int, action: str) -> int:
    """Where a move leads; one that cannot be made, and every other action, leaves the mover where it is."""
    return LEADS.get(action, cell)


def drops(x: Kitchen, action: str) -> bool:
    """Whether the helper puts something on the counter beside it."""
    return action == "Act" and x.helper_hand != NOTHING and x.counters[x.helper] == NOTHING


def takes(x: Kitchen, action: str) -> bool:
    """Whether the cook takes something from the counter beside it."""
    return action == "Act" and x.cook_hand == NOTHING and x.counters[x.cook] != NOTHING


def delivers(x: Kitchen, action: str) -> bool:
    """Whether the cook delivers a soup."""
    return action == "Act" and x.cook_hand == SOUP and x.cook == WINDOW


def step(x: Kitchen, helper: str, cook: str) -> Kitchen:
    """What both actions, at once, make of the kitchen."""
    counters, hand_h, hand_c, pan = [*x.counters], x.helper_hand, x.cook_hand, x.pan
    if drops(x, helper):
        counters[x.helper], hand_h = hand_h, NOTHING
    elif helper == "Act" and hand_h == NOTHING:
        hand_h = SUPPLY[x.helper]
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
    return Kitchen(walked(x.helper, helper), walked(x.cook, cook), hand_h, hand_c, top, bottom, pan)


def moves(x: Kitchen, helper: str, cook: str) -> tuple[tuple[Kitchen, float]]:
    """The next state: nothing is left to chance."""
    return ((step(x, helper, cook), 1.0),)


def reward(x: Kitchen, helper: str, cook: str, y: Kitchen) -> float:
    """What a step pays."""
    return DELIVERY if delivers(x, cook) else STEP


@cache
def matrices(role: str) -> MMDP:
    """The rules as matrices, the ad hoc agent's action first: `P[a][b]`. All tasks of a role share them."""
    if role == "helper":
        return Rules(STATES, ACTIONS, ACTIONS, moves, reward, DISCOUNT).mmdp()
    helping = matrices("helper")
    return MMDP(
        zip(*helping.P, strict=True),
        helping.R.swapaxes(1, 2),
        DISCOUNT,
        states=helping.states,
        actions=ACTIONS,
        teammate_actions=ACTIONS,
    )
