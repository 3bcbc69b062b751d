"""Sentences about a step: why the task belief changed, and how surprised the agent is."""

import math

import numpy as np

from walkon.agents.evidence import log_bayes_factors
from walkon.arrays import Bools, Floats, Names
from walkon.saying import listed, probability
from walkon.simulation.picture import teammate_action_name
from walkon.web.game import Game, Moment

STILL = 0.005  # a smaller change of a probability counts as none
UNLIKELY = 0.01
WORTH_SAYING = 1.2  # a smaller factor is not mentioned
STRAY = 0.05  # a move with at most this probability fits no teammate
UNSEEN = " The agent did not see the move itself, only its own observation."
TOO_MUCH = 7.0  # bits of doubt: if the library is right, this takes 128 steps or more on average


def describe_observation(game: Game, t: int) -> str:
    """Describe the observation of step t, without the things that were not there."""
    task, happened = game.match.played, game.moments[t].step
    if happened is None:
        return "nothing yet"
    if task.observed:
        return f"the state after the teammate's {teammate_action_name(task, happened.teammate_action)}"
    name = task.observations[happened.observation] if task.observations else f"observation {happened.observation}"
    parts = [part for part in name.split(", ") if not part.startswith("nothing ")]
    return ", ".join(parts) or "nothing around"


def explain(game: Game, t: int) -> str:
    """Explain why the task belief changed at step t."""
    if not game.match.agent.identifies:
        return ""
    found = game.moments[t].evidence
    if found is None:
        return f"No observation yet: {_belief(game.moments[t].memory.tasks)}."
    seen = describe_observation(game, t)
    seen = seen[:1].upper() + seen[1:]
    if _unexplained(game, t):
        return f"{seen}: no task of the library allows this. The agent starts again: {_belief(found.after)}."
    parts = [
        _tasks("ruled out", (found.before > 0) & (found.after == 0)),
        _tasks("all but ruled out", (found.before >= UNLIKELY) & (found.after < UNLIKELY) & (found.after > 0)),
    ]
    best = int(np.argmax(found.after))
    if np.abs(found.after - found.before).max() < STILL:
        parts.append(f"hardly tells the tasks apart; task {best} stays at {probability(found.after[best])}")
    else:
        up = int(np.argmax(found.after - found.before))
        parts.append(_factor(float(log_bayes_factors(found)[up]), up))
        parts.append(f"task {up} now {probability(found.after[up])}")
        if best != up:
            parts.append(f"task {best} still ahead with {probability(found.after[best])}")
    return f"{seen}: {', '.join(filter(None, parts))}."


def describe_surprise(game: Game, t: int) -> str:
    """Say how surprised the agent was at step t, and whether the library fits its recent observations."""
    found = game.moments[t].evidence
    if found is None:
        return ""
    if _unexplained(game, t) or not math.isfinite(found.bits):
        return "Nothing in the library fits this observation: every task gave it probability 0."
    bits = f"{found.bits:.1f} bits, {found.expected:.1f} expected"
    if found.doubt >= TOO_MUCH:
        return f"Nothing in the library fits the recent observations well ({bits})."
    excess = found.bits - found.expected
    size = "No surprise" if excess < 1 else "A little surprised" if excess < 3 else "Surprised"
    return f"{size}: {bits}."


def describe_stray(game: Game, t: int) -> str:
    """Say that the teammates' last move fits no task of the library; empty if it fits one."""
    moment = game.moments[t]
    if moment.fits is None or moment.step is None or moment.fits.max() > STRAY:
        return ""
    move = teammate_action_name(game.match.played, moment.step.teammate_action)
    unseen = "" if "teammates" in game.match.agent.senses else UNSEEN
    most = probability(moment.fits.max())
    return f"A stray move: no teammate in the library chooses {move} here with more than {most}.{unseen}"


def hint(game: Game) -> str:
    """Tell a person what the task's own teammate would most probably do now."""
    task = game.match.played
    actions = task.teammate_actions(game.moments[-1].state)
    best = int(np.argmax(actions.probabilities))
    move = teammate_action_name(task, int(actions.indices[best]))
    return f"This task's own teammate would do {move} here ({probability(float(actions.probabilities[best]))})."


def evidence_rows(moment: Moment, names: Names) -> list[tuple[str, str, str, str, str]]:
    """The numbers behind the sentence: each task's name, prior, likelihood, log Bayes factor and posterior."""
    found = moment.evidence
    if found is None:
        return []
    columns = zip(names, found.before, found.likelihoods, log_bayes_factors(found).tolist(), found.after, strict=True)
    return [
        (f"{k} {name}", probability(before), f"{likelihood:.3g}", _signed(factor), probability(after))
        for k, (name, before, likelihood, factor, after) in enumerate(columns)
    ]


def _unexplained(game: Game, t: int) -> bool:
    before = game.moments[t - 1].memory.events if t else ()
    return len(game.moments[t].memory.events) > len(before)


def _factor(log: float, k: int) -> str:
    """Say how much likelier the observation is under task k than under the others."""
    if not math.isfinite(log) or log < math.log(WORTH_SAYING):
        return ""
    factor = math.exp(min(log, 700))  # larger values overflow
    times = f"{factor:.1f}" if factor < 10 else f"{factor:,.0f}" if factor < 1e6 else f"10^{log / math.log(10):.0f}"
    return f"{times} times likelier under task {k} than under the others"


def _belief(p: Floats) -> str:
    if np.ptp(p) < STILL:
        return f"all {len(p)} tasks are equally likely"
    return ", ".join(f"task {k} {probability(each)}" for k, each in enumerate(p))


def _tasks(fate: str, which: Bools) -> str:
    tasks = [str(k) for k in np.flatnonzero(which)]
    return f"task{'' if len(tasks) == 1 else 's'} {listed(tasks)} {fate}" if tasks else ""


def _signed(log: float) -> str:
    if math.isnan(log):
        return "undefined"
    return f"{log:+.2f}" if math.isfinite(log) else ("ruled out" if log < 0 else "all others ruled out")
