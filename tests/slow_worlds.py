"""The worlds of "Making Friends in the Dark" once more, slow and obvious: dictionaries of probabilities.

A world is the list of its states, the first ones, the solved ones, and two functions: `moves(x, a)` and `sees(a, y)`,
each a dictionary of probabilities. Nothing is shared with walkon.
"""

from collections import defaultdict
from itertools import product
from typing import NamedTuple

STEPS = [(0, -1), (0, 1), (-1, 0), (1, 0), (0, 0)]  # up, down, left, right, stay
OVER = "over"


class World(NamedTuple):
    """A world of one task, with the teammate folded in."""

    states: list
    starts: list
    solved: set
    moves: object  # (state that is not solved, action) -> {state: probability}
    sees: object  # (action, state) -> {observation: probability}


def mixed(*parts):
    """Add dictionaries of probabilities, each with its weight."""
    found = defaultdict(float)
    for weight, part in parts:
        for key, p in part.items():
            found[key] += weight * p
    return {key: p for key, p in found.items() if p > 0}


# the gridworld and the buildings


def optimal_moves(states, solved, follow):
    """All pairs of moves that are optimal with discount .95, in each state; `follow(x, a, b)` is the next one."""
    pairs = list(product(range(5), range(5)))
    leads = {x: [follow(x, a, b) for a, b in pairs] for x in states}
    value = dict.fromkeys(states, 0.0)
    for _ in range(50):  # more steps than any way on a small map has
        value = {x: 100.0 if x in solved else -1 + 0.95 * max(value[y] for y in leads[x]) for x in states}
    best = {}
    for x in states:
        worths = {pair: 0.0 if x in solved else value[y] for pair, y in zip(pairs, leads[x], strict=True)}
        best[x] = [pair for pair, w in worths.items() if w > max(worths.values()) - 1e-9]
    return best


def walk(cell, goal, to):
    """How many steps it is from a cell to a goal."""
    edge, steps = {goal}, 0
    while cell not in edge:
        edge, steps = edge | {to(each, move) for each in edge for move in range(4)}, steps + 1
    return steps


def read_thing(thing, noise, misread):
    """What a thing next to the agent is read as."""
    wrong = {0: 1.0} if misread == "nothing" else {other: 0.5 for other in range(3) if other != thing}
    return {0: 1.0} if thing == 0 else mixed((1 - noise, {thing: 1.0}), (noise, wrong))


def floor(free, goals, *, noise, sharing, agent_fails, teammate_fails, misread, teammate, order, starts):
    """A gridworld (`sharing` cells) or a building, with the free cells given."""
    cells = sorted(free)
    states = [(*own, *mate) for own in cells for mate in cells if sharing or own != mate]
    solved = {x for x in states if x[:2] in goals and x[2:] in goals and x[:2] != x[2:]}

    def to(cell, move):
        there = (cell[0] + STEPS[move][0], cell[1] + STEPS[move][1])
        return there if there in free else cell

    def follow(x, a, b):
        own, mate = x[:2], x[2:]
        mate_to = to(mate, b)
        if not sharing and mate_to == own:
            mate_to = mate
        own_to = to(own, a)
        if not sharing and own_to == mate_to:
            own_to = own
        return (*own_to, *mate_to)

    far = {(cell, goal): walk(cell, goal, to) for cell in cells for goal in goals}

    def closest(x):
        mate = x[2:]
        goal = min(goals, key=lambda g: far[mate, g])  # the first of those that are as near
        for move in order:
            if far[to(mate, move), goal] < far[mate, goal]:
                return {move: 1.0}
        return {4: 1.0}

    if teammate == "optimal":
        best = optimal_moves(states, solved, follow)

    def plays(x):
        if teammate == "closest":
            return closest(x)
        pairs = best[x]
        return mixed(*((1 / len(pairs), {b: 1.0}) for _, b in pairs))

    def moves(x, a):
        own_fails, mate_fails = noise if agent_fails else 0.0, noise if teammate_fails else 0.0
        parts = []
        for b, q in plays(x).items():
            for own, p in ((a, 1 - own_fails), (4, own_fails)):
                for mate, r in ((b, 1 - mate_fails), (4, mate_fails)):
                    parts.append((q * p * r, {follow(x, own, mate): 1.0}))
        return mixed(*parts)

    def sees(a, y):
        own, mate, sides = y[:2], y[2:], []
        for dx, dy in STEPS[:4]:
            side = (own[0] + dx, own[1] + dy)
            sides.append(read_thing(1 if side not in free else 2 if side == mate else 0, noise, misread))
        return {
            27 * u + 9 * d + 3 * l + r: sides[0][u] * sides[1][d] * sides[2][l] * sides[3][r]
            for u, d, l, r in product(*sides)
        }

    return World(states, [x for x in states if x not in solved and starts(x)], solved, moves, sees)


# pursuit


SIDES = {
    "n/s": ((0, -1), (0, 1)),
    "w/e": ((-1, 0), (1, 0)),
    "sw/ne": ((-1, 1), (1, -1)),
    "nw/se": ((-1, -1), (1, 1)),
}
USUAL = "01D 02D 10R 11R 12R 20R 21R 22D"
AROUND = {  # by the agent's cell: the target and the first step
    (0, 0): "12D 22R",
    (0, 1): "02U 22R",
    (1, 0): "11D 12D 20L 21D",
    (1, 1): "12D",
    (1, 2): "22R",
    (2, 0): "22R",
}


