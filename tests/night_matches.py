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


def match_of(library, agent, *, world="night-pursuit", options=None, **trial):
    """A match of an agent in a library."""
    world = WorldSpec.of(world, **options or {})
    return Match(Trial(world=world, agent=agent.name, evidence=evidence_of(agent), **trial), library, agent)


def night_match(agent="atpo", task=1, seed=3, played_by=None, **options):
    """Night-time Pursuit on a small board."""
    given = SMALL | options
    library = made(**given)
    told = {"target": task} if agent in ("perseus", "value-iteration") else {}
    player = quick_agent(agent, library, **told) if agent != "random" else walkon.agent("random", library)
    return match_of(library, player, options=given, task=task, seed=seed, played_by=played_by)


def night_game(moves=(), **how):
    return Game.begin(night_match(**how)).play(moves)
