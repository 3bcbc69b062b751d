"""The world of HOTSPOT (Ribeiro and others 2024, as their code runs it): a robot, a person and three balls.

The room has five places, with ways between 0 and 1, 1 and 2, 1 and 3, 3 and 4. A ball lies on each of three places,
which are the task. Both move at once. What happens to a ball depends on the state before the step:

    on the ground, the person there                        the person picks it up, and holds it from then on
    held, the robot there, which stays or asks             it is put away, and gone
    else                                                   nothing

The person holds at most one ball, and does not leave a place until its ball is gone. A step costs 0.2 for each ball on
the ground and 0.6 for one that is held, counted before the step, and a question costs its price. (The code pays 1 more
for each step, which changes no policy.) Once all balls are gone the task is solved, but the world goes on: the robot
may still move and ask.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

PLACES = ("door", "middle", "station", "bench 3", "bench 4")
EXITS = ((1,), (0, 2, 3), (1,), (1, 4), (3,))  # the places next to each
WAYS = ("First exit", "Second exit", "Third exit")
STAY, ASK = "Stay", "Ask"
PERSON_ACTIONS = (*WAYS, STAY)
BALLS = LIES, HELD, GONE = range(3)
WORDS = ("lies", "held", "gone")
COSTS = {LIES: 0.2, HELD: 0.6, GONE: 0.0}
DISCOUNT = 0.95


class Moment(NamedTuple):
    """A state: where the robot and the person are, and each ball in the order of the task's places."""

    robot: int
    person: int
    balls: tuple[int, int, int]


def leads(place: int, action: str) -> int:
    """The place that an action leads to; the first exit stands in for one that a place does not have.

    >>> leads(1, "Third exit"), leads(0, "Third exit"), leads(1, "Ask")
    (3, 1, 1)
    """
    exits = EXITS[place]
    if action not in WAYS:
        return place
    way = WAYS.index(action)
    return exits[way] if way < len(exits) else exits[0]


@dataclass(frozen=True)
class Room:
    """The rules of one task."""

    places: tuple[int, int, int]  # where the balls lie
    price: float = 0.0  # of a question

    @cached_property
    def states(self) -> tuple[Moment, ...]:
        """All states: a ball is held only where the person is."""
        every = map(Moment._make, product(range(5), range(5), product(BALLS, repeat=3)))
        return tuple(x for x in every if all(x.person == place for place in self.where(x, HELD)))

    def where(self, x: Moment, *conditions: int) -> list[int]:
        """The places whose balls are in one of these conditions."""
        return [place for place, ball in zip(self.places, x.balls, strict=True) if ball in conditions]

    def left(self, x: Moment) -> list[int]:
        """The places whose balls are not gone."""
        return self.where(x, LIES, HELD)

    def moves(self, x: Moment, action: str, person_action: str) -> Iterable[tuple[Moment, float]]:
        """The next state, which is certain."""
        person = x.person if x.person in self.left(x) else leads(x.person, person_action)
        served = x.robot if action not in WAYS else None
        pairs = zip(self.places, x.balls, strict=True)
        one, two, three = (_next(ball, place == x.person, place == served) for place, ball in pairs)
        return ((Moment(leads(x.robot, action), person, (one, two, three)), 1.0),)

    def reward(self, x: Moment, action: str, person_action: str, y: Moment) -> float:
        """Minus the cost of a step."""
        return -sum(COSTS[ball] for ball in x.balls) - self.price * (action == ASK)

    def solved(self, x: Moment) -> bool:
        """Whether all balls are gone."""
        return not self.left(x)

    def name(self, x: Moment) -> str:
        """The name of a state, which tells where its balls belong."""
        balls = ", ".join(f"{PLACES[place]} {WORDS[ball]}" for place, ball in zip(self.places, x.balls, strict=True))
        return f"robot at {PLACES[x.robot]}, person at {PLACES[x.person]}, balls: {balls}"


def _next(ball: int, person_there: bool, robot_serves: bool) -> int:
    """What becomes of a ball in a step."""
    if ball == LIES and person_there:
        return HELD
    return GONE if ball == HELD and robot_serves else ball
