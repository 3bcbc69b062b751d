"""One soup: the kitchen of Overcooked, in which the ad hoc agent helps one of four cooks to deliver a single soup.

As a Gymnasium environment, `walkon/OneSoup-v0`:

    Observation  seven numbers, the state itself, also after reset, as in `walkon/Overcooked-v0`; the first two are both
                 2 once the soup is delivered, and both 3 one step later.
    Action       0 up, 1 down, 2 nothing, 3 act.
    Reward       -1 for a step, 100 for the one after the delivery, 0 afterwards.
"""

from walkon.domains.ending import VARIANT, tasks_or_count
from walkon.domains.one_soup.tasks import COIN, COOKS, NAMES, library, names
from walkon.domains.world import Option, World

WORLD = World(
    name="one-soup",
    title="One soup",
    goal="Onions into the pan, soup onto a plate, plate out of the window, once.",
    options=(
        VARIANT,
        Option(
            "tasks", len(COOKS), tasks_or_count, "How many cooks, the first ones. In Python also a list of numbers."
        ),
        COIN.option,
    ),
    library=library,
    names=lambda tasks, **others: names(tasks),
    scale=lambda tasks, **others: (len(names(tasks)) * len(NAMES), len(NAMES)),
    observed=True,
)
