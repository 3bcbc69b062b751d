"""Matches with agents that need no solving."""

from functools import cache

import walkon
from random_libraries import quick_agent
from walkon.agents.bopa import evidence_of
from walkon.trials.trial import Trial, WorldSpec
from walkon.web.game import Game, Match

SMALL = {"size": 3, "tasks": 2, "tremble": 0.1}


@cache
def made(**options):
    return walkon.make("night-pursuit", **options)


def match_of(library, agent, *, world="night-pursuit", options=None, steady=None, **trial):
    """A match of an agent in a library."""
    world = WorldSpec.of(world, **options or {})
    trial = Trial(world=world, agent=agent.name, evidence=evidence_of(agent), **trial)
    return Match(trial, library, agent, steady=steady)


def night_match(agent="atpo", task=1, seed=3, played_by=None, steady=False, **options):
    """Night-time Pursuit on a small board; steady if the page's own moves are made without a tremble."""
    given = SMALL | options
    library = made(**given)
    told = {"target": task} if agent in ("perseus", "value-iteration") else {}
    player = quick_agent(agent, library, **told) if agent != "random" else walkon.agent("random", library)
    calm = made(**given | {"tremble": 0.0}) if steady else None
    return match_of(library, player, options=given, steady=calm, task=task, seed=seed, played_by=played_by)


def night_game(moves=(), **how):
    return Game.begin(night_match(**how)).play(moves)
