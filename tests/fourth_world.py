"""A world that walkon has never heard of, as small as a world can be; run as a program, the page's server with it.

python fourth_world.py PORT RECONNECT_SECONDS
"""

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np

from walkon.domains.registry import DOMAINS
from walkon.models.mmdp import MMDP
from walkon.tasks import Task, TaskLibrary

NAME = "two-lamps"


def library(
    *,
    glow: Literal["dim", "bright"] = "dim",
    noise: str = "low",
    back_door: bool = False,
    lamps: int = 2,
    seed: int = 7,
    dimmer: Callable[[float], float] | None = None,
) -> TaskLibrary:
    """A lamp and two switches, of which each turns it over; the teammate is lazy or busy."""
    swap, keep = [[0, 1], [1, 0]], np.eye(2)
    reward = np.zeros((2, 2, 2))
    reward[1] = 1.0 + back_door
    team = MMDP(
        P=[[keep, swap], [swap, keep]],
        R=reward,
        states=["lamp off", "lamp on"],
        actions=["wait", "press"],
        teammate_actions=["wait", "press"],
    )
    right = 0.9 if glow == "bright" else 0.7
    see = [[right, 1 - right], [1 - right, right]]
    return TaskLibrary(
        [
            Task(team, [[1 - busy, busy]] * 2, [see, see], name=name, observations=["dark", "light"], horizon=20)
            for name, busy in (("lazy", 0.0), ("busy", 1.0))
        ]
    )


if __name__ == "__main__":
    DOMAINS[NAME] = library
    runpy.run_path(str(Path(__file__).with_name("page_server.py")), run_name="__main__")
