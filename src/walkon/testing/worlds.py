"""Check worlds and tasks: the same library from the same options, matrices that agree with the steps, real ends."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any
from xml.etree import ElementTree

import numpy as np
from gymnasium.utils.env_checker import check_env

from walkon.agents.registry import agent
from walkon.domains.registry import make
from walkon.envs.environments import AdHocEnv
from walkon.pictures.pixels import pixels
from walkon.pictures.svg import svg
from walkon.pictures.text import text
from walkon.processes import Workers
from walkon.simulation.play import play
from walkon.tasks import Task, TaskLibrary
from walkon.testing.agents import check_same_episode

STATES = 40  # the most states that are checked one by one; more are drawn at random
CLOSE = 1e-9


def check_world(world: str | Callable[..., TaskLibrary], **options: Any) -> None:
    """Check a world: its library, each task, episodes, and its Gymnasium environment.

    Args:
        world: Its name, or the function that makes its library.
        **options: The options to make it with; the others have their defaults.
    """
    build = partial(make, world) if isinstance(world, str) else world
    library = build(**options)
    assert library.hash == build(**options).hash, "the same options give a different library the second time"
    assert len({task.hash for task in library}) == len(library), "two of the world's tasks have the same numbers"
    assert len(set(library.names)) == len(library), f"two of the world's tasks share a name: {library.names}"
    for task in library:
        check_content(task)
        check_pictures(task)
    check_episodes(library)
    check_env(AdHocEnv(library), skip_render_check=True)  # pictures are checked task by task


def check_task(task: Task) -> None:
    """Check a task: its names, its end, its steps against its matrices, its episodes and its pictures.

    Args:
        task: The task. Of more than 40 states, 40 are checked step by step.
    """
    check_content(task)
    check_pictures(task)
    check_episodes([task])


def check_episodes(tasks: Iterable[Task]) -> None:
    """Check that a seed decides an episode, also in another process."""
    with Workers(1) as process:
        for task in tasks:
            player = agent("random", TaskLibrary([task]))
            try:
                there = process.submit(play, task, player, seed=1).result()
            except Exception as problem:  # whatever sending it may raise
                raise AssertionError(
                    f'task "{task.name}" cannot be sent to another process: {problem}; write it in a module, and call '
                    "the check under a main guard"
                ) from problem
            check_same_episode(play(task, player, seed=1), there)


def check_content(task: Task) -> None:
    """Check what a task is made of."""
    where = f'task "{task.name}"'
    (X, A), Z = task.pomdp.R.shape, task.pomdp.O[0].shape[1]
    sizes = {"states": (task.states, X), "actions": (task.actions, A), "observations": (task.observations, Z)}
    for kind, (names, size) in sizes.items():
        assert names is None or len(set(names)) == size, f"{where}: {kind} need {size} different names, got {names}"
    for numbers, size in ((task.state_numbers, X), (task.observation_numbers, Z)):
        different = len({tuple(row) for row in numbers.tolist()})
        assert different == size, f"{where}: two states or two observations have the same numbers"
    if task.solved is not None:  # the world may go on afterwards, but something has to be done before
        assert not task.start[task.solved].any(), f'task "{task.name}" may start in a state in which it is solved'
    check_steps(task)


def check_steps(task: Task) -> None:
    """Check that the task step by step agrees with its matrices, which have the teammates folded in."""
    X, A = task.pomdp.R.shape
    states = range(X) if X <= STATES else np.random.default_rng(0).choice(X, STATES, replace=False).tolist()
    for x in states:
        for a in range(A):
            row, reward = np.zeros(X), 0.0
            for b, q in zip(*task.teammate_actions(x), strict=True):
                for y, p in zip(*task.outcomes(x, a, int(b)), strict=True):
                    row[y] += q * p
                    reward += q * p * task.paid(x, a, int(b), int(y))
            where = f'task "{task.name}", state {x}, action {a}'
            folded, R = task.pomdp.P[a][[x]].toarray().ravel(), task.pomdp.R[x, a]
            assert np.allclose(row, folded, rtol=0, atol=1e-12), f"{where}: the steps and P[{a}] disagree"
            assert abs(reward - R) < CLOSE, f"{where}: the steps pay {reward}, R says {R}"
            observed = task.observation_outcomes(a, x).probabilities
            assert np.array_equal(observed, task.pomdp.O[a][[x]].data), f"{where}: the sensor and O[{a}] disagree"


def check_pictures(task: Task) -> None:
    """Check that the first, a middle and the last state of a task with a view can be drawn: text, SVG and pixels."""
    if task.view is None:
        return
    X = len(task.start)
    for x in sorted({0, X // 3, X - 1}):
        z = int(task.observation_outcomes(0, x).indices[-1])
        bare, full = task.view.scene(x), task.view.scene(x, observation=z, belief=task.start)
        where = f'task "{task.name}", state {x}'
        assert not (*bare.observations, *bare.beliefs), f"{where}: a scene shows more than it was given"
        for heat in full.beliefs:
            assert heat.grid.shape == (full.rows, full.columns), f"{where}: the belief of {heat.kind} has another shape"
            assert abs(heat.grid.sum() - 1) < CLOSE, f"{where}: the belief of {heat.kind} sums to {heat.grid.sum()}"
        for scene in (bare, full):
            cells = [piece.cell for piece in scene.pieces]
            inside = all(0 <= c < scene.columns and 0 <= r < scene.rows for c, r in cells)
            assert inside, f"{where}: a piece is not on the board"
            assert "agent" in {piece.kind for piece in scene.pieces}, f"{where}: the ad hoc agent is not shown"
            assert text(scene).strip(), f"{where}: its text is empty"
            ElementTree.fromstring(svg(scene))
        assert pixels(full).shape[2] == 3, f"{where}: its pixels have no colours"
