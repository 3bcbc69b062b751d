import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkon
from conftest import LONG
from random_libraries import random_library
from random_models import pomdps, random_pomdp, rows, seeds
from twins import dense
from walkon import POMDP, AlphaVectors, InputError, TabularPolicy, Task, TaskLibrary
from walkon.agents.inference import Inference
from walkon.agents.loss import (
    action_losses,
    affinity,
    bound,
    divergence,
    expected_doubt,
    largest_loss,
    losses,
    surprise,
)
from walkon.agents.memory import remember


def memory(tasks, states):
    return remember(np.array(tasks), states, refuted=np.array(tasks) == 0)


def followed(library, tasks, history):
    """The memories of an agent that starts with the prior `tasks`: before the first action and after each step."""
    states = [task.start for task in library]
    memories = [memory(tasks, states)]
    for action, observation in history:
        posteriors = [
            walkon.update(task.pomdp, b, action, observation) for task, b in zip(library, states, strict=True)
        ]
        states = [posterior.belief for posterior in posteriors]
        weights = tasks * np.array([posterior.likelihood for posterior in posteriors])
        tasks = weights / weights.sum()
        memories.append(memory(tasks, states))
    return memories


def reach(pomdp):
    """Rmax/(1-gamma)."""
    return np.abs(pomdp.R).max() / (1 - pomdp.discount)


def random_policy(rng, pomdp):
    """A table or vectors with any values that rewards could add up to."""
    X, A = pomdp.R.shape
    far = reach(pomdp)
    if rng.random() < 0.25:
        return TabularPolicy(rng.uniform(-far, far, (X, A)))
    N = rng.integers(1, 6)
    return AlphaVectors(rng.uniform(-far, far, (N, X)), rng.integers(A, size=N), A)


@st.composite
def cases(draw):
    """A library of tasks with different states, policies, memories that no history need lead to, and a target."""
    rng = np.random.default_rng(draw(seeds))
    K, T, A, Z = draw(st.integers(1, 4)), draw(st.integers(1, 6)), draw(st.integers(1, 4)), draw(st.integers(1, 3))
    discount = draw(st.sampled_from([0.0, 0.5, 0.95]))
    each = [random_pomdp(rng, X=int(rng.integers(1, 5)), A=A, Z=Z, discount=discount) for _ in range(K)]
    library = TaskLibrary([Task.from_pomdp(pomdp, name=f"task {k}") for k, pomdp in enumerate(each)])
    policies = [random_policy(rng, pomdp) for pomdp in each]
    sparsity = draw(st.sampled_from([0.0, 0.5]))
    memories = [
        memory(rows(rng, (K,), sparsity), [rows(rng, (len(task.start),)) for task in library]) for _ in range(T)
    ]
    return library, policies, memories, draw(st.integers(0, K - 1)), rows(rng, (K,))


def slow_q(policy, pomdp, b, a):
    """Look-ahead as a sum over states and observations, written out."""
    if isinstance(policy, TabularPolicy):
        return sum(b[x] * policy.table[x, a] for x in range(len(b)))
    P, O = dense(pomdp.P)[a], dense(pomdp.O)[a]
    after = [[sum(b[x] * P[x, y] for x in range(len(b))) * O[y, z] for y in range(len(b))] for z in range(O.shape[1])]
    future = sum(max(np.dot(joint, vector) for vector in policy.vectors) for joint in after)
    return b @ pomdp.R[:, a] + pomdp.discount * future


@given(cases())
def test_losses_are_what_the_paper_writes(case):
    library, policies, memories, target, _ = case
    lost = losses(library, policies, memories, target)
    A = len(library[0].pomdp.P)
    for t, now in enumerate(memories):
        q = [slow_q(policies[target], library[target].pomdp, now.states[target], a) for a in range(A)]
        l = [
            sum(policies[k].probabilities(now.states[k])[a] * (max(q) - q[a]) for a in range(A))
            for k in range(len(library))
        ]
        assert lost.policies[t] == pytest.approx(l, abs=1e-9)
        assert lost.agent[t] == pytest.approx(sum(p * each for p, each in zip(now.tasks, l, strict=True)), abs=1e-9)


