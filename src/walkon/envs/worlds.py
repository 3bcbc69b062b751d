"""The three worlds of the paper as Gymnasium environments, with what every number of an observation means."""

from typing import Any

from walkon.domains import make
from walkon.envs.ad_hoc import AdHocEnv


class WorldEnv(AdHocEnv):
    """The ad hoc agent's seat in one of the paper's worlds."""

    world = ""

    def __init__(
        self,
        *,
        horizon: int | None = None,
        stop_when_solved: bool = False,
        privileged: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Make the world's library and put it behind the seat.

        Args:
            horizon: The number of steps of an episode; the paper's if not given.
            stop_when_solved: End the episode when the task is solved.
            privileged: Tell the truth in `info`.
            render_mode: "ansi" for text, "rgb_array" for pixels.
            **options: The options of the world, as in `walkon.make`.
        """
        super().__init__(
            make(self.world, **options),
            horizon=horizon,
            stop_when_solved=stop_when_solved,
            privileged=privileged,
            render_mode=render_mode,
        )


class NightPursuit(WorldEnv):
    """`walkon/NightPursuit-v0`: stand on one sleeping prey while the teammate stands on the other.

    Observation, five numbers: whether there was an observation, 0 or 1; then what was read up, down, left and right of
    the own cell: 0 nothing, 1 a teammate, 2 a prey. Things may be missed; the own cell is not observed.
    Action: 0 up, 1 down, 2 left, 3 right, 4 stay.
    Reward: -1 for a step, 100 for the one that captures, 0 afterwards.
    """

    world = "night-pursuit"


class Pursuit(WorldEnv):
    """`walkon/Pursuit-v0`: hold the fleeing prey from two sides.

    Observation, five numbers: whether there was an observation, 0 or 1; then where the teammate and the prey were read
    to be, as cells to the right and cells down, for each: teammate right, teammate down, prey right, prey down. Left
    and up are negative; on the 5 x 5 torus all four go from -2 to 2. The further, the more often it is one cell off.
    Action: 0 up, 1 down, 2 left, 3 right.
    Reward: -1 for a step, 100 for the one that captures, 0 afterwards.
    """

    world = "pursuit"


class Overcooked(WorldEnv):
    """`walkon/Overcooked-v0`: deliver soups with a helper or a cook that you do not know.

    Observation, seven numbers, the state itself, also after reset: the helper's cell and the cook's, 0 top, 1 bottom;
    what the helper and the cook hold, 0 nothing, 1 an onion, 2 a plate, 3 a soup (the cook only); what lies on the
    top and the bottom counter, 0 nothing, 1 an onion, 2 a plate; the onions in the pan, 3 being a cooked soup.
    Action: 0 up, 1 down, 2 nothing, 3 act. Reward: 15 for a delivery, -1 for every other step.
    """

    world = "overcooked"
