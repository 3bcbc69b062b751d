"""Learn a task from a log: counted tables, each with its uncertainty, and an ordinary Task made of their means.

A log by itself gives everything that its columns tell: states, transitions, sensor, the teammates' policy and the
start. With a base task, only the tables in `fit` are learned; the rest is the base's, and the base's tables are the
prior, with the weight of `strength` observations for each row, so that a row without observations stays as it was.

Where states or teammates' actions are unknown, a base is needed to infer them, see `fit`; counts are then expected
ones, and the tables' intervals allow for that, see `information`.
"""

import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from walkon.errors import InputError
from walkon.models.dirichlet import DirichletTable
from walkon.models.mmdp import MMDP
from walkon.models.pomdp import POMDP
from walkon.tasks.learning.fit import MOST_ENTRIES, ROUNDS, Fitted, Problem, fit_tables, replace_tables
from walkon.tasks.learning.held_out import FOLDS, HeldOut, compare_held_out
from walkon.tasks.learning.information import MOST
from walkon.tasks.learning.log import Hidden, Log, Model, Rows, Sizes, read_words
from walkon.tasks.task import Task

TABLES = ("transitions", "sensor", "teammates", "start")
SMOOTHING = 0.01


class LogWarning(UserWarning):
    """Something in a log was not used, or the log is not enough for what is to be learned."""


@dataclass(frozen=True, eq=False)
class Learned:
    """A task that was learned from a log.

    Attributes:
        task: The task, made of the tables' means.
        tables: The learned tables by name: "transitions" [A * B * X, X] with row (a * B + b) * X + x, "sensor"
            [A * X, Z] with row a * X + y, "teammates" [X, B], "start" [1, X].
        rows: The number of rows of the log.
        unexplained: The number of stretches with unknown states or teammates' actions that are impossible under the
            model; they were left out.
        rounds: The rounds of expectation maximisation; 0 where everything is known.
        warnings: What a user has to know about the result, one sentence each.
    """

    task: Task
    tables: dict[str, DirichletTable] = field(repr=False)
    rows: int
    unexplained: int
    rounds: int
    warnings: tuple[str, ...]
    problem: Problem = field(repr=False)
    episodes: Sequence[str] = field(repr=False)  # of each run of the problem

    def held_out(self, folds: int = FOLDS, seed: int = 0) -> HeldOut | None:
        """Compare the likelihood of episodes that were left out of learning with that under the base, smoothed.

        Without a base, it is compared with a model in which everything is equally likely. None for a single episode.

        Args:
            folds: The number of parts into which the episodes are divided; each is left out once.
            seed: Determines which episodes are left out together.
        """
        return compare_held_out(self.problem, self.episodes, folds, seed)


