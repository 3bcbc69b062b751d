"""An episode as plain text: a heading, a line for each step, and the result."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from walkon.formats.episode_file import Recording
from walkon.saying import count
from walkon.simulation.picture import Picture


def heading(recording: Recording) -> Iterator[str]:
    """Yield the world, the agent, and the tasks that the numbers of the task belief stand for."""
    episode, names = recording.episode, recording.library.names
    yield f"{recording.trial.world.domain} · {episode.agent} · seed {episode.seed}"
    yield f"task {recording.task}* of {len(names)}: {'; '.join(_marked(names, recording.task))}"


def line(moment: Picture) -> str:
    """Describe one step."""
    parts = [f"{moment.step:3}", moment.did, f"sensed {moment.sensed}"]
    if moment.unexplained:
        parts.append("nothing in the library explains this")
    if moment.belief is not None:
        numbers = (f"{p:.3f}" for p in moment.belief.tolist())
        parts.append(f"task belief {' '.join(_marked(numbers, moment.truth))}")
    return " | ".join(part for part in parts if part)


def summary(recording: Recording) -> dict[str, Any]:
    """Return the result as plain data."""
    episode, task = recording.episode, recording.library[recording.task]
    belief = None if episode.task_beliefs is None else episode.task_beliefs[-1]
    time = float(np.median(episode.decision_times))
    return {
        "task_name": task.name,
        "score": task.score,
        "solved": episode.solved,
        "steps": episode.steps,
        **episode.tally,
        "return": episode.ret,
        "earned": float(episode.rewards.sum()),
        "task_belief": None if belief is None else dict(zip(recording.library.names, belief.tolist(), strict=True)),
        "seconds_per_decision": None if np.isnan(time) else time,
        "unexplained": len(episode.events),
    }


def closing(recording: Recording) -> Iterator[str]:
    """Yield the result in words."""
    episode, end, steps = recording.episode, summary(recording), len(recording.episode.actions)
    tally = recording.library[recording.task].tally
    if tally is not None:
        yield f"{tally.amount(episode.tally[tally.name])} in {steps} steps, earned {end['earned']:g}"
    elif end["score"] == "return":
        yield f"a discounted return of {end['return']:.2f} in {steps} steps, earned {end['earned']:g} in all"
    elif end["solved"]:
        yield f"solved after {count(end['steps'], 'step')}, earned {end['earned']:g}"
    else:
        yield f"not solved in {steps} steps, earned {end['earned']:g}"
    if episode.task_beliefs is not None:
        belief, names = episode.task_beliefs[-1], recording.library.names
        best, truth = int(belief.argmax()), recording.task
        right = "which is the truth" if best == truth else f"the truth, {names[truth]}, has {belief[truth]:.3f}"
        yield f"{episode.agent} believes in {names[best]} with {belief[best]:.3f}; {right}"
    if end["unexplained"]:
        yield f"{end['unexplained']} observations that nothing in the library explains"
    if end["seconds_per_decision"] is not None:
        yield f"a decision took {1e6 * end['seconds_per_decision']:,.0f} us (median of {steps})"


def _marked(words: Any, truth: int) -> Iterator[str]:
    return (f"*{word}" if k == truth else str(word) for k, word in enumerate(words))