@given(cases())
def test_no_loss_is_negative_and_none_exceeds_the_largest(case):
    library, policies, memories, target, _ = case
    lost = losses(library, policies, memories, target)
    assert (lost.policies >= 0).all()
    assert (lost.agent >= 0).all()
    assert (lost.policies <= lost.largest + 1e-9 * lost.scale).all()
    assert lost.largest <= 2 * lost.scale * (1 + 1e-9)


@given(cases(), st.floats(1e-3, 1e3))
def test_the_bound_holds_for_every_eta_and_both_widths(case, eta):
    library, policies, memories, target, q = case
    lost = losses(library, policies, memories, target)
    for against in (None, q):
        sides = bound(lost, against)
        for width in (2 * sides.scale, sides.largest):
            for right in (sides.right(eta, width), sides.tightest(width)):
                assert (sides.left <= right + 1e-7 * sides.scale).all()
        for right in (sides.fixed, sides.best, sides.fixed_by_largest, sides.best_by_largest, sides.by_distance):
            assert (sides.left <= right + 1e-7 * sides.scale).all()


@given(cases())
def test_the_distance_of_the_belief_is_a_sharper_bound_than_pinskers_and_that_one_than_the_corrected(case):
    """For any beliefs, also such as no history leads to: L(p) - L(q) <= w TV(p, q) <= w sqrt(KL(q || p) / 2)."""
    library, policies, memories, target, q = case
    lost = losses(library, policies, memories, target)
    for against in (np.eye(len(library))[target], q):
        sides, slack = bound(lost, against), 1e-7 * lost.scale
        roots = np.cumsum(np.sqrt(divergence(against, lost.beliefs) / 2))
        pinsker = sides.compared + (sides.largest * roots if sides.largest else 0.0)
        assert (sides.left <= sides.by_distance + slack).all()
        assert (sides.by_distance <= pinsker + slack).all()
        assert (pinsker <= sides.best_by_largest + slack).all()
    alone = bound(lost)
    doubts = np.cumsum([1 - now.tasks[target] for now in memories])
    assert alone.by_distance == pytest.approx(alone.compared + lost.largest * doubts)


@given(cases())
def test_the_printed_line_holds_for_one_and_two_steps(case):
    """Where sqrt(T/2) <= 1 it is at least the corrected line at eta = sqrt(T/2)."""
    library, policies, memories, target, q = case
    for against in (None, q):
        sides = bound(losses(library, policies, memories[:2], target), against)
        assert (sides.left <= sides.printed + 1e-7 * sides.scale * max(1.0, sides.scale)).all()
        at = sides.right(np.sqrt(sides.steps / 2), 2 * sides.scale)
        assert (at <= sides.printed * (1 + 1e-12)).all()


@given(cases())
def test_the_best_eta_is_the_least_right_side_of_all(case):
    library, policies, memories, target, _ = case
    T = len(memories)
    sides = bound(losses(library, policies, memories, target))
    S, width = sides.divergence[-1], sides.largest
    best = sides.tightest(width)[-1]
    for eta in np.logspace(-4, 4, 50):
        assert best <= sides.right(eta, width)[-1] * (1 + 1e-12)
    if 0 < S < math.inf and width > 0:
        assert sides.right(math.sqrt(8 * S / T) / width, width)[-1] == pytest.approx(best)


@given(pomdps(), seeds)
def test_no_belief_and_action_lose_more_than_the_largest_loss(pomdp, seed):
    rng = np.random.default_rng(seed)
    X = len(pomdp.start)
    policy = random_policy(rng, pomdp)
    largest = largest_loss(policy, pomdp)
    corners, mixed = np.eye(X), [rng.dirichlet(np.full(X, width)) for width in (0.1, 1, 10) for _ in range(20)]
    halves = [(corners[x] + corners[y]) / 2 for x, y in itertools.combinations(range(X), 2)]
    for belief in (*corners, *halves, *mixed):
        assert action_losses(policy, pomdp, belief).max() <= largest + 1e-9 * reach(pomdp)


