"""The posterior over all tasks and their states: in floats where these suffice, else in weights with exponents.

Weights that are too small for floats are rare, and the kernel for them takes seconds to compile. So it is not a part of
the fast one, but compiled when it is needed for the first time.
"""

import numpy as np

from walkon.agents.faint_kernels import faint_posterior
from walkon.agents.inference_kernels import Models, fast_posterior
from walkon.arrays import Floats
from walkon.models.scaled import shown


def posterior(models: Models, beliefs: Floats, action: int, observation: int) -> tuple[Floats, float]:
    """Do what the kernel of that name does: return packed beliefs and the probability of the observation."""
    after, total, faint = fast_posterior(*models, beliefs, action, observation)
    if not faint:
        return after, total
    weights = np.zeros(observation + 1)
    weights[observation] = 1.0
    after, exact = exact_posterior(models, beliefs, action, weights)
    return after, float(shown(exact))


def exact_posterior(models: Models, beliefs: Floats, action: int, weights: Floats) -> tuple[Floats, Floats]:
    """Return packed beliefs after weights over the observations, and their probability as mantissa and exponent [2]."""
    after, total, _ = faint_posterior(*models, beliefs, action, np.zeros(0), weights)
    return after, np.array(total)
