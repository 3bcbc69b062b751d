"""Learning a task from a log: counted tables, each with how sure it is, and an ordinary Task made of their means.

Alone, a log gives everything: states, moves, sensor, the teammates' policy and the start, as far as its columns go.
With a base task, only the tables in `fit` are learned and the rest is the base's; what the base says is then what is
held before the log is read, with the weight of `strength` observations for each row, so that a row that was never seen
stays as it was. Where states are unknown, the base is needed to guess them, see `walkon.tasks.learning.fit`. The
tables' intervals then take guesses for what was seen and are far too narrow: in trials, those of 95 % covered 36 to
60 %.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.dirichlet import DirichletTable
from walkon.models.mmdp import MMDP
from walkon.models.pomdp import POMDP
from walkon.tasks.learning.counts import Rows, Sizes
from walkon.tasks.learning.fit import assembled, fitted
from walkon.tasks.learning.log import Log
from walkon.tasks.learning.smoothing import Model
from walkon.tasks.learning.words import Words, read_words
from walkon.tasks.task import Task

TABLES = ("transitions", "sensor", "teammates", "start")
MOST_ENTRIES = 2 * 10**7


@dataclass(frozen=True, eq=False)
class Learned:
    """What a log taught.

    Attributes:
        task: The task, made of the tables' means.
        tables: What was learned, by name: "transitions" [A * B * X, X] with row (a * B + b) * X + x, "sensor"
            [A * X, Z] with row a * X + y, "teammates" [X, B], "start" [1, X].
        rows: How many rows the log has.
        unexplained: How many runs of rows with unknown states the model rules out; they were left out.
        rounds: How often tables and expectations were improved; 0 where all states are known. Else the tables'
            intervals are far too narrow.
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
        log: What happened, see `walkon.read_log`.
        base: A task that is known already; its words are those of the log.
        fit: With a base, which of its tables to learn: "transitions", "sensor", "teammates", "start".
        strength: How many observations what is held before weighs, for each row.
        reward: Expected rewards [X, A] or [X, A, B]; if not given, the means of the log (those of the base).
        solved: Without a base, the states in which the task is solved.
        discount: Without a base, the discount.
        horizon: Without a base, how many steps an episode has.
        name: What the task is called.
        states: Without a base, all states, where the log may not have seen them all; likewise `actions`,
            `observations` and `teammate_actions`.
        actions: All actions of the ad hoc agent.
        observations: All observations.
        teammate_actions: All joint actions of the teammates.
    """
    if not np.isfinite(strength) or strength <= 0:
        raise InputError(f"strength is {strength!r}, expected a number above 0")
    tables = _tables(base, fit)
    words = read_words(
        log, base, states=states, actions=actions, observations=observations, teammate_actions=teammate_actions
    )
    joint = base.mmdp is not None if base is not None else bool(words.teammate_actions)
    if base is None and not joint:
        tables = tuple(table for table in tables if table != "teammates")
    sizes, rows = words.sizes, words.rows
    prior = _before(base, sizes) if base is not None else _uniform(sizes)
    fit_ = fitted(log, rows, sizes, prior, tables, strength, guess=base is not None)
    made = assembled(prior, fit_.tables, sizes)
    task = _task(
        base, words, made, joint, _rewards(log, rows, base, sizes, reward, joint), name, solved, discount, horizon
    )
    return Learned(task, fit_.tables, len(log), fit_.unexplained, fit_.rounds)


def _tables(base: Task | None, fit: Sequence[str] | None) -> tuple[str, ...]:
    """What is to be learned."""
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


def _before(base: Task, sizes: Sizes) -> Model:
    """What is held before: what the base says."""
    pomdp = base.pomdp
    if base.mmdp is None:
        return Model(pomdp.P, pomdp.O, csr_array(np.ones((sizes.X, 1))), pomdp.start)
    assert base.teammates is not None
    return Model([p for each in base.mmdp.P for p in each], pomdp.O, base.teammates, pomdp.start)


def _uniform(sizes: Sizes) -> Model:
    """What is held before where nothing is known: everything is as likely as anything."""
    X, A, B, Z = sizes
    if (entries := A * B * X * X + A * X * Z) > MOST_ENTRIES:
        raise InputError(
            f"tables over {X:,} states, {A} x {B} actions and {Z:,} observations have {entries:,} entries, more than "
            f"{MOST_ENTRIES:,}: give a base task, which says what is possible"
        )

    def level(rows: int, columns: int) -> csr_array:
        return csr_array(np.full((rows, columns), 1 / columns))

    return Model([level(X, X)] * (A * B), [level(X, Z)] * A, level(X, B), np.full(X, 1 / X))


def _rewards(log: Log, rows: Rows, base: Task | None, sizes: Sizes, given: Any, joint: bool) -> Any:
    """Expected rewards: those that were given, those of the base, or the means of the log."""
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
    mean: Floats = np.where(often > 0, total / np.maximum(often, 1), everywhere)
    return mean if joint else mean[:, :, 0]


def _task(
    base: Task | None,
    words: Words,
    made: Model,
    joint: bool,
    R: Any,
    name: str,
    solved: Sequence[str],
    discount: float,
    horizon: int,
) -> Task:
    """An ordinary task."""
    A, B = words.sizes.A, words.sizes.B
    more: dict[str, Any] = {"horizon": horizon}
    done = None
    if base is not None:
        discount, done = base.pomdp.discount, base.solved
        kept = ("horizon", "state_numbers", "observation_numbers", "view", *(("tally",) if joint else ()))
        more = {fact: getattr(base, fact) for fact in kept}
    elif solved:
        done = np.isin(np.arange(words.sizes.X), [words.state(word) for word in solved])
    names: Any = {"states": words.states, "actions": words.actions}
    if not joint:
        pomdp = POMDP(made.P, made.O, R, made.start, discount, observations=words.observations, **names)
        return Task.from_pomdp(pomdp, done, name, **more)
    table = [made.P[a * B : (a + 1) * B] for a in range(A)]
    seats = None if base is None else base.seats
    team = MMDP(table, R, discount, seats, teammate_actions=words.teammate_actions, **names)
    return Task(team, made.teammates, made.O, made.start, done, name, observations=words.observations, **more)
