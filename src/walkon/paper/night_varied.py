"""Figure 3: Night-time Pursuit as the world changes."""

from walkon.domains.night_pursuit.tasks import POOL
from walkon.figures import by_setting
from walkon.paper.figure import INTERVAL, Experiment, Figure
from walkon.paper.night_baseline import EVERYONE, night
from walkon.runs.sweep import Point, Sweep

LINES = f"Lines are means over trials, bands their {INTERVAL}. A trial that is not solved counts as {{horizon}}."
DRAWN = "For each trial a library and its target are drawn from a pool of 32 tasks, the same for every agent and point."
EACH = "trials for each agent and point"
SIZES = tuple(Point(n**4, night(size=n)) for n in (3, 4, 5, 6))
NOISES = tuple(Point(noise, night(noise=noise)) for noise in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5))
LIBRARIES = tuple(Point(K, night(tasks=K)) for K in range(1, 11))

EXPERIMENT = Experiment(
    chapter="Figure 3. Night-time Pursuit as the world changes",
    sweeps=(
        Sweep(name="size", agents=EVERYONE, points=SIZES, pool=POOL, quick={"points": SIZES[:2]}),
        Sweep(name="noise", agents=EVERYONE, points=NOISES, pool=POOL, quick={"points": (NOISES[0], NOISES[3])}),
        Sweep(
            name="tasks",
            agents=("atpo", "bopa"),
            points=LIBRARIES,
            pool=POOL,
            quick={"points": (LIBRARIES[0], LIBRARIES[3])},
        ),
    ),
    figures=(
        Figure(
            name="3a",
            title="Night-time Pursuit: larger rooms",
            sweep="size",
            way=by_setting.SIZE,
            text=f"Noise 0.3, four tasks. {LINES} {DRAWN}",
            each=EACH,
        ),
        Figure(
            name="3b",
            title="Night-time Pursuit: more noise",
            sweep="noise",
            way=by_setting.NOISE,
            text=f"A 5 × 5 room, four tasks. {LINES} {DRAWN}",
            each=EACH,
        ),
        Figure(
            name="3c",
            title="Night-time Pursuit: more tasks to tell apart",
            sweep="tasks",
            way=by_setting.TASKS,
            text=f"A 5 × 5 room, noise 0.3. {LINES} {DRAWN}",
            each=EACH,
        ),
    ),
)
