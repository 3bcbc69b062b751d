"""Check rules without tables by walking: nothing is listed, so states are visited by chance.

Walks take uniform actions, and the teammates do as they do or, at times, anything that they may do. In every visited
state all rules are called that can be: moves and rewards of every action, the sensor, the teammates, `solved`, `advice`
and `counts`. A rule that fails is an error with the state and the call, as with tables. Rules are not called in states
that no walk visits.

Where rules have a compiled form too, it has to say the same in every visited state, and the action that its `values`
prefer has to be advised, if there are both: with compiled rules, search and ATPO go by the values.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from walkon.errors import InputError
from walkon.tasks.rule_task import RuleTask

WALKS, STEPS, FREE = 40, 50, 0.1
CLOSE = 1e-6  # of two numbers that should be equal


@dataclass
class Walked:
    """What some walks met with."""

    states: set[Any] = field(default_factory=set)
    observations: set[Any] = field(default_factory=set)
    steps: int = 0
    solved: int = 0  # how many walks ended solved
    least: float = 0.0  # reward
    largest: float = 0.0


def walk(task: RuleTask, seed: int = 0) -> Walked:
    """Walk through a task, and call all rules on the way."""
    luck, found = Random(seed), Walked()
    rules, outline = task.simulator, task.outline
    rewards: set[float] = set()
    for _ in range(WALKS):
        x = rules.draw_start(luck.random)
        for _ in range(min(STEPS, task.horizon)):
            found.states.add(x)
            if task.is_solved(x):
                found.solved += 1
                break
            rewards.update(_looked_at(task, x, luck))
            a = luck.randrange(task.action_count)
            b = rules.draw_teammates(x, luck.random)
            if luck.random() < FREE:
                anything = tuple(luck.choice(outline.theirs) for _ in outline.mates)
                b = anything if isinstance(outline.written.teammates, list | tuple) else anything[0]
            y = rules.draw_move(x, a, b, luck.random)
            rewards.add(task.paid(x, a, b, y))
            found.observations.add(rules.observe(a, y, luck.random))
            found.steps += 1
            x = y
    found.least, found.largest = min(rewards, default=0.0), max(rewards, default=0.0)
    return found


def _looked_at(task: RuleTask, x: Any, luck: Random) -> Iterator[float]:
    """Call the rules for every action in a state, and yield the rewards."""
    rules = task.simulator
    rules.advice(x)
    if task.compiled is not None and not task.compiled.factored:
        _agree(task, x)
    for a in range(task.action_count):
        b = rules.draw_teammates(x, luck.random)
        task.counted(x, a, b)
        if (listed := rules.outcomes(x, a)) is None:
            listed = [(y, 1.0, reward) for y, reward in [rules.step(x, a, luck.random)]]
        for y, _, reward in listed:
            rules.observe(a, y, luck.random)
            task.is_solved(y)
            yield reward


def _agree(task: RuleTask, x: Any) -> None:
    """Refuse compiled rules that say something else of a state than the plain ones."""
    rules, plain = task.compiled, task.simulator
    numbers, row = (rules.facts, rules.reals), np.array(x, dtype=np.int64).reshape(-1)
    ys, ps, v = np.empty((64, rules.state_size), dtype=np.int64), np.empty(64), np.empty(task.action_count)
    over, solved = bool(rules.ends(*numbers, row)), task.is_solved(x)
    if over != solved:
        raise InputError(f"{task.name}: in {x!r:.80} compiled `ends` is {over}, and `solved` is {solved}")
    for a, action in enumerate(task.actions):
        listed, count = plain.outcomes(x, a), rules.outcomes(a, *numbers, row, ys, ps)
        if listed is None or count > len(ps):
            continue
        found: dict[Any, float] = {}
        for y, p in zip(ys[:count].tolist(), ps[:count].tolist(), strict=True):
            found[tuple(y)] = found.get(tuple(y), 0.0) + p
        for y, p, _ in listed:
            key = y if isinstance(y, tuple) else (y,)
            if abs(found.get(key, 0.0) - p) > CLOSE:
                said = f"{found.get(key, 0.0):.6g}, and the plain rules {p:.6g}"
                raise InputError(f"{task.name}: compiled `outcomes` of {action} in {x!r:.80} give {y!r:.80} {said}")
    if (advice := plain.advice(x)) is not None:
        rules.values(*numbers, row, v)
        advised = [a for a, p in enumerate(advice) if p > 0]
        if v[advised].max() < v.max() - CLOSE * (1 + abs(v.max())):
            best, known = task.actions[int(v.argmax())], ", ".join(task.actions[a] for a in advised)
            raise InputError(f"{task.name}: compiled `values` prefer {best} in {x!r:.80}, and `advice` says {known}")
