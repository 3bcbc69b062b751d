"""What the ad hoc agent read, as numbers: what an environment shows, and what a learned policy is fed with."""

import numpy as np

from walkon.arrays import Ints
from walkon.tasks.library import TaskLibrary


def observation(library: TaskLibrary, observation: int | None) -> Ints:
    """The numbers of an observation, after a 1; where nothing was read, a 0 and then the lowest numbers.

    Where the state is fully observed there is always an observation, and its numbers stand alone.
    """
    table = library[0].observation_numbers
    if observation is not None and library.observed:
        return np.array(table[observation])
    if observation is None:
        return np.concatenate([[0], table.min(axis=0)])
    return np.concatenate([[1], table[observation]])
