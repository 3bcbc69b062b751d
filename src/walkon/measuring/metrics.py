"""The metrics of one episode.

The paper, section "Metrics": efficiency (is the task solved, and how soon) and effectiveness (is the right task
identified). A task belief is scored by its normalised entropy, which asks only how sure it is, and against the true
task by its probability, its log-loss and its Brier score. Means run over all T + 1 beliefs, the prior included.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from walkon.agents.task_belief import brier, certain, log_loss
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.tasks import Task
from walkon.tasks.dead_ends import dead_ends
from walkon.tasks.given import check_task
from walkon.trials.episode import Episode


@dataclass(frozen=True, kw_only=True, eq=False)
class Metrics:
    """The numbers of one episode of T steps.

    None where they do not apply: entropies, if the agent has no task belief; all that concerns the true task, if it has
    none or the task lies outside its library; dead ends, if the task has no tally and no end, or no tables.
    """

    steps: int  # actions until it was solved; the horizon if it never was
    solved: bool
    tally: int  # 0 where the task has none
    ret: float  # the discounted return
    dead_end: bool | None  # whether the episode ended where the tally cannot grow, or the task cannot be solved
    dead_end_at: int | None  # the number of steps after which it was in one to the end
    final_entropy: float | None  # normalised
    mean_entropy: float | None
    p_true: Floats | None  # [T + 1], the probability of the true task
    final_p_true: float | None
    identified_at: int | None  # the number of steps after which p_true reached the threshold to the end; None if never
    final_log_loss: float | None  # natural logarithm; infinite where p_true is 0
    mean_log_loss: float | None
    final_brier: float | None  # from 0 to 2
    mean_brier: float | None
    median_decision_time: float  # seconds for one step: acting, drawing the action and updating
    mean_decision_time: float


def measure(episode: Episode, task: Task, target: int | None = None, *, threshold: float = 0.95) -> Metrics:
    """Return the metrics of one episode.

    Args:
        episode: The episode.
        task: The task that was played.
        target: Its index in the agent's library; None if it lies outside.
        threshold: The task counts as identified while its probability is at least this.
    """
    check_task(task)
    if not 0 < threshold <= 1:
        raise InputError(f"threshold is {threshold}, expected a probability above 0 and at most 1")
    dead = None if task.score == "return" or not task.tables else dead_ends(task)[episode.states]
    p_true = log_losses = briers = None
    if target is not None and (beliefs := episode.task_beliefs) is not None:
        p_true = beliefs @ certain(target, beliefs.shape[1])
        log_losses, briers = log_loss(beliefs, target), brier(beliefs, target)
    return Metrics(
        steps=episode.steps,
        solved=episode.solved,
        tally=int(episode.counts.sum()),
        ret=episode.ret,
        dead_end=None if dead is None else bool(dead[-1]),
        dead_end_at=None if dead is None else _lasting(dead),
        final_entropy=_final(episode.entropies),
        mean_entropy=_mean(episode.entropies),
        p_true=p_true,
        final_p_true=_final(p_true),
        identified_at=None if p_true is None else _lasting(p_true >= threshold),
        final_log_loss=_final(log_losses),
        mean_log_loss=_mean(log_losses),
        final_brier=_final(briers),
        mean_brier=_mean(briers),
        median_decision_time=float(np.median(episode.decision_times)),
        mean_decision_time=float(np.mean(episode.decision_times)),
    )


def _lasting(holds: npt.NDArray[np.bool_]) -> int | None:
    """Return the first index from which a condition holds to the end; None if it does not hold at the end."""
    fails = np.flatnonzero(~holds)
    first = int(fails[-1]) + 1 if len(fails) else 0
    return first if first < len(holds) else None


def _final(column: Floats | None) -> float | None:
    return None if column is None else float(column[-1])


def _mean(column: Floats | None) -> float | None:
    return None if column is None else float(column.mean())
