"""One step of a task without tables, by the same luck as with tables.

Outcomes that have an order are drawn in ascending order, as with tables, so a world that is small enough for both plays
the same episode either way.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from walkon.errors import InputError
from walkon.tasks.chances import chances
from walkon.tasks.naming import name_of
from walkon.tasks.rule_task import RuleTask
from walkon.tasks.simulator import Draws
from walkon.trials.luck import Luck


def stream(number: float) -> Callable[[], float]:
    """Uniform numbers that follow from one: that number first, and then as many as are asked for."""
    more: list[Callable[[], float]] = []

    def next_number() -> float:
        if not more:
            more.append(Random(int(number * 2**53)).random)
            return number
        return more[0]()

    return next_number


def first_value(task: RuleTask, luck: Luck) -> Any:
    """Draw the state in which an episode begins."""
    return task.simulator.draw_start(stream(luck.start))


def rule_step(
    task: RuleTask, state: Any, action: int, uniforms: Any, teammate_action: Any
) -> tuple[Any, Any, Any, float, int]:
    """Play one step of a task without tables, whose states, joint actions and observations are values."""
    rules, b = task.simulator, teammate_action
    if b is None:
        b = rules.draw_teammates(state, stream(uniforms.teammates))
    y = rules.draw_move(state, action, b, stream(uniforms.world))
    z = rules.observe(action, y, stream(uniforms.sensor))
    return b, y, z, task.paid(state, action, b, y), task.counted(state, action, b)


def retraced(
    task: RuleTask, seed: int, actions: Iterable[int], joint: Sequence[Any] | None = None
) -> dict[str, list[Any]]:
    """Return the states, joint actions and observations of the episode with these actions.

    They follow from the seed and the rules, and from the joint actions if others played than the task's own teammates.
    """
    taken = list(actions)
    luck = Luck.of(seed, max(len(taken), 1))
    found: dict[str, list[Any]] = {"states": [first_value(task, luck)], "teammate_actions": [], "observations": []}
    for t, action in enumerate(taken):
        b, y, z, _, _ = rule_step(task, found["states"][-1], action, luck[t], None if joint is None else joint[t])
        found["states"].append(y)
        found["teammate_actions"].append(b)
        found["observations"].append(z)
    return found


def recalled(task: RuleTask, seed: int, actions: Sequence[int], said: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the columns of an episode of which only names are known, and refuse names that the rules do not give."""
    joint = {name_of(b): b for b in task.outline.teammate_actions}
    if (wrong := next((b for b in said["teammate_actions"] if b not in joint), None)) is not None:
        known = f"expected names of their actions, such as {next(iter(joint))}"
        raise InputError(f"teammate_actions has {wrong!r:.60}, {known}")
    found = retraced(task, seed, actions, [joint[b] for b in said["teammate_actions"]])
    for name, column in found.items():
        for t, (text, value) in enumerate(zip(said[name], column, strict=True)):
            if text != name_of(value):
                raise InputError(f"{name}[{t}] is {text!r:.60}, but its rules, seed and actions give {name_of(value)}")
    return found


def valued(teammates: Any, task: RuleTask) -> Callable[[Any, float], Any]:
    """Turn other teammates of a task without tables into a function from the state and the luck to their action."""
    if not callable(teammates):
        raise InputError(
            f'task "{task.name}" has no tables: give teammates as a function from the state to their action'
        )

    def answer(state: Any, uniform: float) -> Any:
        choices = Draws.of(chances(teammates(state)))
        return choices.things[choices.at(uniform)]

    return answer
