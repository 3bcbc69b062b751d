"""Tasks as environments of Gymnasium and PettingZoo. Importing this package registers the worlds with Gymnasium."""

from typing import Any

import gymnasium

from walkon.domains.registry import WORLDS, make
from walkon.envs.environments import AdHocEnv, TeamEnv
from walkon.envs.vector import VectorAdHocEnv
from walkon.tasks import TaskLibrary

__all__ = ["AdHocEnv", "TeamEnv", "VectorAdHocEnv", "world_env", "vector_world_env", "environments", "register"]


def world_env(world: str, **options: Any) -> AdHocEnv:
    """Make the environment of the ad hoc agent in a world, with the options of `walkon.make` and of `AdHocEnv`."""
    library, own = _made(world, options)
    return AdHocEnv(library, **own)


def vector_world_env(world: str, num_envs: int = 1, **options: Any) -> VectorAdHocEnv:
    """Make many such environments as one, with the same options: what `gymnasium.make_vec` makes."""
    library, own = _made(world, options)
    return VectorAdHocEnv(library, num_envs, **own)


def _made(world: str, options: dict[str, Any]) -> tuple[TaskLibrary, dict[str, Any]]:
    """Make the library of a world, and return it with the options that are not the world's."""
    names = ("horizon", "stop_when_solved", "privileged", "render_mode")
    own = {name: options.pop(name) for name in names if name in options}
    return make(world, **options), own


def environments() -> dict[str, str]:
    """Return the name of each world, by its name in Gymnasium."""
    return {f"walkon/{name.title().replace('-', '').replace('_', '')}-v0": name for name in WORLDS}


def register() -> None:
    """Register the worlds with Gymnasium, unless they are registered already."""
    for name, world in environments().items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"{__name__}:world_env",
                vector_entry_point=f"{__name__}:vector_world_env",
                kwargs={"world": world},
            )


register()
