"""Figure 4: how long the agents compute, before a trial and in it."""

from walkon.domains.night_pursuit.tasks import POOL
from walkon.figures import computing_time
from walkon.paper.figure import INTERVAL, Experiment, Figure
from walkon.paper.night_baseline import night
from walkon.paper.night_varied import SIZES
from walkon.runs.sweep import Point, Sweep

TIMED = ("value-iteration", "bopa", "perseus", "atpo")
ALONE = tuple(Point(n**4, night(size=n, tasks=1)) for n in (3, 4, 5, 6))

EXPERIMENT = Experiment(
    chapter="Figure 4. Computing time",
    sweeps=(
        Sweep(
            name="setup",
            agents=TIMED,
            points=ALONE,
            pool=POOL,
            measure="setup",
            trials=3,
            quick={"points": ALONE[:2]},
        ),
        Sweep(
            name="decision",
            agents=TIMED,
            points=SIZES,
            pool=POOL,
            measure="decision",
            trials=3,  # of 50 steps: the paper's 150 samples
            quick={"points": SIZES[:2]},
        ),
    ),
    figures=(
        Figure(
            name="4a",
            title="Computing before the trial",
            sweep="setup",
            way=computing_time.SETUP,
            text="The time in which an agent is made ready for one task, with nothing cached: ATPO and Perseus solve "
            f"a POMDP, BOPA and Value Iteration an MDP. Lines are geometric means, bands their {INTERVAL} on the "
            "logarithmic scale. Both axes are logarithmic; what is proportional to the number of states has the slope "
            "of the grey line. Times depend on the machine.",
            each="preparations for each agent and size",
        ),
        Figure(
            name="4b",
            title="Computing in the trial",
            sweep="decision",
            way=computing_time.DECISION,
            text="The time of one step of an agent that knows four tasks: to choose an action and to update its "
            f"beliefs. Lines are geometric means over single decisions, bands their {INTERVAL}; axes as in 4a. "
            "Times depend on the machine.",
            each="decisions for each agent and size",
        ),
    ),
)
