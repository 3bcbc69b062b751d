"""Results of episodes without what luck added to them: the mean is the same, and the interval much narrower.

What a step of an episode drew is compared with what was to be expected. With w(b) for the value of a belief, which need
not be right, and b for the exact belief given all that was done and seen,

    w(b') - E[w(b') | b, a]

is 0 in expectation, whatever the agent does. It is subtracted, so the mean stays the same without any bias, and what is
left is mostly what the actions were worth.

In RockSample and Tag, w is the value that the compiled rules give a belief. In a small room at night it follows from
the vectors of `bayes`: v is the discounted reward that they promise, and 1 + log((v + 20) / 120) / log(discount) are
the steps in which it would be earned, as a step pays -1 and the capture 100. The truth of a trial has to be drawn from
the prior there, so the number of trials has to be a multiple of the number of tasks.
"""

import numpy as np
from scipy.sparse import diags_array

from walkon.tasks.union import Union


def drawn(rules, episode):
    """What luck added to a return, in a world whose compiled rules are over beliefs."""
    numbers, luck = (rules.facts, rules.reals), np.zeros(1, dtype=np.uint64)
    x, v = np.empty(rules.state_size, dtype=np.int64), np.empty(rules.action_count)
    ys, ps = np.empty((64, len(x)), dtype=np.int64), np.empty(64)
    rules.start(*numbers, x, luck)
    added, fading = 0.0, 1.0

    def worth(y):
        if rules.ends(*numbers, y):
            return 0.0
        rules.values(*numbers, y, v)
        return v.max()

    steps = list(zip(episode.actions.tolist(), episode.rewards.tolist(), episode.observations.tolist(), strict=True))
    for t, (a, paid, z) in enumerate(steps):
        expected = rules.step(a, *numbers, x, ys[0], luck)
        count = rules.outcomes(a, *numbers, x, ys, ps)
        worths = np.array([worth(y) for y in ys[:count]])
        row, over = np.array([z], dtype=np.int64), episode.solved and t == len(steps) - 1
        came = next(
            i
            for i, y in enumerate(ys[:count])
            if ps[i] > 0 and rules.likelihood(a, *numbers, y, row) and bool(rules.ends(*numbers, y)) == over
        )
        added += fading * (paid - expected + rules.discount * (worths[came] - ps[:count] @ worths))
        fading, x = fading * rules.discount, ys[came].copy()
    return added


class Night:
    """What luck added to the steps and to the return of an episode in a small room at night."""

    def __init__(self, bayes):
        """Take the agent whose vectors say what beliefs are worth."""
        library = bayes.library
        self.pomdp = Union.of(library, bayes.inference.prior).pomdp
        self.horizon = library[0].horizon
        self.going = 1.0 - np.concatenate([task.solved for task in library])
        self.vectors = np.ascontiguousarray(bayes.policies[0].vectors.T)  # [states of all tasks, vectors]
        self.sensor = [O.T.tocsr() for O in self.pomdp.O]
        named = map(tuple, library[0].observation_numbers.tolist())
        self.numbers = {z: i for i, z in enumerate(named)}  # of observations, where rules have rows

    def __call__(self, episode):
        """What luck added to the steps, and to the return."""
        discount, R = self.pomdp.discount, self.pomdp.R
        belief, fading, steps, earned = self.pomdp.start * self.going, 1.0, 0.0, 0.0
        belief = belief / belief.sum()
        for t, (a, z) in enumerate(zip(episode.actions.tolist(), episode.observations.tolist(), strict=True)):
            last = t == len(episode.actions) - 1
            joint = (self.sensor[a] @ diags_array((belief @ self.pomdp.P[a]) * self.going)).tocsr()
            chances = np.asarray(joint.sum(axis=1)).ravel()  # of each observation, the task not being over
            some = np.flatnonzero(chances > 1e-14)
            value, left = np.zeros(len(chances)), np.zeros(len(chances))
            value[some] = (joint[some] @ self.vectors).max(axis=1) / chances[some]
            left[some] = 1 + np.log(np.maximum((value[some] + 20) / 120, 1e-6)) / np.log(discount)
            over, seen = last and episode.solved, z if isinstance(z, int) else self.numbers[tuple(z)]
            v, w = (0.0, 0.0) if over else (value[seen], left[seen])
            earned += fading * (episode.rewards[t] - belief @ R[:, a] + discount * (v - chances @ value))
            if t < self.horizon - 1:  # then none are left
                steps += w - chances @ left
            fading *= discount
            belief = joint[[seen]].toarray().ravel() / max(chances[seen], 1e-300)
        return steps, earned
