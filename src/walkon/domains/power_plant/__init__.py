"""A power plant: a robot helps a human to explore it or to clean it, and may ask where the human is.

As a Gymnasium environment, `walkon/PowerPlant-v0`:

    Observation  two numbers: whether there was an observation, 0 or 1; then what was read: 0 nothing, 1 to 5 the rooms
                 0 to 4. It is the human's room after action 4, else the own one, and may be misread.
    Action       0, 1, 2 to the first, second or third room next door, 3 stay, 4 ask for the human's room, 5 for one's
                 own.
    Reward       -1 for a step, 100 for the one after the task has been solved, 0 afterwards.
"""

from walkon.checks import share
from walkon.domains.ending import VARIANT, pick, tasks_or_count
from walkon.domains.power_plant.tasks import DIFFERENCES, library
from walkon.domains.power_plant.world import JOBS, OBSERVATION_COUNT
from walkon.domains.world import Option, World
from walkon.saying import percent

NOISES = (0.0, 0.1, 0.2, 0.3)
WORLD = World(
    name="power-plant",
    title="Power plant",
    goal="Visit rooms 0, 1 and 4 between you, or meet in rooms 2 and 4. Doors are numbered like the rooms behind them.",
    options=(
        VARIANT,
        Option("noise", 0.2, share, "How often a move fails, and a room is misread.", NOISES, said=percent),
        Option("tasks", 2, tasks_or_count, "How many tasks, the first ones. In Python also a list of their numbers."),
        *(each.option for each in DIFFERENCES),
    ),
    library=library,
    names=lambda tasks, **others: [job.name for job in pick(tasks, JOBS)],
    scale=lambda tasks, **others: (sum(len(job.positions) + 1 for job in pick(tasks, JOBS)), OBSERVATION_COUNT),
    observed=False,
)