def learn(
    log: Log,
    *,
    base: Task | None = None,
    fit: Sequence[str] | None = None,
    strength: float = 1.0,
    smoothing: float = SMOOTHING,
    reward: Any = None,
    solved: Sequence[str] = (),
    discount: float = 0.95,
    horizon: int = 50,
    name: str = "learned",
    states: Sequence[Any] | None = None,
    actions: Sequence[Any] | None = None,
    observations: Sequence[Any] | None = None,
    teammate_actions: Sequence[Any] | None = None,
) -> Learned:
    """Learn a task from a log.

    Args:
        log: The episodes, see `walkon.read_log`.
        base: A task that is known already; the log uses its words.
        fit: With a base, which of its tables to learn: "transitions", "sensor", "teammates", "start".
        strength: The weight of the prior, in observations for each row.
        smoothing: Where something is unknown in the log, the share of the prior that is spread evenly over all outcomes
            of a row, so that what the base rules out can be learned; 0 leaves it impossible.
        reward: Expected rewards [X, A] or [X, A, B]; if not given, those of the base, or else the means of the log.
        solved: Without a base, the states in which the task is solved.
        discount: Without a base, the discount.
        horizon: Without a base, the number of steps of an episode.
        name: The name of the task.
        states: Without a base, all states, if some of them may not occur in the log; likewise `actions`,
            `observations` and `teammate_actions`.
        actions: All actions of the ad hoc agent.
        observations: All observations.
        teammate_actions: All joint actions of the teammates.
    """
    _check_log(log)
    if not np.isfinite(strength) or strength <= 0:
        raise InputError(f"strength is {strength!r}, expected a number above 0")
    if not 0 <= smoothing < 1:
        raise InputError(f"smoothing is {smoothing!r}, expected a number from 0 to below 1")
    tables = _tables(base, fit)
    listed = {"states": states, "actions": actions, "observations": observations, "teammate_actions": teammate_actions}
    words = read_words(log, base, listed)
    joint = base.mmdp is not None if base is not None else bool(words.teammate_actions)
    if not joint:
        tables = [table for table in tables if table != "teammates"]
    prior = _uniform(words.sizes) if base is None else _model(base)
    runs = [Hidden(run, int(log.steps[run.start]) == 0) for run in log.runs()]
    problem = Problem(words.rows, words.sizes, runs, prior, tables, strength, smoothing, infer=base is not None)
    fitted = fit_tables(problem)
    told = tuple(_warnings(log, problem, fitted))
    for text in told:
        warnings.warn(text, LogWarning, stacklevel=2)
    model = replace_tables(prior, {table: each.mean for table, each in fitted.tables.items()}, words.sizes)
    R = _rewards(log, words.rows, base, words.sizes, reward, joint)
    more: dict[str, Any] = {"name": name, "horizon": horizon}
    if base is not None:
        discount = base.pomdp.discount
        kept = ("solved", "horizon", "state_numbers", "observation_numbers", "view", *(("tally",) if joint else ()))
        more |= {fact: getattr(base, fact) for fact in kept}
        more["score"] = "return" if base.score == "return" else None
    elif solved:
        more["solved"] = np.isin(np.arange(words.sizes.X), [words.state(word) for word in solved])
    names: Any = {"states": words.states, "actions": words.actions}
    if not joint:
        pomdp = POMDP(model.P, model.O, R, model.start, discount, observations=words.observations, **names)
        task = Task.from_pomdp(pomdp, **more)
    else:
        B = words.sizes.B
        P = [model.P[a * B : (a + 1) * B] for a in range(words.sizes.A)]
        seats = None if base is None else base.seats
        team = MMDP(P, R, discount, seats, teammate_actions=words.teammate_actions, **names)
        task = Task(team, model.teammates, model.O, model.start, observations=words.observations, **more)
    episodes = [log.episodes[run.start] for run, _ in runs]
    return Learned(task, fitted.tables, len(log), fitted.unexplained, fitted.rounds, told, problem, episodes)


def _check_log(log: object) -> None:
    """Refuse what has to be read first."""
    if not isinstance(log, Log):
        kind = "a path" if isinstance(log, str | os.PathLike) else f"a {type(log).__name__}"
        raise InputError(f"log is {kind}: make a log of it first, walkon.learn(walkon.read_log(...), ...)")


def _warnings(log: Log, problem: Problem, fitted: Fitted) -> Iterator[str]:
    """Yield what a user has to know about the result."""
    if skipped := (*log.skipped, *(("task",) if log.tasks else ())):
        plural = "s" if len(skipped) > 1 else ""
        yield f"{log.source}: column{plural} {', '.join(map(repr, skipped))} skipped: walkon has no use for it"
    stretches = "stretches of rows with unknown states or teammates' actions"
    if not problem.infer and (unused := len(problem.unknown)):
        yield f"{log.source}: {unused:,} {stretches} were left out: give a base task, with which they can be inferred"
    if fitted.unexplained:
        left = f"{fitted.unexplained:,} of {len(problem.unknown):,} {stretches} were left out"
        yield f"{log.source}: {left}: the base makes them impossible, whatever is learned of {_and(problem.tables)}"
    if not fitted.converged:
        search = f"the probabilities were still changing after {ROUNDS:,} rounds"
        yield f"{search}, when the search stopped: learn fewer tables, or give a log in which more is known"
    if fitted.rounds and not problem.anchored:
        what = "no state is known and both transitions and sensor are learned, so nothing says which state is which"
        yield f"{what} and no row is determined: give some states, or learn only one of the two"
    elif not fitted.measured:
        many = f"more than {MOST:,} probabilities were inferred, too many for intervals"
        yield f"{many}: learn fewer tables, or give a log in which more is known"
    large = [table for table in problem.tables if not problem.full(table)] if fitted.rounds else []
    if large and problem.smoothing:
        yield f"{_and(large)} would have more than {MOST_ENTRIES:,} entries: what the base rules out stays impossible"


