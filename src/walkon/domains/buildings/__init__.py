"""Buildings and the gridworld: two walk to two goals, and one of them sees only what is next to it.

As Gymnasium environments, `walkon/Buildings-v0` and `walkon/Gridworld-v0`:

    Observation  five numbers: whether there was an observation, 0 or 1; then what was observed up, down, left and right
                 of the own cell: 0 nothing, 1 a wall, 2 the teammate. Both may be misread; goals are not observed.
    Action       0 up, 1 down, 2 left, 3 right, 4 stay.
    Reward       -1 for a step, 100 for the one after which the task is solved has been reached, 0 afterwards.
"""

from walkon.checks import share
from walkon.domains.buildings.maps import MAPS, from_file, known_or_text, plan_of
from walkon.domains.buildings.sensor import OBSERVATIONS
from walkon.domains.buildings.tasks import (
    BUILDINGS,
    GRIDWORLD,
    SIDE,
    building_tasks,
    buildings,
    grid_tasks,
    gridworld,
    names,
)
from walkon.domains.ending import VARIANT, tasks_or_count
from walkon.domains.world import Option, World
from walkon.saying import percent

NOISES = (0.0, 0.1, 0.2, 0.3)
OFFERED = tuple(name for name in MAPS if name != "cit")  # on the page: cit takes too long to solve for visitors
NOISE = "How often a wall or the teammate is misread, and a move fails where moves do; 0.1 in cit, else 0.2."
MAP = (
    "The building: ntu, isr, mit, pentagon, cit, or a map as text, on the command line a file with one: # wall, "
    ". floor, S floor to start on, G goal."
)
PAIRS = "How many tasks: the first pairs of goals, of ntu four, else all. In Python also a list, by number or cells."
POOL = "How many tasks: the first of a pool of 32. In Python also a list, by their numbers there or by two cells."

WORLD = World(
    name="buildings",
    title="Buildings",
    goal="Walk to two goals of the building and stand on both at the same time.",
    options=(
        Option("map", "ntu", known_or_text, MAP, page=OFFERED, parse=from_file),
        VARIANT,
        Option("noise", None, share, NOISE, kind=float),
        Option("tasks", None, tasks_or_count, PAIRS, kind=int),
        *(each.option for each in BUILDINGS),
    ),
    library=buildings,
    names=lambda map, tasks, **others: names(building_tasks(map, tasks)),
    scale=lambda map, tasks, **others: (
        len(building_tasks(map, tasks)) * len(plan_of(map).cells) ** 2,
        len(OBSERVATIONS),
    ),
    observed=False,
)
GRIDWORLD_WORLD = World(
    name="gridworld",
    title="Gridworld",
    goal="Walk to two cells and stand on both at the same time.",
    options=(
        VARIANT,
        Option(
            "noise", 0.2, share, "How often a move fails, and a wall or the teammate is misread.", NOISES, said=percent
        ),
        Option("tasks", 4, tasks_or_count, POOL, page=(2, 3, 4, 6, 8)),
        *(each.option for each in GRIDWORLD),
    ),
    library=gridworld,
    names=lambda tasks, **others: names(grid_tasks(tasks)),
    scale=lambda tasks, **others: (len(grid_tasks(tasks)) * (SIDE**4 + 1), len(OBSERVATIONS)),
    observed=False,
)
