"""Proposition 1 along the trials of figure 2a."""

from walkon.figures import loss_bound
from walkon.paper.figure import Decision, Experiment, Figure
from walkon.paper.night_baseline import BASELINE
from walkon.runs.sweep import Sweep

EXPERIMENT = Experiment(
    chapter="Proposition 1",
    sweeps=(Sweep(name="bound", agents=("atpo",), points=BASELINE.points, measure="loss", luck="baseline"),),
    figures=(
        Figure(
            name="bound",
            title="Proposition 1: the loss and its bounds",
            sweep="bound",
            way=loss_bound.BOUND,
            text="What ATPO lost in the trials of figure 2a by not knowing the task, summed over the "
            "steps so far; what the policy of the true task alone would have lost; and the right "
            "sides of the corrected bound: with the paper's Rmax/(1-γ), and sharper with the largest "
            "loss that the policies allow. The line that the paper prints mixes two of them and is "
            "no bound. Lines are medians over trials, bands hold the middle 80 %; a right side is "
            "infinite from where the agent rules the true task out. The axis is logarithmic and "
            "begins at 0.1: what is smaller is drawn there.",
            each="trials",
        ),
    ),
    decisions=(
        Decision(
            "proposition",
            "Does Proposition 1 hold?",
            "Not as printed: its last line takes one term from each of two choices of η. A library of two tasks breaks "
            "it from the third step on. Drawn and tested is what the proof gives.",
            ("bound",),
        ),
    ),
)
