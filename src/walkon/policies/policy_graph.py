"""The policy graph of alpha vectors: which action is taken, and which one follows after each observation.

A node stands for the beliefs, of those that can be reached from the start, at which the same vector is best, an edge
for an observation. Vectors with the same action and the same successors share a node. Where the next vector depends on
the belief and not on the node alone, a node has several edges for one observation.
"""

from collections import deque
from dataclasses import dataclass

from walkon.errors import InputError
from walkon.models.belief import update
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors

MOST_BELIEFS = 3000  # that are looked at
MOST_NODES = 24  # that can still be read in a drawing
DIGITS = 9  # in which two beliefs count as the same
Edge = tuple[int, int, int]


@dataclass(frozen=True)
class PolicyGraph:
    """What to do first, and after each observation."""

    actions: tuple[int, ...]  # the action of each node
    edges: tuple[Edge, ...]  # from a node, by an observation, to a node
    complete: bool  # whether all beliefs that can be reached were looked at

    def follow(self, node: int, observation: int) -> tuple[int, ...]:
        """Return the nodes that an observation may lead to."""
        return tuple(target for source, z, target in self.edges if (source, z) == (node, observation))


def policy_graph(problem: POMDP, policy: AlphaVectors, most: int = MOST_NODES) -> PolicyGraph:
    """Return the graph of a policy, whose node 0 decides at the start; refuse one of more than `most` nodes."""
    if policy.state_count != len(problem.start) or policy.action_count != problem.R.shape[1]:
        raise InputError(f"{policy!r} was not made for {problem!r}: the numbers of states or actions differ")
    edges, first, complete = _reached(problem, policy)
    group = _grouped(policy, edges, first)
    order = {group[first]: 0}
    for vector in dict.fromkeys(target for _, _, target in edges):
        order.setdefault(group[vector], len(order))
    if len(order) > most:
        raise InputError(
            f"the policy has {len(order)} nodes, and a graph of more than {most} cannot be read: solve it less closely"
        )
    number = {vector: order[each] for vector, each in group.items()}
    actions = {number[vector]: int(policy.actions[vector]) for vector in group}
    joined = dict.fromkeys((number[i], z, number[j]) for i, z, j in edges)
    return PolicyGraph(tuple(actions[node] for node in range(len(order))), tuple(joined), complete)


def _reached(problem: POMDP, policy: AlphaVectors) -> tuple[list[Edge], int, bool]:
    """Follow all observations from the start: the edges between vectors, the first vector, and whether that was all."""
    first = policy.best(problem.start)
    waiting, seen, edges = deque([(problem.start, first)]), {_key(problem.start.tolist())}, dict[Edge, None]()
    while waiting:
        belief, vector = waiting.popleft()
        action = int(policy.actions[vector])
        for z in range(problem.O[action].shape[1]):
            after, likelihood = update(problem, belief, action, z)
            if likelihood <= 0.0:
                continue
            following = policy.best(after)
            edges[vector, z, following] = None
            if (key := _key(after.tolist())) not in seen and len(seen) < MOST_BELIEFS:
                seen.add(key)
                waiting.append((after, following))
    return list(edges), first, len(seen) < MOST_BELIEFS


def _grouped(policy: AlphaVectors, edges: list[Edge], first: int) -> dict[int, int]:
    """Put vectors into one group if they have the same action and the same successors."""
    vectors = list(dict.fromkeys([first, *(i for i, _, _ in edges), *(j for _, _, j in edges)]))
    group = {vector: int(policy.actions[vector]) for vector in vectors}
    while True:
        looks = {i: (group[i], frozenset((z, group[j]) for source, z, j in edges if source == i)) for i in vectors}
        numbers = {look: n for n, look in enumerate(dict.fromkeys(looks.values()))}
        if len(numbers) == len(set(group.values())):
            return group
        group = {i: numbers[looks[i]] for i in vectors}


def _key(belief: list[float]) -> tuple[float, ...]:
    return tuple(round(p, DIGITS) for p in belief)
