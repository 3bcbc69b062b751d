"""Measures how fast ATPO decides, and how time and memory grow with |X|, |Z|, K and the number of vectors.

Decisions are timed by the public calls, compared with SciPy and NumPy, and in many episodes at once. Growth is measured
for one number at a time, from Night-time Pursuit 5 x 5 with four tasks. States grow with the room. Observations grow by
splitting: each becomes several that are equally likely and mean the same, so only |Z| grows. Vectors grow with the
number of backups. A law y = c x^p is a straight line in the logarithms; p is its slope by least squares.
"""

import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, kron

from walkon.agents.memory import Memory, Percept
from walkon.agents.registry import agent as make_agent
from walkon.arrays import Floats
from walkon.domains.registry import make
from walkon.envs.vector import VectorAdHocEnv
from walkon.measuring.statistics import Estimate
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.simulation.play import play_many
from walkon.simulation.stepping import first_state, stepping
from walkon.solvers.ascent import Ascent
from walkon.speed.bench import Bench, Row, least_seconds, seconds_of
from walkon.tasks import Task, TaskLibrary
from walkon.trials.luck import Luck

STEPS = 50
CASES = ((5, 1), (5, 4), (5, 8), (3, 4), (4, 4), (6, 4), (6, 10))  # size, K
BATCHES = ((5, 4), (6, 10))
ENVIRONMENTS = 1_024  # in one vector environment
USUAL = {"size": 5, "tasks": 4}
SIZES, LARGE = (3, 4, 5, 6, 7, 8), (9, 10)
SPLITS = (1, 2, 4, 8, 16)
TASKS = (1, 2, 4, 8, 16, 32)
BACKUPS = (100, 300, 1_000, 3_000, 10_000, 30_000)  # of each task, for a growing number of vectors
FEW = 200  # vectors of each task, where their number does not grow
EPISODES = 12
SOLVING = Ascent(backups=2_000, tolerance=1e-9)
AXES = {"states": "|X|", "observations": "|Z|", "tasks": "K", "vectors": "vectors"}
TIMES = ("build", "decision", "backup")  # seconds
MEMORIES = ("agent", "solving")  # bytes
NOTE = "night-time pursuit 5 x 5, K = 4, 200 vectors, one number at a time; one core; p: exponent with 95 % interval"


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
            "vectors": float(np.mean([policy.vector_count for policy in agent.mixture.policies])),
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

    def by_walkon(now: Decision) -> Callable[[], Any]:
        percept = Percept(observation=now.observation)
        return lambda: agent.update(now.memory, now.action, percept)

    def by_scipy(now: Decision) -> Callable[[], Any]:
        a, z = now.action, now.observation
        each = list(zip(pomdps, columns, now.memory.states, strict=True))
        return lambda: [normalised((b @ p.P[a]) * o[a][:, [z]].toarray().ravel()) for p, o, b in each]

    def by_numpy(now: Decision) -> Callable[[], Any]:
        a, z = now.action, now.observation
        each = list(zip(matrices, now.memory.states, strict=True))
        return lambda: [normalised((b @ P[a]) * O[a][:, z]) for (P, O), b in each]

    ways = (by_walkon, by_scipy, by_numpy)
    spent = [[least_seconds(way(now), 5) for way in ways] for now in decisions]
    return tuple(1e6 * np.median(spent, axis=0))


