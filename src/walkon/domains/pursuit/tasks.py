"""The tasks of Pursuit under partial observability: one for each kind of teammate."""

from functools import partial

import numpy as np

from walkon.domains.hunting import MOVES
from walkon.domains.pursuit.sensor import Sensor
from walkon.domains.pursuit.teammates import TEAMMATES, choices
from walkon.domains.pursuit.view import PursuitView
from walkon.domains.pursuit.world import Board, Torus, describe, matrices, rules
from walkon.models.tabulate import tabulate
from walkon.tasks import Task, TaskLibrary

HORIZON = 50


def library(*, size: int, capture: str, literal_noise: bool, tremble: float) -> TaskLibrary:
    """Make a library of three tasks: greedy, teammate-aware, probabilistic destinations."""
    board, sensor = Board(Torus(size), capture), Sensor(Torus(size), literal_noise)
    seen = tabulate(board.states, sensor.observations, sensor.distribution)
    solved = np.array([x in board.captured for x in board.states])
    hunt, names = rules(board), [describe(z) for z in sensor.observations]
    numbers, observations = (np.array(pairs).reshape(-1, 4) for pairs in (board.states, sensor.observations))
    return TaskLibrary(
        [
            Task.from_rules(
                hunt,
                partial(choices, kind, board, tremble),
                [seen] * len(MOVES),
                ~solved / np.count_nonzero(~solved),
                solved,
                kind,
                mmdp=matrices(board),
                observations=names,
                horizon=HORIZON,
                state_numbers=numbers,
                observation_numbers=observations,
                view=PursuitView(board, sensor),
            )
            for kind in TEAMMATES
        ],
        variants=partial(_with_other_noise, size, capture, not literal_noise, tremble),
    )


def _with_other_noise(size: int, capture: str, literal_noise: bool, tremble: float) -> list[TaskLibrary]:
    return [library(size=size, capture=capture, literal_noise=literal_noise, tremble=tremble)]
