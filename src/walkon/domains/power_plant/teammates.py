"""The human of the power plant follows an optimal plan of the pair.

The plan is optimal for robot and human together, the robot's failures included; of several optimal pairs of actions,
the first decides, in the order of the robot's action and then the human's.
"""

import numpy as np

from walkon.arrays import Floats
from walkon.domains.power_plant.world import HUMAN_ACTIONS
from walkon.models.mdp import MDP
from walkon.models.mmdp import MMDP
from walkon.policies.ties import best
from walkon.solvers.value_iteration import ValueIteration


def human(team: MMDP) -> Floats:
    """The policy of the human [X, B]."""
    B = len(HUMAN_ACTIONS)
    pairs = [(a, b) for a in range(B) for b in range(B)]  # the robot's questions do nothing that staying does not do
    joint = MDP([team.P[a][b] for a, b in pairs], [[r] * len(pairs) for r in team.R[:, 0, 0]], None, team.discount)
    optimal = best(ValueIteration().solve(joint).policy.table)
    policy: Floats = np.eye(B)[optimal.argmax(axis=1) % B]
    return policy
