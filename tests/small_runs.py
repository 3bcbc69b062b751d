"""Small runs for the tests: a few trials of small worlds, and a pool that does as it is told."""

from dataclasses import replace

from walkon.runs.sweep import Point, Settings, Sweep, entries

from walkon.paper.sweeps import EVERYONE
from walkon.trials.trial import Recipe, World

ROUGH = Recipe(options=(("backups", 40), ("beliefs", 30)))
SETTINGS = Settings(trials=2, recipe=ROUGH)
SMALL = Sweep(
    name="size",
    figures=("3a",),
    agents=EVERYONE,
    points=(Point(81, World.of("night-pursuit", size=3, noise=0.3, tasks=[0, 1])),),
    pool=32,
)
KITCHEN = Sweep(
    name="overcooked",
    figures=("6a",),
    agents=("value-iteration", "atpo", "random"),
    points=(Point(float("nan"), World.of("overcooked", role="cook")),),
)


def small_entries(*sweeps, settings=SETTINGS):
    return [entry for sweep in sweeps or (SMALL,) for entry in entries(sweep, settings)]


def small_trials(*sweeps):
    return [entry.trial for entry in small_entries(*sweeps)]


def few_entries(sweep, settings, entries=entries):
    """Of some sweeps the first point, in a small room with a task or two, and a few short trials there."""
    if sweep.name not in ("baseline", "pursuit", "beyond-night"):
        return iter(())
    x, world = sweep.points[0]
    tasks = dict(world.options).get("tasks")
    room = world.having(size=3, **({"tasks": tasks[:2]} if tasks else {}))
    trials = max(2, len(str(settings.trials)))  # more where more are asked for
    small = replace(sweep, points=(Point(x, room),), trials=trials, horizon=10)
    return (entry for entry in entries(small, settings) if entry.pair < trials)
