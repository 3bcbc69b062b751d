"""Why the belief moved, in a sentence; and how surprised the agent is, in another."""

import math

import numpy as np

from walkon.arrays import Bools, Floats, Names
from walkon.saying import listed, probability
from walkon.simulation.moment import teammate_action_name
from walkon.web.evidence import Evidence, log_bayes_factors
from walkon.web.game import Game, Point

STILL = 0.005  # a smaller change of a probability is none
UNLIKELY = 0.01
WORTH_SAYING = 1.2  # how many times likelier
STRAY = 0.05  # a move that no teammate makes more often fits none of them
UNSEEN = " The agent has not seen the move itself, only what it read."
TOO_MUCH = 7.0  # bits of doubt: if the library is right, this takes 128 steps or more


def read(game: Game, t: int) -> str:
    """What was read at step t, without all that was not there."""
    task, happened = game.table.played, game.points[t].step
    if happened is None:
        return "nothing yet"
    if task.observed:
        return f"the state after the teammate's {teammate_action_name(task, happened.teammate_action)}"
    name = task.observations[happened.observation] if task.observations else f"observation {happened.observation}"
    parts = [part for part in name.split(", ") if not part.startswith("nothing ")]
    return ", ".join(parts) or "nothing around"


def why(game: Game, t: int) -> str:
    """Why the belief over tasks moved at step t."""
    table, point = game.table, game.points[t]
    if not table.agent.identifies:
        return ""
    if point.evidence is None:
        return f"It has read nothing yet: {_all(point.memory.tasks)}."
    seen, found = read(game, t), point.evidence
    if _unexplained(game, t):
        return f"{_capital(seen)}: no task of the library allows this. It begins anew: {_all(found.after)}."
    parts = [
        _listed("ruled out", (found.before > 0) & (found.after == 0)),
        _listed("all but ruled out", (found.before >= UNLIKELY) & (found.after < UNLIKELY) & (found.after > 0)),
    ]
    best = int(np.argmax(found.after))
    if np.abs(found.after - found.before).max() < STILL:
        parts.append(f"hardly tells the tasks apart; task {best} stays at {probability(found.after[best])}")
    else:
        up = int(np.argmax(found.after - found.before))
        parts.append(_factor(found, up))
        parts.append(f"task {up} now {probability(found.after[up])}")
        if best != up:
            parts.append(f"task {best} still ahead with {probability(found.after[best])}")
    return f"{_capital(seen)}: {', '.join(filter(None, parts))}."


def surprise(game: Game, t: int) -> str:
    """How surprised the agent was at step t, and whether anything in the library fits what it reads lately."""
    found = game.points[t].evidence
    if found is None:
        return ""
    if _unexplained(game, t) or not math.isfinite(found.bits):
        return "Nothing in the library fits what it read: every task gave it probability 0."
    bits = f"{found.bits:.1f} bits where {found.expected:.1f} were expected"
    if found.doubt >= TOO_MUCH:
        return f"Nothing in the library fits well what it has read lately ({bits})."
    excess = found.bits - found.expected
    size = "No surprise" if excess < 1 else "A little surprised" if excess < 3 else "Surprised"
    return f"{size}: {bits}."


def stray(game: Game, t: int) -> str:
    """Whether the teammates' last move fits nobody in the library; empty if it fits somebody."""
    point = game.points[t]
    if point.fits is None or point.step is None or point.fits.max() > STRAY:
        return ""
    move = teammate_action_name(game.table.played, point.step.teammate_action)
    unseen = "" if "teammates" in game.table.agent.senses else UNSEEN
    most = probability(point.fits.max())
    return f"A stray move: here no teammate of the library does {move} more often than {most}.{unseen}"


def usual_move(game: Game) -> str:
    """What the task's own teammate would do now, for a person who wants to play it well."""
    task, state = game.table.played, game.points[-1].state
    teammate_actions = task.teammate_actions(state)
    best = int(np.argmax(teammate_actions.probabilities))
    move = teammate_action_name(task, int(teammate_actions.indices[best]))
    return (
        f"This task's own teammate would do {move} here ({probability(float(teammate_actions.probabilities[best]))})."
    )


def table_of(point: Point, names: Names) -> list[tuple[str, str, str, str, str]]:
    """The numbers behind the sentence: for each task its name, before, likelihood, log Bayes factor, after."""
    found = point.evidence
    if found is None:
        return []
    factors = log_bayes_factors(found)
    return [
        (
            f"{k} {name}",
            probability(found.before[k]),
            f"{found.likelihoods[k]:.3g}",
            _signed(float(factors[k])),
            probability(found.after[k]),
        )
        for k, name in enumerate(names)
    ]


def _unexplained(game: Game, t: int) -> bool:
    before = game.points[t - 1].memory.events if t else ()
    return len(game.points[t].memory.events) > len(before)


def _factor(found: Evidence, k: int) -> str:
    """How much more likely a task makes what was read than the others do."""
    log = float(log_bayes_factors(found)[k])
    if not math.isfinite(log) or log < math.log(WORTH_SAYING):
        return ""
    factor = math.exp(min(log, 700))  # a float holds no more
    times = f"{factor:.1f}" if factor < 10 else f"{factor:,.0f}" if factor < 1e6 else f"10^{log / math.log(10):.0f}"
    return f"{times} times likelier under task {k} than under the others"


def _all(p: Floats) -> str:
    if np.ptp(p) < STILL:
        return f"all {len(p)} tasks are equally likely"
    return ", ".join(f"task {k} {probability(each)}" for k, each in enumerate(p))


def _listed(what: str, which: Bools) -> str:
    tasks = [str(k) for k in np.flatnonzero(which)]
    if not tasks:
        return ""
    return f"task{'' if len(tasks) == 1 else 's'} {listed(tasks)} {what}"


def _signed(log: float) -> str:
    if math.isnan(log):
        return "undefined"
    return f"{log:+.2f}" if math.isfinite(log) else ("ruled out" if log < 0 else "all others ruled out")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
