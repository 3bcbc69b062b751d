"""The tasks of the second paper's pursuit: a kind of teammate, and the two sides from which the prey is captured."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from walkon.domains.ending import Difference, one_sensor, pick, settle, start_among, with_end, with_other_noise
from walkon.domains.hunting import MOVES_AND_STAY
from walkon.domains.pursuit_pairs.teammates import AWARE, GREEDY, QUADRANT, TORUS, policy
from walkon.domains.pursuit_pairs.view import TorusView, describe_observation
from walkon.domains.pursuit_pairs.world import (
    MODULO,
    PAIRS,
    POSITIONS,
    REACH,
    REVERSED,
    SEEN,
    Pair,
    captured,
    describe,
    moves,
    observation_probabilities,
)
from walkon.tasks import Task, TaskLibrary

Kind: TypeAlias = tuple[str, Pair]  # the teammate, and the sides of the prey

BOTH: tuple[Kind, ...] = tuple((mate, pair) for mate in (GREEDY, AWARE) for pair in PAIRS)
OBSERVATIONS = [(mate, prey) for mate in range(SEEN) for prey in range(SEEN)]
RING = Difference.of(
    "ring",
    MODULO,
    REVERSED,
    "How differences beyond 2 are put back on the torus: modulo 5, or reversed (3 is -1, 4 is -2, and so on).",
    choices=(MODULO, REVERSED),
)
SEARCH = Difference.of(
    "search",
    TORUS,
    QUADRANT,
    "Where the aware teammate finds its way: on the torus, or only in the quadrant to the right and below.",
    choices=(TORUS, QUADRANT),
)
DIFFERENCES = (RING, SEARCH)


@dataclass(frozen=True)
class Settings:
    """All that the tasks of a library share."""

    noise: float
    horizon: int
    ring: str
    search: str


def library(*, pool: Sequence[Kind], horizon: int, variant: str, noise: float, tasks: Any, **given: Any) -> TaskLibrary:
    """Make a library of some kinds of tasks."""
    return _library(Settings(noise, horizon, **settle(variant, DIFFERENCES, given)), pick(tasks, pool))


def names(tasks: Sequence[Kind]) -> list[str]:
    """The names of tasks."""
    return [f"{mate}, {pair}" for mate, pair in tasks]


def _library(settings: Settings, tasks: Sequence[Kind]) -> TaskLibrary:
    seen = one_sensor(observation_probabilities(settings.noise), len(MOVES_AND_STAY))
    made = [_task(settings, seen, kind, name) for kind, name in zip(tasks, names(tasks), strict=True)]
    return TaskLibrary(made, variants=partial(with_other_noise, _library, settings, tuple(tasks)))


def _task(settings: Settings, seen: Any, kind: Kind, name: str) -> Task:
    mate, pair = kind
    solved = captured(pair, settings.ring)
    team = with_end(
        moves(settings.ring),
        solved,
        states=[describe(x) for x in POSITIONS.tolist()],
        actions=MOVES_AND_STAY,
        teammate_actions=MOVES_AND_STAY,
    )
    return Task(
        team,
        policy(mate, pair, settings.ring, settings.search),
        seen,
        start_among(True, solved),
        [*solved, True],
        name,
        observations=[describe_observation(z) for z in range(len(OBSERVATIONS))],
        horizon=settings.horizon,
        state_numbers=[*POSITIONS.tolist(), [REACH + 1] * 4],
        observation_numbers=OBSERVATIONS,
        view=TorusView(pair),
    )
