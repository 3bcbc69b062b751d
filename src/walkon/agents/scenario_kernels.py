"""The kernel of plans over scenarios: what a plan earns in many possible truths that are walked through together.

A scenario is a task, a state and all luck to come, which depends only on its number and the step: the same moves fail
in all plans. A plan acts on what is seen alone. Scenarios in which the same was seen last are a group, and all of a
group do the same.

First an action is repeated, for at most so many steps, until what is seen changes, and perhaps another. Then each group
goes through its own members, one guess after another, always to the one that is worth most: it does what is best in
the state of the guess, which moves by luck of its own, for as long as the guess explains what a member sees. Those that
see something else leave, and go on with those that saw the same; so do all that are left when the guess is at its end.
Guesses are the scenarios of odd numbers, and only what those of even numbers earn counts: nobody guesses itself. So a
plan pays for what it does not know.
"""

from typing import Any, NamedTuple

import numpy as np

from walkon.agents.bundle_kernels import numbers_of
from walkon.arrays import Floats, Ints
from walkon.compiled import view_kernel
from walkon.models.luck_kernels import Luck, fingerprint
from walkon.tasks.compiled_rules import Numbers

DOUBT = 0.1  # how much worse a guess may explain what is seen than what it expected
TRIES = 3  # how often a guess is drawn again that would be at its end, although the task is not
OVER, LOST = -1, -2  # the groups of scenarios that have ended, and of those for which no guess is left
NOTHING = -1  # what is seen before anything is


class Scenarios(NamedTuple):
    """M scenarios, each at some step of a plan."""

    tasks: Ints  # [M]
    states: Ints  # [M, D]
    steps: Ints  # [M]: the number of the next step
    seen: Ints  # [M]: the fingerprint of the last observation
    groups: Ints  # [M]: those of a group do the same; OVER at the end
    earned: Floats  # [M]: the rewards so far
    trust: Floats  # [M]: how well the guess that is followed explains what was seen


class Room(NamedTuple):
    """Arrays to work in."""

    state: Ints  # [D]
    guess: Ints  # [D]
    z: Ints  # for an observation
    values: Floats  # [A]
    key: Ints  # [3]: what the luck of a step follows from: the seed, the scenario and the step
    luck: Luck  # [1]
    own: Luck  # [1]: of guesses
    members: Ints  # [M]
    kinds: Ints  # [M + 1]: what the members of each group that waits have seen


@view_kernel
def largest(values: Floats) -> int:
    """The place of the largest, the first of equal ones."""
    best = 0
    for a in range(1, values.shape[0]):
        if values[a] > values[best]:
            best = a
    return best


@view_kernel
def go(
    step: Any, observe: Any, ends: Any, numbers: Numbers, s: Scenarios, i: int, a: int, last: int, room: Room
) -> bool:
    """Take an action in a scenario; return whether it goes on. All are over at the last step."""
    facts, reals = numbers_of(numbers, s.tasks[i])
    x, y = s.states[i], room.state
    room.key[1], room.key[2] = i, s.steps[i]
    room.luck[0] = np.uint64(fingerprint(room.key, 3))
    s.earned[i] += step(a, facts, reals, x, y, room.luck)
    for j in range(y.shape[0]):
        x[j] = y[j]
    s.steps[i] += 1
    if s.steps[i] >= last or ends(facts, reals, x):
        s.groups[i] = OVER
        return False
    observe(a, facts, reals, x, room.z, room.luck)
    s.seen[i] = fingerprint(room.z, room.z.shape[0])
    return True


@view_kernel
def join(s: Scenarios, i: int, first: int, count: int, kinds: Ints) -> int:
    """Put a scenario into the waiting group, from `first` on, of those that saw the same; return how many exist."""
    group = first
    while group < count and kinds[group % kinds.shape[0]] != s.seen[i]:
        group += 1
    kinds[group % kinds.shape[0]] = s.seen[i]
    s.groups[i], s.trust[i] = group, 1.0
    return max(count, group + 1)


