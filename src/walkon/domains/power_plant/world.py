"""The world of the power plant (the second paper, section 5.1.3): a robot, the ad hoc agent, and a human in five rooms.

The rooms are joined 0-1, 1-2, 1-3, 3-4. (The paper says six rooms and gives no plan; its numbers of states are those of
these five, which its program had.) Both start in room 0. To explore, rooms 0, 1 and 4 must be visited by either; to
clean, both must be in room 2 at the same time, and once in room 4. A state is the robot's room, the human's, and a flag
for each room that is done. A flag is set when the state is entered, so that states in which it ought to be set and is
not do not exist.

Actions 0, 1 and 2 lead to the first, second and third room next door, by their numbers, and to the first if there are
fewer; 3 stays; 4 and 5, of the robot alone, ask for the human's room and for the own one. A move of the robot fails
with probability `noise` and leaves it where it is.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Bools, Floats
from walkon.domains.ending import NOTHING, with_end
from walkon.models.mmdp import MMDP

Position: TypeAlias = tuple[int, ...]  # the robot's room, the human's, and the flags

DOORS: dict[int, tuple[int, ...]] = {0: (1,), 1: (0, 2, 3), 2: (1,), 3: (1, 4), 4: (3,)}  # by room, the rooms next door
ROOMS = len(DOORS)
ACTIONS = ("First door", "Second door", "Third door", "Stay", "Ask for the human", "Ask for the own room")
HUMAN_ACTIONS = ACTIONS[:4]
ASK_HUMAN, ASK_OWN = 4, 5
OBSERVATION_COUNT = 1 + ROOMS  # nothing, then each room


@dataclass(frozen=True)
class Job:
    """What has to be done: rooms that either must visit, or in which both must meet."""

    name: str
    rooms: tuple[int, ...]
    together: bool

    def done(self, robot: int, human: int, room: int) -> bool:
        """Whether a room is done by those who are in these rooms."""
        return robot == human == room if self.together else room in (robot, human)

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """Every position that exists, in lexicographic order."""
        flags = product(range(2), repeat=len(self.rooms))
        every = ((robot, human, *f) for robot, human, f in product(range(ROOMS), range(ROOMS), list(flags)))
        return tuple(x for x in every if x == self.entered(x))

    def entered(self, x: Position) -> Position:
        """The position with the flags that entering it sets."""
        robot, human, *flags = x
        return robot, human, *(f | self.done(robot, human, room) for f, room in zip(flags, self.rooms, strict=True))

    @cached_property
    def solved(self) -> Bools:
        """The positions [N] in which all rooms are done."""
        return np.array([all(x[2:]) for x in self.positions])

    @property
    def first(self) -> Position:
        """Where the two start."""
        return self.entered((0, 0, *(0,) * len(self.rooms)))

    def describe(self, x: Position) -> str:
        """A position in words.

        >>> EXPLORE.describe((0, 1, 1, 1, 0))
        'robot in 0, human in 1, done 0 and 1'
        """
        done = " and ".join(str(room) for room, flag in zip(self.rooms, x[2:], strict=True) if flag)
        return f"robot in {x[0]}, human in {x[1]}, done {done or 'nothing'}"

    def team(self, noise: float, discount: float) -> MMDP:
        """The problem of the robot and the human."""
        return with_end(
            [[self._moves(a, b, noise) for b in range(len(HUMAN_ACTIONS))] for a in range(len(ACTIONS))],
            self.solved,
            states=[self.describe(x) for x in self.positions],
            actions=ACTIONS,
            teammate_actions=HUMAN_ACTIONS,
            discount=discount,
        )

    def _moves(self, a: int, b: int, noise: float) -> csr_array:
        number = {x: i for i, x in enumerate(self.positions)}
        P = np.zeros((len(number), len(number)))
        for (robot, human, *flags), i in number.items():
            for room, p in ((behind(robot, a), 1 - noise), (robot, noise)):
                P[i, number[self.entered((room, behind(human, b), *flags))]] += p
        return csr_array(P)


EXPLORE = Job("explore", (0, 1, 4), together=False)
CLEAN = Job("clean", (2, 4), together=True)
JOBS = (EXPLORE, CLEAN)


def behind(room: int, action: int) -> int:
    """The room that an action leads to, unless it fails."""
    if action >= len(HUMAN_ACTIONS) - 1:
        return room
    doors = DOORS[room]
    return doors[action] if action < len(doors) else doors[0]


def observation_probabilities(job: Job, action: int, noise: float, misread: str) -> Floats:
    """The probability of each observation after an action, by the position arrived in, [N, Z]."""
    rooms = [(robot, human if action == ASK_HUMAN else robot) for robot, human, *_ in job.positions]
    return np.array([_reading(robot, truth, action, noise, misread) for robot, truth in rooms])


def _reading(robot: int, truth: int, action: int, noise: float, misread: str) -> Floats:
    """Read a room right, or else nothing; or as the program ran it.

    There, a question that is not answered right has each wrong answer, nothing among them, equally often. After any
    other action in a room with m doors, the weight of the own room is 1 - noise, and that of nothing and of each of the
    rooms 0, ..., m - 1 other than the own is noise / m, whichever rooms are next door; then all are normalised.
    """
    chances = np.zeros(OBSERVATION_COUNT)
    if misread == NOTHING:
        chances[0] = noise
    elif action in (ASK_HUMAN, ASK_OWN):
        chances[:] = noise / (OBSERVATION_COUNT - 1)
    else:
        chances[: 1 + len(DOORS[robot])] = noise / len(DOORS[robot])
    chances[1 + truth] = 1 - noise
    shares: Floats = chances / chances.sum()
    return shares
