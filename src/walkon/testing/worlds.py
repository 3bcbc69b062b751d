"""What every world keeps to: the same library from the same options, sound tasks, and episodes that seeds decide."""

from collections.abc import Callable
from functools import partial
from typing import Any

from gymnasium.utils.env_checker import check_env

from walkon.agents.registry import agent
from walkon.domains.registry import make
from walkon.envs.ad_hoc import AdHocEnv
from walkon.simulation.play import play
from walkon.tasks import TaskLibrary
from walkon.testing.agents import same_episode
from walkon.testing.tasks import check_task


def check_world(world: str | Callable[..., TaskLibrary], **options: Any) -> None:
    """Check a world with some of its options; the others have their defaults.

    Args:
        world: Its name, or the function that makes its library.
        **options: What to make it with.
    """
    build = partial(make, world) if isinstance(world, str) else world
    library = build(**options)
    assert library.hash == build(**options).hash, "made twice with the same options, the library is not the same"
    assert len({task.hash for task in library}) == len(library), "two of its tasks have the same numbers"
    assert len(set(library.names)) == len(library), f"two of its tasks share a name: {', '.join(library.names)}"
    player = agent("random", library)
    for task in library:
        check_task(task)
        one, two = (play(task, player, seed=1) for _ in range(2))
        same_episode(one, two)
    check_env(AdHocEnv(library), skip_render_check=True)  # pictures are checked task by task
