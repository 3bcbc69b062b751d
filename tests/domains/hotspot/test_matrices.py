"""The matrices of HOTSPOT equal those of a slow twin, which follows the description of the code line by line."""

from itertools import product

import numpy as np
import pytest

from walkon.domains import make

NEXT = {0: [1], 1: [0, 2, 3], 2: [1], 3: [1, 4], 4: [3]}
PLACINGS = [(0, 1, 2), (1, 2, 3), (1, 2, 4)]
COUNTS = """14 0 0 0 0 5
0 43 0 0 0 8
2 0 27 0 0 39
0 0 0 27 0 24
0 15 0 0 37 16"""
FIRST, SECOND, THIRD, STAY, ASK = range(5)


def states_of(placing):
    """Robot, person and three balls (0 on the ground, 1 held, 2 gone), in the order of the tuples."""
    found = []
    for robot, person, *balls in product(range(5), range(5), range(3), range(3), range(3)):
        holding = [place for place, ball in zip(placing, balls, strict=True) if ball == 1]
        if not holding or holding == [person]:
            found.append((robot, person, *balls))
    return found


def goes(placing, person, left):
    """Where the person goes next, if it goes."""
    if not left or person in left:
        return person
    if person in (0, 2):
        return 1
    if person == 4:
        return 3
    if person == 3:
        return 4 if placing == (1, 2, 4) and left == [4] else 1
    return {0: 0, 2: 2, 3: 3, 4: 3}[min(left)]


def step(placing, x, a):
    """All next states with their probabilities."""
    robot, person, *balls = x
    left = [place for place, ball in zip(placing, balls, strict=True) if ball != 2]
    exits = NEXT[robot]
    to = robot if a in (STAY, ASK) else exits[a] if a < len(exits) else exits[0]
    after = []
    for place, ball in zip(placing, balls, strict=True):
        if ball == 0 and person == place:
            after.append(1)
        elif ball == 1 and robot == place and a in (STAY, ASK):
            after.append(2)
        else:
            after.append(ball)
    wanted = goes(placing, person, left)
    if wanted == person:
        return [((to, person, *after), 1.0)]
    return [((to, wanted, *after), 0.95), ((to, person, *after), 0.05)]


def heard(person):
    row = [int(word) for word in COUNTS.splitlines()[person].split()]
    shares = [max(count / sum(row), 0.03) + 1e-8 for count in row]
    return [share / sum(shares) for share in shares]


def read(questions, a, y):
    """The probability of each of the 36 readings."""
    robot, person, *_ = y
    row = np.zeros(36)
    for own, p in ((robot, 0.99), (-1, 0.01)):
        if questions and a == ASK:
            for other, q in zip([0, 1, 2, 3, 4, -1], heard(person), strict=True):
                row[6 * (own + 1) + other + 1] += p * q
        elif not questions and robot == person:
            row[6 * (own + 1) + person + 1] += p
        else:
            row[6 * (own + 1)] += p
    return row


@pytest.mark.parametrize(("questions", "price"), [(True, 0.0), (True, 0.3), (False, 0.0)])
def test_the_matrices_are_those_of_the_twin(questions, price):
    for placing, task in zip(PLACINGS, make("hotspot", tasks=3, questions=questions, price=price), strict=True):
        states = states_of(placing)
        number = {x: i for i, x in enumerate(states)}
        assert [tuple(row) for row in task.state_numbers.tolist()] == states
        assert task.solved.tolist() == [x[2:] == (2, 2, 2) for x in states]
        start = [float(x[2:] == (0, 0, 0)) / 25 for x in states]
        np.testing.assert_array_equal(task.start, start)
        for a in range(5 if questions else 4):
            P, R = np.zeros((260, 260)), np.zeros(260)
            for i, x in enumerate(states):
                for y, p in step(placing, x, a):
                    P[i, number[y]] += p
                R[i] = -(x[2:].count(0) + 3 * x[2:].count(1)) / 5 - price * (a == ASK)
            np.testing.assert_allclose(task.pomdp.P[a].toarray(), P, rtol=0, atol=1e-15)
            np.testing.assert_allclose(task.pomdp.R[:, a], R, rtol=0, atol=1e-15)
            O = np.array([read(questions, a, y) for y in states])
            np.testing.assert_allclose(task.pomdp.O[a].toarray(), O, rtol=0, atol=1e-15)


def test_the_world_goes_on_after_its_end():
    for task in make("hotspot", tasks=3):
        here = np.flatnonzero(task.solved)
        assert len(here) == 25
        assert (task.pomdp.R[here] == 0).all()
        went = task.pomdp.P[FIRST].toarray()[here]
        assert (went.argmax(axis=1) != here).all()
        assert task.solved[went.argmax(axis=1)].all()


def test_whatever_the_person_does_a_ball_is_held_only_where_the_person_is():
    """People and trembling teammates may move as they like, but not away from a ball."""
    for task in make("hotspot", tasks=3, tremble=0.5):
        for row in task.mmdp.P:
            for P in row:
                assert P.shape == (260, 260)  # no state beyond those of the description
