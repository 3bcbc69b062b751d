"""Explains a step of an agent in words: why it took its action, and why its belief over the tasks changed.

If the agent were sure of task k, it would take action a with probability pi_k(a). ATPO and BOPA act by the mixture of
these, pi(a) = sum_k p(k) pi_k(a), so task k's share of an action is p(k) pi_k(a) / pi(a). Other agents weigh the tasks
in another way, and an action of theirs has no such shares.
"""

import math
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.agent import Agent, BeliefAgent
from walkon.agents.alarm import WithAlarm
from walkon.agents.evidence import Evidence, evidence, log_bayes_factors
from walkon.agents.memory import Memory, Percept
from walkon.agents.naming import numbered
from walkon.arrays import Floats
from walkon.checks import whole
from walkon.saying import listed, probability
from walkon.simulation.picture import teammate_action_name
from walkon.tasks import Task
from walkon.tasks.naming import name_of

STILL = 0.005  # a smaller change of a probability counts as none
HARDLY = 0.02  # a smaller change of a belief is not worth a number
UNLIKELY = 0.01
WORTH_SAYING = 1.2  # a smaller factor is not mentioned
TOO_MUCH = 7.0  # bits of doubt: if the library is right, this takes 128 steps or more on average


class Explanation(NamedTuple):
    """One step of an agent, explained; `str` gives the sentences.

    Attributes:
        action: Why it took its action, in words.
        change: Why its belief over the tasks changed, in words; empty for an agent without one.
        surprise: How well it had predicted the observation, in words; empty if that has no meaning.
        probability: The probability with which it took the action.
        choices: The probability of each action if the agent were sure of each task, [K, A]; None for an agent without
            beliefs.
        shares: Each task's share of the action, [K]; None if the agent does not mix its tasks' choices.
        evidence: The numbers behind `change` and `surprise`; None if there was no observation.
        after: The agent's memory after the step.
    """

    action: str
    change: str
    surprise: str
    probability: float
    choices: Floats | None
    shares: Floats | None
    evidence: Evidence | None
    after: Any

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.action, self.change, self.surprise)))


def explain(agent: Agent[Any], before: Any, action: int | str, percept: Percept) -> Explanation:
    """Explain a step: why the agent took its action, and why its belief over the tasks changed.

    Args:
        agent: The agent.
        before: Its memory before the action.
        action: The action that was executed, by its number or name.
        percept: What the agent then was given, as for `agent.update`.
    """
    action, percept = numbered(agent.library, action, percept, agent.senses)
    after = agent.update(before, action, percept)
    task, chosen = agent.library[0], agent.act(before)
    whole("action", action, 0, len(chosen) - 1)
    believer = agent.agent if isinstance(agent, WithAlarm) else agent
    name = task.actions[action] if task.actions else f"action {action}"
    said = f"{name}, which {agent.name} chose with {probability(float(chosen[action]))}"
    if not isinstance(believer, BeliefAgent):
        return Explanation(f"{said}.", "", "", float(chosen[action]), None, None, None, after)
    if not believer.library.tables:  # what it would do if it were sure of a task takes a search for each
        found, seen = _evidence(believer, before, action, percept, after)
        changed = found is not None and believer.identifies
        why = describe_change(found, seen, len(after.events) > len(before.events)) if found and changed else ""
        return Explanation(f"{said}.", why, "", float(chosen[action]), None, None, found, after)
    choices = np.array([believer.act(before.believing(sure)) for sure in np.eye(len(before.tasks))])
    parts = before.tasks * choices[:, action]
    mixes = chosen[action] > 0 and np.allclose(before.tasks @ choices, chosen)
    shares = parts / parts.sum() if mixes else None
    found, seen = _evidence(believer, before, action, percept, after)
    unexplained = len(after.events) > len(before.events)
    return Explanation(
        f"{said}: {_would(before.tasks, choices, shares, action, name, task)}.",
        describe_change(found, seen, unexplained) if found is not None and believer.identifies else "",
        describe_surprise(found, unexplained) if found is not None and math.isfinite(found.expected) else "",
        float(chosen[action]),
        choices,
        shares,
        found,
        after,
    )


def _would(p: Floats, choices: Floats, shares: Floats | None, action: int, name: str, task: Task) -> str:
    """Say what the agent would do if it were sure of each of the likely tasks."""
    said = []
    for k in np.flatnonzero(p >= UNLIKELY):
        likely = int(np.argmax(choices[k]))
        if likely != action and choices[k, likely] - choices[k, action] > STILL:
            other = task.actions[likely] if task.actions else f"action {likely}"
            said.append(f"in task {k} ({probability(p[k])}) it would rather do {other}")
        else:
            said.append(f"in task {k} ({probability(p[k])}) it would do {name} ({probability(choices[k, action])})")
    if shares is not None and len(p) > 1:
        best = int(np.argmax(shares))
        said.append(f"{probability(shares[best])} of this choice is due to task {best}")
    return "; ".join(said)


