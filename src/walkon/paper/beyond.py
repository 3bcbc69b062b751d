"""Beyond the paper: Bayes, which plans for information, and its cheaper relatives beside ATPO.

They play in the worlds of figures 2a, 5a and 6a with the same luck; on ten libraries that were fixed by seed before
anything was measured; along the sweeps of figure 3; in a library of ten tasks in a larger room; and a thousand times in
Overcooked, to measure a tenth of a soup. In HOTSPOT, where information is bought, questions have several prices.
Episodes go on until later rewards count for less than 1e-4 of the first, so
that discounted returns can be compared with proven bounds; steps and soups are counted within the task's own horizon.
"""

from typing import Any

from walkon.domains.hotspot.world import ASK, PERSON_ACTIONS
from walkon.domains.night_pursuit.pool import POOL
from walkon.figures import by_agent, by_price, by_setting
from walkon.paper.experiments import BASELINE, EACH, KITCHENS, LINES, PURSUIT, SOUPS, STEPS, VARIATIONS, night
from walkon.paper.figure import INTERVAL, Experiment, Figure
from walkon.runs.sweep import NOTHING, Point, Sweep, fixed
from walkon.trials.trial import Recipe, WorldSpec

FADED = 180  # steps: 0.95^180 < 1e-4
TURNS = 4  # libraries at each point of figure 3
OFTEN = 1000  # trials, to measure a tenth of a soup
FAST = Recipe("ascent", (("backups", 5_000),))  # a plan without an upper bound, for the many libraries of figure 3
LONGER = Recipe("ascent", (("backups", 10_000),))  # likewise, for the largest library
RELATIVES = ("atpo-search", "atpo-look", "atpo-q", "atpo")
TOLD = ("value-iteration", "perseus")
CHEAP = ("bayes", "atpo-q", "atpo")
EVERYONE = (*TOLD, "bayes", *RELATIVES)
COMPARED = ("perseus", "bayes", "atpo-look", "atpo-q", "atpo")
SEEN = ("value-iteration", "bayes", "atpo-look", "atpo-q", "atpo")  # search takes too long with so many observations
LIBRARIES = (Point(0, night()), *(Point(i + 1, fixed(night(), POOL, i)) for i in range(10)))
ASKING = (*PERSON_ACTIONS, ASK).index(ASK)
PRICES = tuple(Point(price, WorldSpec.of("hotspot", price=price)) for price in (0.0, 0.1, 0.3, 1.0))
LONG = 200  # steps, since agents that do not ask may wait for long
LOSS = (
    "The parts of each agent's loss, in discounted return against Value Iteration. Not seeing the state: from Value "
    "Iteration to the agent that knows the task. Not knowing the task: from there to the proven upper bound on the "
    "return of any agent that is not told the task. The task, or solving: from the bound to Bayes; how much of this is "
    "the price of the task and how much that of approximate solving is not known. Not planning for information: from "
    f"Bayes to the agent. Beside each bar stands the whole loss with its paired {INTERVAL}."
)
WORLDS = {  # the sweeps in which nothing is varied, and their titles
    "beyond-night": "Night-time Pursuit",
    "beyond-pursuit": "Pursuit",
    "beyond-overcooked": "Overcooked",
    "beyond-large": "6 × 6, ten tasks",
}
PLAYED_OUT = (*WORLDS, "beyond-libraries")  # the sweeps whose returns can be compared with proven bounds
TITLES = (
    ("night", "Night-time Pursuit"),
    ("pursuit", "Pursuit under partial observability"),
    ("overcooked", "Overcooked"),
)
UNDRAWN = {  # sweeps without a figure that claims are about
    "beyond-large": "Ten tasks in a room of 6 × 6",
    "beyond-kitchen": "Overcooked, many trials with each teammate",
}


def _sweep(name: str, agents: tuple[str, ...], points: tuple[Point, ...], **more: Any) -> Sweep:
    options: dict[str, Any] = {"measure": "return", "horizon": FADED} | more
    return Sweep(name=f"beyond-{name}", agents=agents, points=points, **options)


