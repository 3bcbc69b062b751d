"""Compares agents in one library: every agent plays every task with the same luck.

Trial i of a task meets the same luck whichever agent plays, so a difference between two agents is taken trial by trial.
Comparisons with different seeds share no trial, so their results are independent. Agents are compared by the score that
all tasks share: a tally; steps until the task is solved, the horizon if it never is; or, where the scores differ or a
task cannot be solved, the discounted return.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.registry import AGENTS, agent
from walkon.arrays import Floats
from walkon.measuring.seeds import trial_seeds
from walkon.measuring.statistics import Interval, enough, student_interval
from walkon.saying import count, mean
from walkon.simulation.play import play_many
from walkon.solvers.defaults import Effort
from walkon.solvers.parallel import solve_all
from walkon.solvers.solve import Solver
from walkon.tasks import TaskLibrary
from walkon.trials.episode import Episode


@dataclass(frozen=True, eq=False)
class Comparison:
    """The score of each agent in each trial."""

    measure: str  # "steps", "return" or the name of a tally
    tasks: tuple[str, ...]  # [K]
    numbers: dict[str, Floats]  # by agent, [K, n]
    solved: dict[str, Floats]  # by agent, [K, n]; NaN where a task cannot be solved
    words: str  # the measure, in words

    def __repr__(self) -> str:
        means = [(name, self.mean(name)) for name in self.numbers]
        found = [f"{name} {mean(each.mean, each.high - each.mean)}" for name, each in means]
        trials = count(next(iter(self.numbers.values())).shape[1], "trial") if found else "no trials"
        tasks = count(len(self.tasks), "task")
        return f"Comparison({self.measure}: {', '.join(found)}; {tasks}, {trials} of each)"

    def mean(self, name: str, task: int | None = None) -> Interval:
        """Return an agent's mean, in one task or in all, with Student's 95 % interval."""
        return student_interval(self.numbers[name][... if task is None else task])

    def difference(self, name: str, to: str, task: int | None = None) -> Interval:
        """Return an agent's mean minus another's, with the interval of the differences trial by trial."""
        return student_interval((self.numbers[name] - self.numbers[to])[... if task is None else task])


def compare(
    library: TaskLibrary,
    agents: dict[str, Sequence[Agent[Any]]],
    *,
    trials: int = 32,
    seed: int = 0,
    horizon: int | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Play every task with every agent.

    Args:
        library: The tasks.
        agents: By name, the agent that plays each task, [K]; `contenders` makes them.
        trials: The number of episodes of each task.
        seed: Determines the luck of all episodes.
        horizon: The number of steps; the task's own if not given.
        watch: Is called with the number of tasks played so far, counted once for each agent, and their total.
    """
    enough(trials)
    measure, words = measured(library)
    numbers: dict[str, Floats] = {}
    solved: dict[str, Floats] = {}
    done, total = 0, len(agents) * len(library)
    for name, players in agents.items():
        rows, ends = [], []
        for k, (task, player) in enumerate(zip(library, players, strict=True)):
            episodes = play_many(task, player, trial_seeds("compare", seed, k, trials), horizon=horizon)
            rows.append([_number(episode, measure) for episode in episodes])
            ends.append([np.nan if task.solved is None else float(episode.solved) for episode in episodes])
            done += 1
            if watch:
                watch(done, total)
        numbers[name], solved[name] = np.array(rows, dtype=np.float64), np.array(ends, dtype=np.float64)
    return Comparison(measure, tuple(library.names), numbers, solved, words)


def contenders(
    names: Sequence[str],
    library: TaskLibrary,
    *,
    solver: Solver | None = None,
    effort: Effort = "usual",
    seed: int = 0,
    watch: Callable[[int, int], None] | None = None,
) -> dict[str, Sequence[Agent[Any]]]:
    """Make the agents of these names, one for each task, [K]. Nothing is solved twice.

    Args:
        names: Names that `walkon list` shows.
        library: The tasks.
        solver: Solves the tasks' POMDPs, as for `walkon.agent`. The union of all tasks has its own solver.
        effort: How much effort to put into solving where no solver is given.
        seed: Determines all random choices of the solver.
        watch: Is called with the number of problems solved so far, and their total.
    """
    solved: dict[Solver, Sequence[Any]] = {}
    ready: dict[str, Sequence[Agent[Any]]] = {}
    for name in names:
        needs, policies = AGENTS[name].needs, None
        if needs.model and needs.scope != "all at once":
            problems = replace(needs, scope="each task").problems(library)
            method = needs.solver(problems, solver, effort)
            if method not in solved:
                solved[method] = solve_all(problems, method, seed=seed, watch=watch)
            policies = solved[method]
        if needs.informed:
            ready[name] = [agent(name, library, target=k, policies=policies) for k in range(len(library))]
        else:
            made = agent(name, library, effort=effort, seed=seed, watch=watch, policies=policies)
            ready[name] = [made] * len(library)
    return ready


def measured(library: TaskLibrary) -> tuple[str, str]:
    """Return the name of the score that all tasks of a library share, and the words for it."""
    tally, scores = library[0].tally, {task.score for task in library}
    if tally is not None and len(scores) == 1:
        return tally.name, f"{tally.name} {tally.verb}"
    return ("steps", "steps until the task is solved") if scores == {"steps"} else ("return", "discounted return")


def _number(episode: Episode, measure: str) -> float:
    return {"steps": episode.steps, "return": episode.ret, **episode.tally}[measure]
