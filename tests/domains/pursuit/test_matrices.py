"""The matrices of Pursuit against a twin that plays the rules on a board with absolute cells."""

from itertools import permutations
from math import exp

import numpy as np
import pytest

from walkon.domains import make
from walkon.domains.pursuit.sensor import Sensor
from walkon.domains.pursuit.world import CAPTURES, Board, Torus, matrices, rules

MOVES = {"Up": (0, -1), "Down": (0, 1), "Left": (-1, 0), "Right": (1, 0)}
FLIGHTS = {**MOVES, "Stay": (0, 0)}


class Twin:
    """The board with the ad hoc agent on a cell of its own; cells are numbers 0 to n - 1 on each axis."""

    def __init__(self, size, capture):
        self.n, self.capture = size, capture
        self.home = (size - 1, 1)  # anywhere: a torus looks the same from every cell
        span = range(-((size - 1) // 2), size // 2 + 1)
        offsets = [(dx, dy) for dx in span for dy in span]
        self.states = [(*t, *p) for t in offsets for p in offsets if (0, 0) not in (t, p) and t != p]
        self.index = {x: i for i, x in enumerate(self.states)}
        self.observations = {(*t, *p): i for i, (t, p) in enumerate((t, p) for t in offsets for p in offsets)}
        self.cells = [(c, r) for c in range(size) for r in range(size)]
        self.far = {}
        self.shortest = {(s, e): self.shortest_offset(s, e) for s in self.cells for e in self.cells}
        self.ended = [i for i, x in enumerate(self.states) if self.over(x)]

    def plus(self, cell, step):
        return (cell[0] + step[0]) % self.n, (cell[1] + step[1]) % self.n

    def offset(self, start, end):
        return self.shortest[start, end]

    def shortest_offset(self, start, end):
        """The shortest way, with + for half-way round."""
        best = []
        for axis in range(2):
            ways = [end[axis] - start[axis] + k * self.n for k in (-1, 0, 1)]
            best.append(min(ways, key=lambda way: (abs(way), -way)))
        return tuple(best)

    def distance(self, start, end):
        return sum(map(abs, self.offset(start, end)))

    def place(self, x):
        return self.home, self.plus(self.home, x[:2]), self.plus(self.home, x[2:])

    def state(self, agent, mate, prey):
        return (*self.offset(agent, mate), *self.offset(agent, prey))

    def over(self, x):
        agent, mate, prey = self.place(x)
        side = self.offset(prey, agent)
        if self.distance(agent, prey) != 1 or self.distance(mate, prey) != 1:
            return False
        return self.capture == "adjacent" or mate == self.plus(prey, (-side[0], -side[1]))

    def row(self, x, a, b):
        row = np.zeros(len(self.states))
        if self.over(x):
            row[self.index[x]] = 1
            return row, 0.0
        for flight in FLIGHTS.values():
            steps = [MOVES[a], MOVES[b], flight]
            for order in permutations(range(3)):
                cells = list(self.place(x))
                for mover in order:
                    goal = self.plus(cells[mover], steps[mover])
                    others = [cell for i, cell in enumerate(cells) if i != mover]
                    if goal not in others:
                        cells[mover] = goal
                row[self.index[self.state(*cells)]] += 1 / 30
        captures = row[self.ended].sum()
        return row, 100 * captures - (1 - captures)

    def walk_lengths(self, agent, prey):
        """Shortest paths between all free cells, by relaxing until nothing changes."""
        if (agent, prey) not in self.far:
            free = [cell for cell in self.cells if cell not in (agent, prey)]
            far = {(s, e): 0 if s == e else 10**6 for s in free for e in free}
            changed = True
            while changed:
                changed = False
                for s in free:
                    for step in MOVES.values():
                        t = self.plus(s, step)
                        if t in (agent, prey):
                            continue
                        for e in free:
                            if far[t, e] + 1 < far[s, e]:
                                far[s, e] = far[t, e] + 1
                                changed = True
            self.far[agent, prey] = far
        return self.far[agent, prey]

    def path_moves(self, x, goals):
        agent, mate, prey = self.place(x)
        if mate in goals:
            return [m for m in MOVES if self.plus(mate, MOVES[m]) == prey]
        far = self.walk_lengths(agent, prey)
        nearest = min(far[mate, goal] for goal in goals)
        return [
            m
            for m in MOVES
            if (t := self.plus(mate, MOVES[m])) not in (agent, prey)
            and min(far[t, goal] for goal in goals) == nearest - 1
        ]

    def spread(self, moves):
        return {m: moves.count(m) / len(moves) for m in MOVES}

    def sides(self, x):
        agent, _, prey = self.place(x)
        return [side for step in MOVES.values() if (side := self.plus(prey, step)) != agent]

    def greedy(self, x):
        _, mate, prey = self.place(x)
        dx, dy = self.offset(mate, prey)
        options = []
        if abs(dx) >= abs(dy):
            options.append("Right" if dx > 0 else "Left")
        if abs(dy) >= abs(dx):
            options.append("Down" if dy > 0 else "Up")
        return self.spread(options)

    def aware(self, x):
        agent, _, prey = self.place(x)
        if self.capture == "opposite" and self.distance(agent, prey) == 1:
            side = self.offset(agent, prey)
            return self.spread(self.path_moves(x, [self.plus(prey, side)]))
        return self.spread(self.path_moves(x, self.sides(x)))

    def probabilistic(self, x):
        mate = self.place(x)[1]
        weights = {side: exp(-self.distance(mate, side)) for side in self.sides(x)}
        choice = dict.fromkeys(MOVES, 0.0)
        for side, weight in weights.items():
            for move, share in self.spread(self.path_moves(x, [side])).items():
                choice[move] += share * weight / sum(weights.values())
        return choice

    def reading_row(self, x, literal):
        row = np.zeros(len(self.observations))
        agent, mate, prey = self.place(x)

        def seen(cell):
            wrong = min(max(0.15 * self.distance(agent, cell), 0), 1)
            wrong = 1 - wrong if literal else wrong
            return [(cell, 1 - wrong)] + [(self.plus(cell, step), wrong / 4) for step in MOVES.values()]

        for m, p in seen(mate):
            for y, q in seen(prey):
                row[self.observations[self.state(agent, m, y)]] += p * q
        return row


KINDS = ("greedy", "aware", "probabilistic")


@pytest.mark.parametrize(
    "options",
    [{}, {"capture": "adjacent"}, {"size": 3}, {"size": 4, "tremble": 0.2}, {"size": 6}],
    ids=str,
)
def test_teammates_dynamics_and_rewards_agree_with_the_twin(options):
    library = make("pursuit", **options)
    twin = Twin(options.get("size", 5), options.get("capture", "opposite"))
    tremble = options.get("tremble", 0.0)
    task = library[0]
    np.testing.assert_array_equal(task.state_numbers, twin.states)
    np.testing.assert_array_equal(task.solved, [twin.over(x) for x in twin.states])
    pairs = [(a, b) for a in range(4) for b in range(4)] if len(twin.states) < 600 else [(0, 0), (1, 3)]
    for a, b in pairs:
        rows = [twin.row(x, list(MOVES)[a], list(MOVES)[b]) for x in twin.states]
        np.testing.assert_allclose(task.mmdp.P[a][b].toarray(), [row for row, _ in rows], rtol=0, atol=1e-14)
        np.testing.assert_allclose(task.mmdp.R[:, a, b], [paid for _, paid in rows], rtol=0, atol=1e-12)
    for task, kind in zip(library, KINDS, strict=True):
        for x, choice in zip(twin.states, task.teammates.toarray(), strict=True):
            steady = getattr(twin, kind)(x)
            wanted = [(1 - tremble) * steady[m] + tremble / 4 for m in MOVES]
            np.testing.assert_allclose(choice, wanted, rtol=0, atol=1e-14, err_msg=f"{kind} in {x}")
        folded = sum(task.teammates[:, [b]].toarray() * task.mmdp.P[1][b].toarray() for b in range(4))
        np.testing.assert_allclose(task.pomdp.P[1].toarray(), folded, rtol=0, atol=1e-14)


@pytest.mark.parametrize("size", [3, 5])
@pytest.mark.parametrize("literal", [False, True])
def test_the_sensor_agrees_with_the_twin(size, literal):
    task, twin = make("pursuit", size=size, literal_noise=literal)[0], Twin(size, "opposite")
    np.testing.assert_array_equal(task.observation_numbers, list(twin.observations))
    wanted = [twin.reading_row(x, literal) for x in twin.states]
    for o in task.pomdp.O:
        np.testing.assert_allclose(o.toarray(), wanted, rtol=0, atol=1e-14)


@pytest.mark.parametrize("literal", [False, True])
def test_on_a_large_torus_far_things_are_never_or_always_misread(literal):
    sensor, twin = Sensor(Torus(9), literal), Twin(9, "opposite")
    for x in twin.states[::211]:
        row = np.zeros(len(twin.observations))
        for (mate, prey), p in sensor.distribution((x[:2], x[2:])):
            row[twin.observations[*mate, *prey]] += p
        np.testing.assert_allclose(row, twin.reading_row(x, literal), rtol=0, atol=1e-14)


@pytest.mark.parametrize("capture", CAPTURES)
@pytest.mark.parametrize("size", [3, 4, 5])
def test_all_states_at_once_are_the_rules_state_by_state_to_the_last_bit(size, capture):
    board = Board(Torus(size), capture)
    slow, fast = rules(board).mmdp(), matrices(board)
    assert fast.hash == slow.hash
    assert (fast.states, fast.actions, fast.teammate_actions) == (slow.states, slow.actions, slow.teammate_actions)
