"""Figure 6: Overcooked, as a helper and as a cook."""

from walkon.figures import by_agent, over_time
from walkon.paper.figure import INTERVAL, Decision, Experiment, Figure
from walkon.runs.sweep import NOTHING, Point, Sweep
from walkon.trials.trial import WorldSpec

SOUPS = by_agent.tally("Soups delivered")
KITCHENS = tuple(Point(NOTHING, WorldSpec.of("overcooked", role=role)) for role in ("helper", "cook"))

EXPERIMENT = Experiment(
    chapter="Figure 6. Overcooked",
    sweeps=(Sweep(name="overcooked", agents=("value-iteration", "atpo", "assistant", "random"), points=KITCHENS),),
    figures=(
        Figure(
            name="6a",
            title="Overcooked: soups",
            sweep="overcooked",
            way=SOUPS,
            text="Six tasks: as a helper with four kinds of cook, as a cook with two kinds of helper. Each dot is a "
            "trial, placed at the soups delivered within {horizon}. "
            f"Below the dots, the mean with its {INTERVAL}. A "
            "dead end is a trial that ended where no soup can be delivered any more.",
            headline="Overcooked, soups",
        ),
        Figure(
            name="6b",
            title="Overcooked: which teammate is it?",
            sweep="overcooked",
            way=over_time.ENTROPY,
            text="The entropy of the belief over teammates (to the base of their number) before each step, of ATPO "
            f"and of Assistant, which also sees the teammate's actions: mean over trials and {INTERVAL}.",
        ),
    ),
    decisions=(
        Decision(
            "kitchen",
            "What do Upper and Downer do?",
            "They take from one counter only. Standing still, as printed, they could never cook and deliver.",
            ("6a", "6b"),
        ),
    ),
)
