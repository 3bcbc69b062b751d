"""The figures by name: what each shows, which sweep it is drawn from, and the numbers behind it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from matplotlib.figure import Figure

from walkon.errors import InputError
from walkon.figures import by_agent, by_setting, computing_time, loss_bound, over_time
from walkon.figures.rows import number
from walkon.figures.style import looks
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table


@dataclass(frozen=True, kw_only=True)
class PaperFigure:
    """One figure. It is a function of the table of results and of nothing else."""

    name: str
    title: str
    sweep: str
    data: Callable[[Table], list[Row]]
    picture: Callable[[Table, list[Row]], Figure]
    text: str  # what is to be seen, and how it was measured
    each: str  # what n counts
    part: str = ""  # of the run that has its trials; by its own name if not given

    def rows(self, table: Table) -> list[Row]:
        """The numbers behind it; none if the table has no trials for it."""
        own = table.where(sweep=self.sweep)
        return [row for row in self.data(own) if row["n"]]

    def draw(self, table: Table) -> Figure:
        """The figure, drawn from a table that may hold more than it needs, or less."""
        rows = self.rows(table)
        if not rows:
            raise InputError(
                f"there is nothing to draw figure {self.name} from: the table has no trials of the sweep "
                f'"{self.sweep}"; `walkon reproduce {self.part or self.name}` runs them'
            )
        with looks():
            return self.picture(table.where(sweep=self.sweep), rows)

    def caption(self, table: Table) -> str:
        """What is to be seen, and how many trials it is of."""
        counts = sorted({int(number(row, "n")) for row in self.rows(table)})
        n = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
        return f"{self.text} {n} {self.each}."


SOUPS = "Soups delivered in 75 steps"
STEPS = (
    "Each dot is a trial, placed at the steps it took; trials that were not solved within 50 steps stand apart and "
    "count as 50. Below the dots, the mean over all trials with its 95 % interval."
)
LINES = "Lines are means over trials, bands their 95 % intervals. A trial that is not solved counts as 50 steps."
DRAWN = "For each trial a library and its target are drawn from a pool of 32 tasks, the same for every agent and point."

FIGURES = {
    figure.name: figure
    for figure in (
        PaperFigure(
            name="2a",
            title="Night-time Pursuit: steps to solve the task",
            sweep="baseline",
            data=by_agent.steps_data,
            picture=by_agent.draw_steps,
            text=f"A 5 × 5 room, noise 0.3, four tasks. {STEPS}",
            each="trials for each agent",
        ),
        PaperFigure(
            name="2b",
            title="Night-time Pursuit: which task is it?",
            sweep="baseline",
            data=over_time.probability_data,
            picture=over_time.draw_probability,
            text="The probability that ATPO gives to the task that is going on, and to each of the three others (their "
            "mean), before each step. Lines are means over trials, bands their 95 % intervals.",
            each="trials",
        ),
        PaperFigure(
            name="3a",
            title="Night-time Pursuit: larger rooms",
            sweep="size",
            data=by_setting.data,
            picture=by_setting.draw_size,
            text=f"Noise 0.3, four tasks. {LINES} {DRAWN}",
            each="trials for each agent and point",
        ),
        PaperFigure(
            name="3b",
            title="Night-time Pursuit: more noise",
            sweep="noise",
            data=by_setting.data,
            picture=by_setting.draw_noise,
            text=f"A 5 × 5 room, four tasks. {LINES} {DRAWN}",
            each="trials for each agent and point",
        ),
        PaperFigure(
            name="3c",
            title="Night-time Pursuit: more tasks to tell apart",
            sweep="tasks",
            data=by_setting.data,
            picture=by_setting.draw_tasks,
            text=f"A 5 × 5 room, noise 0.3. {LINES} {DRAWN}",
            each="trials for each agent and point",
        ),
        PaperFigure(
            name="4a",
            title="Computing before the trial",
            sweep="setup",
            data=computing_time.setup_data,
            picture=computing_time.draw_setup,
            text="The time in which an agent is made ready for one task, with nothing cached: ATPO and Perseus solve "
            "a POMDP, BOPA and Value Iteration an MDP. Lines are geometric means, bands their 95 % intervals. Both "
            "axes are logarithmic; what is proportional to the number of states has the slope of the grey line. "
            "Times depend on the machine.",
            each="preparations for each agent and size",
        ),
        PaperFigure(
            name="4b",
            title="Computing in the trial",
            sweep="decision",
            data=computing_time.decision_data,
            picture=computing_time.draw_decision,
            text="The time of one step of an agent that knows four tasks: to choose an action and to update its "
            "beliefs. Lines are geometric means over single decisions, bands their 95 % intervals; axes as in 4a. "
            "Times depend on the machine.",
            each="decisions for each agent and size",
        ),
        PaperFigure(
            name="5a",
            title="Pursuit under partial observability: steps to solve the task",
            sweep="pursuit",
            data=by_agent.steps_data,
            picture=by_agent.draw_steps,
            text=f"A 5 × 5 torus, three teammates. {STEPS}",
            each="trials for each agent",
        ),
        PaperFigure(
            name="5b",
            title="Pursuit under partial observability: which teammate is it?",
            sweep="pursuit",
            data=over_time.entropy_data,
            picture=over_time.draw_entropy,
            text="The entropy of ATPO's belief over the three teammates, to base 3, before each step: mean over "
            "trials and 95 % interval.",
            each="trials",
        ),
        PaperFigure(
            name="6a",
            title="Overcooked: soups",
            sweep="overcooked",
            data=by_agent.tally_data,
            picture=partial(by_agent.draw_tally, title=SOUPS),
            text="Six tasks: as a helper with four kinds of cook, as a cook with two kinds of helper. Each dot is a "
            "trial, placed at the soups delivered in 75 steps. Below the dots, the mean with its 95 % interval. A "
            "dead end is a trial that ended where no soup can be delivered any more.",
            each="trials for each agent",
        ),
        PaperFigure(
            name="6b",
            title="Overcooked: which teammate is it?",
            sweep="overcooked",
            data=over_time.entropy_data,
            picture=over_time.draw_entropy,
            text="The entropy of the belief over teammates (to the base of their number) before each step, of ATPO "
            "and of Assistant, which also sees the teammate's actions: mean over trials and 95 % interval.",
            each="trials for each agent",
        ),
        PaperFigure(
            name="bound",
            title="Proposition 1: the loss and its bounds",
            sweep="bound",
            data=loss_bound.data,
            picture=loss_bound.draw,
            text="What ATPO lost in the trials of figure 2a by not knowing the task, summed over the "
            "steps so far; what the policy of the true task alone would have lost; and the right "
            "sides of the corrected bound: with the paper's Rmax/(1-γ), and sharper with the largest "
            "loss that the policies allow. The line that the paper prints mixes two of them and is "
            "no bound. Lines are medians over trials, bands hold the middle 80 %; a right side is "
            "infinite from where the agent rules the true task out. The axis is logarithmic and "
            "begins at 0.1: what is smaller is drawn there.",
            each="trials",
        ),
    )
}
