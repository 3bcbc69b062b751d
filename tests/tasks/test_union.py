import numpy as np
import pytest
from hypothesis import given

from random_libraries import libraries, quick_agent, random_library
from twins import best_sum, path_weights
from walkon import MMDP, POMDP, FastInformedBound, Percept, Task, TaskLibrary
from walkon.models.packed_beliefs import pack, unpack_states
from walkon.tasks.union import Union


def prior_of(library):
    weights = np.arange(1.0, len(library) + 1)
    return weights / weights.sum()


@given(library=libraries())
def test_the_best_plan_in_the_union_is_the_best_for_the_tasks_with_their_own_discounts(library):
    prior = prior_of(library)
    union = Union.of(library, prior)
    problems = [task.pomdp for task in library]
    expected = best_sum(problems, [p * each.start for p, each in zip(prior, problems, strict=True)], 2)
    assert best_sum([union.pomdp], [union.pomdp.start], 2) == pytest.approx(expected, abs=1e-9)


def after(library, prior, history):
    """Packed beliefs after a history, by sums over all paths."""
    weights = [p * path_weights(task.pomdp, history) for p, task in zip(prior, library, strict=True)]
    totals = np.array([w.sum() for w in weights])
    states = [w / t if t else task.pomdp.start for w, t, task in zip(weights, totals, library, strict=True)]
    return pack(totals / totals.sum(), (totals == 0).astype(float), states), totals.sum()


@pytest.mark.parametrize("seed", range(6))
def test_the_joined_belief_is_the_belief_of_the_union(seed):
    library = random_library(seed, sparsity=0.3 * (seed % 2))
    prior = prior_of(library)
    union = Union.of(library, prior)
    rng = np.random.default_rng(seed)
    for length in range(4):
        history = [(int(rng.integers(2)), int(rng.integers(3))) for _ in range(length)]
        beliefs, likely = after(library, prior, history)
        if likely == 0:
            continue
        X = len(union.pomdp.start)
        (joined,) = unpack_states(union.belief(beliefs, length), [X])
        weights = path_weights(union.pomdp, history)
        np.testing.assert_allclose(joined, weights / weights.sum(), atol=1e-12)


def test_tasks_with_one_discount_need_no_last_state():
    tasks = [task.pomdp for task in random_library(3)]
    library = TaskLibrary([Task.from_pomdp(pomdp) for pomdp in tasks[:1] * 2])
    assert len(Union.of(library, np.array([0.5, 0.5])).pomdp.start) == 2 * len(tasks[0].start)


def seen_library():
    """Two tasks whose states are seen."""
    rng = np.random.default_rng(5)
    tasks = []
    for k in range(2):
        team = MMDP(rng.dirichlet(np.ones(3), size=(2, 1, 3)), rng.normal(size=(3, 2, 1)), discount=0.9)
        tasks.append(Task(team, np.ones((3, 1)), [np.eye(3)] * 2, rng.dirichlet(np.ones(3)), name=f"{k}"))
    return TaskLibrary(tasks)


def test_where_the_state_is_seen_the_first_one_is_observed_before_the_first_action():
    library, prior = seen_library(), np.array([0.3, 0.7])
    union = Union.of(library, prior)
    problems = [task.pomdp for task in library]
    expected = 0.0
    for x in range(3):
        seen = [p * each.start * np.eye(3)[x] for p, each in zip(prior, problems, strict=True)]
        expected += best_sum(problems, seen, 3)
    assert union.lead == 1
    assert best_sum([union.pomdp], [union.pomdp.start], 4) == pytest.approx(0.9 * expected)


def test_the_fast_informed_bound_of_the_union_is_taken_block_by_block_and_lies_below_the_tasks_own():
    library = TaskLibrary([Task.from_pomdp(pomdp) for pomdp in _alike(7)])
    prior = prior_of(library)
    union = Union.of(library, prior)
    tight = FastInformedBound(epsilon=1e-12)
    whole = tight.solve(union.pomdp)
    alone = [tight.solve(task.pomdp) for task in library]
    np.testing.assert_allclose(
        whole.policy.vectors, np.hstack([each.policy.vectors for each in alone]), rtol=0, atol=1e-9
    )
    assert whole.upper <= sum(p * each.upper for p, each in zip(prior, alone, strict=True)) + 1e-9