@given(pomdps(), seeds)
def test_the_largest_loss_is_attained_at_a_state_where_values_are_linear(pomdp, seed):
    rng = np.random.default_rng(seed)
    X, A = pomdp.R.shape
    for policy in (TabularPolicy(rng.normal(size=(X, A))), AlphaVectors(rng.normal(size=(1, X)), [0], A)):
        attained = max(action_losses(policy, pomdp, corner).max() for corner in np.eye(X))
        assert largest_loss(policy, pomdp) == pytest.approx(attained)


def test_the_largest_loss_of_a_real_policy_is_far_below_that_of_the_paper():
    """In the smallest Night-time Pursuit; rewards of 100 and a discount of 0.95 allow 4,000 in principle."""
    pomdp = walkon.make("night-pursuit", size=3, noise=0.2, tasks=1)[0].pomdp
    policy = walkon.solve(pomdp, walkon.Perseus(beliefs=200), seed=0).policy
    X, rng = len(pomdp.start), np.random.default_rng(0)
    beliefs = [*np.eye(X), *rng.dirichlet(np.full(X, 0.05), size=200)]
    seen = max(action_losses(policy, pomdp, belief).max() for belief in beliefs)
    assert 1 < seen <= largest_loss(policy, pomdp) < 100


@pytest.mark.parametrize(("world", "options"), [("night-pursuit", {"size": 3, "tasks": 3}), ("overcooked", {})])
def test_the_bound_holds_along_real_episodes_of_atpo(world, options):
    """And L_t(p_t) is the expected loss of ATPO's own action, as the proof in the paper's appendix begins."""
    library, target = walkon.make(world, **options), 1
    problems = [task.mdp if library.observed else task.pomdp for task in library]
    solver = None if library.observed else walkon.Perseus(beliefs=100)
    policies = [walkon.solve(problem, solver, seed=0).policy for problem in problems]
    agent = walkon.agent("atpo", library, policies=policies)
    episode = walkon.play(library[target], agent, horizon=20, seed=3)
    memories = [agent.start(walkon.Percept(observation=episode.states[0]) if library.observed else None)]
    for action, observation in zip(episode.actions, episode.observations, strict=True):
        memories.append(agent.update(memories[-1], action, walkon.Percept(observation=observation)))
    lost = losses(library, policies, memories[:-1], target)
    assert lost.beliefs.tolist() == episode.task_beliefs[:-1].tolist()
    for t, now in enumerate(memories[:-1]):
        own = agent.act(now) @ action_losses(policies[target], library[target].pomdp, now.states[target])
        assert lost.agent[t] == pytest.approx(own, abs=1e-9)
    sides = bound(lost)
    assert sides.left[-1] > 0
    assert (sides.left <= sides.best_by_largest).all()
    assert (sides.best_by_largest <= sides.best).all()


def swapped():
    """Two tasks that look alike and want opposite actions: one state, one observation, discount 0."""
    one = [[[1.0]], [[1.0]]]
    tasks = [
        Task.from_pomdp(POMDP(one, one, [rewards], discount=0.0), name=name)
        for name, rewards in (("first", [1, -1]), ("second", [-1, 1]))
    ]
    library = TaskLibrary(tasks)
    return library, [walkon.solve(task.pomdp, seed=0).policy for task in library]


