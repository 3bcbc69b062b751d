"""Beliefs in fractions: exact, however small. And libraries whose probabilities are as extreme as floats can be."""

import math
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from twins import dense
from walkon import MMDP, POMDP, Task, TaskLibrary
from walkon.models.packed_beliefs import log_weights

EXTREMES = [0.0, 5e-324, 1e-300, 1e-290, 1e-200, 1e-120, 1e-30, 0.1, 0.3]


def fractions(array):
    return np.vectorize(Fraction, otypes=[object])(np.asarray(array, dtype=float))


class ExactBeliefs:
    """p(k) and b_k, and Bayes' rule written out."""

    def __init__(self, library, prior, hazard=0.0):
        self.library, self.hazard = library, Fraction(hazard)
        self.p = list(fractions(prior))
        self.b = [fractions(task.pomdp.start) for task in library]
        self.refuted = [False] * len(library)

    def switch(self):
        K, h = len(self.p), self.hazard
        if not h or K == 1:
            return
        old = [p * b for p, b in zip(self.p, self.b, strict=True)]
        tasks = []
        for k, task in enumerate(self.library):
            others = [j for j in range(K) if j != k]
            if self.library.shared:
                new = (1 - h) * old[k] + h / (K - 1) * sum(old[j] for j in others)
            else:
                rest = sum(self.p[j] for j in others)
                new = (1 - h) * old[k] + h / (K - 1) * rest * fractions(task.pomdp.start)
            tasks.append(new.sum())
            if new.sum():
                self.b[k], self.refuted[k] = new / new.sum(), False
        self.p = tasks

    def update(self, action, weights, teammate_action=None):
        """Weights over the observations; None if nothing was read. False if no task explains them."""
        self.switch()
        joints = []
        for k, task in enumerate(self.library):
            before = self.b[k]
            if teammate_action is None:
                arrived = before @ fractions(dense(task.pomdp.P)[action])
            else:
                taken = fractions(task.teammates.toarray()[:, teammate_action])
                arrived = (before * taken) @ fractions(task.mmdp.P[action][teammate_action].toarray())
            if weights is not None:
                arrived = arrived * (fractions(dense(task.pomdp.O)[action]) @ fractions(weights))
            joints.append(arrived * (not self.refuted[k]))
        tasks = [p * j.sum() for p, j in zip(self.p, joints, strict=True)]
        if not sum(tasks):
            return False
        for k, joint in enumerate(joints):
            if joint.sum():
                self.b[k] = joint / joint.sum()
            else:
                self.refuted[k] = True
        if weights is not None or teammate_action is not None:
            self.p = [w / sum(tasks) for w in tasks]
        return True


def logarithm(x):
    """Of a fraction, however small."""
    return math.log(x.numerator) - math.log(x.denominator) if x else -math.inf


def same_beliefs(beliefs, exact, tolerance=1e-9):
    """Packed beliefs against exact ones: which weights are 0, and the logarithms of all others."""
    K = len(exact.p)
    logs = log_weights(beliefs, K)
    ends = [0, *beliefs[2 * K : 3 * K].astype(int)]
    close(logs[:K], exact.p, tolerance)
    assert (beliefs[:K] > 0).tolist() == [p > 0 for p in exact.p]
    pairs = beliefs[3 * K : 3 * K + 2 * ends[-1]].reshape(-1, 2)
    for k in range(K):
        own = np.full(len(exact.b[k]), -np.inf)
        own[pairs[ends[k] : ends[k + 1], 0].astype(int)] = logs[K + ends[k] : K + ends[k + 1]]
        close(own, exact.b[k], np.inf if exact.refuted[k] else tolerance)  # of a refuted task, what is shown is kept
        assert (pairs[ends[k] : ends[k + 1], 1] > 0).all()
        assert bool(beliefs[K + k]) == exact.refuted[k]


def close(logs, expected, tolerance=1e-9):
    for one, two in zip(logs, expected, strict=True):
        assert (one == -math.inf) == (two == 0)
        assert two == 0 or abs(one - logarithm(two)) < tolerance


def extreme_rows(rng, *shape):
    """Distributions over the last axis, most of whose entries are very small."""
    rows = rng.choice(EXTREMES[:-1], size=shape)
    great = rng.integers(shape[-1], size=shape[:-1])
    np.put_along_axis(rows, great[..., None], 0.0, axis=-1)
    scale = np.where(rows.sum(axis=-1, keepdims=True) > 0.9, 0.1, 1.0)
    rows = rows * scale
    np.put_along_axis(rows, great[..., None], 1.0 - rows.sum(axis=-1, keepdims=True), axis=-1)
    return rows


def extreme_library(seed, K=2, X=2, A=2, Z=2, unequal=False):
    """Tasks from models with the most extreme probabilities; sizes that differ where they may."""
    rng = np.random.default_rng(seed)
    tasks = []
    for k in range(K):
        own = X + (k if unequal else 0)
        P, O = extreme_rows(rng, A, own, own), extreme_rows(rng, A, own, Z)
        pomdp = POMDP(P, O, rng.normal(size=(own, A)), extreme_rows(rng, own), discount=0.9 - 0.1 * k)
        tasks.append(Task.from_pomdp(pomdp, name=f"extreme {k}"))
    return TaskLibrary(tasks)


def extreme_team(seed, K=2, X=2, A=2, B=2, Z=2):
    """The same with teammates."""
    rng = np.random.default_rng(seed)
    return TaskLibrary(
        [
            Task(
                MMDP(extreme_rows(rng, A, B, X, X), rng.normal(size=(X, A, B))),
                teammates=extreme_rows(rng, X, B),
                sensor=extreme_rows(rng, A, X, Z),
                start=extreme_rows(rng, X),
                name=f"team {k}",
            )
            for k in range(K)
        ]
    )


extreme_seeds = st.integers(0, 2**32 - 1)


def coins(sensors, static=None):
    """Tasks of one state (or of some that never change), whose sensors alone differ: one row for each state."""
    tasks = []
    for k, rows in enumerate(sensors):
        O = np.atleast_2d(rows)
        X = len(O)
        tasks.append(Task.from_pomdp(POMDP([np.eye(X)] * 2, [O] * 2, np.zeros((X, 2)), static), name=f"coin {k}"))
    return TaskLibrary(tasks)
