"""Small problems from the literature, to try things on."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from walkon.models.pomdp import POMDP
from walkon.models.tabulate import tabulate

Cell = tuple[int, int]
Chase = tuple[Cell, Cell]  # our cell, the opponent's
Pose = tuple[Cell, int]  # a cell, and the direction one faces
Place = tuple[int, int, int]  # column, row, and a bit for each rock that is good
Rule = Callable[[str, Any], Iterable[tuple[Any, float]]]  # from an action and a state to a distribution

DISCOUNT = 0.95
CELLS = [(x, y) for y in range(2) for x in range(10)] + [(x, y) for y in range(2, 5) for x in range(5, 8)]
CAUGHT = (-1, -1)  # where the opponent is after the chase
STEPS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0), "catch": (0, 0)}

WAYS = [(0, -1), (1, 0), (0, 1), (-1, 0)]  # north, east, south, west
TURNS = {
    "stay": (1, 0, 0, 0),
    "right": (0.1, 0.7, 0.1, 0.1),
    "around": (0.1, 0.15, 0.6, 0.15),
    "left": (0.1, 0.1, 0.1, 0.7),
}
GOAL, LANDMARK = "+", "v"  # a landmark is seen where one faces south

ROCKS = ((3, 1), (2, 1), (1, 3), (1, 0))
OVER = "over"


def tiger(accuracy: float = 0.85) -> POMDP:
    """The tiger problem (Cassandra, Kaelbling and Littman 1994): listen, or open one of two doors.

    Listening costs 1 and gives the tiger's side with the given accuracy; the door with the tiger costs 100, the
    other pays 10; after a door is opened, the tiger is put behind either door again.
    """
    reset = np.full((2, 2), 0.5)
    hear = np.array([[accuracy, 1 - accuracy], [1 - accuracy, accuracy]])
    return POMDP(
        P=[np.eye(2), reset, reset],
        O=[hear, reset, reset],
        R=[[-1, -100, 10], [-1, 10, -100]],
        start=[0.5, 0.5],
        discount=DISCOUNT,
        states=["tiger left", "tiger right"],
        actions=["listen", "open left", "open right"],
        observations=["growl left", "growl right"],
    )


def tag() -> POMDP:
    """Tag (Pineau, Gordon and Thrun 2003): catch an opponent who runs; 870 states, 5 actions, 30 observations.

    The floor has 29 cells: two rows of ten, and three rows of three above their sixth to eighth cell. We always observe
    our own cell, or, where we moved onto the opponent, that we found it. A move costs 1; a catch pays 10 in the
    opponent's cell and costs 10 elsewhere, and ends the chase. The opponent moves away from where we stood: along the
    row with probability 0.4 and along the column with 0.4, either way with 0.2 each where we stood level, and not at
    all where a wall is. As in the file that the literature uses, moves still cost 1 after the chase has ended, and a
    catch then costs nothing.
    """
    states = [(us, them) for us in CELLS for them in [*CELLS, CAUGHT]]
    observations = [*CELLS, "found"]
    caught, level = np.array([them == CAUGHT for _, them in states]), np.array([us == them for us, them in states])
    R = np.full((len(states), len(STEPS)), -1.0)
    R[:, 4] = np.where(caught, 0, np.where(level, 10, -10))

    def moved(cell: Cell, way: Cell) -> Cell:
        there = (cell[0] + way[0], cell[1] + way[1])
        return there if there in CELLS else cell

    def step(action: str, state: Chase) -> Iterator[tuple[Chase, float]]:
        us, them = state
        if them == CAUGHT:
            yield state, 1.0
        elif action == "catch" and us == them:
            yield (us, CAUGHT), 1.0
        else:
            arrived = moved(us, STEPS[action])
            yield (arrived, them), 0.2
            for away, along in ((them[0] - us[0], (1, 0)), (them[1] - us[1], (0, 1))):
                for sign in (1, -1):
                    if away == 0 or (away > 0) == (sign > 0):
                        way = (sign * along[0], sign * along[1])
                        yield (arrived, moved(them, way)), 0.2 if away == 0 else 0.4

    def observe(action: str, state: Chase) -> Iterator[tuple[Cell | str, float]]:
        us, them = state
        yield "found" if us == them and action != "catch" else us, 1.0

    P, O = _tables(states, states, STEPS, step), _tables(states, observations, STEPS, observe)
    start = ~caught / np.count_nonzero(~caught)
    return POMDP(P, O, R, start, DISCOUNT, states=states, actions=list(STEPS), observations=observations)


def hallway() -> POMDP:
    """The first hallway, with landmarks; 60 states, 5 actions, 21 observations."""
    return _hallway(["**v*v*v*v**", "  * * * +  "])


def hallway2() -> POMDP:
    """The second hallway, a ring with passages; 92 states, 5 actions, 17 observations."""
    return _hallway([" ***** ", "** * **", " * * * ", "** * *+", " ***** "])


def _hallway(plan: Sequence[str]) -> POMDP:
    """A hallway (Littman, Cassandra and Kaelbling 1995): find the way to a goal without knowing where one is.

    A state is a cell and the direction one faces. A step forward goes forward with probability 0.8, stays with 0.05,
    and slips to the left, right or back with 0.05 each. A slip to a side turns one that way, a slip back does so half
    the time; a step into a wall changes nothing. A turn to a side succeeds with 0.7 and leaves one in each other
    direction with 0.1; turning around succeeds with 0.6, gives each side with 0.15 and changes nothing with 0.1. One
    sees walls in front, right, behind and to the left: each is seen with 0.9 where it is, and with 0.05 where it is
    not. Landmarks and the goal are seen for sure. Reaching the goal pays 1; one is then put in any other cell, facing
    any direction.
    """
    cells = {(x, y): mark for y, row in enumerate(plan) for x, mark in enumerate(row) if mark != " "}
    states = [(cell, way) for cell in cells for way in range(4)]
    goal = np.array([cells[cell] == GOAL for cell, _ in states])
    anywhere = [(state, 1 / np.count_nonzero(~goal)) for state, there in zip(states, goal, strict=True) if not there]
    observations = [*range(16), *(cell for cell, mark in cells.items() if mark == LANDMARK), "goal"]

    def step(action: str, pose: Pose) -> Iterator[tuple[Pose, float]]:
        cell, way = pose
        if cells[cell] == GOAL:
            yield from anywhere
        elif action == "forward":
            yield pose, 0.05
            for turn, chance in ((0, 0.8), (1, 0.05), (2, 0.05), (3, 0.05)):
                ahead = (way + turn) % 4
                there = (cell[0] + WAYS[ahead][0], cell[1] + WAYS[ahead][1])
                if there not in cells:
                    yield pose, chance
                elif turn == 2:
                    yield (there, ahead), chance / 2
                    yield (there, way), chance / 2
                else:
                    yield (there, ahead), chance
        else:
            for turn, chance in enumerate(TURNS[action]):
                yield (cell, (way + turn) % 4), chance

    def observe(pose: Pose) -> Iterator[tuple[object, float]]:
        cell, way = pose
        if cells[cell] == GOAL:
            yield "goal", 1.0
        elif cells[cell] == LANDMARK and way == 2:
            yield cell, 1.0
        else:
            ahead = [WAYS[(way + turn) % 4] for turn in (0, 1, 2, 3)]
            shows = [0.9 if (cell[0] + dx, cell[1] + dy) not in cells else 0.05 for dx, dy in ahead]
            for seen in range(16):
                chances = [chance if seen >> 3 - i & 1 else 1 - chance for i, chance in enumerate(shows)]
                yield seen, float(np.prod(chances))

    actions = ["stay", "forward", "right", "around", "left"]
    P, O = _tables(states, states, actions, step), [tabulate(states, observations, observe)] * len(actions)
    R, start = np.stack([p @ goal.astype(float) for p in P], axis=1), ~goal / np.count_nonzero(~goal)
    return POMDP(P, O, R, start, DISCOUNT, states=states, actions=actions, observations=observations)


def rock_sample(size: int = 4, rocks: Sequence[Cell] = ROCKS, first: Cell = (0, 2)) -> POMDP:
    """RockSample (Smith and Simmons 2004), by default 4 x 4 with four rocks; 257 states, 9 actions, 2 observations.

    The rover knows where it is and where the rocks lie, but not which are good. Sampling a good rock pays 10 and makes
    it bad; a bad one costs 10. Leaving to the east pays 10 and ends the mission. Checking a rock shows whether it is
    good, from distance d with accuracy (1 + e^-d)/2. An impossible action (a step over another edge, a sample where no
    rock is) costs 100 and ends the mission.
    """
    good = range(2 ** len(rocks))
    states: list[Place | str] = [*((x, y, g) for x in range(size) for y in range(size) for g in good), OVER]
    checks = {f"check {i}": i for i in range(len(rocks))}
    actions = ["north", "east", "south", "west", *checks, "sample"]

    def result(action: str, state: Place | str) -> tuple[Place | str, float]:
        """The next state and the reward."""
        if isinstance(state, str) or action in checks:
            return state, 0.0
        x, y, g = state
        if action in STEPS:
            x, y = x + STEPS[action][0], y + STEPS[action][1]
            if x == size:
                return OVER, 10.0
            return ((x, y, g), 0.0) if x >= 0 and 0 <= y < size else (OVER, -100.0)
        if (x, y) not in rocks:
            return OVER, -100.0
        bit = 1 << rocks.index((x, y))
        return (x, y, g & ~bit), 10.0 if g & bit else -10.0

    def step(action: str, state: Place | str) -> Iterator[tuple[Place | str, float]]:
        yield result(action, state)[0], 1.0

    def observe(action: str, state: Place | str) -> Iterator[tuple[str, float]]:
        right = 1.0
        if not isinstance(state, str) and action in checks:
            x, y, g = state
            trust = math.exp(-math.dist((x, y), rocks[checks[action]]))
            right = trust * (g >> checks[action] & 1) + (1 - trust) / 2
        yield "good", right
        yield "bad", 1 - right

    P, O = _tables(states, states, actions, step), _tables(states, ["good", "bad"], actions, observe)
    R = [[result(action, state)[1] for action in actions] for state in states]
    at_first = np.array([not isinstance(state, str) and state[:2] == first for state in states])
    start = at_first / np.count_nonzero(at_first)
    return POMDP(P, O, R, start, DISCOUNT, states=states, actions=actions, observations=["good", "bad"])


def _tables(rows: Sequence[Any], columns: Sequence[Any], actions: Iterable[str], rule: Rule) -> list[csr_array]:
    """A matrix for each action, from the distribution that the rule gives for it and each row."""
    return [tabulate(rows, columns, partial(rule, action)) for action in actions]


CLASSICS = {"tiger": tiger, "tag": tag, "hallway": hallway, "hallway2": hallway2, "rock-sample": rock_sample}