@pytest.mark.parametrize("target", [0, 1])
def test_the_printed_proposition_is_false_from_three_steps_on(target):
    library, policies = swapped()
    T = 100
    memories = followed(library, np.array([0.5, 0.5]), [(t % 2, 0) for t in range(T - 1)])
    lost = losses(library, policies, memories, target)
    assert lost.beliefs.tolist() == [[0.5, 0.5]] * T
    assert lost.agent.tolist() == [1] * T
    assert (lost.scale, lost.largest) == (1, 2)
    sides, steps = bound(lost), np.arange(1, T + 1)
    assert sides.left == pytest.approx(steps)
    assert sides.compared.tolist() == [0] * T
    assert sides.divergence == pytest.approx(steps * math.log(2))
    assert sides.printed == pytest.approx((math.sqrt(2) * math.log(2) + math.sqrt(0.5)) * np.sqrt(steps))
    assert sides.printed / np.sqrt(steps) == pytest.approx(1.687, abs=5e-4)
    assert (sides.left <= sides.printed).tolist() == [True, True] + [False] * (T - 2)
    assert sides.fixed == pytest.approx(np.sqrt(steps / 2) * (steps * math.log(2) + 1))
    assert sides.best == pytest.approx(steps * math.sqrt(2 * math.log(2)))
    assert (sides.left <= sides.best).all()
    assert (sides.left <= sides.fixed).all()


def all_histories(library, prior, target, T, seed):
    """Every history of T steps with its probability if the task is `target`; a behaviour that depends on history."""
    inference, rng = Inference(library, prior), np.random.default_rng(seed)

    def go_on(memory, chance, passed):
        if len(passed) == T:
            yield chance, [*passed, (memory, None)]
            return
        for a, share in enumerate(rng.dirichlet(np.ones(inference.A))):
            P = inference.forecast(memory, a)[:, 0]
            for z in np.flatnonzero(P[target] > 0):
                after = inference.update(memory, a, walkon.Percept(observation=int(z)))
                yield from go_on(after, chance * share * P[target, z], [*passed, (memory, P)])

    return list(go_on(inference.start(), 1.0, []))


@pytest.mark.parametrize("sparsity", [0.0, 0.4])
@pytest.mark.parametrize("seed", range(6))
def test_over_all_histories_bayes_predictions_cost_no_more_than_the_prior_says(seed, sparsity):
    """And exactly the logarithm of how much the posterior of the truth has grown."""
    library = random_library(seed, K=3, sizes=(2, 3, 2), sparsity=sparsity)
    prior, T = np.random.default_rng(seed).dirichlet(np.ones(3)), 4
    for target in range(3):
        found = all_histories(library, prior, target, T, seed)
        assert sum(chance for chance, _ in found) == pytest.approx(1)
        paid = sum(c * sum(surprise(P, memory.tasks, target) for memory, P in path[:-1]) for c, path in found)
        grown = sum(c * math.log(path[-1][0].tasks[target] / prior[target]) for c, path in found)
        assert 0 < paid == pytest.approx(grown)
        assert paid <= math.log(1 / prior[target])


@pytest.mark.parametrize("sparsity", [0.0, 0.4])
@pytest.mark.parametrize("seed", range(6))
def test_over_all_histories_doubt_falls_at_the_rate_of_the_largest_affinity(seed, sparsity):
    library = random_library(seed, K=3, sizes=(2,), sparsity=sparsity)
    prior, T = np.random.default_rng(seed).dirichlet(np.ones(3)), 5 if LONG else 4
    for target in range(3):
        found = all_histories(library, prior, target, T, seed)
        rho = max(affinity(P, target) for _, path in found for _, P in path[:-1])
        limits = expected_doubt(prior, target, rho, T + 1)
        assert (rho < 1) == (limits[-1] < limits[0]) or limits[-1] == 1
        for t, limit in enumerate(limits):
            assert sum(c * (1 - path[t][0].tasks[target]) for c, path in found) <= limit + 1e-12


def test_doubt_falls_to_less_than_a_tenth_where_every_observation_tells_the_tasks_apart():
    """Coins of 0.9 and 0.1: rho is 2 sqrt(0.09) = 0.6."""
    coins = [[0.9, 0.1], [0.1, 0.9]]
    library = TaskLibrary([Task.from_pomdp(POMDP([[[1.0]]], [[c]], [[0.0]]), name=str(c)) for c in coins])
    found = all_histories(library, [0.5, 0.5], 0, 8, 0)
    assert {round(affinity(P, 0), 12) for _, path in found for _, P in path[:-1]} == {0.6}
    limits = expected_doubt(np.array([0.5, 0.5]), 0, 0.6, 9)
    assert limits == pytest.approx(0.6 ** np.arange(9))
    for t in range(9):
        assert sum(c * (1 - path[t][0].tasks[0]) for c, path in found) <= limits[t]


