"""The tasks of the power plant: to explore it, or to clean it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_array, vstack

from walkon.checks import share
from walkon.domains.ending import NOTHING, WRONG, Difference, pick, settle
from walkon.domains.power_plant.teammates import human
from walkon.domains.power_plant.view import READ, PlantView
from walkon.domains.power_plant.world import ACTIONS, JOBS, READINGS, ROOMS, Job, readings
from walkon.tasks import Task, TaskLibrary

HORIZON = 50
FLAGS = max(len(job.rooms) for job in JOBS)
MISREAD = Difference.of(
    "misread",
    NOTHING,
    WRONG,
    "What a room is read as when it is misread: nothing, or wrong (nothing or another room).",
    choices=(NOTHING, WRONG),
)
DISCOUNT = Difference.of("discount", 0.95, 0.9, "The discount, also of the human's plan.", check=share)
DIFFERENCES = (MISREAD, DISCOUNT)


@dataclass(frozen=True)
class Reading:
    """All that the tasks of a library share."""

    noise: float
    misread: str
    discount: float


def library(*, variant: str, noise: float, tasks: Any, **given: Any) -> TaskLibrary:
    """Make a library of the power plant."""
    return _library(Reading(noise, **settle(variant, DIFFERENCES, given)), pick(tasks, JOBS))


def _library(reading: Reading, jobs: Sequence[Job]) -> TaskLibrary:
    return TaskLibrary([_task(reading, job) for job in jobs], variants=partial(_with_other_noise, reading, tuple(jobs)))


def _with_other_noise(reading: Reading, jobs: Sequence[Job]) -> list[TaskLibrary]:
    """The same tasks with less noise, and with more."""
    noises = (reading.noise / 3, (1 + reading.noise) / 2)
    return [_library(replace(reading, noise=noise), jobs) for noise in noises]


def _task(reading: Reading, job: Job) -> Task:
    team, over = job.team(reading.noise, reading.discount), csr_array(np.eye(1, READINGS))
    sensor = [
        vstack([csr_array(readings(job, a, reading.noise, reading.misread)), over], format="csr")
        for a in range(len(ACTIONS))
    ]
    spare = (0,) * (FLAGS - len(job.rooms))
    return Task(
        team,
        human(team),
        sensor,
        [x == job.first for x in (*job.positions, None)],
        [*job.solved, True],
        job.name,
        observations=READ,
        horizon=HORIZON,
        state_numbers=[*(x + spare for x in job.positions), (ROOMS, ROOMS, *(1,) * FLAGS)],
        observation_numbers=[[z] for z in range(READINGS)],
        view=PlantView(job),
    )