def batch(bench: Bench) -> Iterator[Row]:
    """Count the decisions per second when whole episodes are played in one compiled loop, and the steps of training."""
    for size, K in BATCHES:
        bench.report(f"many episodes of {K} tasks, {size} x {size}")
        library = make("night-pursuit", size=size, tasks=K)
        agent = agent_of(library)
        play_many(library[0], agent, range(2))
        episodes = 200
        seconds = least_seconds(partial(_play, library, agent, episodes // K), 3)
        rate = K * (episodes // K) * STEPS / seconds
        row = {"world": f"night {size}x{size}", "states": size**4, "tasks": K, "decisions_per_second": rate}
        yield row | {"environment_steps_per_second": steps_per_second(library)}


def _play(library: TaskLibrary, agent: Any, episodes: int) -> None:
    for task in library:
        play_many(task, agent, range(episodes))


def steps_per_second(library: TaskLibrary, cycles: int = 4) -> float:
    """Count the steps per second of the vector environment with random actions, in so many episodes of each."""
    env = VectorAdHocEnv(library, ENVIRONMENTS, horizon=STEPS)
    env.reset(seed=0)
    env.action_space.seed(0)

    def train() -> None:
        for _ in range(cycles * (STEPS + 1)):  # one more, which begins the next episode
            env.step(env.action_space.sample())

    return ENVIRONMENTS * cycles * STEPS / least_seconds(train, 3)


def exponent(x: Any, y: Any) -> Estimate:
    """Fit the p of y = c x^p, the slope of a line through the logarithms; its error is NaN where points are too few.

    >>> round(exponent([1, 2, 4, 8], [3, 12, 48, 192]).value, 9)
    2.0
    """
    n = len(x)
    u, v = np.log(x), np.log(y)
    u, v = u - u.mean(), v - v.mean()
    slope = float(u @ v / (u @ u)) if n > 1 else float("nan")
    error = float(np.sqrt(((v - slope * u) ** 2).sum() / (n - 2) / (u @ u))) if n > 2 else float("nan")
    return Estimate(slope, error, n, n - 2)


def exponents(rows: Sequence[Row]) -> list[Row]:
    """Fit the exponent of each measure along each axis."""
    found = []
    for axis in AXES:
        for measure in (*TIMES, *MEMORIES):
            own = [row for row in rows if (row["axis"], row["measure"]) == (axis, measure)]
            if len(own) > 1:
                p = exponent([row["x"] for row in own], [row["value"] for row in own])
                low, high = p.interval()
                found.append({"axis": axis, "measure": measure, "exponent": p.value, "low": low, "high": high})
    return found


def growth(bench: Bench) -> Iterator[Row]:
    """Measure everything at each point of each axis, one row each."""
    tiny = make("night-pursuit", size=3, tasks=1)
    decide(agent_of(tiny), tiny, 1)  # loads kernels, which is slow while memory is being traced
    for size in (*SIZES, *(LARGE if bench.full else ())):
        yield from _point(bench, "states", size**4, {"size": size}, solving=True, build=True)
    for split in SPLITS:
        yield from _point(bench, "observations", 81 * split, {"split": split}, solving=True)
    for K in TASKS:
        yield from _point(bench, "tasks", K, {"tasks": K}, build=True)
    for backups in BACKUPS:
        yield from _point(bench, "vectors", None, {"backups": backups})


def _point(
    bench: Bench, axis: str, x: int | None, setting: dict[str, int], *, solving: bool = False, build: bool = False
) -> Iterator[Row]:
    bench.report(f"growth with {AXES[axis]}" + (f" = {x:,}" if x else ""))
    found: dict[str, float] = {}
    world = {name: setting.get(name, usual) for name, usual in USUAL.items()}
    if build:
        found["build"] = seconds_of(lambda: make("night-pursuit", **world))
    tracemalloc.start()
    library = make("night-pursuit", **world)
    if split := setting.get("split"):
        library = TaskLibrary([_split(task, split) for task in library])
    backups = setting.get("backups")
    solver = Ascent(backups=backups) if backups else SOLVING
    policies = [solver.solve(task.pomdp).policy for task in library]
    if not backups:
        policies = [_sized(policy, FEW) for policy in policies]
    x = x or round(np.mean([policy.vector_count for policy in policies]))
    agent = make_agent("atpo", library, policies=policies)
    decide(agent, library, 1)  # the first decision fills caches
    found["agent"] = float(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    spent, _ = decide(agent, library, EPISODES)
    found["decision"] = float(np.median(spent.sum(axis=1)))
    if solving:
        problem = library[0].pomdp
        tracemalloc.start()
        SOLVING.solve(problem, seed=bench.seed)
        found["solving"] = float(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert SOLVING.backups is not None
        found["backup"] = seconds_of(lambda: SOLVING.solve(problem, seed=bench.seed)) / SOLVING.backups
    for measure, value in found.items():
        yield {"axis": axis, "x": x, "measure": measure, "value": value}


def _sized(policy: AlphaVectors, n: int) -> AlphaVectors:
    """Return n of a policy's vectors; where it has fewer, they are repeated, lower each time."""
    whole = policy.vectors
    times, less = -(-n // len(whole)), 0.01 * np.ptp(whole)
    vectors = np.concatenate([whole - less * i for i in range(times)])
    some = np.linspace(0, len(vectors) - 1, n).astype(int)
    return AlphaVectors(vectors[some], np.tile(policy.actions, times)[some], policy.action_count)


def _split(task: Task, times: int) -> Task:
    """Split each observation of a task into several that mean the same."""
    same = csr_array(np.full((1, times), 1 / times))
    O = tuple(csr_array(kron(o, same)) for o in task.sensor)
    pomdp = replace(task.pomdp, O=O, observations=None)
    return replace(task, pomdp=pomdp, observation_numbers=np.arange(O[0].shape[1])[:, None])
