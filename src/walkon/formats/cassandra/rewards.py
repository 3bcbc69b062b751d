"""Expected rewards from rewards that depend on the next state and on the observation.

    R(x, a) = sum_y P_a(y|x) sum_z O_a(z|y) r(a, x, y, z)

The sums run over the non-zeros of P and O, and only where the reward depends on y or z at all. The rows of P and O may
not sum to exactly 1, since files are rounded, so each sum is divided by the sum of its probabilities.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Bools, Floats, Ints
from walkon.errors import InputError
from walkon.formats.cassandra.assignments import Assignments, Latest, count_up, last_of_each, latest

BLOCK = 2**21  # triples (x, y, z) at a time
MOST_TRIPLES = 100_000_000  # for one action


class _Level(NamedTuple):
    """Assignments of one kind, and the place among them that applies to each move."""

    given: Assignments
    places: Ints  # [N], -1 for all
    of_moves: Ints  # [non-zeros of P]
    size: int

    def latest(self) -> Latest:
        """Return the last assignment for each move."""
        found = latest(self.places, self.given.times, self.given.values, self.size)
        return Latest(found.times[self.of_moves], found.values[self.of_moves])


def expected_rewards(given: Assignments, P: list[csr_array], O: list[csr_array] | None) -> Floats:
    """Compute R [X, A] from assignments to (action, state, next state, observation)."""
    columns: list[Floats] = []
    before: tuple[object, ...] = (None, None, None)
    for a, own in enumerate(given.per_action(len(P))):
        parts = (own, P[a], O[a] if O else None)
        unchanged = all(part is old for part, old in zip(parts, before, strict=True))
        columns.append(columns[-1] if unchanged else _of_action(*parts))
        before = parts
    return np.stack(columns, axis=1)


def _of_action(given: Assignments, P: csr_array, O: csr_array | None) -> Floats:
    """Compute R(., a), [X]."""
    X = P.shape[0]
    x, y = np.repeat(np.arange(X), np.diff(P.indptr)), P.indices.astype(np.int64)
    reads = given.fields[2] >= 0
    by_state, *others = _levels(given[np.flatnonzero(~reads)], x, y, X)
    rewards = latest(by_state.places, by_state.given.times, by_state.given.values, X).values
    now = by_state.latest()
    varies = np.zeros(len(x), bool)
    for level in others:
        varies |= _renew(now, level.latest())
    with np.errstate(over="ignore", invalid="ignore"):  # the model's constructor refuses values that are not finite
        if O is not None and reads.any():
            varies |= _over_observations(_levels(given[np.flatnonzero(reads)], x, y, X), now, y, O)
        means = _mean(x, P.data, now.values, X)
    rows = np.unique(x[varies])
    rewards[rows] = means[rows]
    return rewards


def _levels(given: Assignments, x: Ints, y: Ints, X: int) -> list[_Level]:
    """Split assignments into those that do not name the next state, those that name only it, those that name both."""
    of_x, of_y, _ = given.fields
    named = of_y >= 0
    rows, columns, cells = map(np.flatnonzero, (~named, named & (of_x < 0), named & (of_x >= 0)))
    moves, keys = x * X + y, of_x[cells] * X + of_y[cells]
    at = np.minimum(np.searchsorted(moves, keys), max(len(moves) - 1, 0))
    possible = moves[at] == keys if len(moves) else np.zeros(len(keys), bool)
    return [
        _Level(given[rows], of_x[rows], x, X),
        _Level(given[columns], of_y[columns], y, X),
        _Level(given[cells[possible]], at[possible], np.arange(len(moves)), len(moves)),
    ]


def _renew(now: Latest, other: Latest) -> Bools:
    """Replace the assignments that another one follows, and return which."""
    later: Bools = other.times > now.times
    now.times[later] = other.times[later]
    now.values[later] = other.values[later]
    return later


def _over_observations(levels: list[_Level], now: Latest, y: Ints, O: csr_array) -> Bools:
    """Put in the mean over the observations for each move whose reward depends on them, and return which do."""
    reached: Bools = np.max([level.latest().times for level in levels], axis=0) > now.times
    moves = np.flatnonzero(reached)
    if not len(moves):
        return reached
    if (levels[0].places < 0).all() and not len(levels[2].places):
        # Where no statement with an observation names x, all moves to y with the same reward so far are equal.
        keys = y[moves] * (now.times.max() + 2) + now.times[moves] + 1
        _, first, alike = np.unique(keys, return_index=True, return_inverse=True)
        moves_to_ask = moves[first]
    else:
        moves_to_ask, alike = moves, np.arange(len(moves))
    lengths = np.diff(O.indptr)[y[moves_to_ask]].astype(np.int64)
    if lengths.sum() > MOST_TRIPLES:
        many = f"{lengths.sum():,} triples of state, next state and observation, at most {MOST_TRIPLES:,} are allowed"
        remedy = "give rewards that do not depend on the observation"
        raise InputError(f"the rewards of one action depend on {many}: {remedy}")
    cuts = np.flatnonzero(np.diff(np.cumsum(lengths) // BLOCK)) + 1
    tables = [_Table(level, O.shape[1]) for level in levels]
    blocks = zip(np.split(moves_to_ask, cuts), np.split(lengths, cuts), strict=True)
    means = [_mean_observation(asked, now, y, O, tables, many) for asked, many in blocks]
    now.values[moves] = np.concatenate(means)[alike]
    return reached


def _mean_observation(asked: Ints, now: Latest, y: Ints, O: csr_array, tables: list["_Table"], many: Ints) -> Floats:
    """Compute sum_z O(z|y) r(x, y, z) for some moves."""
    which = np.repeat(np.arange(len(asked)), many)
    moves = asked[which]
    at = O.indptr[y[moves]] + count_up(many)
    each = Latest(now.times[moves], now.values[moves])
    for table in tables:
        table.renew(each, moves, O.indices[at].astype(np.int64))
    return _mean(which, O.data[at], each.values, len(asked))


class _Table:
    """The last assignment for each place and observation."""

    def __init__(self, level: _Level, Z: int) -> None:
        keys = (level.places + 1) * Z + level.given.fields[2]
        last = last_of_each(keys)
        self.level, self.Z, self.keys = level, Z, keys[last]
        self.times, self.values = level.given.times[last], level.given.values[last]

    def renew(self, now: Latest, moves: Ints, observations: Ints) -> None:
        """Replace the assignments that one in this table follows, for moves each with an observation."""
        if len(self.keys):
            for places in (np.full(len(moves), -1), self.level.of_moves[moves]):
                keys = (places + 1) * self.Z + observations
                at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
                found = self.keys[at] == keys
                _renew(now, Latest(np.where(found, self.times[at], -1), self.values[at]))


def _mean(groups: Ints, weights: Floats, values: Floats, size: int) -> Floats:
    """Compute the weighted mean of each group."""
    totals = np.bincount(groups, weights, size)
    return np.bincount(groups, weights * values, size) / np.where(totals > 0, totals, 1)
