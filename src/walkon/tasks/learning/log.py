"""A log: episodes as rows of words, the same rows as numbers, and counts of what happened in them.

Where states are not known, the counts are expectations under a model, by the forward-backward recursion (Baum and
others 1970):

    alpha_t+1(y) = sum_x alpha_t(x) W_t(x, y) e_t+1(y)          beta_t(x) = sum_y W_t(x, y) e_t+1(y) beta_t+1(y)

where W_t(x, y) is the probability of the step, including the teammates' action where it is known, and e_t+1(y) that of
the observation; where the state is known, it is 1 for that state and 0 for others. Known facts are counted as they are,
even if the model finds them unlikely.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats, Ints, Names
from walkon.errors import InputError
from walkon.models.stacked import Stacked, stack
from walkon.plugins import suggestion
from walkon.tasks.learning.smoothing_kernels import smooth
from walkon.tasks.task import Task

LONGEST = 2**27  # rows of a run times states: 1 GiB
MOST_GUESSES = 1000  # among more names, looking for a similar one takes too long

Column: TypeAlias = tuple[str, ...]  # [N]; "" where it is not known
Row: TypeAlias = tuple[int, str, int, str, str, str, str, float]  # in the order of the fields of `Log`


@dataclass(frozen=True, eq=False)
class Log:
    """N rows in the order of their episodes and steps.

    A row describes one step of an episode: the state before it, the actions of the agent and of its teammates, the
    observation after it, and its reward. The last row of an episode may have only the state in which it ended.
    """

    source: str  # where it comes from, for error messages
    lines: Ints  # [N], the line of each row in its file
    episodes: Column  # the rows of one episode are consecutive
    steps: Ints  # [N]; a gap means that the steps in between are missing
    actions: Column
    observations: Column  # after the action
    states: Column  # before the action
    teammates: Column  # their joint actions
    rewards: Floats  # [N]; NaN where it is not known
    skipped: tuple[str, ...] = ()  # further columns of the file
    tasks: Column = ()  # the task that was going on; no rows where the file does not say

    @classmethod
    def of(cls, source: str, rows: Sequence[Row], skipped: tuple[str, ...] = (), tasks: Column = ()) -> "Log":
        """Make a log of rows that are in the right order."""
        lines, episodes, steps, actions, observations, states, teammates, rewards = zip(*rows, strict=True)
        line, step = np.array(lines, np.int64), np.array(steps, np.int64)
        words = (actions, observations, states, teammates)
        return cls(source, line, episodes, step, *words, np.array(rewards), skipped, tasks)

    def __len__(self) -> int:
        return len(self.steps)

    def runs(self) -> list[range]:
        """Return the stretches of rows that follow one another without a gap."""
        runs, begin = [], 0
        for i in range(1, len(self) + 1):
            if i == len(self) or self.episodes[i] != self.episodes[i - 1] or self.steps[i] != self.steps[i - 1] + 1:
                runs.append(range(begin, i))
                begin = i
        return runs


class Sizes(NamedTuple):
    """The number of states, actions, joint actions of the teammates (1 where they are folded in) and observations."""

    X: int
    A: int
    B: int
    Z: int

    def shape(self, table: str) -> tuple[int, int]:
        """The shape of a table: one row for each distribution in it."""
        X, A, B, Z = self
        return {"transitions": (A * B * X, X), "sensor": (A * X, Z), "teammates": (X, B), "start": (1, X)}[table]


class Rows(NamedTuple):
    """The rows of a log as numbers; -1 where something is not known."""

    states: Ints  # [N]
    actions: Ints  # [N]
    teammate_actions: Ints  # [N]; 0 where the teammates are folded in
    observations: Ints  # [N]


@dataclass(frozen=True, eq=False)
class Words:
    """The names of all things, and the rows of the log in their numbers."""

    sizes: Sizes
    rows: Rows
    states: Names | None
    actions: Names | None
    observations: Names | None
    teammate_actions: Names | None  # None where the teammates are folded in

    def state(self, word: str) -> int:
        """Return the number of a state."""
        assert self.states is not None
        if word not in self.states:
            raise InputError(f"solved has {word!r}, which is not a state: {_few(self.states)}")
        return self.states.index(word)


def read_words(log: Log, base: Task | None, listed: dict[str, Sequence[Any] | None]) -> Words:
    """Turn the words of a log into numbers: the words of the base, those that are listed, or those that occur."""
    if base is None:
        columns = zip(listed.items(), (log.states, log.actions, log.observations, log.teammates), strict=True)
        states, actions, observations, teammates = (_names(name, given, words) for (name, given), words in columns)
        for what, names in (("state", states), ("action", actions), ("observation", observations)):
            if not names:
                reason = "without a base task, a task can be learned only where it is known"
                raise InputError(f"{log.source} has no {what}: {reason}")
        theirs: Names | None = teammates or None
        sizes = Sizes(len(states), len(actions), len(teammates) or 1, len(observations))
        rows = _rows(log, states, actions, observations, theirs)
        return Words(sizes, rows, states, actions, observations, theirs)
    if any(given is not None for given in listed.values()):
        raise InputError(f"{', '.join(listed)} are those of the base: leave them out")
    pomdp, team = base.pomdp, base.mmdp
    X, A = pomdp.R.shape
    sizes = Sizes(X, A, 1 if team is None else team.R.shape[2], pomdp.O[0].shape[1])
    theirs = None if team is None else team.teammate_actions or _numbers(sizes.B)
    known = (pomdp.states or _numbers(X), pomdp.actions or _numbers(A), pomdp.observations or _numbers(sizes.Z))
    return Words(sizes, _rows(log, *known, theirs), pomdp.states, pomdp.actions, pomdp.observations, theirs)


def _names(name: str, given: Sequence[Any] | None, words: Sequence[str]) -> Names:
    if given is None:
        return tuple(sorted(set(words) - {""}, key=_by_value))
    if isinstance(given, str):
        raise InputError(f"{name} is the string {given!r}, expected a list of names")
    return tuple(map(str, given))


def _by_value(word: str) -> tuple[bool, int, str]:
    """Order numbers by their value, then other words alphabetically."""
    is_whole = word.isascii() and word.isdigit() and len(word) < 19
    return not is_whole, int(word) if is_whole else 0, word


def _numbers(size: int) -> Names:
    return tuple(map(str, range(size)))


def _rows(log: Log, states: Names, actions: Names, observations: Names, theirs: Names | None) -> Rows:
    x, a = _column(log, "state", log.states, states), _column(log, "action", log.actions, actions)
    b = np.zeros(len(log), np.int64) if theirs is None else _column(log, "teammates", log.teammates, theirs)
    return Rows(x, a, b, _column(log, "observation", log.observations, observations))


def _column(log: Log, what: str, words: Sequence[str], known: Names) -> Ints:
    """Return the numbers of a column; -1 where the cell is empty."""
    number = {word: i for i, word in enumerate(known)} | {"": -1}
    for line, word in zip(log.lines.tolist(), words, strict=True):
        if word not in number:
            meant = suggestion(word, known) if len(known) <= MOST_GUESSES else ""
            raise InputError(f"{log.source}, line {line}: {what} {word!r:.80} is not known{meant}: {_few(known)}")
    return np.array([number[word] for word in words], dtype=np.int64)


def _few(known: Names) -> str:
    return f"expected one of {', '.join(known[:8])}{', ...' if len(known) > 8 else ''}"


class Model(NamedTuple):
    """The model under which expectations are taken."""

    P: Sequence[csr_array]  # [A * B] of [X, X]
    O: Sequence[csr_array]  # [A] of [X, Z]
    teammates: csr_array  # [X, B]
    start: Floats  # [X]


class Hidden(NamedTuple):
    """A run of rows in which only the first and the last state may be known; all rows but the last have an action."""

    rows: range
    first: bool  # whether an episode begins with it


class Expected(NamedTuple):
    """The expectations over some runs."""

    counts: dict[str, csr_array]
    likelihood: float  # the logarithm
    unexplained: int  # runs that are impossible under the model; they are left out


def known_counts(rows: Rows, runs: Sequence[range], firsts: Sequence[bool], sizes: Sizes) -> dict[str, csr_array]:
    """Count every move, observation, choice and start with known states; `firsts` marks the begin of an episode."""
    X, B = sizes.X, sizes.B
    inner = np.concatenate([np.arange(run.start, run.stop - 1) for run in runs])
    x, a, b, z = (column[inner] for column in rows)
    y = rows.states[inner + 1]
    step = (x >= 0) & (y >= 0) & (a >= 0) & (b >= 0)
    seen = (y >= 0) & (a >= 0) & (z >= 0)
    within = np.concatenate([np.arange(run.start, run.stop) for run in runs])
    chose = within[(rows.states[within] >= 0) & (rows.teammate_actions[within] >= 0) & (rows.actions[within] >= 0)]
    begun = np.array([rows.states[run.start] for run, first in zip(runs, firsts, strict=True) if first], dtype=np.int64)
    begun = begun[begun >= 0]
    places = {
        "transitions": (((a * B + b) * X + x)[step], y[step]),
        "sensor": ((a * X + y)[seen], z[seen]),
        "teammates": (rows.states[chose], rows.teammate_actions[chose]),
        "start": (np.zeros_like(begun), begun),
    }
    return {table: csr_array((np.ones(len(at[0])), at), shape=sizes.shape(table)) for table, at in places.items()}


def hidden_runs(rows: Rows, run: range, first: bool) -> list[Hidden]:
    """Find the parts of a run in which something has to be inferred, each from one known state to the next."""
    found: list[Hidden] = []
    begin = run.start
    for i in run:
        silent = rows.actions[i] < 0
        if i > begin and (rows.states[i] >= 0 or silent or i == run[-1]):
            both = rows.states[begin] >= 0 and rows.states[i] >= 0 and i == begin + 1
            if not (both and rows.teammate_actions[begin] >= 0):
                found.append(Hidden(range(begin, i + 1), first and begin == run.start))
            begin = i
        if silent:
            begin = i + 1
    return found


def expected(model: Model, rows: Rows, runs: Sequence[Hidden], sizes: Sizes) -> Expected:
    """Add up the expectations under a model over some runs."""
    moves, sensor = stack(model.P), stack(model.O)
    policy = model.teammates.toarray()
    moved, seen = np.zeros_like(moves.data), np.zeros_like(sensor.data)
    chosen, begun = np.zeros((sizes.X, sizes.B)), np.zeros(sizes.X)
    anywhere, elsewhere = np.full(sizes.X, 1 / sizes.X), np.zeros(sizes.X)  # of runs that do not begin an episode
    likelihood, unexplained = 0.0, 0
    for run, first in runs:
        if len(run) * sizes.X > LONGEST:
            what = f"{len(run):,} rows without a known state are too many for {sizes.X:,} states"
            raise InputError(f"{what}: split the episode")
        x, a, b, z = (column[run.start : run.stop] for column in rows)
        begin = model.start if first else anywhere
        if x[0] >= 0:
            begin = np.zeros(sizes.X)
            begin[x[0]] = 1.0
        there = begun if first else elsewhere
        height = smooth(moves, sensor, policy, begin, x, a, b, z, moved, seen, chosen, there)
        if np.isnan(height):
            unexplained += 1
        else:
            likelihood += height
    tables = {
        "transitions": _table(moves, moved, sizes.shape("transitions")),
        "sensor": _table(sensor, seen, sizes.shape("sensor")),
        "teammates": csr_array(chosen),
        "start": csr_array(begun[np.newaxis]),
    }
    return Expected(tables, likelihood, unexplained)


def _table(pattern: Stacked, often: Floats, shape: tuple[int, int]) -> csr_array:
    counts = csr_array((often, pattern.indices, pattern.indptr), shape=shape)
    counts.eliminate_zeros()
    return counts