def test_a_world_that_is_frozen_after_its_end_has_no_rate():
    """After a capture nothing more is seen: the affinity is 1, and so is what is promised about the doubt."""
    library = walkon.make("night-pursuit", size=3, tasks=2)
    inference = Inference(library)
    ended = [np.asarray(task.solved, dtype=float) / np.sum(task.solved) for task in library]
    frozen = remember(inference.prior, ended, of=inference.origin)
    assert {affinity(inference.forecast(frozen, a)[:, 0], 0) for a in range(inference.A)} == {1.0}
    assert affinity(inference.forecast(inference.start(), 0)[:, 0], 0) < 1
    assert expected_doubt(inference.prior, 0, 1.0, 50).tolist() == [1.0] * 50
    assert affinity(np.ones((1, 1)), 0) == 0  # no other task


def test_no_smaller_constant_would_do():
    """With beliefs close to an even q, both sides are off from sum L(q) by the same, to first order."""
    library, policies = swapped()
    d, T = 1e-3, 4
    lost = losses(library, policies, [memory([0.5 - d, 0.5 + d], [np.ones(1)] * 2)] * T, 0)
    sides = bound(lost, [0.5, 0.5])
    assert sides.left - sides.compared == pytest.approx(2 * d * sides.steps)
    assert sides.best_by_largest - sides.compared == pytest.approx(2 * d * sides.steps, rel=1e-5)


def test_a_true_task_that_is_ruled_out_makes_the_right_sides_infinite():
    library, policies = swapped()
    lost = losses(library, policies, [memory([0.5, 0.5], [np.ones(1)] * 2), memory([0.0, 1.0], [np.ones(1)] * 2)], 0)
    sides = bound(lost)
    assert sides.left.tolist() == [1, 3]
    assert np.isfinite(sides.best[0])
    for right in (sides.fixed, sides.best, sides.fixed_by_largest, sides.best_by_largest, sides.printed):
        assert right[1] == math.inf
    assert bound(lost, [0.0, 1.0]).best.tolist() == pytest.approx(
        [2 + math.sqrt(2 * math.log(2)), 4 + math.sqrt(4 * math.log(2))]
    )


def test_where_nothing_can_be_lost_the_bound_is_zero_or_infinite():
    pomdp = POMDP([np.eye(1)] * 2, [np.eye(1)] * 2, [[0, 0]])
    library = TaskLibrary([Task.from_pomdp(pomdp, name=name) for name in "ab"])
    policies = [AlphaVectors([[0.0]], [0], 2)] * 2
    lost = losses(library, policies, [memory(p, [np.ones(1)] * 2) for p in ([1.0, 0.0], [0.0, 1.0])], 0)
    assert bound(lost).best.tolist() == [0, math.inf]
    assert bound(lost).best_by_largest.tolist() == [0, math.inf]


def test_wrong_inputs_are_refused():
    library, policies = swapped()
    with pytest.raises(InputError, match="there are 1 policies for 2 tasks"):
        losses(library, policies[:1], [], 0)
    with pytest.raises(InputError, match="target is 2"):
        losses(library, policies, [], 2)
    wide = AlphaVectors([[1.0, 2.0]], [0], 2)
    with pytest.raises(InputError, match=r'policies\[1\] is for 2 states, task "second" has 1'):
        losses(library, [policies[0], wide], [], 0)
    sides = bound(losses(library, policies, followed(library, np.array([0.5, 0.5]), []), 0))
    with pytest.raises(InputError, match="eta is 0, expected a positive number"):
        sides.right(0, 1.0)
    with pytest.raises(InputError, match="q sums to 2"):
        bound(losses(library, policies, [], 0), [1.0, 1.0])
