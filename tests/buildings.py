"""Buildings: two walk in corridors and must stand on two goals; the agent knows its start and senses what is beside it.

The rules of a later paper's worlds (ECAI 2023, as they were run), written small. They are here because they are what
the paper's own worlds are not: the start is known, corridors are long, and waiting for the teammate is often optimal.
"""

from itertools import combinations, product

import numpy as np
from scipy.sparse import csr_array

from walkon import POMDP

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
RING = """
S...S
.###.
G...G
"""
MOVES = ((0, -1), (0, 1), (-1, 0), (1, 0), (0, 0))  # up, down, left, right, stay
DISCOUNT = 0.95


def building(text, noise=0.2):
    """One POMDP for each pair of the map's goals."""
    letters = {(x, y): c for y, line in enumerate(text.split()) for x, c in enumerate(line) if c != "#"}
    free = sorted(letters)
    goals = [cell for cell in free if letters[cell] == "G"]
    starts = [cell for cell in free if letters[cell] == "S"]
    states = [(one, other) for one, other in product(free, free) if one != other]
    number = {state: i for i, state in enumerate(states)}
    over = len(states)

    def towards(cell, move, taken):
        new = (cell[0] + MOVES[move][0], cell[1] + MOVES[move][1])
        return cell if new not in letters or new == taken else new

    def after(state, mine, theirs):
        agent, teammate = state
        teammate = towards(teammate, theirs, agent)
        return towards(agent, mine, teammate), teammate

    next_ = np.array([[[number[after(s, a, b)] for b in range(5)] for a in range(5)] for s in states])  # [X, A, B]
    sensor = np.zeros((over + 1, 81))
    sensor[over, 0] = 1
    for i, (agent, teammate) in enumerate(states):
        sides = []
        for dx, dy in MOVES[:4]:
            cell = (agent[0] + dx, agent[1] + dy)
            symbol = 1 if cell not in letters else 2 if cell == teammate else 0
            sides.append([1.0 - noise if s == symbol else noise / 2 for s in range(3)] if symbol else [1.0, 0, 0])
        sensor[i] = np.einsum("i,j,k,l->ijkl", *sides).ravel()
    start = np.zeros(over + 1)
    start[[number[s, t] for s, t in product(starts, starts) if s != t]] = 1
    return [_task(next_, sensor, start / start.sum(), [number[p], number[p[::-1]]]) for p in combinations(goals, 2)]


def _task(next_, sensor, start, solved):
    """The task whose goals are reached in the states `solved`; the teammate plays its part of the joint optimum."""
    over = len(next_)
    value, paid = np.zeros(over), np.where(np.isin(np.arange(over), solved), 100.0, -1.0)
    for _ in range(600):
        q = paid[:, None, None] + DISCOUNT * np.where(paid[:, None, None] > 0, 0, value[next_])
        value = q.max(axis=(1, 2))
    optimal = q >= value[:, None, None] - 1e-9
    teammate = optimal.sum(axis=1) / optimal.sum(axis=(1, 2))[:, None]  # [X, B]
    P = []
    for a in range(5):
        rows, columns = np.repeat(np.arange(over), 5), next_[:, a].ravel()
        leaves = np.isin(np.arange(over), solved)
        columns = np.where(np.repeat(leaves, 5), over, columns)
        entries = csr_array((teammate.ravel(), (rows, columns)), shape=(over + 1, over + 1))
        P.append(entries + csr_array(([1.0], ([over], [over])), shape=(over + 1, over + 1)))
    R = np.append(paid, 0.0)[:, None].repeat(5, axis=1)
    return POMDP(P, [csr_array(sensor)] * 5, R, start, DISCOUNT)
