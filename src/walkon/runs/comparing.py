"""A comparison of agents as trials of a run, so that it can be stored, resumed, and played by several processes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from walkon.agents.registry import AGENTS
from walkon.errors import InputError
from walkon.measuring.compare import Comparison, comparison, measured, numbers_of
from walkon.measuring.contenders import Contender, without
from walkon.measuring.seeds import trial_seeds
from walkon.measuring.statistics import MOST, enough
from walkon.plugins import suggestion
from walkon.runs.files import FileSpec
from walkon.runs.store import Store
from walkon.runs.work import believed
from walkon.solvers.defaults import Effort
from walkon.solvers.solve import Solver
from walkon.tasks import TaskLibrary
from walkon.tasks.rule_task import RuleTask
from walkon.trials.episode import Episode
from walkon.trials.rule_stepping import retraced
from walkon.trials.trial import MeasuredTrial, Recipe, WorldSpec

TOGETHER = 8  # trials that are played and stored in one go: few, because an agent may search long


@dataclass(frozen=True, kw_only=True, eq=False)
class Plan:
    """A comparison that is to be made, in one world; the fields are the arguments of `walkon.compare`."""

    world: WorldSpec
    agents: Sequence[str]  # as they are written; a name that the world's file defines is that agent
    trials: int = 32
    seed: int = 0
    horizon: int | None = None
    score: str | None = None
    solver: Solver | None = None
    effort: Effort = "usual"
    hazard: float = 0.0  # of the agents that infer the task
    teammates_of: int | None = None

    def __post_init__(self) -> None:
        enough(self.trials)
        if self.horizon is not None and self.horizon < 1:
            raise InputError(f"--horizon is {self.horizon}, expected at least one step")
        measured(self.library, self.score)
        if self.teammates_of is not None:
            without(self.library, self.teammates_of)
        total = self.trials * len(self.agents) * len(self.tasks)
        if total > MOST:
            raise InputError(f"--trials {self.trials} makes {total:,} trials in all, expected at most {MOST:,}")

    @cached_property
    def library(self) -> TaskLibrary:
        """The tasks."""
        return self.world.make()

    @property
    def tasks(self) -> list[int]:
        """The tasks that are played."""
        return list(range(len(self.library))) if self.teammates_of is None else [self.teammates_of]

    @cached_property
    def places(self) -> dict[str, list[list[MeasuredTrial]]]:
        """The trials of each agent, [K, n]."""
        found: dict[str, list[list[MeasuredTrial]]] = {}
        for text in self.agents:
            if text in found:
                raise InputError(f"the agent {text!r} is given twice: give it once, or with other options")
            facts = self._agent(text)
            found[text] = [
                [
                    MeasuredTrial(
                        world=self.world, task=k, seed=seed, horizon=self.horizon, outside=self.outside, **facts
                    )
                    for seed in trial_seeds("compare", self.seed, k, self.trials)
                ]
                for k in self.tasks
            ]
        return found

    @property
    def outside(self) -> bool:
        """Whether agents do not know the task that is played."""
        return self.teammates_of is not None

    def _agent(self, text: str) -> Mapping[str, Any]:
        """Return what a trial records of an agent."""
        if isinstance(self.world, FileSpec) and self.world.agents:
            if text in self.world.agents:
                return {"agent": text, "own": self.world.code}
            name = text.partition(":")[0]
            if name in self.world.agents:
                raise InputError(
                    f"{name!r} is an agent of the file and has no options: give {name} alone, not {text!r}"
                )
            if name not in (names := [*self.world.agents, *AGENTS]) and "," not in name:
                raise InputError(
                    f"there is no agent {name!r:.60}{suggestion(name, names)}: expected one of {', '.join(names)}"
                )
        contender = Contender.of(text).with_hazard(self.hazard)
        contender.target(0, len(self.library))
        needs, recipe = AGENTS[contender.name].needs, None
        if self.library.tables and needs.kind(self.library.observed) in ("pomdp", "union"):
            known = without(self.library, self.tasks[0]) if self.outside and not needs.informed else self.library
            union = needs.scope == "all at once"  # which has its own solver
            problems = (needs if union else replace(needs, scope="each task")).problems(known)
            recipe = Recipe.of(needs.solver(problems, None if union else self.solver, self.effort), self.seed)
        return {"agent": contender.name, "options": contender.options, "recipe": recipe}

    def trials_of_all(self) -> list[MeasuredTrial]:
        """Return all trials, agent by agent."""
        return [trial for tasks in self.places.values() for trials in tasks for trial in trials]

    def collect(self, store: Store) -> Comparison:
        """Return the comparison of the trials in a store, which has all of them."""
        rows = {
            text: [[self._numbers(store, trial) for trial in trials] for trials in tasks]
            for text, tasks in self.places.items()
        }
        return comparison(self.library, rows, self.score, self.horizon, played=self.tasks)

    def _numbers(self, store: Store, trial: MeasuredTrial) -> dict[str, float]:
        """Return the numbers of a stored trial."""
        (row,) = store.rows([trial.key])
        task = self.library[trial.task]
        columns: dict[str, Any] = {**row.columns}
        if isinstance(task, RuleTask):
            columns |= retraced(task, trial.seed, columns["actions"].tolist())
        episode = Episode.of(task, trial.agent, trial.seed, horizon=trial.horizon, **columns)
        numbers = numbers_of(episode, task, believed(trial, episode, len(self.library)))
        return numbers | {"unexplained": row.numbers["unexplained"] or 0.0}
