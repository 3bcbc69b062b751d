"""Figure 2: Night-time Pursuit, the baseline."""

from walkon.figures import by_agent, over_time
from walkon.paper.figure import INTERVAL, Decision, Experiment, Figure
from walkon.runs.sweep import NOTHING, Point, Sweep
from walkon.trials.trial import WorldSpec

EVERYONE = ("value-iteration", "perseus", "atpo", "bopa", "random")
STEPS = (
    "Each dot is a trial, placed at the steps it took; trials that were not solved stand apart and count as {horizon}. "
    f"Below the dots, the mean over all trials with its {INTERVAL}."
)
VARIED = ("3a", "3b", "3c")
NIGHT = ("2a", "2b", *VARIED)


def night(size: int = 5, noise: float = 0.3, tasks: int = 4) -> WorldSpec:
    """Night-time Pursuit, by default as in the paper's baseline; with the first tasks of the pool."""
    return WorldSpec.of("night-pursuit", size=size, noise=noise, tasks=list(range(tasks)))


BASELINE = Sweep(name="baseline", agents=EVERYONE, points=(Point(NOTHING, night()),))

EXPERIMENT = Experiment(
    chapter="Figure 2. Night-time Pursuit, the baseline",
    sweeps=(BASELINE,),
    figures=(
        Figure(
            name="2a",
            title="Night-time Pursuit: steps to solve the task",
            sweep="baseline",
            way=by_agent.STEPS,
            text=f"A 5 × 5 room, noise 0.3, four tasks. {STEPS}",
            headline="Night-time Pursuit, steps",
        ),
        Figure(
            name="2b",
            title="Night-time Pursuit: which task is it?",
            sweep="baseline",
            way=over_time.PROBABILITY,
            text="The probability that ATPO gives to the task that is going on, and to each of the three others (their "
            f"mean), before each step. Lines are means over trials, bands their {INTERVAL}.",
            each="trials",
        ),
    ),
    decisions=(
        Decision(
            "choosing",
            "How does ATPO choose?",
            "It draws its action from the mixture of the tasks' policies, weighed by their probabilities. A task's "
            "policy is uniform over all actions that its alpha vectors call best.",
            (*NIGHT, "5a", "5b", "6a", "6b"),
        ),
        Decision(
            "night-capture",
            "When is Night-time Pursuit solved?",
            "When both predators stand on the two preys in the same step, whichever on which. Steps are actions until "
            "then, and 50 if it never happens.",
            NIGHT,
        ),
        Decision(
            "night-noise",
            "What does the noise do?",
            "It is the chance that a move of the ad hoc agent fails, and that a thing beside it is not seen. The "
            "teammate's moves do not fail.",
            NIGHT,
        ),
        Decision(
            "pool",
            "Which tasks are in the pool?",
            "For each size 32 placements of two preys, drawn once with a fixed seed. The baseline takes the first "
            "four.",
            NIGHT,
        ),
        Decision(
            "bopa",
            "What does BOPA believe?",
            "It keeps ATPO's beliefs and acts for the most likely state of each task; where several are equally "
            "likely, it averages over them.",
            ("2a", *VARIED, "5a"),
        ),
        Decision(
            "budgets",
            "When does a solver stop?",
            "By a stated rule of convergence or a count of backups, never by the clock: results do not depend on how "
            "busy the machine is.",
            ("2a", *VARIED, "4a", "5a"),
        ),
    ),
)
