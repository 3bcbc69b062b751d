"""Learn a task from a log: counted tables, each with its uncertainty, and an ordinary Task made of their means.

A log by itself gives everything that its columns tell: states, transitions, sensor, the teammates' policy and the
start. With a base task, only the tables in `fit` are learned; the rest is the base's, and the base's tables are the
prior, with the weight of `strength` observations for each row, so that a row without observations stays as it was.

Where states are unknown, the base is needed to infer them, by expectation maximisation: each round raises

    log P(log | tables) + sum_ij alpha(i, j) log p(i, j),

so that it converges. It stops when a round gains less than 1e-7 for each row of the log, or after 200 rounds. The
tables' intervals then treat inferred states as if they had been seen and are far too narrow: in trials, those of 95 %
covered 36 to 60 %.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array, vstack

from walkon.errors import InputError
from walkon.models.dirichlet import DirichletTable
from walkon.models.mmdp import MMDP
from walkon.models.pomdp import POMDP
from walkon.tasks.learning.log import Log, Model, Rows, Sizes, Words, expected, hidden_runs, known_counts, read_words
from walkon.tasks.task import Task

TABLES = ("transitions", "sensor", "teammates", "start")
MOST_ENTRIES = 2 * 10**7
ROUNDS = 200
STANDSTILL = 1e-7


@dataclass(frozen=True, eq=False)
class Learned:
    """A task that was learned from a log.

    Attributes:
        task: The task, made of the tables' means.
        tables: The learned tables by name: "transitions" [A * B * X, X] with row (a * B + b) * X + x, "sensor"
            [A * X, Z] with row a * X + y, "teammates" [X, B], "start" [1, X].
        rows: The number of rows of the log.
        unexplained: The number of runs of rows with unknown states that are impossible under the model; they were
            left out.
        rounds: The rounds of expectation maximisation; 0 where all states are known. Otherwise the tables' intervals
            are far too narrow.
    """

    task: Task
    tables: dict[str, DirichletTable]
    rows: int
    unexplained: int
    rounds: int


def learn(
    log: Log,
    *,
    base: Task | None = None,
    fit: Sequence[str] | None = None,
    strength: float = 1.0,
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
    if not np.isfinite(strength) or strength <= 0:
        raise InputError(f"strength is {strength!r}, expected a number above 0")
    tables = _tables(base, fit)
    listed = {"states": states, "actions": actions, "observations": observations, "teammate_actions": teammate_actions}
    words = read_words(log, base, listed)
    joint = base.mmdp is not None if base is not None else bool(words.teammate_actions)
    if not joint:
        tables = [table for table in tables if table != "teammates"]
    prior = _uniform(words.sizes) if base is None else _model(base)
    learned, unexplained, rounds = _fit(log, words, prior, tables, strength, infer=base is not None)
    model = _replace(prior, learned, words.sizes)
    R = _rewards(log, words.rows, base, words.sizes, reward, joint)
    more: dict[str, Any] = {"name": name, "horizon": horizon}
    if base is not None:
        discount = base.pomdp.discount
        kept = ("solved", "horizon", "state_numbers", "observation_numbers", "view", *(("tally",) if joint else ()))
        more |= {fact: getattr(base, fact) for fact in kept}
    elif solved:
        more["solved"] = np.isin(np.arange(words.sizes.X), [words.state(word) for word in solved])
    names: Any = {"states": words.states, "actions": words.actions}
    if not joint:
        pomdp = POMDP(model.P, model.O, R, model.start, discount, observations=words.observations, **names)
        return Learned(Task.from_pomdp(pomdp, **more), learned, len(log), unexplained, rounds)
    B = words.sizes.B
    P = [model.P[a * B : (a + 1) * B] for a in range(words.sizes.A)]
    seats = None if base is None else base.seats
    team = MMDP(P, R, discount, seats, teammate_actions=words.teammate_actions, **names)
    task = Task(team, model.teammates, model.O, model.start, observations=words.observations, **more)
    return Learned(task, learned, len(log), unexplained, rounds)


def _tables(base: Task | None, fit: Sequence[str] | None) -> Sequence[str]:
    """Check which tables to learn."""
    if base is None:
        if fit is not None:
            raise InputError("fit says which tables of a base task to learn: give base=..., or leave fit out")
        return TABLES
    wanted = (fit,) if isinstance(fit, str) else tuple(fit or ())
    if not wanted:
        raise InputError(f"with a base task, say what to learn: fit=[...] with some of {', '.join(TABLES)}")
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


def _fit(
    log: Log, words: Words, prior: Model, tables: Sequence[str], strength: float, infer: bool
) -> tuple[dict[str, DirichletTable], int, int]:
    """Learn tables; return them, the number of unexplained runs and that of rounds. `infer` expects unknown states."""
    rows, sizes, runs = words.rows, words.sizes, log.runs()
    firsts = [int(log.steps[run.start]) == 0 for run in runs]
    known = known_counts(rows, runs, firsts, sizes)
    stacked = {
        "transitions": lambda: vstack(prior.P, format="csr"),
        "sensor": lambda: vstack(prior.O, format="csr"),
        "teammates": lambda: csr_array(prior.teammates),
        "start": lambda: csr_array(prior.start[np.newaxis]),
    }
    before = {table: strength * stacked[table]() for table in tables}
    learned = {table: DirichletTable(before[table], known[table]) for table in tables}
    begun = zip(runs, firsts, strict=True)
    hidden = [part for run, first in begun for part in hidden_runs(rows, run, first)] if infer else []
    reached, rounds, unexplained = -np.inf, 0, 0
    while hidden and rounds < ROUNDS:
        found = expected(_replace(prior, learned, sizes), rows, hidden, sizes)
        height = found.likelihood + sum(_height(learned[table], before[table] + known[table]) for table in tables)
        learned = {table: DirichletTable(before[table], known[table] + found.counts[table]) for table in tables}
        rounds, unexplained = rounds + 1, found.unexplained
        if height - reached <= STANDSTILL * len(log):
            break
        reached = height
    return learned, unexplained, rounds


def _height(table: DirichletTable, weights: csr_array) -> float:
    """Compute what the prior and the known counts of a table contribute to the objective."""
    logs = table.mean.copy()
    logs.data = np.log(logs.data)
    return float(weights.multiply(logs).sum())


def _replace(prior: Model, learned: dict[str, DirichletTable], sizes: Sizes) -> Model:
    """Replace the tables of a model that were learned."""
    X, A, B, _ = sizes
    P, O, teammates, start = prior
    if "transitions" in learned:
        P = [learned["transitions"].mean[i * X : (i + 1) * X] for i in range(A * B)]
    if "sensor" in learned:
        O = [learned["sensor"].mean[a * X : (a + 1) * X] for a in range(A)]
    if "teammates" in learned:
        teammates = learned["teammates"].mean
    if "start" in learned:
        start = learned["start"].mean.toarray().ravel()
    return Model(P, O, teammates, start)


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
