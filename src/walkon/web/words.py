"""Sentences about a step: why the task belief changed, and how surprised the agent is."""

import math

import numpy as np

from walkon.agents.evidence import log_bayes_factors
from walkon.arrays import Names
from walkon.saying import count, probability
from walkon.simulation import explain as sentences
from walkon.simulation.picture import teammate_action_name
from walkon.tasks.last_states import is_last
from walkon.tasks.rule_task import RuleTask
from walkon.web.game import Game, Moment, move_names

STRAY = 0.05  # a move with at most this probability fits no teammate
UNSEEN = " The agent did not see the move itself, only its own observation."


def describe_observation(game: Game, t: int) -> str:
    """Describe the observation of step t, without the things that were not there."""
    happened = game.moments[t].step
    if happened is None:
        return "nothing yet"
    return sentences.describe_observation(game.match.played, happened.observation, happened.teammate_action)


def explain(game: Game, t: int) -> str:
    """Explain why the task belief changed at step t."""
    if not game.match.agent.identifies:
        return ""
    found = game.moments[t].evidence
    if found is None:
        return f"No observation yet: {sentences.describe_belief(game.moments[t].memory.tasks)}."
    return sentences.describe_change(found, describe_observation(game, t), _unexplained(game, t))


def describe_surprise(game: Game, t: int) -> str:
    """Say how surprised the agent was at step t, and whether the library fits its recent observations."""
    found = game.moments[t].evidence
    if found is None or math.isnan(found.expected):
        return ""
    return sentences.describe_surprise(found, _unexplained(game, t))


def describe_stray(game: Game, t: int) -> str:
    """Say that the teammates' last move fits no task of the library; empty if it fits one."""
    moment = game.moments[t]
    if moment.fits is None or moment.step is None or moment.fits.max() > STRAY:
        return ""
    move = teammate_action_name(game.match.played, moment.step.teammate_action)
    unseen = "" if "teammates" in game.match.agent.senses else UNSEEN
    most = probability(moment.fits.max())
    return f"A stray move: no teammate in the library chooses {move} here with more than {most}.{unseen}"


def describe_end(game: Game) -> str:
    """Say that a game is over, why, and what came of it; empty while it goes on."""
    if not game.over:
        return ""
    episode, task, solved = game.episode, game.match.played, is_last(game.match.played, game.moments[-1].state)
    why = (
        f"solved in {count(game.steps, 'step')}" if solved else f"the horizon of {count(game.steps, 'step')} is reached"
    )
    if task.tally is not None:
        came = f", with {task.tally.amount(int(episode.counts.sum()))}"
    elif task.score == "return":
        came = f", with a return of {episode.ret:.2f}"
    else:
        came = "" if solved else ", and the task is not solved"
    return f"{'★ ' if solved else ''}The game is over: {why}{came}."


def hint(game: Game) -> str:
    """Tell a person what the task's own teammate would most probably do now."""
    task = game.match.players
    if isinstance(task, RuleTask):
        b, p = max(task.outline.each_teammate(game.moments[-1].state)[0], key=lambda each: each[1])
        name = teammate_action_name(task, b)
    else:
        actions = task.teammate_actions(game.moments[-1].state)
        own = np.unravel_index(actions.indices, task.seats)[0]  # the person has the first seat
        chances = np.bincount(own, actions.probabilities)
        name, p = move_names(task)[int(chances.argmax())], float(chances.max())
    how_sure = "" if p > 1 - 1e-9 else f" ({probability(p)})"
    return f"This task's own teammate would do {name} here{how_sure}."


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


def _signed(log: float) -> str:
    if math.isnan(log):
        return "undefined"
    return f"{log:+.2f}" if math.isfinite(log) else ("ruled out" if log < 0 else "all others ruled out")