def _alike(seed):
    """The tasks of a random library with one discount."""
    return [
        POMDP(task.pomdp.P, task.pomdp.O, task.pomdp.R, task.pomdp.start, 0.8) for task in random_library(seed, K=3)
    ]


def belief_of(union, memory, steps):
    """The joined belief in full."""
    packed = union.belief(memory.beliefs, steps)
    assert packed[:2].tolist() == [1.0, 0.0]
    belief = np.zeros(len(union.pomdp.start))
    pairs = packed[3:].reshape(-1, 2)
    belief[pairs[:, 0].astype(int)] = pairs[:, 1]
    return belief


def fading(discounts):
    """Tasks of one state each, with a sensor of 0.9 and their own discounts."""
    tasks = []
    for k, discount in enumerate(discounts):
        sensor = [[0.9, 0.1] if k == 0 else [0.1, 0.9]] * 2
        pomdp = POMDP([np.eye(2)] * 2, [sensor] * 2, np.zeros((2, 2)), discount=discount)
        tasks.append(Task.from_pomdp(pomdp, name=f"task {k}"))
    return TaskLibrary(tasks)


def test_tasks_that_fade_for_ever_keep_their_shares():
    """After t steps, task k counts p(k) (gamma_k/gamma)^t: both may be too small for a float, and their ratio not."""
    library = fading([0.2, 0.9, 0.2])
    bayes = quick_agent("bayes", library)
    memory, n, m = bayes.start(), 900, 700
    for z in [0] * n + [1] * m:
        memory = bayes.update(memory, 0, Percept(observation=z))
    belief = belief_of(bayes.union, memory, n + m)
    assert (belief[:6] > 0).all()
    assert belief.sum() == pytest.approx(1)
    gap = (n - m) * np.log(9) + (n + m) * np.log(0.2 / 0.9)
    assert gap < -700  # no float
    assert belief[2:4] == pytest.approx([0.5, 0.5])
    certain = memory.believing(np.array([1.0, 0.0, 0.0]))
    assert belief_of(bayes.union, certain, n + m)[:2] == pytest.approx([0.5, 0.5])
    assert bayes.act(certain).sum() == pytest.approx(1)
    alike = memory.believing(np.array([0.75, 0.0, 0.25]))
    assert belief_of(bayes.union, alike, n + m)[:6] == pytest.approx([0.375, 0.375, 0, 0, 0.125, 0.125])


def test_a_belief_and_a_discount_that_no_float_holds_may_outweigh_each_other():
    library = fading([0.45, 0.9])
    bayes = quick_agent("bayes", library)
    memory = bayes.start()
    for _ in range(1200):
        memory = bayes.update(memory, 0, Percept(observation=0))
    t = round(1200 * np.log(9) / np.log(2))  # 9^1200 to one for the first task, which has faded to 2^-t
    odds = 1200 * np.log(9) - t * np.log(2)
    belief = belief_of(bayes.union, memory, t)
    assert np.log(belief[0] / belief[2]) == pytest.approx(odds, abs=1e-8)


def test_tasks_without_a_future_count_by_their_belief_where_no_others_are_left():
    library = fading([0.0, 0.0, 0.9])
    bayes = quick_agent("bayes", library)
    some = bayes.start().believing(np.array([0.25, 0.25, 0.5]))
    assert belief_of(bayes.union, some, 3)[:6] == pytest.approx([0, 0, 0, 0, 0.5, 0.5])
    none = bayes.start().believing(np.array([0.75, 0.25, 0.0]))
    assert belief_of(bayes.union, none, 3)[:6] == pytest.approx([0.375, 0.375, 0.125, 0.125, 0, 0])
