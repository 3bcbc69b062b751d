"""Compares agents in one library: every agent plays every task with the same luck.

Trial i of a task meets the same luck whichever agent plays, so a difference between two agents is taken trial by trial.
Comparisons with different seeds share no trial, so their results are independent. Agents are compared by the score that
all tasks share: a tally; steps until the task is solved, the horizon if it never is; or, where a task says so or cannot
be solved, or the scores differ, the discounted return. Any other score of `SCORES` can be asked for.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from walkon.arrays import Floats
from walkon.checks import one_of
from walkon.errors import InputError
from walkon.measuring.contenders import Wanted, players_of
from walkon.measuring.extremes import extremes
from walkon.measuring.metrics import measure
from walkon.measuring.seeds import trial_seeds
from walkon.measuring.statistics import Interval, bounded_interval, enough, interquartile_mean
from walkon.saying import count, mean
from walkon.simulation.play import play_many
from walkon.solvers.defaults import Effort
from walkon.solvers.solve import Solver
from walkon.tasks import Task, TaskLibrary
from walkon.tasks.given import check_library
from walkon.trials.episode import Episode

NAN = float("nan")
SCORES = {
    "steps": "steps until the task is solved",
    "return": "discounted return",
    "solved": "share of tasks solved",
    "identified": "steps until the task is identified",
}
FEWER = ("steps", "identified")  # scores of which less is better
Rows = Mapping[str, Sequence[Sequence[Mapping[str, float]]]]  # by agent, the numbers of each trial of each task, [K, n]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """The numbers of each agent in each trial of K tasks, n for each.

    Attributes:
        measure: The score: "steps", "return", "solved", "identified" or the name of a tally.
        tasks: The names of the tasks that were played, [K].
        rows: By agent, the numbers of each trial: its seed, horizon, steps and so on, [K, n].
        words: The score in words.
        bounds: The least and the most that the score can be in an episode; NaN if that is not known.
        episodes: By agent, the episodes [K, n], if they were to be kept.
    """

    measure: str
    tasks: tuple[str, ...]
    rows: Rows
    words: str
    bounds: tuple[float, float] = (NAN, NAN)
    episodes: Mapping[str, Sequence[Sequence[Episode]]] | None = None

    def __repr__(self) -> str:
        means = [(name, self.mean(name)) for name in self.rows]
        found = ", ".join(f"{name} {mean(each.mean, each.high - each.mean)}" for name, each in means)
        tasks, trials = count(len(self.tasks), "task"), count(self.trials, "trial")
        return f"Comparison({self.measure}: {found}; {tasks}, {trials} of each)"

    @property
    def trials(self) -> int:
        """The number of trials of each task."""
        return len(next(iter(self.rows.values()))[0])

    @property
    def horizon(self) -> int:
        """The number of steps after which trials ended; of several, the largest."""
        return int(max(row["horizon"] for each in self.rows.values() for task in each for row in task))

    @cached_property
    def numbers(self) -> dict[str, Floats]:
        """The score in each trial, by agent, [K, n]."""
        return {name: self.column(name, self.measure) for name in self.rows}

    @cached_property
    def solved(self) -> dict[str, Floats]:
        """Whether each trial was solved, by agent, [K, n]; NaN where a task cannot be solved."""
        return {name: self.column(name, "solved") for name in self.rows}

    def column(self, name: str, what: str) -> Floats:
        """Return one number of each trial of an agent, [K, n]; NaN where it does not apply."""
        if name not in self.rows:
            raise InputError(f"{name!r} was not compared: expected one of {', '.join(self.rows)}")
        return np.array([[row.get(what, NAN) for row in trials] for trials in self.rows[name]], dtype=np.float64)

    def mean(self, name: str, task: int | None = None) -> Interval:
        """Return an agent's mean, in one task or in all, with a 95 % interval that covers also if trials are few."""
        return bounded_interval(self.numbers[name][... if task is None else task], *self.bounds)

    def difference(self, name: str, to: str, task: int | None = None) -> Interval:
        """Return an agent's mean minus another's, with the interval of the differences trial by trial."""
        low, high = self.bounds
        apart = (self.numbers[name] - self.numbers[to])[... if task is None else task]
        return bounded_interval(apart, low - high, high - low)

    def regret(self, name: str, to: str, task: int | None = None) -> float:
        """Return how much worse an agent is than another, such as the best response to a task's teammates."""
        apart = self.difference(name, to, task).mean
        return apart if self.measure in FEWER else -apart + 0.0

    def interquartile_mean(self, name: str, task: int | None = None) -> float:
        """Return the mean of the middle half of an agent's numbers, in one task or in all."""
        return interquartile_mean(self.numbers[name][... if task is None else task])

    def frame(self) -> dict[str, list[Any]]:
        """Return one row for each trial, as columns: `pandas.DataFrame(found.frame())` takes them as they are.

        The columns are agent, task, trial, seed, horizon, steps, solved, return, the tallies, identified (the number of
        steps until the task was), p_true (the final probability of the true task) and unexplained (the number of
        observations that no task explained); NaN where one does not apply.
        """
        names = dict.fromkeys(name for each in self.rows.values() for task in each for row in task for name in row)
        found: dict[str, list[Any]] = {name: [] for name in ("agent", "task", "trial", *names)}
        for agent, tasks in self.rows.items():
            for task, trials in zip(self.tasks, tasks, strict=True):
                for i, row in enumerate(trials):
                    values = {"agent": agent, "task": task, "trial": i} | dict(row)
                    for name, column in found.items():
                        column.append(values.get(name, NAN))
        return found


