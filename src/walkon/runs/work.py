"""The work of a run, as functions that any process can call: solve a problem, play trials.

They take and return plain records, so that they can run anywhere.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.agent import Agent, problem_of
from walkon.agents.loss import affinity, bound, losses
from walkon.agents.memory import Memory, UnexplainedWarning
from walkon.agents.registry import AGENTS
from walkon.domains.registry import SMALLEST
from walkon.errors import InputError
from walkon.formats.policy_cache import PolicyCache
from walkon.measuring.contenders import own_players, without
from walkon.measuring.metrics import measure
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.runs.columns import Columns, columns_of, pack
from walkon.runs.files import FileSpec
from walkon.runs.store import Result
from walkon.simulation.play import play, play_many
from walkon.solvers.parallel import solve_all
from walkon.tasks import TaskLibrary
from walkon.trials.episode import Episode
from walkon.trials.trial import MeasuredTrial, Problem, WorldSpec

TINY = WorldSpec.of(SMALLEST[0], **SMALLEST[1])
FEW = 8  # trials that are played one by one: the matrices of the compiled loop take longer to make
Policies = Mapping[Problem, AlphaVectors]
NUMBERS = (
    "steps", "solved", "tally", "dead_end", "identified_at", "final_p_true", "final_entropy", "mean_entropy",
    "mean_log_loss", "mean_brier",
)  # fmt: skip


class Solved(NamedTuple):
    """A problem's policy, and the facts about its solution."""

    problem: Problem
    policy: AlphaVectors
    facts: dict[str, Any]


def problems_of(trial: MeasuredTrial) -> list[Problem]:
    """Return the problems that have to be solved before a trial can be played; none where solving itself is timed."""
    if trial.recipe is None or trial.measure == "setup":
        return []
    places = AGENTS[trial.agent].needs.places(trial.world.size, trial.told)
    unknown = trial.task if trial.outside and not trial.informed else None
    return [
        replace(Problem.of(trial.world, place, trial.recipe), without=unknown if place is None else None)
        for place in places
        if place is None or place != unknown
    ]


def solve(problem: Problem, folder: str | None) -> Solved:
    """Return the policy of a problem, from the folder of policies or newly solved."""
    library = problem.world.make()
    if problem.without is not None:
        library = without(library, problem.without)
    model = problem_of(library, problem.task)
    scale = 1.0 / model.discount ** int(problem.task is None and library.observed)  # a union begins a step earlier
    solver, seed = problem.recipe.make(), problem.recipe.seed
    solution, found = PolicyCache(folder).solve(model, solver, seed=seed)
    facts = {
        "problem": asdict(problem),
        "model": model.hash,
        "lower": None if solution.lower is None else scale * solution.lower,
        "upper": None if solution.upper is None else scale * solution.upper,
        "vectors": solution.policy.vector_count,
        "iterations": solution.iterations,
        "stopped": solution.stopped,
        "seconds": solution.seconds,
        "found": found,
    }
    return Solved(problem, solution.policy, facts)


def play_trials(trials: Sequence[MeasuredTrial], folder: str | None, policies: Policies | None = None) -> list[Result]:
    """Play trials of one world, with the policies given, else with those of the folder."""
    library = trials[0].world.make()
    groups: dict[MeasuredTrial, list[MeasuredTrial]] = {}
    for trial in trials:
        groups.setdefault(replace(trial, seed=0), []).append(trial)
    results: dict[str, Result] = {}
    for same in groups.values():
        results |= {result.key: result for result in _played(library, same, folder, policies)}
    return [results[trial.key] for trial in trials]


@lru_cache(maxsize=1)
def _player(trial: MeasuredTrial, folder: str | None) -> Agent[Any]:
    """Make the agent of a trial, with policies from the folder. The last is kept: trials of one agent come in a row."""
    return _agent(trial.world.make(), trial, [solve(each, folder).policy for each in problems_of(trial)])


def _agent(library: TaskLibrary, trial: MeasuredTrial, policies: list[AlphaVectors] | None) -> Agent[Any]:
    """Make the agent of a trial. Policies that are not given are solved now, also those that walkon comes with."""
    known = without(library, trial.task) if trial.outside and not trial.informed else library
    if isinstance(trial.world, FileSpec) and trial.own:
        if trial.world.code != trial.own:
            raise InputError(f"{trial.world.path} was changed while its agents were compared: call again")
        return own_players(trial.agent, trial.world.agents[trial.agent], library, known)[trial.task]
    library = known
    if policies is None:
        policies = _solved_now(library, trial)
    return trial.make_agent(library, policies or None, None if trial.recipe is None else trial.recipe.make())


def _solved_now(library: TaskLibrary, trial: MeasuredTrial) -> list[Any]:
    needs = AGENTS[trial.agent].needs
    problems = needs.problems(library, target=trial.told)
    if not problems:
        return []
    solver = needs.solver(problems, None if trial.recipe is None else trial.recipe.make())
    return [each.policy for each in solve_all(problems, solver, jobs=1)]


