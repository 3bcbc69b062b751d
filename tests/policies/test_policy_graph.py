"""The policy graph, against the policy that it describes."""

import numpy as np
import pytest

import walkon
from random_models import random_pomdp
from walkon import InputError
from walkon.domains.classics import tiger
from walkon.policies.policy_graph import policy_graph

TIGER = tiger()
SOLVED = walkon.solve(TIGER, walkon.Sarsop(gap=0.01)).policy
LISTEN, OPEN_LEFT, OPEN_RIGHT = range(3)


def test_the_tiger_is_listened_to_until_two_growls_more_come_from_one_side():
    graph = policy_graph(TIGER, SOLVED)
    assert graph.complete
    assert sorted(graph.actions) == [LISTEN, LISTEN, LISTEN, OPEN_LEFT, OPEN_RIGHT]
    (left,), (right,) = graph.follow(0, 0), graph.follow(0, 1)
    assert graph.follow(left, 1) == graph.follow(right, 0) == (0,)
    assert [graph.actions[graph.follow(node, z)[0]] for node, z in ((left, 0), (right, 1))] == [OPEN_RIGHT, OPEN_LEFT]


@pytest.mark.parametrize("seed", range(5))
def test_every_history_of_the_policy_is_a_path_of_its_graph(seed):
    problem = random_pomdp(seed)
    policy = walkon.solve(problem, walkon.Perseus(beliefs=20, backups=40)).policy
    graph = policy_graph(problem, policy, most=1000)
    rng, X = np.random.default_rng(seed), len(problem.start)
    for _ in range(20):
        belief, nodes = problem.start, {0}
        for _ in range(4):
            action = int(policy.actions[policy.best(belief)])
            assert action in {graph.actions[node] for node in nodes}
            nodes = {node for node in nodes if graph.actions[node] == action}
            y = rng.choice(X, p=walkon.predict(problem, belief, action))
            z = int(rng.choice(problem.O[action].shape[1], p=problem.O[action][[y]].toarray()[0]))
            belief = walkon.update(problem, belief, action, z).belief
            nodes = {after for node in nodes for after in graph.follow(node, z)}


def test_a_policy_of_another_problem_and_one_of_too_many_nodes_are_refused():
    with pytest.raises(InputError, match="was not made for"):
        policy_graph(TIGER, walkon.AlphaVectors([[1.0, 2.0, 3.0]], [0], 3))
    with pytest.raises(InputError, match="has 5 nodes, and a graph of more than 4 cannot be read"):
        policy_graph(TIGER, SOLVED, most=4)


def test_the_action_is_one_of_the_best():
    assert [SOLVED.action(np.array(b)) for b in ([0.5, 0.5], [0.99, 0.01], [0.01, 0.99])] == [0, 2, 1]
    table = walkon.solve(TIGER.mdp).policy
    assert [table.action(x) for x in (0, 1)] == [OPEN_RIGHT, OPEN_LEFT]
    assert table.probabilities(np.array([0.5, 0.5]))[table.action(np.array([0.5, 0.5]))] == 0.5
