"""The tasks as environments of Gymnasium and PettingZoo. Importing this room registers the worlds."""

import gymnasium

from walkon.envs.ad_hoc import AdHocEnv
from walkon.envs.team import TeamEnv
from walkon.envs.worlds import NightPursuit, Overcooked, Pursuit

__all__ = ["AdHocEnv", "TeamEnv", "NightPursuit", "Overcooked", "Pursuit", "ENVIRONMENTS", "register"]

ENVIRONMENTS = {
    "walkon/NightPursuit-v0": NightPursuit,
    "walkon/Pursuit-v0": Pursuit,
    "walkon/Overcooked-v0": Overcooked,
}


def register() -> None:
    """Tell Gymnasium the names of the worlds; a second time changes nothing."""
    for name, env in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=f"{env.__module__}:{env.__name__}")


register()