def _and(tables: Sequence[str]) -> str:
    return " and ".join(tables)


def _tables(base: Task | None, fit: Sequence[str] | None) -> Sequence[str]:
    """Check which tables to learn."""
    if base is None:
        if fit is not None:
            raise InputError("fit says which tables of a base task to learn: give base=..., or leave fit out")
        return TABLES
    wanted = (fit,) if isinstance(fit, str) else tuple(fit or ())
    if not wanted:
        raise InputError(f"with a base task, say what to learn: fit=[...], or --fit, with some of {', '.join(TABLES)}")
    for table in wanted:
        if table not in TABLES:
            raise InputError(f"fit has {table!r}, expected some of {', '.join(TABLES)}")
    if "teammates" in wanted and base.mmdp is None:
        raise InputError(f'in task "{base.name}" the teammates are folded in: they cannot be learned by themselves')
    return wanted


def _model(base: Task) -> Model:
    """Return the model of a base task."""
    pomdp = base.pomdp
    if base.mmdp is None or base.teammates is None:
        return Model(pomdp.P, pomdp.O, csr_array(np.ones((len(pomdp.start), 1))), pomdp.start)
    return Model([p for each in base.mmdp.P for p in each], pomdp.O, base.teammates, pomdp.start)


def _uniform(sizes: Sizes) -> Model:
    """Return a model in which everything is equally likely."""
    X, A, B, Z = sizes
    if (entries := A * B * X * X + A * X * Z) > MOST_ENTRIES:
        tables = f"tables over {X:,} states, {A} x {B} actions and {Z:,} observations have {entries:,} entries"
        raise InputError(f"{tables}, more than {MOST_ENTRIES:,}: give a base task, which says what is possible")

    def level(rows: int, columns: int) -> csr_array:
        return csr_array(np.full((rows, columns), 1 / columns))

    return Model([level(X, X)] * (A * B), [level(X, Z)] * A, level(X, B), np.full(X, 1 / X))


def _rewards(log: Log, rows: Rows, base: Task | None, sizes: Sizes, given: Any, joint: bool) -> Any:
    """Return expected rewards: the given ones, those of the base, or the means of the log."""
    X, A, B, _ = sizes
    if given is not None:
        array = np.asarray(given, dtype=np.float64)
        return np.repeat(array[:, :, np.newaxis], B, axis=2) if joint and array.ndim == 2 else array
    if base is not None:
        return base.mmdp.R if base.mmdp is not None else base.pomdp.R
    paid = ~np.isnan(log.rewards) & (rows.states >= 0) & (rows.actions >= 0) & (rows.teammate_actions >= 0)
    everywhere = float(log.rewards[paid].mean()) if paid.any() else 0.0
    total, often = np.zeros((X, A, B)), np.zeros((X, A, B))
    place = (rows.states[paid], rows.actions[paid], rows.teammate_actions[paid])
    np.add.at(total, place, log.rewards[paid])
    np.add.at(often, place, 1.0)
    mean = np.where(often > 0, total / np.maximum(often, 1), everywhere)
    return mean if joint else mean[:, :, 0]
