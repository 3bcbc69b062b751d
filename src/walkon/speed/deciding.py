"""Measures how fast ATPO decides: by the public calls, compared with SciPy and NumPy, and in many episodes at once."""

from collections.abc import Callable, Iterator
from functools import partial
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.memory import Memory, Percept
from walkon.agents.registry import agent as make_agent
from walkon.arrays import Floats
from walkon.domains.registry import make
from walkon.simulation.play import play_many
from walkon.simulation.stepping import Luck, first_state, stepping
from walkon.speed.bench import Bench, Row, least_seconds
from walkon.tasks import TaskLibrary

STEPS = 50
CASES = ((5, 1), (5, 4), (5, 8), (3, 4), (4, 4), (6, 4), (6, 10))  # size, K
BATCHES = ((5, 4), (6, 10))


class Decision(NamedTuple):
    """One decision: the memory before it, the action, and the observation after it."""

    memory: Memory
    action: int
    observation: int


def agent_of(library: TaskLibrary) -> Any:
    """Solve the tasks of a library, and make ATPO."""
    return make_agent("atpo", library, jobs=1)


def decide(agent: Any, library: TaskLibrary, episodes: int) -> tuple[Floats, list[Decision]]:
    """Return the CPU seconds of acting and of updating in each decision, [decisions, 2], and the decisions."""
    spent, made = [], []
    for e in range(episodes):
        task, luck = library[e % len(library)], Luck.of(e, STEPS)
        memory = agent.start()
        for happened in stepping(task, agent, luck, first_state(task, luck), memory, clock=process_time):
            spent.append((happened.acting, happened.updating))
            made.append(Decision(memory, happened.action, happened.step.observation))
            memory = happened.memory
    return np.array(spent), made


def deciding(bench: Bench) -> Iterator[Row]:
    """Time a decision for each size and K, and compare the update with SciPy and NumPy."""
    for size, K in CASES:
        bench.report(f"decisions of {K} tasks, {size} x {size}")
        library = make("night-pursuit", size=size, tasks=K)
        agent = agent_of(library)
        decide(agent, library, 2)
        spent, made = decide(agent, library, 40)
        update, sparse, dense = _updates(agent, library, made[:: max(1, len(made) // 200)])
        both = 1e6 * spent.sum(axis=1)
        yield {
            "world": f"night {size}x{size}",
            "states": size**4,
            "tasks": K,
            "vectors": float(np.mean([len(policy.vectors) for policy in agent.mixture.policies])),
            "decision_us": float(np.median(both)),
            "decision_p99_us": float(np.percentile(both, 99)),
            "update_us": update,
            "scipy_times": sparse / update,
            "numpy_times": dense / update,
        }


def _updates(agent: Any, library: TaskLibrary, decisions: list[Decision]) -> tuple[float, ...]:
    """Return the median microseconds of the same updates of all tasks by walkon, by SciPy's CSR and by dense NumPy."""
    pomdps = [task.pomdp for task in library]
    columns = [[o.tocsc() for o in p.O] for p in pomdps]
    matrices = [([m.toarray() for m in p.P], [m.toarray() for m in p.O]) for p in pomdps]

    def normalised(joint: Floats) -> Floats:
        rho = float(joint.sum())
        return joint / rho if rho > 0 else joint

    def by_walkon(now: Decision, states: tuple[Floats, ...]) -> Callable[[], Any]:
        percept = Percept(observation=now.observation)
        return lambda: agent.update(now.memory, now.action, percept)

    def by_scipy(now: Decision, states: tuple[Floats, ...]) -> Callable[[], Any]:
        a, z = now.action, now.observation
        each = list(zip(pomdps, columns, states, strict=True))
        return lambda: [normalised((b @ p.P[a]) * o[a][:, [z]].toarray().ravel()) for p, o, b in each]

    def by_numpy(now: Decision, states: tuple[Floats, ...]) -> Callable[[], Any]:
        a, z = now.action, now.observation
        each = list(zip(matrices, states, strict=True))
        return lambda: [normalised((b @ P[a]) * O[a][:, z]) for (P, O), b in each]

    ways = (by_walkon, by_scipy, by_numpy)
    spent = [[least_seconds(way(now, now.memory.states), 5) for way in ways] for now in decisions]
    return tuple(1e6 * np.median(spent, axis=0))


def batch(bench: Bench) -> Iterator[Row]:
    """Count the decisions per second when whole episodes are played in one compiled loop."""
    for size, K in BATCHES:
        bench.report(f"many episodes of {K} tasks, {size} x {size}")
        library = make("night-pursuit", size=size, tasks=K)
        agent = agent_of(library)
        play_many(library[0], agent, range(2))
        episodes = 200
        seconds = least_seconds(partial(_play, library, agent, episodes // K), 3)
        rate = K * (episodes // K) * STEPS / seconds
        yield {"world": f"night {size}x{size}", "states": size**4, "tasks": K, "decisions_per_second": rate}


def _play(library: TaskLibrary, agent: Any, episodes: int) -> None:
    for task in library:
        play_many(task, agent, range(episodes))
