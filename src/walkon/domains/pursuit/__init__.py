"""Pursuit under partial observability: two predators surround a moving prey, and one of them sees worse the further.

As a Gymnasium environment, `walkon/Pursuit-v0`:

    Observation  five numbers: whether there was an observation, 0 or 1; then where the teammate and the prey were read
                 to be, as cells to the right and cells down, for each: teammate right, teammate down, prey right, prey
                 down. Left and up are negative; on the 5 x 5 torus all four go from -2 to 2. The further, the more
                 often it is one cell off.
    Action       0 up, 1 down, 2 left, 3 right.
    Reward       -1 for a step, 100 for the one that captures, 0 afterwards.
"""

from functools import partial

from walkon.checks import one_of
from walkon.domains.hunting import AFTER_CAPTURE, CONTINUES, SIZE
from walkon.domains.pursuit.tasks import library
from walkon.domains.pursuit.teammates import TEAMMATES
from walkon.domains.pursuit.world import CAPTURES
from walkon.domains.world import TREMBLE, Option, World

CAPTURE = "Who holds the prey: two on opposite sides, or any two adjacent to it."
TIES = "Which of several equally good moves a teammate makes: uniform (each equally likely) or first."
WORLD = World(
    name="pursuit",
    title="Pursuit",
    goal="Hold the prey together, from two opposite sides.",
    options=(
        SIZE,
        Option("capture", "opposite", help=CAPTURE, choices=CAPTURES),
        Option("literal_noise", False, help="Misread as printed in the paper: near things more often than far ones."),
        AFTER_CAPTURE,
        Option("ties", "uniform", partial(one_of, choices=("uniform", "first")), TIES),
        TREMBLE,
    ),
    library=library,
    names=lambda **options: TEAMMATES,
    scale=lambda size, after_capture, **others: (
        len(TEAMMATES) * (1 + (after_capture == CONTINUES)) * size**4,
        size**4,
    ),
    observed=False,
)
