"""A world that walkon has never heard of, as small as a world can be; run as a program, the page's server with it.

python fourth_world.py PORT RECONNECT_SECONDS
"""

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np

from declaring import declaring
from walkon.domains.registry import WORLDS
from walkon.domains.world import Option, World
from walkon.models.mmdp import MMDP
from walkon.tasks import Task, TaskLibrary

NAME = "two-lamps"
BROKEN = "no-lamp"
OFFERED = {NAME: "fourth_world:library", BROKEN: "fourth_world:nothing"}


def library(
    *,
    glow: Literal["dim", "bright"] = "dim",
    noise: str = "low",
    back_door: bool = False,
    lamps: int = 2,
    seed: int = 7,
    dimmer: Callable[[float], float] | None = None,
) -> TaskLibrary:
    """A lamp and two switches, of which each turns it over; the teammate is lazy or busy.

    Args:
        glow: How well the lamp
            is seen.
        noise: A word about the hum.
        lamps: How many there are.
    """
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


def no_default(*, lamps):
    return library(lamps=lamps)


def nothing_at_all():
    return "no library"


WHOLE = World(
    name="lamp",
    title="The Lamp",
    goal="Let there be light.",
    options=(Option("glow", "dim"),),
    library=library,
    names=lambda glow: ("lazy", "busy"),
)


def offering(**worlds):
    """As if packages were installed that offer these worlds as entry points; two lamps and a broken one if not said."""
    return declaring(WORLDS, worlds or OFFERED)


def install(folder):
    """Leave in a folder what an installed package leaves there, and say the path that finds it and its code."""
    package = Path(folder) / "two_lamps-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: two-lamps\nVersion: 1\n")
    lines = [f"{name} = {value}" for name, value in OFFERED.items()]
    (package / "entry_points.txt").write_text("\n".join(["[walkon.worlds]", *lines, ""]))
    return [str(folder), str(Path(__file__).parent)]


if __name__ == "__main__":
    with offering():
        runpy.run_path(str(Path(__file__).with_name("page_server.py")), run_name="__main__")