@view_kernel
def repeat(
    step: Any, observe: Any, ends: Any, numbers: Numbers, s: Scenarios, i: int, a: int, most: int, last: int, room: Room
) -> int:
    """Repeat an action in a scenario until what is seen changes; return how often."""
    for n in range(most):
        before = s.seen[i]
        if not go(step, observe, ends, numbers, s, i, a, last, room) or before not in (NOTHING, s.seen[i]):
            return n + 1
    return most


@view_kernel
def follow_plan(
    step: Any,
    observe: Any,
    likelihood: Any,
    ends: Any,
    values: Any,
    numbers: Numbers,
    s: Scenarios,
    a: int,
    times: int,  # how often the action is repeated at most, and then
    b: int,  # another one,
    again: int,  # so often; where both are 0,
    guess: int,  # a scenario is the first guess
    last: int,
    room: Room,
) -> int:
    """Follow a plan to its end in all scenarios, which begin as one group; return the number of steps."""
    M, group, count, total = s.tasks.shape[0], 0, 1, 0
    for action, most in ((a, times), (b, again)):
        if most > 0:
            for i in range(M):
                if s.groups[i] == group:
                    total += repeat(step, observe, ends, numbers, s, i, action, most, last, room)
                    if s.groups[i] != OVER:
                        count = join(s, i, group + 1, count, room.kinds)
            group += 1
    while group < count:
        total, count = pursue(
            step, observe, likelihood, ends, values, numbers, s, group, count, guess, last, room, total
        )
        group, guess = group + 1, -1
    return total


@view_kernel
def gather(values: Any, numbers: Numbers, s: Scenarios, group: int, room: Room) -> tuple[int, int]:
    """Write the members of a group; return how many there are, and the guess that is worth most, or -1."""
    n, guess, most = 0, -1, -np.inf
    for i in range(s.tasks.shape[0]):
        if s.groups[i] == group:
            room.members[n] = i
            n += 1
            if i % 2 == 1:
                facts, reals = numbers_of(numbers, s.tasks[i])
                values(facts, reals, s.states[i], room.values)
                worth = room.values[largest(room.values)]
                if worth > most:
                    guess, most = i, worth
    return n, guess


@view_kernel
def move_guess(step: Any, ends: Any, a: int, facts: Ints, reals: Floats, room: Room) -> bool:
    """Move the guess, again if that would end the task, which is not over; return whether it does so each time."""
    reached = True
    for _ in range(TRIES):
        if reached:
            step(a, facts, reals, room.guess, room.state, room.own)
            reached = ends(facts, reals, room.state)
    for j in range(room.state.shape[0]):
        room.guess[j] = room.state[j]
    return reached


@view_kernel
def pursue(
    step: Any,
    observe: Any,
    likelihood: Any,
    ends: Any,
    values: Any,
    numbers: Numbers,
    s: Scenarios,
    group: int,
    count: int,
    guess: int,
    last: int,
    room: Room,
    total: int,
) -> tuple[int, int]:
    """Follow one guess in a group until all its members have left it; return the numbers of steps and of groups."""
    n, h = gather(values, numbers, s, group, room)
    first, x, h = count, room.guess, guess if guess >= 0 else h
    if h < 0:
        for m in range(n):
            s.groups[room.members[m]] = LOST
        return total, count
    facts, reals = numbers_of(numbers, s.tasks[h])
    for j in range(x.shape[0]):
        x[j] = s.states[h, j]
    while n > 0:
        values(facts, reals, x, room.values)
        a = largest(room.values)
        reached, expected, usual = move_guess(step, ends, a, facts, reals, room), NOTHING, 1.0
        if not reached:
            observe(a, facts, reals, x, room.z, room.own)
            expected = fingerprint(room.z, room.z.shape[0])
            usual = likelihood(a, facts, reals, x, room.z)
        left, total, known, fits = 0, total + n, expected, 1.0
        for m in range(n):
            i = room.members[m]
            if go(step, observe, ends, numbers, s, i, a, last, room):
                if s.seen[i] != known:
                    known, fits = s.seen[i], min(1.0, likelihood(a, facts, reals, x, room.z) / usual)
                s.trust[i] *= fits
                if reached or s.trust[i] < DOUBT:
                    count = join(s, i, first, count, room.kinds)
                else:
                    room.members[left] = i
                    left += 1
        n = left
    return total, count