def first_step(target, blocked):
    """The first step of a shortest way from the middle of the torus to a target: right, left, down or up."""

    def beside(cell, move):
        return tuple((n + d + 2) % 5 - 2 for n, d in zip(cell, STEPS[move], strict=True))

    far, edge = {target: 0}, [target]
    for cell in edge:
        for move in range(4):
            there = beside(cell, move)
            if there not in far and there != blocked:
                far[there] = far[cell] + 1
                edge.append(there)
    return next(m for m in (3, 2, 1, 0) if far.get(beside((0, 0), m), 99) < far[0, 0])


def read_cell(dx, dy, noise):
    """The number of the cell in which something is read."""
    near = (dx, dy) != (0, 0) and abs(dx) < 2 and abs(dy) < 2
    return mixed((1 - noise, {3 * (dy + 1) + dx + 1: 1.0}), (noise, {4: 1.0})) if near else {4: 1.0}


def pursuit(kind, pair, *, noise, ring, search):
    """Pursuit with a greedy or an aware teammate."""

    def w(d):
        if ring == "modulo":
            return next(e for e in range(-2, 3) if (e - d) % 5 == 0)
        return {3: -1, 4: -2, -3: 1, -4: 2}.get(d, d)

    def minus(one, two):
        return (w(one[0] - two[0]), w(one[1] - two[1]))

    span = range(-2, 3)
    states = list(product(span, span, span, span))
    first, second = SIDES[pair]
    solved = {x for x in states if (minus((0, 0), x[2:]), minus(x[:2], x[2:])) in ((first, second), (second, first))}

    def table(text):
        return {(int(a), int(b)): "UDLR".index(move) for a, b, move in text.split()}

    def plays(x):
        prey = minus(x[2:], x[:2])
        targets = [(w(prey[0] + side[0]), w(prey[1] + side[1])) for side in (first, second)]
        target = min(targets, key=lambda t: abs(t[0]) + abs(t[1]))
        if target == (0, 0):
            return {4: 1.0}
        agent = (-x[0], -x[1])
        if kind == "greedy":
            if target[0]:
                return {3 if target[0] > 0 else 2: 1.0}
            return {1 if target[1] > 0 else 0: 1.0}
        if search == "quadrant":
            if target[0] < 0 or target[1] < 0:
                return dict.fromkeys(range(5), 0.2)
            return {(table(USUAL) | table(AROUND.get(agent, "")))[target]: 1.0}
        return {first_step(target, None if agent in (target, (0, 0)) else agent): 1.0}

    def moves(x, a):
        parts = []
        for b, q in plays(x).items():
            mate = tuple(w(n + s - t) for n, s, t in zip(x[:2], STEPS[b], STEPS[a], strict=True))
            for prey_moves in STEPS:
                prey = tuple(w(n + s - t) for n, s, t in zip(x[2:], prey_moves, STEPS[a], strict=True))
                parts.append((q / 5, {(*mate, *prey): 1.0}))
        return mixed(*parts)

    def sees(a, y):
        mates, preys = read_cell(*y[:2], noise), read_cell(*y[2:], noise)
        return {9 * t + p: q * r for t, q in mates.items() for p, r in preys.items()}

    return World(states, [x for x in states if x not in solved], solved, moves, sees)


# the power plant


NEXT = {0: [1], 1: [0, 2, 3], 2: [1], 3: [1, 4], 4: [3]}


def plant(cleaning, *, noise, misread, discount):
    """The power plant, to be explored or to be cleaned."""
    rooms = (2, 4) if cleaning else (0, 1, 4)

    def sets(robot, human, room):
        return robot == room and human == room if cleaning else robot == room or human == room

    def entered(robot, human, flags):
        return (robot, human, *(1 if sets(robot, human, r) else f for f, r in zip(flags, rooms, strict=True)))

    every = product(range(5), range(5), *[(0, 1)] * len(rooms))
    states = [x for x in every if not any(f == 0 and sets(*x[:2], r) for f, r in zip(x[2:], rooms, strict=True))]
    solved = {x for x in states if all(x[2:])}

    def go(room, action):
        doors = NEXT[room]
        return room if action > 2 else doors[action] if action < len(doors) else doors[0]

    def joint(x, a, b):
        robot, human, *flags = x
        there = entered(go(robot, a), go(human, b), flags)
        return mixed((1 - noise, {there: 1.0}), (noise, {entered(robot, go(human, b), flags): 1.0}))

    pairs = list(product(range(4), range(4)))
    leads = {x: [list(joint(x, a, b).items()) for a, b in pairs] for x in states}
    value = dict.fromkeys(states, 0.0)

    def worths(x):
        return [-1 + discount * sum(p * value[y] for y, p in ways) for ways in leads[x]]

    for _ in range(300):
        value = {x: 100.0 if x in solved else max(worths(x)) for x in states}
    human = {}
    for x in states:
        found = worths(x)
        human[x] = next(b for (_, b), worth in zip(pairs, found, strict=True) if worth > max(found) - 1e-9)

    def moves(x, a):
        return joint(x, a, human[x])

    def sees(a, y):
        robot, other = y[0], y[1] if a == 4 else y[0]
        if misread == "nothing":
            return mixed((1 - noise, {1 + other: 1.0}), (noise, {0: 1.0}))
        if a in (4, 5):
            return mixed((1 - noise, {1 + other: 1.0}), *((noise / 5, {z: 1.0}) for z in range(6) if z != 1 + other))
        m = len(NEXT[robot])
        weights = {1 + robot: 1 - noise, 0: noise / m} | {1 + r: noise / m for r in range(m) if r != robot}
        return {z: weight / sum(weights.values()) for z, weight in weights.items() if weight > 0}

    return World(states, [entered(0, 0, (0,) * len(rooms))], solved, moves, sees)
