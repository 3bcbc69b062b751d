"""The worlds as Gymnasium environments. What every number of an observation means stands in the world's own package."""

from typing import Any

from walkon.domains.registry import make
from walkon.envs.ad_hoc import AdHocEnv

SEAT = ("horizon", "stop_when_solved", "privileged", "render_mode")


def world_env(world: str, **options: Any) -> AdHocEnv:
    """The ad hoc agent's seat in a world.

    Args:
        world: Its name, as in `walkon.make`.
        **options: The options of the world, and those of `AdHocEnv`.
    """
    seat = {name: options.pop(name) for name in SEAT if name in options}
    return AdHocEnv(make(world, **options), **seat)
