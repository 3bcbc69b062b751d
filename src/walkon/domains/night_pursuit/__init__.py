"""Night-time Pursuit: predators must stand on all sleeping preys at once, and one of them sees only next to itself.

As a Gymnasium environment, `walkon/NightPursuit-v0`:

    Observation  five numbers: whether there was an observation, 0 or 1; then what was observed up, down, left and right
                 of the own cell: 0 nothing, 1 a teammate, 2 a prey, 3 a wall (with the option `sees_walls`). Things
                 may be missed; the own cell is not observed.
    Action       0 up, 1 down, 2 left, 3 right, 4 stay.
    Reward       -1 for a step, 100 for the one that captures, 0 afterwards.
"""

from functools import partial

from walkon.checks import one_of, share, whole
from walkon.domains.hunting import AFTER_CAPTURE
from walkon.domains.night_pursuit.tasks import library, names, scale, tasks_or_number
from walkon.domains.night_pursuit.world import STARTS
from walkon.domains.world import TREMBLE, Option, World
from walkon.saying import percent

NOISES = (0.0, 0.1, 0.2, 0.3, 0.4)
SIZE = Option(
    "size",
    5,
    partial(whole, lowest=3, highest=1000),
    "Cells along each side, 3 to 31, and up to 1000 without tables.",
    page=(3, 4, 5, 6),
    said="{0} x {0}".format,
)
TASKS = (
    "How many tasks: the first of a pool of 32, which is longer without tables. In Python also their numbers there, or "
    "where the preys are, such as [((0, 0), (4, 3)), ...]: a (column, row) for each prey."
)
START = "Where the hunt starts: uniform, corner (the agent top left) or corners (also the teammates bottom right)."

WORLD = World(
    name="night-pursuit",
    title="Night-time Pursuit",
    goal="The preys sleep: stand on one of them while the agent stands on the other.",
    options=(
        SIZE,
        Option("noise", 0.3, share, "How often a move fails and a thing is missed.", NOISES, said=percent),
        Option("tasks", 4, tasks_or_number, TASKS, page=(2, 3, 4, 6, 8)),
        Option("teammates", 1, partial(whole, lowest=1, highest=8), "How many teammates; there is one prey more."),
        Option("teammate_noise", False, help="Teammates' moves fail as often as the agent's."),
        Option(
            "sees_walls", False, help="The agent also sees the walls next to it, and misses them as often as things."
        ),
        AFTER_CAPTURE,
        Option("start", "uniform", partial(one_of, choices=STARTS), START),
        TREMBLE,
        Option("tables", True, help="Whether the rules are made into matrices; without, the room may be of any size."),
        Option("seed", None, help="Draws that number of tasks out of the pool, in place of the first ones."),
    ),
    library=library,
    names=names,
    scale=scale,
    observed=False,
)
