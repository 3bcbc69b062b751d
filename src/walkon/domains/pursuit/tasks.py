"""The tasks of Pursuit under partial observability: one for each kind of teammate."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from walkon.domains.hunting import MOVES
from walkon.domains.pursuit.sensor import Sensor
from walkon.domains.pursuit.teammates import TEAMMATES, Choice, choices
from walkon.domains.pursuit.view import PursuitView
from walkon.domains.pursuit.world import Board, Torus, describe, matrices, rules
from walkon.models.tabulate import tabulate
from walkon.tasks import Task, TaskLibrary

HORIZON = 50


def library(
    *, size: int, capture: str, literal_noise: bool, after_capture: str, ties: str, tremble: float
) -> TaskLibrary:
    """Make a library of three tasks: greedy, teammate-aware, probabilistic destinations."""
    board, sensor = Board(Torus(size), capture, after_capture), Sensor(Torus(size), literal_noise)
    return _library(board, sensor, ties, tremble)


def _library(board: Board, sensor: Sensor, ties: str, tremble: float) -> TaskLibrary:
    hunt = board.hunt
    seen = hunt.both(tabulate(board.positions, sensor.observations, sensor.distribution))

    def teammate(kind: str) -> Callable[[Any], Choice]:
        return lambda x: choices(kind, board, hunt.position(x), ties, tremble)

    return TaskLibrary(
        [
            Task.from_rules(
                rules(board),
                teammate(kind),
                [seen] * len(MOVES),
                hunt.start(),
                hunt.solved,
                kind,
                mmdp=matrices(board),
                observations=[describe(z) for z in sensor.observations],
                horizon=HORIZON,
                state_numbers=hunt.numbers(),
                observation_numbers=np.array(sensor.observations).reshape(-1, 4),
                view=PursuitView(board, sensor),
            )
            for kind in TEAMMATES
        ],
        variants=partial(_with_other_noise, board, sensor, ties, tremble),
    )


def _with_other_noise(board: Board, sensor: Sensor, ties: str, tremble: float) -> list[TaskLibrary]:
    return [_library(board, replace(sensor, literal_noise=not sensor.literal_noise), ties, tremble)]
