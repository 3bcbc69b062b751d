"""Drawings of policies show the actions by their names."""

import numpy as np
import pytest

import walkon
from random_models import random_pomdp
from walkon import InputError
from walkon.domains.classics import tiger

TIGER = tiger()
SOLVED = walkon.solve(TIGER, walkon.Sarsop(gap=0.01))


def words(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_the_upper_surface_of_the_vectors_is_drawn_by_action():
    figure = walkon.draw_policy(SOLVED, TIGER)
    (axes,) = figure.axes
    thick = {line.get_label(): line for line in axes.lines if line.get_linewidth() > 2}
    assert set(thick) == set(TIGER.actions)
    for name, line in thick.items():
        p, value = (np.array(column)[~np.isnan(line.get_ydata())] for column in line.get_data())
        for chance, height in zip(p[::50], value[::50], strict=True):
            belief = np.array([1 - chance, chance])
            assert height == pytest.approx(SOLVED.policy.value(belief))
            assert SOLVED.policy.probabilities(belief)[TIGER.actions.index(name)] > 0


def test_the_graph_has_a_node_for_each_action_and_an_arrow_for_each_observation():
    drawn = words(walkon.draw_policy(SOLVED.policy, TIGER, "graph"))
    assert [drawn.count(name) for name in TIGER.actions] == [3, 1, 1]
    assert [drawn.count(name) for name in (*TIGER.observations, "any")] == [3, 3, 2]


def test_loops_and_problems_without_names_are_drawn():
    problem = random_pomdp(3)
    vectors = walkon.AlphaVectors([np.ones(len(problem.start))], [0], problem.R.shape[1])
    assert len(words(walkon.draw_policy(vectors, problem, "graph"))) == 3  # the node, the loop and its words


def test_what_cannot_be_drawn_is_refused():
    problem = random_pomdp(3)
    vectors = walkon.AlphaVectors([np.ones(len(problem.start))], [0], problem.R.shape[1])
    with pytest.raises(InputError, match='expected "vectors" or "graph"'):
        walkon.draw_policy(SOLVED, TIGER, "tree")
    with pytest.raises(InputError, match="was not made for"):
        walkon.draw_policy(SOLVED, problem)
    if len(problem.start) != 2:
        with pytest.raises(InputError, match=r'two states, and there are .*: take kind="graph"'):
            walkon.draw_policy(vectors, problem, "vectors")
