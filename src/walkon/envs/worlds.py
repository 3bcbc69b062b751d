"""The worlds as Gymnasium environments. What every number of an observation means stands in the world's own package."""

from typing import Any

from walkon.domains.registry import make
from walkon.envs.ad_hoc import AdHocEnv


class WorldEnv(AdHocEnv):
    """The ad hoc agent's seat in a world."""

    def __init__(
        self,
        world: str,
        *,
        horizon: int | None = None,
        stop_when_solved: bool = False,
        privileged: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Make the world's library and put it behind the seat.

        Args:
            world: Its name, as in `walkon.make`.
            horizon: The number of steps of an episode; the world's if not given.
            stop_when_solved: End the episode when the task is solved.
            privileged: Tell the truth in `info`.
            render_mode: "ansi" for text, "rgb_array" for pixels.
            **options: The options of the world, as in `walkon.make`.
        """
        super().__init__(
            make(world, **options),
            horizon=horizon,
            stop_when_solved=stop_when_solved,
            privileged=privileged,
            render_mode=render_mode,
        )
