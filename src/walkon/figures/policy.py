"""Drawings of a policy: its alpha vectors over the beliefs of two states, or its policy graph."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.figures.style import FAINT, INK, LETTERS, LINE, LOOKS, PAPER, SMALL, WIDTH, looks, sheet
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.policy_graph import MOST_BELIEFS, PolicyGraph, policy_graph
from walkon.saying import briefly
from walkon.solvers.solution import Solution

COLOURS = [look[0] for look in LOOKS.values() if look[0] != INK]
POINTS = 1001  # beliefs at which vectors are compared
NEAR = 0.4  # where on an arrow its words are
LOOP = np.array([0.2, 0.1])  # where a loop begins, from the middle of its node


def draw_policy(
    policy: AlphaVectors | Solution[Any], problem: POMDP, kind: Literal["vectors", "graph"] | None = None
) -> Figure:
    """Draw a policy, and return the figure: `figure.savefig("policy.png")` writes it to a file.

    Args:
        policy: Alpha vectors, or a solution that has them.
        problem: The problem that they solve.
        kind: "vectors", their values over all beliefs of a problem of two states; or "graph", which action follows
            which after each observation, for policies of few nodes. By default vectors where there are two states.
    """
    vectors: Any = policy.policy if isinstance(policy, Solution) else policy
    if not isinstance(vectors, AlphaVectors) or not isinstance(problem, POMDP):
        what = f"{briefly(vectors)} and {briefly(problem)}"
        raise InputError(f"draw_policy takes alpha vectors and their POMDP, not {what}: draw_policy(solution, pomdp)")
    X = len(problem.start)
    if vectors.state_count != X or vectors.action_count != problem.R.shape[1]:
        raise InputError(f"{vectors!r} was not made for {problem!r}: the numbers of states or actions differ")
    if kind not in (None, "vectors", "graph"):
        raise InputError(f'kind is {kind!r:.60}, expected "vectors" or "graph"')
    if kind == "vectors" and X != 2:
        raise InputError(f'vectors are drawn over the beliefs of two states, and there are {X}: take kind="graph"')
    with looks():
        return _vectors(vectors, problem) if X == 2 and kind != "graph" else _graph(vectors, problem)


def _vectors(policy: AlphaVectors, problem: POMDP) -> Figure:
    """Draw the value of each vector, and emphasise those that are best."""
    actions, states = _names(problem.actions, policy.action_count), _names(problem.states, 2)
    figure, axes = sheet("Value of each belief", "each vector is a plan; its colour is its first action")
    p = np.linspace(0, 1, POINTS)
    values = policy.vectors @ np.array([1 - p, p])
    best = values.argmax(axis=0)
    for i in np.unique(best).tolist():
        axes.plot(p, values[i], color=_colour(int(policy.actions[i])), linewidth=0.6, alpha=0.5)
    top = values.max(axis=0)
    for a in np.unique(policy.actions[best]).tolist():
        there = np.where(policy.actions[best] == a, top, np.nan)
        axes.plot(p, there, color=_colour(a), linewidth=2.4, label=actions[a])
    axes.axvline(float(problem.start[1]), color=LINE, linewidth=0.8, linestyle=(0, (2, 2)))
    margin = 0.15 * (top.max() - top.min() or 1.0)
    axes.set(xlim=(0, 1), ylim=(top.min() - margin, top.max() + margin))
    axes.set_xlabel(f"probability of {states[1]} (0: {states[0]}); dashed: the start", parse_math=False)
    axes.grid(axis="y")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=SMALL)
    return figure


def _graph(policy: AlphaVectors, problem: POMDP) -> Figure:
    """Draw the nodes of the policy graph in rows: the first one, those that may follow it, and so on."""
    graph = policy_graph(problem, policy)
    actions = _names(problem.actions, policy.action_count)
    observations = _names(problem.observations, problem.O[0].shape[1])
    rows = _rows(graph)
    widest = max(map(len, rows))
    width, height = max(WIDTH, 1.6 * widest), 0.6 + 1.05 * len(rows)
    figure = Figure(figsize=(width, height), dpi=200)
    axes = figure.add_axes((0, 0, 1, 1 - 0.5 / height), xlim=(0, width), ylim=(-len(rows) + 0.4, 0.5))
    axes.axis("off")
    rest = "" if graph.complete else f"; of the first {MOST_BELIEFS:,} beliefs"
    figure.text(0.12 / width, 1 - 0.12 / height, "Policy graph", va="top", weight="bold", size=LETTERS + 0.5)
    note = f"a node is an action, an arrow an observation; it begins at the top{rest}"
    figure.text(0.12 / width, 1 - 0.31 / height, note, va="top", color=FAINT, size=SMALL)
    places = {
        node: np.array([width * (k + 0.5) / len(row), -float(r)])
        for r, row in enumerate(rows)
        for k, node in enumerate(row)
    }
    for (i, j), seen in _arrows(graph).items():
        every = len(seen) == len({z for source, z, _ in graph.edges if source == i}) > 1
        _arrow(axes, places[i], places[j], "any" if every else "\n".join(observations[z] for z in seen))
    for i, place in places.items():
        ring = {"boxstyle": "round,pad=0.4", "facecolor": PAPER, "edgecolor": _colour(graph.actions[i])}
        axes.annotate(
            actions[graph.actions[i]], (place[0], place[1]), ha="center", va="center", size=SMALL, color=INK, zorder=3,
            parse_math=False, bbox=ring | {"linewidth": 2.4 if i == 0 else 1.0},
        )  # fmt: skip
    return figure


def _rows(graph: PolicyGraph) -> list[list[int]]:
    """Put each node into a row by the smallest number of steps after which it decides."""
    rows, seen = [[0]], {0}
    while following := [j for i, _, j in graph.edges if i in rows[-1] and j not in seen]:
        rows.append(list(dict.fromkeys(following)))
        seen |= set(following)
    return rows


def _arrows(graph: PolicyGraph) -> dict[tuple[int, int], list[int]]:
    """Collect the observations that lead from one node to another."""
    found: dict[tuple[int, int], list[int]] = {}
    for i, z, j in graph.edges:
        found.setdefault((i, j), []).append(z)
    return found


def _arrow(axes: Axes, start: Floats, end: Floats, words: str) -> None:
    """Draw an arrow with its words on it, nearer to its start; one that leads back to its node is a loop beside it."""
    look: dict[str, Any] = {"arrowstyle": "-|>", "color": FAINT, "linewidth": 0.8, "shrinkA": 12, "shrinkB": 12}
    bend, along = 0.12, end - start
    if not along.any():
        start, end = start + LOOP, start + LOOP * (1, -1)
        along, bend = end - start, -1.8
        look |= {"shrinkA": 0, "shrinkB": 0}
    elif along[1] >= 0:
        bend = 0.3 if start[0] <= end[0] else -0.3  # inside of those that lead on
    axes.annotate("", (end[0], end[1]), (start[0], start[1]), arrowprops=look | {"connectionstyle": f"arc3,rad={bend}"})
    control = (start + end) / 2 + bend * np.array([along[1], -along[0]])  # of the curve that matplotlib draws
    x, y = (1 - NEAR) ** 2 * start + 2 * NEAR * (1 - NEAR) * control + NEAR**2 * end
    axes.annotate(
        words, (x, y), size=SMALL - 1, color=FAINT, ha="center", va="center", zorder=2, parse_math=False,
        bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.6},
    )  # fmt: skip


def _names(names: Sequence[str] | None, count: int) -> Sequence[str]:
    return names or [str(i) for i in range(count)]


def _colour(action: int) -> str:
    return COLOURS[action % len(COLOURS)]