def _varied(name: str, sweep: Sweep, agents: tuple[str, ...], **more: Any) -> Sweep:
    """The same points as a sweep of figure 3."""
    return _sweep(name, agents, sweep.points, pool=POOL, horizon=None, quick=sweep.quick, **more)


def _figure(name: str, title: str, sweep: str, **more: Any) -> Figure:
    return Figure(name=name, title=title, sweep=f"beyond-{sweep}", part="beyond", **more)


EXPERIMENT = Experiment(
    chapter="Beyond the paper",
    sweeps=(
        _sweep("night", EVERYONE, BASELINE.points, luck="baseline"),
        _sweep("pursuit", EVERYONE, PURSUIT.points, luck="pursuit", quick={"agents": (*TOLD, *CHEAP)}),
        _sweep("overcooked", SEEN, KITCHENS, luck="overcooked", quick={"agents": ("value-iteration", *CHEAP)}),
        _sweep("kitchen", ("bayes", "atpo"), KITCHENS, trials=OFTEN, horizon=None, quick={"trials": 20}),
        _sweep("libraries", COMPARED, LIBRARIES, quick={"points": LIBRARIES[:3]}),
        _sweep(
            "large",
            ("perseus", "bayes", "atpo"),
            (Point(NOTHING, night(size=6, tasks=10)),),
            union=LONGER,
            quick={"points": (Point(NOTHING, night(size=4, tasks=6)),)},
        ),
        _sweep(
            "price",
            ("perseus", "bayes", "atpo"),
            PRICES,
            measure="cost",
            trials=OFTEN,
            horizon=LONG,
            union=FAST,
            quick={"trials": 20, "points": PRICES[::2]},
        ),
        *(_varied(sweep.name, sweep, RELATIVES, luck=sweep.name) for sweep in VARIATIONS.sweeps),
        *(
            _varied(f"{sweep.name}-fixed", sweep, COMPARED, libraries=TURNS, luck="beyond-fixed", union=FAST)
            for sweep in VARIATIONS.sweeps
        ),
    ),
    figures=(
        *(
            _figure(f"beyond-{name}", f"{world}: steps, beyond the paper", name, way=by_agent.STEPS, text=STEPS)
            for name, world in TITLES[:2]
        ),
        _figure(
            "beyond-overcooked",
            "Overcooked: soups, beyond the paper",
            "overcooked",
            way=SOUPS,
            text=f"The tasks and the luck of figure 6a; each dot is a trial. Below them, the mean with its {INTERVAL}.",
        ),
        *(
            _figure(f"losses-{name}", f"{world}: where the loss comes from", name, way=by_agent.LOSSES, text=LOSS)
            for name, world in TITLES
        ),
        _figure(
            "beyond-libraries",
            "Eleven libraries",
            "libraries",
            way=by_setting.LIBRARIES,
            text="Night-time Pursuit, 5 × 5, noise 0.3, four tasks each: the library of figure 2a and ten that were "
            "drawn from the pool by fixed seeds before anything was measured. Marks are means over trials, bars their "
            f"{INTERVAL}.",
            each="trials for each agent and library",
        ),
        _figure(
            "beyond-price",
            "HOTSPOT: the price of a question",
            "price",
            way=by_price.way(ASKING, "questions"),
            text="Steps, questions and cost until all balls are gone. A step costs 0.2 for each ball on the ground and "
            "0.6 for one that is held, a question its price; nothing is discounted. A trial that is not solved counts "
            f"as {LONG} steps. Lines are means over trials, bands their {INTERVAL}.",
            each=EACH,
        ),
        *(
            _figure(
                f"beyond-{figure.sweep}-fixed",
                f"{figure.title}, beyond the paper",
                f"{figure.sweep}-fixed",
                way=figure.way,
                text=f"{LINES} Four libraries at each point, fixed by seed, take turns.",
                each=EACH,
            )
            for figure in VARIATIONS.figures
        ),
    ),
)
