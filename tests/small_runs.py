"""Small runs for the tests: a few trials of small worlds, and a pool that does as it is told."""

from dataclasses import replace

from walkon.domains.night_pursuit.pool import POOL
from walkon.paper.experiments import EVERYONE
from walkon.paper.run import Run
from walkon.runs.sweep import Point, Settings, Sweep, entries
from walkon.trials.trial import Recipe, WorldSpec

PARTS = Run.parts.func
ROUGH = Recipe(options=(("backups", 40), ("beliefs", 30)))
SETTINGS = Settings(trials=2, recipe=ROUGH)
SMALL = Sweep(
    name="size",
    agents=EVERYONE,
    points=(Point(81, WorldSpec.of("night-pursuit", size=3, noise=0.3, tasks=[0, 1])),),
    pool=POOL,
)
KITCHEN = Sweep(
    name="overcooked",
    agents=("value-iteration", "atpo", "random"),
    points=(Point(float("nan"), WorldSpec.of("overcooked", role="cook")),),
)


def small_entries(*sweeps, settings=SETTINGS):
    return [entry for sweep in sweeps or (SMALL,) for entry in entries(sweep, settings)]


def small_trials(*sweeps):
    return [entry.trial for entry in small_entries(*sweeps)]


def few_sweeps(run):
    """The parts of a run: of some sweeps the first point, in a small room with a task or two, a few short trials."""
    trials = max(2, len(str(run.settings.trials)))  # more where more are asked for
    return {
        part: tuple(_few(sweep, trials) for sweep in sweeps if sweep.name in ("baseline", "pursuit", "beyond-night"))
        for part, sweeps in PARTS(run).items()
    }


def _few(sweep, trials):
    x, world = sweep.points[0]
    tasks = dict(world.options).get("tasks")
    few = tasks[:2] if tasks and isinstance(tasks[0], int) else (0, 1)  # preys that are placed may not fit
    room = world.having(size=3, **({"tasks": few} if tasks else {}))
    return replace(sweep, points=(Point(x, room),), trials=trials, horizon=10)
