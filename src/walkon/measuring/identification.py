"""How fast the tasks of a library can be told apart, by the observations of an agent that acts.

With task j going on, the Bayes factor of j against k after t steps is P_j(z_1 ... z_t) / P_k(z_1 ... z_t), given the
actions. Its expected logarithm grows by a Kullback-Leibler divergence at every step: the speed at which k is ruled out.
A single observation may refute a task, which is an infinite factor. So an episode counts until the factor passes
`CERTAIN`, a million to one, or to its end; the gain is cut off there. The speed is the mean gain over the mean
number of steps, and its interval that of a ratio of means.

Whether tasks can be told apart at all is decided exactly, by `walkon.tasks.distinguish`. Libraries without tables have
no such decision, only speeds.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from walkon.agents.inference import Inference
from walkon.agents.memory import Percept
from walkon.agents.tracking import Tracking
from walkon.arrays import Floats
from walkon.measuring.contenders import Wanted, players_of
from walkon.measuring.seeds import trial_seeds
from walkon.measuring.statistics import Interval, enough, student_interval
from walkon.simulation.play import play_many
from walkon.tasks import TaskLibrary
from walkon.tasks.distinguish import steps_apart
from walkon.tasks.given import check_library
from walkon.trials.episode import Episode

CERTAIN = 1e6
FEW = 30  # episodes; of fewer no interval covers


@dataclass(frozen=True)
class Identification:
    """Which tasks can be told apart, and how fast. The first index is the task that is going on."""

    names: tuple[str, ...]  # [K]
    apart: tuple[tuple[int | None, ...], ...]  # [K, K] steps until a difference can show; None: no agent ever sees one
    speeds: dict[str, tuple[tuple[Interval, ...], ...]]  # by agent, [K, K]: log Bayes factor for each step
    exact: bool = True  # without tables, likelihoods may be estimates, and `apart`, which is not known, is all 0


def identify(
    library: TaskLibrary,
    agents: Wanted,
    *,
    trials: int = 50,
    seed: int = 0,
    horizon: int | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Identification:
    """Find out which tasks of a library can be told apart at all, and how fast these agents do it.

    Args:
        library: The tasks.
        agents: The agents that act: names, as in ["atpo", "random"], or agents of your own by name, as in `compare`.
        trials: The number of episodes of each task for each agent.
        seed: Determines the luck of all episodes.
        horizon: The number of steps; the task's own if not given.
        watch: Is called with the number of tasks played so far, counted once for each agent, and their total.
    """
    check_library(library)
    enough(trials)
    K = len(library)
    apart: list[list[int | None]] = [[None if library.tables else 0] * K for _ in range(K)]
    for j in range(K if library.tables else 0):
        for k in range(j):
            apart[j][k] = apart[k][j] = steps_apart(library[j], library[k])
    inference: Inference | Tracking = Inference(library) if library.tables else Tracking(library)
    speeds, done = {}, 0
    players = players_of(agents, library)
    for name, each_task in players.items():
        rows = []
        for j, task in enumerate(library):
            episodes = play_many(task, each_task[j], trial_seeds("identify", seed, j, trials), horizon=horizon)
            found = np.array([gain(foretold(inference, each), j) for each in episodes])
            rows.append(tuple(ratio(found[:, 0, k], found[:, 1, k]) for k in range(K)))
            done += 1
            if watch:
                watch(done, K * len(players))
        speeds[name] = tuple(rows)
    return Identification(tuple(library.names), tuple(map(tuple, apart)), speeds, library.tables)


def foretold(inference: Inference | Tracking, episode: Episode) -> Floats:
    """Return the log-probability of the observations so far under each task, after every step, [T, K]."""
    K = len(inference.library)
    if isinstance(inference, Tracking):
        return _tracked(inference, episode)
    beliefs, start = inference.even, np.zeros(K)
    if inference.library.observed:
        first = int(episode.states[0])
        sure = [np.zeros(K), np.arange(1, K + 1), np.tile([float(first), 1.0], K)]  # packed: all belief in one state
        beliefs = np.concatenate([inference.even[:K], *sure])
        with np.errstate(divide="ignore"):
            start = np.log([task.pomdp.start[first] for task in inference.library])
    steps = []
    for action, observation in zip(episode.actions, episode.observations, strict=True):
        beliefs, logs = inference.foretell(beliefs, int(action), int(observation))
        steps.append(logs)
    return start + np.cumsum(steps, axis=0)


def _tracked(tracking: Tracking, episode: Episode) -> Floats:
    """Do the same without tables; estimates, where beliefs are particles."""
    seen, logs = tracking.library.observed, []
    memory = tracking.start(Percept(state=episode.states[0]) if seen else None)
    for action, observation in zip(episode.actions.tolist(), episode.observations, strict=True):
        memory = tracking.update(memory, action, Percept(observation=observation))
        logs.append(memory.log_joint - np.log(tracking.prior))
    return np.array(logs)


def gain(logs: Floats, true: int) -> Floats:
    """Return the log Bayes factor of the true task against each, and after how many steps, [2, K].

    >>> gain(np.log([[0.5, 0.25], [0.25, 1e-300]]), true=0).round(2).tolist()
    [[0.0, 13.82], [2.0, 2.0]]
    """
    with np.errstate(invalid="ignore"):
        factors = np.where(np.isneginf(logs), np.inf, logs[:, [true]] - logs)
    limit = float(np.log(CERTAIN))
    passed = factors >= limit
    last = np.where(passed.any(axis=0), passed.argmax(axis=0), len(logs) - 1)
    return np.array([np.minimum(factors[last, np.arange(logs.shape[1])], limit), last + 1.0])


def ratio(gains: Floats, steps: Floats) -> Interval:
    """Return the mean gain over the mean number of steps, with Student's 95 % interval by the delta method.

    Of fewer than `FEW` episodes there is none: in the corridor it would cover in 92 % of the cases with 10 episodes and
    in 84 % with 4, because gains are skewed and have no bounds.

    >>> ratio(np.array([1.0, 2.0] * 15), np.array([2.0, 4.0] * 15))
    Interval(mean=0.5, low=0.5, high=0.5, n=30)
    """
    speed = gains.mean() / steps.mean()
    found = student_interval(speed + (gains - speed * steps) / steps.mean())
    return found if len(gains) >= FEW else found._replace(low=np.nan, high=np.nan)