def _played(
    library: TaskLibrary, trials: list[MeasuredTrial], folder: str | None, policies: Policies | None
) -> list[Result]:
    """Play trials that differ only in their luck."""
    first = trials[0]
    if first.measure == "setup":
        return [_prepared(trial) for trial in trials]
    task = library[first.task]
    if policies is None:
        same = not (first.informed or first.outside or first.own)  # then one agent plays every task
        player = _player(
            replace(first, task=0 if same else first.task, seed=0, measure="episode", horizon=None), folder
        )
    else:
        player = _agent(library, first, [policies[each] for each in problems_of(first)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnexplainedWarning)  # counted in the results
        if first.measure in ("return", "cost"):
            return [_earned(library, trial, player) for trial in trials]
        if first.measure == "score":
            scored = play_many(task, player, [trial.seed for trial in trials], horizon=first.horizon, stop=True)
            return [_scored(library, t, e) for t, e in zip(trials, scored, strict=True)]
        if first.measure == "episode":
            seeds = [trial.seed for trial in trials]
            if len(trials) < FEW:
                played = [play(task, player, seed=seed, horizon=first.horizon) for seed in seeds]
            else:
                played = play_many(task, player, seeds, horizon=first.horizon)
            return [_result_of(library, t, e, columns_of(e)) for t, e in zip(trials, played, strict=True)]
        play(task, player, horizon=first.horizon)  # the first decisions load kernels
        results = []
        for trial in trials:
            memories: list[Memory] = []
            watch, clock = memories.append, process_time
            episode = play(task, player, seed=trial.seed, horizon=trial.horizon, watch=watch, clock=clock)
            columns = columns_of(episode)
            if trial.measure == "decision":
                columns["decision_seconds"] = episode.decision_times
            else:
                columns |= _lost(library, player, memories[:-1], episode, trial.task)
            results.append(_result_of(library, trial, episode, columns))
        return results


def _result_of(library: TaskLibrary, trial: MeasuredTrial, episode: Episode, columns: Columns) -> Result:
    task = library[trial.task]
    found = asdict(measure(episode, task, believed(trial, episode, len(library))))
    numbers = {name: None if found[name] is None else float(found[name]) for name in NUMBERS}
    numbers["unexplained"] = float(len(episode.events))
    if not task.ends:
        numbers["steps"] = numbers["solved"] = None
    if task.tally is None:
        numbers["tally"] = numbers["dead_end"] = None
    return Result(trial.key, library.hash, task.name, numbers, pack(columns))


def believed(trial: MeasuredTrial, episode: Episode, tasks: int) -> int | None:
    """Return the place of the task that was played in the agent's belief over so many tasks; None if it has none."""
    known = episode.task_beliefs is not None and episode.task_beliefs.shape[1] == tasks
    return trial.task if known and not trial.informed and not trial.outside else None


def _earned(library: TaskLibrary, trial: MeasuredTrial, player: Agent[Any]) -> Result:
    """Measure the discounted return, and the rest within the task's own horizon; or keep what was done and paid.

    The episode ends when the task is solved: no reward follows, or none that counts.
    """
    task = library[trial.task]
    episode = play(task, player, seed=trial.seed, horizon=trial.horizon, stop=True)
    if trial.measure == "cost":
        return _result_of(library, trial, episode, {"taken": episode.actions, "paid": episode.rewards})
    found = _result_of(library, trial, episode.until(task.horizon), {})
    numbers = {name: found.numbers[name] for name in ("steps", "solved", "tally", "dead_end", "unexplained")}
    return found._replace(numbers=numbers | {"return": episode.ret})


def _scored(library: TaskLibrary, trial: MeasuredTrial, episode: Episode) -> Result:
    """Measure the sum of the rewards, the discounted return and the task beliefs until the task was solved."""
    before = episode.until(episode.steps)  # the reward for the end, and what is observed then, come a step later
    beliefs = {} if before.task_beliefs is None else {"task_beliefs": before.task_beliefs}
    found = _result_of(library, trial, before, beliefs)
    return found._replace(numbers=found.numbers | {"score": float(episode.rewards.sum()), "return": episode.ret})


def _lost(library: TaskLibrary, player: Any, memories: list[Memory], episode: Episode, target: int) -> Columns:
    """Compute both sides of the bound along an episode, and how alike two tasks predict."""
    steps = zip(memories, episode.actions.tolist(), strict=True)
    alike = [affinity(player.inference.forecast(memory, action)[:, 0], target) for memory, action in steps]
    sides = bound(losses(library, player.policies, memories, target))
    return {
        "loss": sides.left,
        "loss_of_truth": sides.compared,
        "bound_fixed": sides.fixed,
        "bound_best": sides.best,
        "bound_fixed_largest": sides.fixed_by_largest,
        "bound_best_largest": sides.best_by_largest,
        "bound_distance": sides.by_distance,
        "bound_printed": sides.printed,
        "affinity": np.array(alike),
    }


def _prepared(trial: MeasuredTrial) -> Result:
    """Measure the CPU time of preparing an agent, with nothing solved before but all kernels compiled."""
    library = trial.world.make_unshared()
    _agent(TINY.make(), MeasuredTrial(world=TINY, task=0, agent=trial.agent, seed=0, recipe=trial.recipe), None)
    began = process_time()
    _agent(library, trial, None)
    seconds = process_time() - began
    return Result(trial.key, library.hash, library[trial.task].name, {"seconds": seconds}, pack({}))