def compare(
    library: TaskLibrary,
    agents: Wanted,
    *,
    trials: int = 32,
    seed: int = 0,
    horizon: int | None = None,
    score: str | None = None,
    solver: Solver | None = None,
    effort: Effort = "usual",
    teammates_of: int | None = None,
    keep: bool = False,
    watch: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Play every task with every agent.

    Args:
        library: The tasks.
        agents: Names, each with options if wanted, as in ["atpo", "bopa:evidence=transitions"]; or by name, a name, an
            agent, one agent for each task, or a function of the library that returns either.
        trials: The number of episodes of each task.
        seed: Determines the luck of all episodes, and the random choices of the solver.
        horizon: The number of steps; the task's own if not given.
        score: The number that is compared: one of `SCORES` or the tasks' tally; the one that they share if not given.
        solver: Solves the tasks' POMDPs for agents that are given by name.
        effort: How much effort to put into solving where no solver is given: "quick", "usual" or "thorough".
        teammates_of: Play this task only, and leave it out of what agents know, unless they are told the task.
        keep: Whether to keep the episodes, for a metric of your own.
        watch: Is called with the number of problems solved so far and their total, then with tasks played so far,
            counted once for each agent, and their total.
    """
    check_library(library)
    enough(trials)
    measured(library, score)
    players = players_of(agents, library, teammates_of, solver=solver, effort=effort, seed=seed, watch=watch)
    played = range(len(library)) if teammates_of is None else [teammates_of]
    rows: dict[str, list[list[dict[str, float]]]] = {name: [] for name in players}
    kept: dict[str, list[list[Episode]]] = {name: [] for name in players}
    done, total = 0, len(players) * len(played)
    for name, each in players.items():
        for k in played:
            episodes = play_many(library[k], each[k], trial_seeds("compare", seed, k, trials), horizon=horizon)
            target = _place(library[k], each[k].library)
            rows[name].append([numbers_of(episode, library[k], target) for episode in episodes])
            if keep:
                kept[name].append(episodes)
            done += 1
            if watch:
                watch(done, total)
    return comparison(library, rows, score, horizon, played=played, episodes=kept if keep else None)


def comparison(
    library: TaskLibrary,
    rows: Rows,
    score: str | None,
    horizon: int | None,
    *,
    played: Iterable[int],
    episodes: Mapping[str, Sequence[Sequence[Episode]]] | None = None,
) -> Comparison:
    """Make a comparison of the numbers of its trials."""
    name, words = measured(library, score)
    tasks = [library[k] for k in played]
    ends = np.array([extremes(task, name, task.horizon if horizon is None else horizon) for task in tasks])
    bounds = (float(ends[:, 0].min()), float(ends[:, 1].max()))
    return Comparison(name, tuple(task.name for task in tasks), rows, words, bounds, episodes)


def numbers_of(episode: Episode, task: Task, target: int | None) -> dict[str, float]:
    """Return a trial's numbers, as in `Comparison.frame`; `target` is the task's place in the agent's library."""
    if episode.task_beliefs is None or episode.task_beliefs.shape[1] < 2:
        target = None
    found = measure(episode, task, target)
    numbers: dict[str, float] = {
        "seed": episode.seed,
        "horizon": episode.horizon,
        "steps": episode.steps,
        "solved": float(episode.solved) if task.ends else NAN,
        "return": episode.ret,
        **episode.tally,
    }
    late = episode.horizon if found.identified_at is None else found.identified_at
    believed = found.final_p_true
    numbers["identified"] = NAN if believed is None else late
    numbers["p_true"] = NAN if believed is None else believed
    return numbers | {"unexplained": len(episode.events)}


def _place(task: Task, known: TaskLibrary) -> int | None:
    """Return the place of a task in the library of an agent; None if the agent does not know it."""
    return next((k for k, each in enumerate(known) if each is task), None)


def measured(library: TaskLibrary, score: str | None = None) -> tuple[str, str]:
    """Return the name of a score, that which all tasks of a library share if not given, and the words for it."""
    tally, scores = library[0].tally, {task.score for task in library}
    shared = tally is not None and all(task.tally is not None and task.tally.name == tally.name for task in library)
    known = SCORES | ({tally.name: f"{tally.name} {tally.verb}"} if tally is not None and shared else {})
    usual = scores.pop() if len(scores) == 1 else "return"
    name = usual if score is None else str(one_of("score", score, tuple(known)))
    if name in ("steps", "solved") and not all(task.ends for task in library):
        raise InputError(f"score is {name!r}, but a task has no end, so it is never solved: compare by the return")
    return name, known[name]
