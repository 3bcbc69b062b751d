"""Night-time Pursuit without tables: rooms of any size, as plain rules and as the same rules in compiled form.

A state is the tuple (column, row, column, row, ...) of the ad hoc agent's cell and each teammate's, an observation the
tuple of what is up, down, left and right, in numbers.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from walkon.arrays import Floats
from walkon.domains.hunting import CAPTURE, MOVES_AND_STAY, STEP, Cell, next_to, tremble_at
from walkon.domains.night_pursuit import rules_kernels as rules
from walkon.domains.night_pursuit.pool import Placement
from walkon.domains.night_pursuit.sensor import NOTHING, PREY, TEAMMATE, WALL, around
from walkon.domains.night_pursuit.teammates import match, towards
from walkon.domains.night_pursuit.view import draw, marginals
from walkon.domains.night_pursuit.world import DISCOUNT, STARTS, Room
from walkon.pictures.scene import Scene
from walkon.tasks.compiled_rules import CompiledRules, functions_of

Row: TypeAlias = tuple[int, ...]

SMALL = 10  # cells along each side, up to which one particle values a leaf well enough
MOST_LISTED = 10_000  # first states; beyond, they are drawn


def cells(x: Row) -> list[Cell]:
    """The cells of the predators."""
    return list(zip(x[::2], x[1::2], strict=True))


@dataclass(frozen=True)
class NightTask:
    """One placement of the preys in a room, as `walkon.define` takes it."""

    room: Room
    prey: Placement
    tremble: float
    horizon: int

    actions = MOVES_AND_STAY
    discount = DISCOUNT

    @property
    def name(self) -> str:
        """The name of the task."""
        return "prey " + " and ".join(f"({c},{r})" for c, r in self.prey)

    @property
    def start(self) -> Any:
        """The first states with equal probability, or a function that draws one where they are many."""
        n, predators = self.room.size, self.room.teammates + 1
        free = predators if self.room.start == "uniform" else predators - 1
        if self.room.start == "corners":
            mates = (0, 0) if self._corners_capture else (n - 1, n - 1)
            return (0, 0) + mates * (predators - 1)
        if n ** (2 * free) > MOST_LISTED:
            return self._draw_start
        own = (0,) * (2 * (predators - free))
        listed = [own + rest for rest in product(range(n), repeat=2 * free)]
        kept = [x for x in listed if not self.solved(x)]
        return [(x, 1 / len(kept)) for x in kept]

    @property
    def _corners_capture(self) -> bool:
        last = self.room.size - 1
        return set(self.prey) == {(0, 0), (last, last)}

    def _draw_start(self, rng: np.random.Generator) -> Row:
        while True:
            x: list[int] = rng.integers(self.room.size, size=2 * (self.room.teammates + 1)).tolist()
            if self.room.start == "corner":
                x[:2] = 0, 0
            if not self.solved(tuple(x)):
                return tuple(x)

    @property
    def teammates(self) -> list[Callable[[Row], Any]]:
        """One function for each teammate."""
        return [partial(self._hunt, i) for i in range(self.room.teammates)]

    def _hunt(self, i: int, state: Row) -> Any:
        mates = tuple(cells(state)[1:])
        move = towards(mates[i], match(mates, self.prey)[i])
        return tremble_at([(move, 1.0)], MOVES_AND_STAY, self.tremble)

    def moves(self, state: Row, action: str, teammate_action: tuple[str, ...]) -> Iterator[tuple[Row, float]]:
        """All predators move at once, independently."""
        noises = [self.room.noise, *[self.room.noise if self.room.teammate_noise else 0.0] * self.room.teammates]
        ways = [
            self._attempt(cell, move, noise)
            for cell, move, noise in zip(cells(state), (action, *teammate_action), noises, strict=True)
        ]
        for ends in product(*ways):
            yield sum((cell for cell, _ in ends), ()), float(np.prod([p for _, p in ends]))

    def _attempt(self, cell: Cell, move: str, noise: float) -> list[tuple[Cell, float]]:
        target = next_to(cell, move)
        if target == cell or not self._inside(target):
            return [(cell, 1.0)]
        return [(target, 1 - noise), (cell, noise)]

    def _inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.room.size and 0 <= cell[1] < self.room.size

    def sensor(self, action: str, state: Row) -> tuple[dict[int, float], ...]:
        """What is observed on each side, independently."""
        own, *mates = cells(state)
        return tuple(self._side(cell, mates.count(cell)) for cell in around(own))

    def _side(self, cell: Cell, mates: int) -> dict[int, float]:
        eps = self.room.noise
        if not self._inside(cell):
            return {WALL: 1 - eps, NOTHING: eps} if self.room.sees_walls else {NOTHING: 1.0}
        missed, prey = eps**mates, eps if cell in self.prey else 1.0
        return {TEAMMATE: 1 - missed, PREY: missed * (1 - prey), NOTHING: missed * prey}

    def reward(self, state: Row, action: str, teammate_action: tuple[str, ...], next_state: Row) -> float:
        """What the step pays."""
        return CAPTURE if self.solved(next_state) else STEP

    def solved(self, state: Row) -> bool:
        """Whether there is a predator on every prey."""
        return set(cells(state)) == set(self.prey)

    def advice(self, state: Row) -> list[tuple[str, float]]:
        """Go to the prey that the teammates leave."""
        own, *mates = cells(state)
        (left,) = set(self.prey) - set(match(tuple(mates), self.prey))
        wanted = [
            move
            for move, gains in zip(MOVES_AND_STAY, _nearer(own, left), strict=True)
            if gains or (own == left and move == "Stay")
        ]
        return [(move, 1 / len(wanted)) for move in wanted]

    def picture(self, state: Row, observation: Row | None, belief: dict[Row, float] | None = None) -> Scene:
        """The room from above."""
        grids = None if belief is None else marginals(self.room.size, belief)
        return draw(self.room, self.prey, cells(state), observation, grids)

    @cached_property
    def compiled(self) -> CompiledRules:
        """The same rules for kernels."""
        room = self.room
        noises = [room.noise, room.noise if room.teammate_noise else 0.0, self.tremble, DISCOUNT]
        starts = [room.sees_walls, STARTS.index(room.start), self._corners_capture]
        return CompiledRules(
            **functions_of(rules),
            facts=np.array([room.size, room.teammates, *starts, *sum(self.prey, ())], dtype=np.int64),
            reals=np.concatenate([noises, _values(room.size, room.noise)]),
            state_size=2 * room.teammates + 2,
            observation_size=4,
            action_count=len(MOVES_AND_STAY),
            discount=DISCOUNT,
            bundle=1,
            repeats=() if room.size <= SMALL else (room.size // 8, room.size // 2, 3 * room.size // 2),
        )


def _nearer(own: Cell, to: Cell) -> list[bool]:
    """Whether each move leads nearer to a cell."""
    return [own[1] > to[1], own[1] < to[1], own[0] > to[0], own[0] < to[0], False]


@cache
def _values(size: int, noise: float) -> Floats:
    """The values of each distance and each time that the teammates need."""
    found: Floats = rules.fill_values(noise, DISCOUNT, 2 * size - 1)
    return found
