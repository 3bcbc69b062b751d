"""Tables to play at, with agents that need no solving."""

from functools import cache

import walkon
from random_libraries import quick_agent
from walkon.web.game import Game, Table

SMALL = {"size": 3, "tasks": 2, "tremble": 0.1}


@cache
def made(**options):
    return walkon.make("night-pursuit", **options)


def night_table(agent="atpo", task=1, seed=3, seat=None, **options):
    """Night-time Pursuit on a small board."""
    given = SMALL | options
    library = made(**given)
    told = {"target": task} if agent in ("perseus", "value-iteration") else {}
    player = quick_agent(agent, library, **told) if agent != "random" else walkon.agent("random", library)
    return Table("night-pursuit", given, library, task, player, seed, seat, library[task].horizon)


def night_game(moves=(), **how):
    return Game.begin(night_table(**how)).again(moves)
