"""Overcooked: a helper and a cook, two counters between them, and as many soups as the time allows.

As a Gymnasium environment, `walkon/Overcooked-v0`:

    Observation  seven numbers, the state itself, also after reset: the helper's cell and the cook's, 0 top, 1 bottom;
                 what the helper and the cook hold, 0 nothing, 1 an onion, 2 a plate, 3 a soup (the cook only); what
                 lies on the top and the bottom counter, 0 nothing, 1 an onion, 2 a plate; the onions in the pan, 3
                 being a cooked soup.
    Action       0 up, 1 down, 2 nothing, 3 act.
    Reward       15 for a delivery, -1 for every other step.
"""

from functools import partial

from walkon.checks import one_of, share
from walkon.domains.overcooked.tasks import library, names
from walkon.domains.overcooked.world import ROLES, STATES
from walkon.domains.world import TREMBLE, Option, World

COOKS = "Upper and Downer: partner-knows (the best plan with one counter) or stubborn (they act at it in any case)."
TIES = "Which of several optimal pairs of actions the teammates play: uniform (each equally likely) or first."
WORLD = World(
    name="overcooked",
    title="Overcooked",
    goal="Onions into the pan, soup onto a plate, plate out of the window.",
    options=(
        Option("role", "helper", help="What the ad hoc agent does: helper, cook.", choices=ROLES, label="The agent is"),
        Option("cooks", "partner-knows", partial(one_of, choices=("partner-knows", "stubborn")), COOKS),
        Option("stubbornness", 1.0, share, "How often a stubborn cook is stubborn; it else does as Greedy does."),
        Option("ties", "uniform", partial(one_of, choices=("uniform", "first")), TIES),
        TREMBLE,
    ),
    library=library,
    names=names,
    scale=lambda role, **others: (len(names(role)) * len(STATES), len(STATES)),
    observed=True,
)
