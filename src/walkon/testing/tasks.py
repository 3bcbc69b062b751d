"""What every task keeps to: matrices that agree with its steps, ends that are ends, and moments that can be drawn."""

import pickle
from xml.etree import ElementTree

import numpy as np

from walkon.pictures.pixels import pixels
from walkon.pictures.svg import svg
from walkon.pictures.text import text
from walkon.tasks import Task

STATES = 40  # drawn at random, where all would take long
CLOSE = 1e-9


def check_task(task: Task) -> None:
    """Check a task: its matrices, its steps, its names, its end, its hash and its pictures."""
    said = f'task "{task.name}"'
    (X, A), Z = task.pomdp.R.shape, task.pomdp.O[0].shape[1]
    for what, names, size in (
        ("states", task.states, X),
        ("actions", task.actions, A),
        ("observations", task.observations, Z),
    ):
        assert names is None or len(set(names)) == size, f"{said}: {what} need {size} different names, got {names}"
    for table, size in ((task.state_numbers, X), (task.observation_numbers, Z)):
        assert len({tuple(row) for row in table.tolist()}) == size, f"{said}: two states or observations share numbers"
    check_end(task)
    check_steps(task)
    again = pickle.loads(pickle.dumps(task))
    assert again.hash == task.hash, f"{said} has another hash in another process"
    if task.view is not None:
        check_pictures(task)


def check_end(task: Task) -> None:
    """A solved state is never left, pays nothing, and is not where the task begins."""
    if task.solved is None:
        return
    said = f'task "{task.name}"'
    assert not task.start[task.solved].any(), f"{said} may begin in a state in which it is solved"
    for a, P in enumerate(task.pomdp.P):
        left = np.flatnonzero(task.solved & (P.diagonal() < 1 - CLOSE))
        assert not len(left), f"{said}: action {a} leaves state {left[0]}, in which it is solved"
    paid = np.argwhere(task.pomdp.R * task.solved[:, None])
    assert not len(paid), f"{said}: action {paid[0][1]} pays in state {paid[0][0]}, in which it is solved"


def check_steps(task: Task) -> None:
    """One step at a time is the same world as the matrices, with the teammates folded in."""
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
            folded = task.pomdp.P[a][[x]].toarray().ravel()
            assert np.allclose(row, folded, rtol=0, atol=CLOSE), f"{where}: steps and P[{a}] disagree"
            assert abs(reward - task.pomdp.R[x, a]) < CLOSE, f"{where}: steps pay {reward}, R says {task.pomdp.R[x, a]}"
            seen = task.observation_outcomes(a, x)
            assert abs(seen.probabilities.sum() - 1) < CLOSE, f"{where}: its observations sum to another number than 1"


def check_pictures(task: Task) -> None:
    """The first, a middle and the last state can be drawn as text, as SVG and as pixels."""
    assert task.view is not None
    X = len(task.start)
    for x in sorted({0, X // 3, X - 1}):
        z = int(task.observation_outcomes(0, x).indices[-1])
        bare, full = task.view.scene(x), task.view.scene(x, observation=z, belief=task.start)
        said = f'task "{task.name}", state {x}'
        assert not (*bare.observations, *bare.beliefs), f"{said}: a scene shows more than it was given"
        for heat in full.beliefs:
            assert heat.grid.shape == (full.rows, full.columns), f"{said}: the belief of {heat.kind} has another shape"
            assert abs(heat.grid.sum() - 1) < CLOSE, f"{said}: the belief of {heat.kind} sums to {heat.grid.sum()}"
        for scene in (bare, full):
            cells = [piece.cell for piece in scene.pieces]
            assert all(0 <= c < scene.columns and 0 <= r < scene.rows for c, r in cells), f"{said}: off the board"
            assert "agent" in {piece.kind for piece in scene.pieces}, f"{said}: the ad hoc agent is not shown"
            assert text(scene).strip(), f"{said} has no text"
            ElementTree.fromstring(svg(scene))
        assert pixels(full).shape[2] == 3, f"{said} has no pixels"
