"""The tasks of HOTSPOT: one for each set of three places on which the balls lie."""

from functools import partial

import numpy as np

from walkon.domains.hotspot.sensor import OBSERVATIONS, Sensor
from walkon.domains.hotspot.teammates import choices
from walkon.domains.hotspot.view import RoomView
from walkon.domains.hotspot.world import ASK, DISCOUNT, LIES, PERSON_ACTIONS, PLACES, Moment, Room
from walkon.models.rules import Rules
from walkon.models.tabulate import tabulate
from walkon.tasks import Task, TaskLibrary

PLACINGS = ((0, 1, 2), (1, 2, 3), (1, 2, 4))  # the authors ran the first two
HORIZON = 50


def library(*, tasks: int, questions: bool, price: float) -> TaskLibrary:
    """Make a library of HOTSPOT."""
    return TaskLibrary([_task(Room(places, price), Sensor(questions)) for places in PLACINGS[:tasks]])


def names(tasks: int) -> list[str]:
    """The names of its tasks."""
    return [_name(places) for places in PLACINGS[:tasks]]


def _name(places: tuple[int, ...]) -> str:
    return "balls at " + ", ".join(PLACES[place] for place in places)


def _task(room: Room, sensor: Sensor) -> Task:
    actions = (*PERSON_ACTIONS, ASK) if sensor.questions else PERSON_ACTIONS
    rules: Rules[Moment, str, str] = Rules(
        room.states, actions, PERSON_ACTIONS, room.moves, room.reward, DISCOUNT, name=room.name
    )
    begins = np.array([set(x.balls) == {LIES} for x in room.states])
    return Task.from_rules(
        rules,
        partial(choices, room),
        [tabulate(room.states, OBSERVATIONS, partial(sensor.distribution, action)) for action in actions],
        begins / begins.sum(),
        [room.solved(x) for x in room.states],
        _name(room.places),
        observations=[sensor.name(z) for z in OBSERVATIONS],
        horizon=HORIZON,
        state_numbers=[(x.robot, x.person, *x.balls) for x in room.states],
        observation_numbers=OBSERVATIONS,
        view=RoomView(room, sensor),
    )
