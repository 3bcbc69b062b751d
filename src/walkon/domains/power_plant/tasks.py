"""The tasks of the power plant: to explore it, or to clean it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_array, vstack

from walkon.checks import share
from walkon.domains.ending import NOTHING, WRONG, Difference, pick, settle, with_other_noise
from walkon.domains.power_plant.teammates import human
from walkon.domains.power_plant.view import READ, PlantView
from walkon.domains.power_plant.world import ACTIONS, JOBS, OBSERVATION_COUNT, ROOMS, Job, observation_probabilities
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
class Settings:
    """All that the tasks of a library share."""

    noise: float
    misread: str
    discount: float


def library(*, variant: str, noise: float, tasks: Any, **given: Any) -> TaskLibrary:
    """Make a library of the power plant."""
    return _library(Settings(noise, **settle(variant, DIFFERENCES, given)), pick(tasks, JOBS))


def _library(settings: Settings, jobs: Sequence[Job]) -> TaskLibrary:
    return TaskLibrary(
        [_task(settings, job) for job in jobs], variants=partial(with_other_noise, _library, settings, tuple(jobs))
    )


def _task(settings: Settings, job: Job) -> Task:
    team, over = job.team(settings.noise, settings.discount), csr_array(np.eye(1, OBSERVATION_COUNT))
    sensor = [
        vstack([csr_array(observation_probabilities(job, a, settings.noise, settings.misread)), over], format="csr")
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
        observation_numbers=[[z] for z in range(OBSERVATION_COUNT)],
        view=PlantView(job),
    )
