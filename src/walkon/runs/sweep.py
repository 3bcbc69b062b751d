"""A sweep: the trials of one experiment, as data.

A sweep has points, and at each point either every task of one library is played (the paper's baselines), or a library
and its target are drawn from a pool for each trial (its robustness and scalability). The draw and the luck of a trial
follow from the run's seed, the sweep and the trial's number: they are the same for every agent, and at every point of a
sweep, so that agents and points can be compared trial by trial.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.registry import AGENTS
from walkon.errors import InputError
from walkon.measuring.seeds import number
from walkon.trials.trial import Measure, MeasuredTrial, Recipe, WorldSpec, frozen

PERSEUS = Recipe()
UNION = Recipe("sarsop", (("backups", 12_000), ("gap", 0.01)))  # for agents that plan in the union of all tasks
QUICK_UNION = Recipe("sarsop", (("backups", 500), ("gap", 0.1)))
NOTHING = float("nan")  # the x of a point where nothing is varied


class Point(NamedTuple):
    """One point of a sweep: the varied number, and the world there."""

    x: float
    world: WorldSpec


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """One experiment."""

    name: str
    agents: tuple[str, ...]
    points: tuple[Point, ...]
    pool: int | None = None  # the number of tasks that libraries and targets are drawn from; None: every task is played
    libraries: int | None = None  # drawn trials take turns in this many fixed libraries; None: each draws its own
    measure: Measure = "episode"
    evidence: str = "observations"
    trials: int | None = None  # for each point or each task; the run's number if not given
    luck: str = ""  # the sweep whose luck it shares; its own if not given
    horizon: int | None = None  # the task's own if not given
    single: Recipe | None = None  # solves single tasks; the run's recipe if not given, and in a quick run
    union: Recipe = UNION  # solves the union of all tasks, for agents that plan in it
    quick: Mapping[str, Any] = field(default_factory=dict)  # the fields that differ in a quick run


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The options of a run."""

    seed: int = 0
    trials: int = 32
    dark: int = 200  # trials for each task of the second paper
    recipe: Recipe = PERSEUS
    quick: bool = False

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise InputError(f"seed is {self.seed}, expected a whole number, 0 or more")
        if (least := min(self.trials, self.dark)) < 1:
            raise InputError(f"trials is {least}, expected at least 1")

    def record(self) -> dict[str, Any]:
        """Return the settings as plain data."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> "Settings":
        """Restore settings from plain data."""
        recipe = Recipe(**{**record["recipe"], "options": frozen(record["recipe"]["options"])})
        return cls(**{**record, "recipe": recipe})


class Entry(NamedTuple):
    """A trial and its place in a sweep."""

    sweep: str
    x: float
    pair: int  # the number of the trial at its point
    trial: MeasuredTrial


def entries(sweep: Sweep, settings: Settings) -> Iterator[Entry]:
    """Yield the trials of a sweep, agent by agent at each point."""
    count = sweep.trials or settings.trials
    played = 0  # pairs at earlier points that share their x
    for point in sweep.points:
        pairs = count if sweep.pool else count * point.world.size
        for agent in sweep.agents:
            recipe = _recipe(agent, sweep, point.world, settings)
            for i in range(pairs):
                task, j = (None, i) if sweep.pool else divmod(i, count)
                label = f"{settings.seed} {sweep.luck or sweep.name} {'' if task is None else task} {j}"
                if task is not None:
                    world, target = point.world, task
                elif sweep.libraries is None:
                    world, target = _draw(point.world, sweep.pool, label)
                else:
                    world = fixed(point.world, sweep.pool, i % sweep.libraries)
                    target = i // sweep.libraries % world.size
                trial = MeasuredTrial(
                    world=world,
                    task=target,
                    agent=agent,
                    seed=number(label),
                    recipe=recipe,
                    **AGENTS[agent].picked({"evidence": sweep.evidence}),
                    measure=sweep.measure,
                    horizon=sweep.horizon,
                )
                yield Entry(sweep.name, point.x, played + i, trial)
        played += pairs if np.isnan(point.x) else 0


def _recipe(agent: str, sweep: Sweep, world: WorldSpec, settings: Settings) -> Recipe | None:
    """Return the recipe that solves an agent's POMDPs; None where it has none."""
    kind = AGENTS[agent].needs.kind(observed=world.observed)
    if kind == "union":
        return QUICK_UNION if settings.quick else sweep.union
    single = settings.recipe if settings.quick else sweep.single or settings.recipe
    return single if kind == "pomdp" else None


def fixed(world: WorldSpec, pool: int | None, library: int) -> WorldSpec:
    """Draw as many tasks as the world has from the pool, the same for every seed of the run."""
    return _draw(world, pool, f"beyond library {library}")[0]


def _draw(world: WorldSpec, pool: int | None, label: str) -> tuple[WorldSpec, int]:
    """Draw as many tasks as the world has from the pool, and which of them is the target.

    A larger library begins with the tasks of a smaller one.
    """
    rng = np.random.default_rng(number(label + " library"))
    drawn = rng.permutation(pool or world.size)[: world.size].tolist()
    return world.having(tasks=drawn), int(rng.random() * len(drawn))
