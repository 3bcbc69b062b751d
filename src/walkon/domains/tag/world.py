"""The world of Tag (Pineau, Gordon and Thrun 2003): catch an opponent who runs and is seen only where we stand on it.

The rules are those of `walkon.domains.classics.tag`, except that nothing is paid after the catch (there, moves still
cost 1, as in the file that the literature uses; a good player does not feel the difference). The opponent is the
teammate of the outline, with its moves in the place of a policy. Besides the opponent of the literature, who runs away,
there are two others, so that an agent may have to find out whom it chases: one who moves at random, and one who comes
nearer.

A state is (our cell, the opponent's cell) in numbers, 29 for the opponent after the catch; an observation is our cell,
or 29 where we moved onto the opponent.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, TypeAlias

import numpy as np

from walkon.arrays import Floats
from walkon.domains.classics import CELLS, DISCOUNT, STEPS
from walkon.domains.tag import rules_kernels as rules
from walkon.domains.tag.view import draw
from walkon.pictures.scene import Scene
from walkon.tasks.compiled_rules import CompiledRules, functions_of

Chase: TypeAlias = tuple[int, int]

MOVES = tuple(STEPS)[:4]
WAYS = (*MOVES, "stay")
OPPONENTS = {"runs away": rules.ALONG, "wanders": rules.ALONG / 2, "comes nearer": 0.0}  # how likely it moves away


def next_cell(cell: int, way: str) -> int:
    """The cell that a step leads to; the same where a wall is."""
    if way not in MOVES:
        return cell
    there = (CELLS[cell][0] + STEPS[way][0], CELLS[cell][1] + STEPS[way][1])
    return CELLS.index(there) if there in CELLS else cell


@dataclass(frozen=True)
class Tag:
    """The chase of one kind of opponent, as `walkon.define` takes it."""

    name: str = "runs away"
    horizon: int = 100

    actions = tuple(STEPS)
    teammate_actions = WAYS
    discount = DISCOUNT
    score = "return"

    @property
    def start(self) -> Any:
        """Both anywhere."""
        return [((us, them), 1 / len(CELLS) ** 2) for us in range(len(CELLS)) for them in range(len(CELLS))]

    def teammates(self, state: Chase) -> Any:
        """The opponent moves by where we stand."""
        us, them = state
        if them == rules.CAUGHT:
            return "stay"
        keen, chances = OPPONENTS[self.name], {"stay": rules.STILL}
        for axis, ways in ((0, ("east", "west")), (1, ("north", "south"))):
            away = CELLS[them][axis] - CELLS[us][axis]
            for way, sign in zip(ways, (1, -1), strict=True):
                chances[way] = rules.LEVEL if away == 0 else keen if away * sign > 0 else rules.ALONG - keen
        return {way: chance for way, chance in chances.items() if chance > 0}

    def moves(self, state: Chase, action: str, teammate_action: str) -> Chase:
        """Both move at once; a catch succeeds in the opponent's cell."""
        us, them = state
        if action == "catch" and us == them:
            return us, rules.CAUGHT
        return next_cell(us, action), next_cell(them, teammate_action)

    def sensor(self, action: str, state: Chase) -> int:
        """That we moved onto the opponent, or else our cell."""
        return rules.FOUND if state[0] == state[1] and action != "catch" else state[0]

    def reward(self, state: Chase, action: str, teammate_action: str, next_state: Chase) -> float:
        """What the step pays."""
        if action != "catch":
            return rules.MOVE
        return rules.PAID if state[0] == state[1] else rules.MISSED

    def solved(self, state: Chase) -> bool:
        """Whether the opponent is caught."""
        return state[1] == rules.CAUGHT

    def picture(self, state: Chase, observation: int | None, belief: dict[Chase, float] | None = None) -> Scene:
        """The floor, with north up."""
        return draw(CELLS, state, observation, belief)

    @cached_property
    def compiled(self) -> CompiledRules:
        """The same rules for kernels."""
        return CompiledRules(
            **functions_of(rules),
            facts=floor(),
            reals=np.append(_values(self.name), OPPONENTS[self.name]),
            state_size=rules.THEIRS + len(CELLS),
            observation_size=1,
            action_count=len(STEPS),
            discount=DISCOUNT,
            bundle=1,
            factored=True,
        )


def floor() -> Any:
    """The neighbours of each cell, and then its column and row."""
    near = [next_cell(cell, way) for cell in range(len(CELLS)) for way in MOVES]
    return np.array([*near, *sum(CELLS, ())], dtype=np.int64)


@cache
def _values(opponent: str) -> Floats:
    """The value of each action if the opponent is seen, [our cell, the opponent's, A], by value iteration."""
    task, n = Tag(opponent), len(CELLS)
    ahead = np.zeros((n, n, n))  # [our cell, the opponent's, its next cell]
    for us in range(n):
        for them in range(n):
            for way, p in dict(task.teammates((us, them))).items():
                ahead[us, them, next_cell(them, way)] += p
    goes = [[next_cell(us, way) for us in range(n)] for way in MOVES] + [list(range(n))]
    paid = np.full((n, n, 5), rules.MOVE)
    paid[:, :, 4] = np.where(np.eye(n, dtype=bool), rules.PAID, rules.MISSED)
    q = paid.copy()
    for _ in range(300):
        v = q.max(axis=2)
        after = np.stack([np.einsum("utn,un->ut", ahead, v[to]) for to in goes], axis=2)
        after[:, :, 4] *= 1 - np.eye(n)
        q = paid + DISCOUNT * after
    return q
