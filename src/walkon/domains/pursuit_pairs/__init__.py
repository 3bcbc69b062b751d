"""Pursuit in the authors' second paper: two predators stand on two given sides of a moving prey.

The three worlds differ in what the tasks differ in: the sides of the prey, the teammate, or both. As Gymnasium
environments, `walkon/PursuitTask-v0`, `walkon/PursuitTeammate-v0` and `walkon/PursuitBoth-v0`:

    Observation  three numbers: whether there was an observation, 0 or 1; then the cells in which the teammate and the
                 prey were read to be: 0 up left, 1 up, 2 up right, 3 left, 4 not near, 5 right, 6 down left, 7 down, 8
                 down right. Both may be missed, which reads 4.
    Action       0 up, 1 down, 2 left, 3 right, 4 stay.
    Reward       -1 for a step, 100 for the one after the prey has been captured, 0 afterwards.
"""

from collections.abc import Sequence
from functools import partial

from walkon.checks import share
from walkon.domains.ending import VARIANT, pick, tasks_or_count
from walkon.domains.pursuit_pairs.tasks import BOTH, DIFFERENCES, OBSERVATIONS, Kind, library, names
from walkon.domains.pursuit_pairs.world import POSITIONS
from walkon.domains.world import Option, World
from walkon.saying import percent

NOISES = (0.0, 0.1, 0.15, 0.2, 0.3)
NOISE = "How often the teammate or the prey is missed although it is next to the agent."
SIDES = "n/s above and below, w/e left and right, sw/ne and nw/se across"
GOAL = f"Stand on the two sides of the prey that the task names: {SIDES}."
TASKS = "How many tasks, the first ones. In Python also a list of their numbers."


def _world(name: str, title: str, goal: str, pool: Sequence[Kind], noise: float, horizon: int) -> World:
    return World(
        name=name,
        title=title,
        goal=goal,
        options=(
            VARIANT,
            Option("noise", noise, share, NOISE, NOISES, said=percent),
            Option("tasks", len(pool), tasks_or_count, TASKS),
            *(each.option for each in DIFFERENCES),
        ),
        library=partial(library, pool=pool, horizon=horizon),
        names=lambda tasks, **others: names(pick(tasks, pool)),
        scale=lambda tasks, **others: (len(pick(tasks, pool)) * (len(POSITIONS) + 1), len(OBSERVATIONS)),
        observed=False,
    )


WORLDS = (
    _world("pursuit-task", "Pursuit, by task", GOAL, BOTH[:4], 0.2, 75),
    _world("pursuit-teammate", "Pursuit, by teammate", "Stand above and below the prey.", (BOTH[0], BOTH[4]), 0.15, 85),
    _world("pursuit-both", "Pursuit, by both", GOAL, BOTH, 0.15, 85),
)
