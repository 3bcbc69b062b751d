"""Tasks as environments of Gymnasium and PettingZoo. Importing this package registers the worlds with Gymnasium."""

from typing import Any

import gymnasium

from walkon.domains.registry import WORLDS, make
from walkon.envs.environments import AdHocEnv, TeamEnv

__all__ = ["AdHocEnv", "TeamEnv", "world_env", "environments", "register"]


def world_env(world: str, **options: Any) -> AdHocEnv:
    """Make the environment of the ad hoc agent in a world, with the options of `walkon.make` and of `AdHocEnv`."""
    names = ("horizon", "stop_when_solved", "privileged", "render_mode")
    own = {name: options.pop(name) for name in names if name in options}
    return AdHocEnv(make(world, **options), **own)


def environments() -> dict[str, str]:
    """Return the name of each world, by its name in Gymnasium."""
    return {f"walkon/{name.title().replace('-', '').replace('_', '')}-v0": name for name in WORLDS}


def register() -> None:
    """Register the worlds with Gymnasium, unless they are registered already."""
    for name, world in environments().items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=f"{__name__}:world_env", kwargs={"world": world})


register()
