"""Beyond the paper, as data: the agent that plans for what it does not know, and its cheap relatives, beside ATPO.

They play in the worlds of figures 2a, 5a and 6a, on the same luck; on ten libraries that were fixed by seed before
anything was measured; along the sweeps of figure 3; in a library of ten tasks in a larger room; and often enough in
Overcooked to tell a tenth of a soup. Episodes go on until what follows counts for less than 1e-4 of the first step, so
that discounted returns can be compared with proven bounds; steps and soups are counted within the task's own horizon.
"""

from walkon.domains.night_pursuit.tasks import POOL
from walkon.measuring.summaries import Row
from walkon.paper.sweeps import BASELINE, NOTHING, PURSUIT, night, sweeps
from walkon.runs.store import Store
from walkon.runs.sweep import PERSEUS, UNION, Point, Sweep, fixed
from walkon.trials.trial import Problem, Recipe, WorldSpec, frozen

FADED = 180  # steps: 0.95^180 < 1e-4
LIBRARIES = 10
TURNS = 4  # libraries at each point of figure 3
OFTEN = 1000  # trials, to tell a tenth of a soup
FAST = Recipe("ascent", (("backups", 5_000),))  # a plan without an upper bound, for the many libraries of figure 3
LONGER = Recipe("ascent", (("backups", 10_000),))  # likewise, for the largest library
RELATIVES = ("atpo-search", "atpo-look", "atpo-q", "atpo")
EVERYONE = ("value-iteration", "perseus", "bayes", *RELATIVES)
COMPARED = ("perseus", "bayes", "atpo-look", "atpo-q", "atpo")
SEEN = ("value-iteration", "bayes", "atpo-look", "atpo-q", "atpo")  # a search takes too long where so much is seen
SWEEP = "beyond-{}"


def beyond(quick: bool = False) -> tuple[Sweep, ...]:
    """All sweeps beyond the paper; fewer points of each where it has to be quick."""
    paper = {sweep.name: sweep for sweep in sweeps(quick)}
    kitchens = paper["overcooked"].points
    slow = ("atpo-look", "atpo-search") if quick else ()
    libraries = range(2 if quick else LIBRARIES)
    return (
        _sweep("night", EVERYONE, BASELINE.points, luck="baseline"),
        _sweep("pursuit", _but(slow, EVERYONE), PURSUIT.points, luck="pursuit"),
        _sweep("overcooked", _but(slow, SEEN), kitchens, luck="overcooked"),
        _sweep("kitchen", ("bayes", "atpo"), kitchens, trials=20 if quick else OFTEN, horizon=None),
        _sweep("libraries", COMPARED, (Point(0, night()), *(Point(i + 1, fixed(night(), POOL, i)) for i in libraries))),
        _sweep("large", ("perseus", "bayes", "atpo"), (Point(NOTHING, large(quick)),), union=LONGER),
        *(
            _sweep(name, RELATIVES, paper[name].points, pool=POOL, luck=name, horizon=None)
            for name in ("size", "noise", "tasks")
        ),
        *(
            _sweep(
                f"{name}-fixed",
                COMPARED,
                paper[name].points,
                pool=POOL,
                libraries=TURNS,
                luck="beyond-fixed",
                horizon=None,
                union=FAST,
            )
            for name in ("size", "noise", "tasks")
        ),
    )


def plans(store: Store) -> list[Row]:
    """What planning in the union of all tasks took, and what it proved, for each world."""
    return [
        {
            "world": Problem(WorldSpec(world["domain"], frozen(world["options"])), None, PERSEUS).name,
            "solver": facts["problem"]["recipe"]["solver"],
            "lower": facts["lower"],
            "upper": facts["upper"],
            "vectors": facts["vectors"],
            "stopped": facts["stopped"],
            "seconds": facts["seconds"],
        }
        for facts in store.policies()
        if facts["problem"]["task"] is None
        for world in [facts["problem"]["world"]]
    ]


def _but(left_out: tuple[str, ...], agents: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(agent for agent in agents if agent not in left_out)


def large(quick: bool) -> WorldSpec:
    """Ten tasks in a room of 6 x 6."""
    return night(size=4, tasks=6) if quick else night(size=6, tasks=10)


def _sweep(
    name: str,
    agents: tuple[str, ...],
    points: tuple[Point, ...],
    *,
    pool: int | None = None,
    libraries: int | None = None,
    trials: int | None = None,
    luck: str = "",
    horizon: int | None = FADED,
    union: Recipe = UNION,
) -> Sweep:
    return Sweep(
        name=SWEEP.format(name),
        figures=(),
        agents=agents,
        points=points,
        pool=pool,
        libraries=libraries,
        measure="return",
        trials=trials,
        luck=luck,
        horizon=horizon,
        union=union,
    )
