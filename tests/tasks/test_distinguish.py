"""Which tasks can be told apart: against all sequences of actions and observations, one by one."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_models import rows, seeds
from walkon import POMDP, InputError, Task, TaskLibrary, make
from walkon.domains.classics import tiger
from walkon.tasks.distinguish import alike, steps_apart


def laws(pomdp, steps, seen):
    """The probability of every sequence of observations after every sequence of so many actions."""
    A, Z = len(pomdp.P), pomdp.O[0].shape[1]
    firsts = (
        [pomdp.start * (np.arange(len(pomdp.start)) == x) for x in range(len(pomdp.start))] if seen else [pomdp.start]
    )
    for first in firsts:
        for sequence in product(product(range(A), range(Z)), repeat=steps):
            weight = first
            for a, z in sequence:
                weight = (weight @ pomdp.P[a].toarray()) * pomdp.O[a].toarray()[:, z]
            yield weight.sum()


def by_brute_force(one, two):
    """Tzeng's bound: tasks that agree on all sequences of X_j + X_k - 1 steps agree on all."""
    seen = one.observed and two.observed
    for steps in range(len(one.start) + len(two.start)):
        pairs = zip(laws(one.pomdp, steps, seen), laws(two.pomdp, steps, seen), strict=True)
        if any(abs(p - q) > 1e-9 * max(p, q) for p, q in pairs):
            return steps
    return None


def random_task(rng, X, A=2, Z=2, sparsity=0.0):
    return Task.from_pomdp(
        POMDP(
            rows(rng, (A, X, X), sparsity), rows(rng, (A, X, Z), sparsity), np.zeros((X, A)), rows(rng, (X,), sparsity)
        )
    )


def renamed(task, order):
    """The same task with its states in another order."""
    p = task.pomdp
    return Task.from_pomdp(
        POMDP([m[order][:, order] for m in p.P], [m[order] for m in p.O], p.R[order], p.start[order])
    )


def split(task, x, share):
    """The same task with one state told twice: no agent can see which of the two it is."""
    p = task.pomdp
    X = len(p.start)
    out = np.vstack([np.eye(X), np.eye(X)[x]])  # the copy does what the state does
    into = np.hstack([np.eye(X), np.zeros((X, 1))])
    into[x, x], into[x, X] = 1 - share, share
    P = [out @ m.toarray() @ into for m in p.P]
    return Task.from_pomdp(POMDP(P, [out @ m.toarray() for m in p.O], out @ p.R, p.start @ into))


def deep(X, late):
    """A chain that shows nothing until its end, where a coin that may be loaded is observed."""
    P = np.eye(X, k=1)
    P[-1, -1] = 1
    O = np.tile([1.0, 0.0], (X, 1))
    O[-1] = [1 - late, late]
    return Task.from_pomdp(POMDP([P], [O], np.zeros((X, 1)), np.eye(1, X).ravel()))


@given(seeds, st.integers(1, 2), st.integers(1, 2), st.sampled_from([0.0, 0.6]))
def test_it_is_what_all_sequences_say(seed, X, Y, sparsity):
    rng = np.random.default_rng(seed)
    one, two = random_task(rng, X, sparsity=sparsity), random_task(rng, Y, sparsity=sparsity)
    assert steps_apart(one, two) == by_brute_force(one, two)


@given(seeds, st.sampled_from([0.0, 0.6]))
def test_a_task_by_other_names_or_with_a_state_told_twice_is_the_same_task(seed, sparsity):
    rng = np.random.default_rng(seed)
    task = random_task(rng, 3, sparsity=sparsity)
    assert steps_apart(task, renamed(task, rng.permutation(3))) is None
    assert steps_apart(task, split(task, int(rng.integers(3)), rng.random())) is None


@pytest.mark.parametrize("length", [2, 3, 6])
def test_a_difference_that_comes_late_is_found_at_its_step(length):
    assert steps_apart(deep(length, 0.5), deep(length, 0.25)) == length - 1
    assert steps_apart(deep(length, 0.5), deep(length, 0.5)) is None
    if length < 4:
        assert by_brute_force(deep(length, 0.5), deep(length, 0.25)) == length - 1


def test_a_difference_behind_a_very_rare_observation_is_found():
    """Only after an observation of probability 1e-8 do the two differ."""

    def rare(coin):
        P = [[0, 1 - 1e-8, 1e-8], [0, 1, 0], [0, 0, 1]]
        O = [[1, 0, 0], [1, 0, 0], [0, coin, 1 - coin]]
        return Task.from_pomdp(POMDP([P], [O], np.zeros((3, 1)), [1, 0, 0]))

    assert steps_apart(rare(0.3), rare(0.3)) is None
    assert steps_apart(rare(0.3), rare(0.6)) == 1


def test_the_first_state_tells_tasks_apart_where_it_is_seen():
    def seen(start):
        return Task.from_pomdp(POMDP([np.eye(2)], [np.eye(2)], np.zeros((2, 1)), start))

    assert steps_apart(seen([0.5, 0.5]), seen([0.25, 0.75])) == 0
    assert steps_apart(seen([0.5, 0.5]), seen([0.5, 0.5])) is None


@given(seeds)
def test_seen_states_are_compared_like_any_others(seed):
    rng = np.random.default_rng(seed)
    start = rows(rng, (2,), 0.0)
    eye = np.eye(2)
    same = rows(rng, (1, 2, 2), 0.0)
    one, two = (Task.from_pomdp(POMDP(P, [eye], np.zeros((2, 1)), start)) for P in (same, rows(rng, (1, 2, 2), 0.0)))
    assert steps_apart(one, two) == by_brute_force(one, two) == 1


def test_rewards_are_not_read():
    p = tiger()
    other = POMDP(p.P, p.O, -p.R, p.start)
    library = TaskLibrary([Task.from_pomdp(p), Task.from_pomdp(tiger(0.7)), Task.from_pomdp(other)])
    assert alike(library) == ((0, 2),)


def test_the_answer_does_not_depend_on_the_seed_of_the_sums():
    cooks = make("overcooked")
    assert {steps_apart(cooks[0], cooks[2], seed=seed) for seed in range(3)} == {3}


def test_all_tasks_of_the_paper_can_be_told_apart():
    for world, options in (("night-pursuit", {"size": 3, "tasks": 8}), ("pursuit", {"size": 3}), ("overcooked", {})):
        assert alike(make(world, **options)) == ()


def test_tasks_that_share_no_observations_are_refused():
    coin = Task.from_pomdp(POMDP([[[1]]], [[[1]]], [[0]]), name="coin")
    with pytest.raises(InputError, match='tasks "tiger" and "coin" do not share their actions and observations'):
        steps_apart(Task.from_pomdp(tiger(), name="tiger"), coin)
