"""Figure 5: Pursuit under partial observability."""

from walkon.figures import by_agent, over_time
from walkon.paper.figure import INTERVAL, Decision, Experiment, Figure
from walkon.paper.night import EVERYONE, STEPS
from walkon.runs.sweep import NOTHING, Point, Sweep
from walkon.trials.trial import WorldSpec

PURSUIT = Sweep(name="pursuit", agents=EVERYONE, points=(Point(NOTHING, WorldSpec.of("pursuit")),))

EXPERIMENT = Experiment(
    chapter="Figure 5. Pursuit under partial observability",
    sweeps=(PURSUIT,),
    figures=(
        Figure(
            name="5a",
            title="Pursuit under partial observability: steps to solve the task",
            sweep="pursuit",
            way=by_agent.STEPS,
            text=f"A 5 × 5 torus, three teammates. {STEPS}",
            headline="Pursuit, steps",
        ),
        Figure(
            name="5b",
            title="Pursuit under partial observability: which teammate is it?",
            sweep="pursuit",
            way=over_time.ENTROPY,
            text="The entropy of ATPO's belief over the three teammates, to base 3, before each step: mean over "
            f"trials and {INTERVAL}.",
            each="trials",
        ),
    ),
    decisions=(
        Decision(
            "entropy",
            "How is entropy measured?",
            "With the logarithm to base K: 1 is no idea, 0 is certainty. Libraries of different size can be compared.",
            ("5b", "6b"),
        ),
        Decision(
            "torus-capture",
            "When is the prey of Pursuit caught?",
            "When the predators stand on opposite sides of it, after all have moved in an order drawn by chance.",
            ("5a", "5b"),
        ),
        Decision(
            "torus-noise",
            "How well does the agent see in Pursuit?",
            "A thing at distance d is observed correctly with probability 1 - 0.15 d. The paper prints this as the "
            "probability of failing, which contradicts two sentences of its own text.",
            ("5a", "5b"),
        ),
    ),
)
