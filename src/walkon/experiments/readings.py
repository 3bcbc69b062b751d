"""How much hangs on our reading of the paper: figures 2a and 5a again, under each other option.

Where the paper is open to another reading, the world or the agent has an option for it. The same trials are run with
that option, and the same claims are tested.
"""

from dataclasses import replace

from walkon.domains.night_pursuit.tasks import pool
from walkon.experiments.sweeps import BASELINE, PURSUIT, Point, Sweep
from walkon.experiments.trial import World

OURS = "our reading"
POOLS = (1001, 1002)  # other seeds for the pool of placements


def readings() -> dict[str, tuple[Sweep, ...]]:
    """The sweeps under each reading, by its name; ours first."""
    night, torus = BASELINE.points[0].world, PURSUIT.points[0].world
    others = {
        f"a pool drawn with seed {seed}": (_in(BASELINE, night.having(tasks=pool(5, seed=seed)[: night.size])),)
        for seed in POOLS
    }
    return {
        OURS: (BASELINE, PURSUIT),
        "capture from any two sides": (_in(PURSUIT, torus.having(capture="adjacent")),),
        "noise as printed": (_in(PURSUIT, torus.having(literal_noise=True)),),
        "a teammate whose moves fail too": (_in(BASELINE, night.having(teammate_noise=True)),),
        "BOPA by transitions": (replace(BASELINE, evidence="transitions"), replace(PURSUIT, evidence="transitions")),
        **others,
    }


def _in(sweep: Sweep, *worlds: World) -> Sweep:
    return replace(sweep, points=tuple(Point(float("nan"), world) for world in worlds))
