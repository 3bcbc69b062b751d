"""What a policy earns, exactly: all beliefs that it leads to, equal ones merged."""

import math

import numpy as np

SAME = 10  # decimals to which two beliefs agree that count as one
TAIL = 1e-6  # how much what is left out may be worth


class Following:
    """A policy that is followed from the start of a problem, level by level."""

    def __init__(self, pomdp, policy):
        self.pomdp, self.policy = pomdp, policy
        self.level = {}
        self._reach(1.0, pomdp.start)

    def step(self):
        """Act and observe once; returns the expected reward."""
        pomdp, before, reward = self.pomdp, self.level, 0.0
        self.level = {}
        for p, belief in before.values():
            for a, chosen in enumerate(self.policy.probabilities(belief)):
                if chosen > 0:
                    reward += p * chosen * float(belief @ pomdp.R[:, a])
                    joint = (pomdp.O[a].multiply((belief @ pomdp.P[a])[:, None])).tocsc()  # [X, Z]
                    for z, rho in enumerate(np.asarray(joint.sum(axis=0)).ravel()):
                        if rho > 0:
                            self._reach(p * chosen * rho, joint[:, [z]].toarray().ravel() / rho)
        return reward

    def _reach(self, p, belief):
        key = belief.round(SAME).tobytes()
        self.level[key] = (p + self.level.get(key, (0.0, None))[0], belief)


def greedy_beliefs(pomdp, policy, depth):
    """The beliefs that the policy meets in that many steps, the start among them."""
    following, met = Following(pomdp, policy), [pomdp.start]
    for _ in range(depth):
        following.step()
        met.extend(belief for _, belief in following.level.values())
    return met


def earned(pomdp, policy):
    """The expected discounted return from the start, to `TAIL`."""
    span = max(1e-12, np.abs(pomdp.R).max() / (1 - pomdp.discount))
    depth = max(1, math.ceil(math.log(TAIL / span) / math.log(pomdp.discount))) if pomdp.discount else 1
    following = Following(pomdp, policy)
    return sum(pomdp.discount**t * following.step() for t in range(depth))
