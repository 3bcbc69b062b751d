"""The tasks as environments of Gymnasium and PettingZoo. Importing this room registers the worlds."""

import gymnasium

from walkon.domains.registry import WORLDS
from walkon.envs.ad_hoc import AdHocEnv
from walkon.envs.team import TeamEnv
from walkon.envs.worlds import world_env

__all__ = ["AdHocEnv", "TeamEnv", "world_env", "environments", "register"]


def environments() -> dict[str, str]:
    """The name of each world, by the one that Gymnasium knows it by."""
    return {f"walkon/{name.title().replace('-', '').replace('_', '')}-v0": name for name in WORLDS}


def register() -> None:
    """Tell Gymnasium the names of the worlds; a second time changes nothing."""
    for name, world in environments().items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=f"{world_env.__module__}:world_env", kwargs={"world": world})


register()
