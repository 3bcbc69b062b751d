"""What a policy earns, exactly: a Markov chain of all beliefs that it leads to, equal ones merged."""

import math

import numpy as np
from scipy.sparse import csr_array

SAME = 10  # decimals to which two beliefs agree that count as one
TAIL = 1e-6  # how much what is left out may be worth


class Chain:
    """The beliefs that a policy meets within so many steps: the start first, what each pays, and what follows it."""

    def __init__(self, pomdp, policy, depth):
        self.beliefs, self.rewards, self._entries, self._number = [], [], [], {}
        self._reach(pomdp.start)
        done = 0
        for _ in range(depth):
            before, done = done, len(self.beliefs)
            if before == done:
                break
            for i in range(before, done):
                self._expand(pomdp, policy, i)
        self.rewards += [0.0] * (len(self.beliefs) - len(self.rewards))

    @property
    def steps(self):
        """How probable each belief is after each, [beliefs, beliefs]."""
        values, rows, columns = zip(*self._entries, strict=True)
        return csr_array((values, (rows, columns)), shape=(len(self.beliefs),) * 2)

    def _expand(self, pomdp, policy, i):
        belief, reward = self.beliefs[i], 0.0
        for a, chosen in enumerate(policy.probabilities(belief)):
            if chosen > 0:
                reward += chosen * float(belief @ pomdp.R[:, a])
                joint = pomdp.O[a].toarray() * (belief @ pomdp.P[a])[:, None]  # [X, Z]
                for z, rho in enumerate(joint.sum(axis=0)):
                    if rho > 0:
                        self._entries.append((chosen * rho, i, self._reach(joint[:, z] / rho)))
        self.rewards.append(reward)

    def _reach(self, belief):
        key = belief.round(SAME).tobytes()
        if key not in self._number:
            self._number[key] = len(self.beliefs)
            self.beliefs.append(belief)
        return self._number[key]


def greedy_beliefs(pomdp, policy, depth):
    """The beliefs that the policy meets in that many steps, the start among them."""
    return Chain(pomdp, policy, depth).beliefs


def earned(pomdp, policy):
    """The expected discounted return from the start, to `TAIL`."""
    span = max(1e-12, np.abs(pomdp.R).max() / (1 - pomdp.discount))
    depth = max(1, math.ceil(math.log(TAIL / span) / math.log(pomdp.discount))) if pomdp.discount else 1
    chain = Chain(pomdp, policy, depth)
    rewards, steps = np.array(chain.rewards), chain.steps
    value = np.zeros(len(rewards))
    for _ in range(depth):
        value = rewards + pomdp.discount * (steps @ value)
    return value[0]
