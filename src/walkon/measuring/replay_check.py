"""Checks a model by a log: how often each observation was made, against how often the model expects it.

Before every step of a log, an agent with beliefs gives each observation a probability q_t(z), which depends on nothing
but the past. If its library is right, the count of z over any steps that are chosen before their observations (those
after one action, or in which one state was the most likely) minus the sum of q_t(z) is a martingale. The count is
compared with a Poisson binomial distribution, that of independent trials with these probabilities: exactly for up to
2,000 steps, beyond by the normal distribution. For a fixed sequence of probabilities this is exact; where they follow
from earlier observations, as in a log, it holds in the limit of many steps, by the central limit theorem for
martingales (Seillier-Moiseiwitsch and Dawid 1993). It does not hold for logs that were ended because of their counts.

Observations that consist of parts, as their numbers and names say, are also counted part by part. Steps in which an
outcome was certain, and happened, do not count. If the log names the task that was going on, the counts in that task
are also compared with the task's own predictions f_k(z). All P values are two-sided and adjusted after Holm; a
finding is a count whose adjusted P is at most 0.05. It says that the model and the log disagree, not which is at fault.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm

from walkon.agents.agent import Agent, BeliefAgent
from walkon.agents.alarm import WithAlarm
from walkon.agents.inference import predict_step
from walkon.arrays import Bools, Floats, Ints
from walkon.errors import InputError
from walkon.formats.log_file import Frame
from walkon.measuring.statistics import holm
from walkon.saying import count
from walkon.simulation.replay import Replayed, as_log, follow
from walkon.tasks import TaskLibrary
from walkon.tasks.learning.log import Log

LEVEL = 0.05
FEW = 5  # steps; fewer are not compared
EXACT = 2000  # steps up to which the distribution is computed exactly
LARGEST = 2**26  # steps times outcomes: two tables of half a GiB
SURE = 1e-12  # an outcome whose probability is this close to 0 or 1 counts as certain


class Count(NamedTuple):
    """How often an observation, or a part of one, was made in some steps."""

    what: str  # the observation or its part
    where: str  # the steps, in words: "after Ask"
    n: int  # how many they are
    observed: int
    expected: float
    low: int  # the middle 95 % of the distribution of the count
    high: int
    tail: float  # the probability of so many or more, or of so few or fewer: the smaller one
    p: float  # two-sided, adjusted for all counts that were compared

    def __str__(self) -> str:
        many = "many" if self.observed > self.expected else "few"
        made = f'"{self.what}" {self.where}: {self.observed} of {count(self.n, "step")}'
        there = f"{self.expected:.1f} are expected ({self.low} to {self.high})"
        return f"{made} where {there}; P of so {many}: {self.tail:.1g}"


@dataclass(frozen=True)
class Check:
    """All counts that were compared, those that fit the model worst first."""

    counts: tuple[Count, ...]
    steps: int  # with an observation

    @property
    def findings(self) -> tuple[Count, ...]:
        """The counts that the model does not explain."""
        return tuple(each for each in self.counts if each.p <= LEVEL)


class Group(NamedTuple):
    """Some steps, and the probability of each outcome in them."""

    where: str
    rows: Ints  # [n]
    predicted: Floats  # [N, V]


def check_replay(log: Log | str | os.PathLike[str] | Frame, agent: Agent[Any]) -> Check:
    """Compare how often each observation of a log was made with how often an agent's model expects it.

    Args:
        log: As for `walkon.replay`.
        agent: An agent with beliefs, such as "atpo".
    """
    believer = agent.agent if isinstance(agent, WithAlarm) else agent
    if not isinstance(believer, BeliefAgent):
        raise InputError(f"{agent.name} predicts no observations: take an agent with beliefs, such as atpo")
    library = agent.library
    names, member = outcomes(library)
    known = as_log(log)
    if len(known) * len(names) > LARGEST:
        raise InputError(f"{len(known):,} rows with {len(names):,} outcomes are too many: split the log")
    steps = [_kept(step, library, member) for step in follow(known, agent) if step.observation is not None]
    if not steps:
        raise InputError(f"{known.source} has no observations: there is nothing to check")
    made = member[np.array([step.observation for step in steps])]  # [N, V]
    found = [compared for group in _groups(steps, library) for compared in _compare(group, names, made)]
    different: dict[tuple[str, bytes, float], Count] = {}
    for each, rows in found:
        different.setdefault((each.what, rows, round(each.expected, 9)), each)  # not the same steps in other words
    counts = list(different.values())
    adjusted = holm([each.p for each in counts])
    final = (each._replace(p=p) for each, p in zip(counts, adjusted, strict=True))
    return Check(tuple(sorted(final, key=lambda each: (each.p, each.tail))), len(steps))


def outcomes(library: TaskLibrary) -> tuple[list[str], Bools]:
    """Return the names of the observations and of their parts, and which of them each observation has, [Z, V]."""
    numbers = library[0].observation_numbers  # [Z, parts]
    Z, parts = numbers.shape
    names = list(library.observations or map(str, range(Z)))
    columns = [np.eye(Z, dtype=np.bool_)]
    split = [name.split(", ") for name in names]
    if parts > 1:
        named = all(len(words) == parts for words in split)
        for i in range(parts):
            values = np.unique(numbers[:, i])
            columns.append(numbers[:, [i]] == values)
            examples = [int(np.flatnonzero(numbers[:, i] == value)[0]) for value in values]
            names += [split[z][i] if named else f"part {i} is {numbers[z, i]}" for z in examples]
    return names, np.concatenate(columns, axis=1)


class Kept(NamedTuple):
    """What is needed of a step."""

    action: int
    observation: int
    truth: int  # the task that was going on; -1 where the log does not say
    likely: str  # the most likely state before the observation
    predicted: Floats  # [V], the agent's probability of each outcome
    own: Floats  # [V], that of the task that was going on


def _kept(step: Replayed, library: TaskLibrary, member: Bools) -> Kept:
    assert step.tasks is not None
    assert step.forecasts is not None
    assert step.observation is not None
    truth, predicted = -1 if step.truth is None else step.truth, step.tasks @ step.forecasts @ member
    own = predicted if truth < 0 else step.forecasts[truth] @ member
    return Kept(step.action, step.observation, truth, _likely(step, step.tasks, library), predicted, own)


def _groups(steps: Sequence[Kept], library: TaskLibrary) -> Iterator[Group]:
    """Yield the steps that are compared together: after each action, all, by the most likely state, in each task."""
    q = np.array([step.predicted for step in steps])
    actions = np.array([step.action for step in steps])
    for a in np.unique(actions).tolist():
        yield Group(f"after {_action(library, a)}", np.flatnonzero(actions == a), q)
    yield Group("in all", np.arange(len(steps)), q)
    likely = np.array([step.likely for step in steps])
    for state in np.unique(likely).tolist():
        yield Group(f"where the state is most likely {state}", np.flatnonzero(likely == state), q)
    truths, own = np.array([step.truth for step in steps]), np.array([step.own for step in steps])
    for k in np.unique(truths[truths >= 0]).tolist():
        for a in np.unique(actions[truths == k]).tolist():
            where = f'after {_action(library, a)} in task {k} ("{library[k].name}")'
            yield Group(where, np.flatnonzero((truths == k) & (actions == a)), own)


def _action(library: TaskLibrary, a: int) -> str:
    return library.actions[a] if library.actions else f"action {a}"


def _likely(step: Replayed, tasks: Floats, library: TaskLibrary) -> str:
    """The name of the state, of whichever task, that is most likely before the observation."""
    best, name = -1.0, ""
    for p, task, belief in zip(tasks, library, step.before.states, strict=True):
        predicted = predict_step(task, belief, step.action, None)
        y = int(predicted.argmax())
        if p * predicted[y] > best:
            best, name = float(p * predicted[y]), task.states[y] if task.states else str(y)
    return name


def _compare(group: Group, names: Sequence[str], made: Bools) -> Iterator[tuple[Count, bytes]]:
    """Compare the count of each outcome in a group with its distribution; also return which steps count."""
    for v, what in enumerate(names):
        q, hit = group.predicted[group.rows, v], made[group.rows, v]
        open_ = np.where(hit, q < 1 - SURE, q > SURE)  # it might have been otherwise, or should not have been
        n, seen = int(open_.sum()), int(hit[open_].sum())
        if n < FEW:
            continue
        p = np.clip(q[open_], 0.0, 1.0)
        low, high, below, above = distribution(p, seen)
        tail = min(below, above)
        counted = Count(what, group.where, n, seen, float(p.sum()), low, high, tail, min(1.0, 2 * tail))
        yield counted, group.rows[open_].tobytes()


def distribution(p: Floats, seen: int) -> tuple[int, int, float, float]:
    """Return the middle 95 % of a sum of Bernoulli variables, and the probabilities of at most and at least so many.

    >>> distribution(np.full(4, 0.5), 4)
    (0, 4, 1.0, 0.0625)
    """
    n = len(p)
    if n > EXACT:
        mean, spread = float(p.sum()), max(float(np.sqrt(p @ (1 - p))), 1e-300)
        ends = norm.ppf([0.025, 0.975], mean, spread)
        low, high = max(0, round(float(ends[0]))), min(n, round(float(ends[1])))
        return low, high, float(norm.cdf(seen + 0.5, mean, spread)), float(norm.sf(seen - 0.5, mean, spread))
    chances = np.zeros(n + 1)  # of each number so far
    chances[0] = 1.0
    for each in p:
        chances[1:] = chances[1:] * (1 - each) + chances[:-1] * each
        chances[0] *= 1 - each
    sums = np.cumsum(chances)
    low, high = (min(n, int(np.searchsorted(sums, level))) for level in (0.025, 0.975))
    return low, high, min(1.0, float(sums[seen])), min(1.0, float(chances[seen:].sum()))
