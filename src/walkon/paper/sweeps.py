"""The paper's experiments as data: who plays which trials."""

from collections.abc import Iterable

from walkon.domains.night_pursuit.tasks import POOL
from walkon.errors import InputError
from walkon.runs.sweep import Point, Sweep
from walkon.trials.trial import Recipe, WorldSpec

EVERYONE = ("value-iteration", "perseus", "atpo", "bopa", "random")
QUICK = Recipe(options=(("backups", 1000), ("beliefs", 300)))
QUICK_TRIALS = 4
TALLY = "soups"  # what is counted in the one world of the paper in which something is


def night(size: int = 5, noise: float = 0.3, tasks: int = 4) -> WorldSpec:
    """Night-time Pursuit, by default as in the paper's baseline; with the first tasks of the pool."""
    return WorldSpec.of("night-pursuit", size=size, noise=noise, tasks=list(range(tasks)))


NOTHING = float("nan")
BASELINE = Sweep(name="baseline", figures=("2a", "2b"), agents=EVERYONE, points=(Point(NOTHING, night()),))
PURSUIT = Sweep(
    name="pursuit", figures=("5a", "5b"), agents=EVERYONE, points=(Point(NOTHING, WorldSpec.of("pursuit")),)
)


def sweeps(quick: bool = False) -> tuple[Sweep, ...]:
    """All sweeps of the paper; fewer points of each where it has to be quick."""
    sizes = (3, 4) if quick else (3, 4, 5, 6)
    noises = (0.0, 0.3) if quick else (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
    libraries = (1, 4) if quick else tuple(range(1, 11))
    timed = ("value-iteration", "bopa", "perseus", "atpo")
    return (
        BASELINE,
        Sweep(
            name="size",
            figures=("3a",),
            agents=EVERYONE,
            points=tuple(Point(n**4, night(size=n)) for n in sizes),
            pool=POOL,
        ),
        Sweep(
            name="noise",
            figures=("3b",),
            agents=EVERYONE,
            points=tuple(Point(noise, night(noise=noise)) for noise in noises),
            pool=POOL,
        ),
        Sweep(
            name="tasks",
            figures=("3c",),
            agents=("atpo", "bopa"),
            points=tuple(Point(K, night(tasks=K)) for K in libraries),
            pool=POOL,
        ),
        Sweep(
            name="setup",
            figures=("4a",),
            agents=timed,
            points=tuple(Point(n**4, night(size=n, tasks=1)) for n in sizes),
            pool=POOL,
            measure="setup",
            trials=3,
        ),
        Sweep(
            name="decision",
            figures=("4b",),
            agents=timed,
            points=tuple(Point(n**4, night(size=n)) for n in sizes),
            pool=POOL,
            measure="decision",
            trials=3,  # of 50 steps: the paper's 150 samples
        ),
        PURSUIT,
        Sweep(
            name="overcooked",
            figures=("6a", "6b"),
            agents=("value-iteration", "atpo", "assistant", "random"),
            points=tuple(Point(NOTHING, WorldSpec.of("overcooked", role=role)) for role in ("helper", "cook")),
        ),
        Sweep(
            name="bound",
            figures=("bound",),
            agents=("atpo",),
            points=BASELINE.points,
            measure="loss",
            luck="baseline",
        ),
    )


def figures_of(names: Iterable[str], quick: bool) -> list[Sweep]:
    """The sweeps that some figures are drawn from; all of them if none is named."""
    every = sweeps(quick)
    known = [figure for sweep in every for figure in sweep.figures]
    wanted = list(names) or known
    for name in wanted:
        if name not in known:
            raise InputError(f"there is no figure {name!r}: expected {', '.join(known)}, readings or beyond")
    return [sweep for sweep in every if set(sweep.figures) & set(wanted)]