def _evidence(
    agent: BeliefAgent, before: Memory, action: int, percept: Percept, after: Memory
) -> tuple[Evidence | None, str]:
    """Return the evidence of a step, and the observation in words."""
    z = percept.state if percept.observation is None and agent.library.observed else percept.observation
    teammates = percept.teammates if "teammates" in agent.senses else None
    if z is not None and ("teammates" not in agent.senses or teammates is not None):
        found = evidence(agent, before, action, z, teammates or 0, after)
        return found, describe_observation(agent.library[0], z, teammates)
    if percept.likelihood is None or teammates is not None:
        return None, ""
    if not agent.library.tables:
        return evidence(agent, before, action, None, 0, after), "uncertain evidence"
    forecasts = agent.inference.forecast(before, action, False).reshape(len(before.sizes), -1)
    rho = forecasts @ np.asarray(percept.likelihood, dtype=np.float64)
    return Evidence(before.tasks, after.tasks, rho, math.nan, math.nan, 0.0), "uncertain evidence"


def describe_observation(task: Task, observation: Any, teammate_action: Any = None) -> str:
    """Describe an observation, without the things that were not there."""
    if task.observed:
        if teammate_action is None:
            return f"the state {task.states[observation] if task.states else name_of(observation)}"
        return f"the state after the teammate's {teammate_action_name(task, teammate_action)}"
    if not task.tables:
        return f"observation {name_of(observation)}"
    name = task.observations[observation] if task.observations else f"observation {observation}"
    parts = [part for part in name.split(", ") if not part.startswith("nothing ")]
    return ", ".join(parts) or "nothing around"


def describe_change(found: Evidence, seen: str, unexplained: bool) -> str:
    """Say why an observation changed the task belief."""
    seen = seen[:1].upper() + seen[1:]
    if unexplained:
        return f"{seen}: no task of the library allows this. The agent starts again: {describe_belief(found.after)}."
    faded = (found.before >= UNLIKELY) & (found.after < UNLIKELY) & (found.after > 0)
    parts = [
        _tasks(np.flatnonzero((found.before > 0) & (found.after == 0)).tolist(), "ruled out"),
        _tasks(np.flatnonzero(faded).tolist(), "all but ruled out"),
    ]
    up = int(np.argmax(found.after - found.before))
    if np.abs(found.after - found.before).max() < HARDLY:
        sure = found.before.max() > 1 - UNLIKELY
        stays = f"no news, task {int(np.argmax(found.after))} stays at {probability(found.after.max())}"
        parts.append(stays if sure else f"hardly tells the tasks apart; {_ahead(found.after)}")
    else:
        parts.append(_factor(float(log_bayes_factors(found)[up]), up))
        parts.append(f"task {up} now {probability(found.after[up])}")
        ahead = _first(found.after)
        if up not in ahead:
            parts.append(_ahead(found.after))
        elif len(ahead) > 1:
            parts.append(f"level with {_tasks([k for k in ahead if k != up])}")
    return f"{seen}: {', '.join(filter(None, parts))}."


def describe_surprise(found: Evidence, unexplained: bool) -> str:
    """Say how surprised the agent was, and whether the library fits its recent observations."""
    if unexplained or not math.isfinite(found.bits):
        return "Nothing in the library fits this observation: every task gave it probability 0."
    bits = f"{found.bits:.1f} bits, {found.expected:.1f} expected"
    if found.doubt >= TOO_MUCH:
        return f"Nothing in the library fits the recent observations well ({bits})."
    excess = found.bits - found.expected
    size = "No surprise" if excess < 1 else "A little surprised" if excess < 3 else "Surprised"
    return f"{size}: {bits}."


def describe_belief(p: Floats) -> str:
    """Describe a belief over tasks, [K]."""
    if np.ptp(p) < STILL:
        return f"all {len(p)} tasks are equally likely"
    return ", ".join(f"task {k} {probability(each)}" for k, each in enumerate(p))


def _first(p: Floats) -> list[int]:
    """The tasks that are ahead, by the numbers that are shown."""
    return [k for k, each in enumerate(p) if probability(each) == probability(p.max())]


def _ahead(p: Floats) -> str:
    """Say which tasks are ahead."""
    ahead = _first(p)
    if len(ahead) == len(p):
        return f"all {len(p)} tasks are equally likely"
    return f"{_tasks(ahead)} {'is' if len(ahead) == 1 else 'are'} ahead with {probability(p.max())}"


def _factor(log: float, k: int) -> str:
    """Say how much likelier the observation is under task k than under the others."""
    if not math.isfinite(log) or log < math.log(WORTH_SAYING):
        return ""
    factor = math.exp(min(log, 700))  # larger values overflow
    times = f"{factor:.1f}" if factor < 10 else f"{factor:,.0f}" if factor < 1e6 else "more than a million"
    return f"{times} times likelier under task {k} than under the others"


def _tasks(which: Collection[int], fate: str = "") -> str:
    return (
        f"task{'' if len(which) == 1 else 's'} {listed([str(k) for k in which])} {fate}".strip() if len(which) else ""
    )
