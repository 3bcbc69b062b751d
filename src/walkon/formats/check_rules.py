"""Check rules without tables by walking: nothing is listed, so states are visited by chance.

Walks take uniform actions, and the teammates do as they do or, at times, anything that they may do. In every visited
state all rules are called that can be: moves and rewards of every action, the sensor, the teammates, `solved`, `advice`
and `counts`. A rule that fails is an error with the state and the call, as with tables. Rules are not called in states
that no walk visits.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from walkon.tasks.rule_task import RuleTask

WALKS, STEPS, FREE = 40, 50, 0.1


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
    for a in range(task.action_count):
        b = rules.draw_teammates(x, luck.random)
        task.counted(x, a, b)
        if (listed := rules.outcomes(x, a)) is None:
            listed = [(y, 1.0, reward) for y, reward in [rules.step(x, a, luck.random)]]
        for y, _, reward in listed:
            rules.observe(a, y, luck.random)
            task.is_solved(y)
            yield reward
