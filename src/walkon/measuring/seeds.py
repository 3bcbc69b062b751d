"""Seeds by hash: everything that has a name of its own gets luck of its own.

A trial's name says which run it belongs to and which of its trials it is. Two runs whose seeds differ, by however
little, share no trial; and a longer run begins with the trials of a shorter one that has the same seed.
"""

import hashlib

from walkon.errors import InputError


def number(label: str) -> int:
    """A seed for everything that has this label: 48 bits of its hash."""
    return int.from_bytes(hashlib.sha256(label.encode()).digest()[:6])


def trial_seeds(what: str, seed: int, task: int, trials: int) -> list[int]:
    """The seeds of the trials of one task, [trials].

    Args:
        what: What they are played for: other purposes, other trials.
        seed: What all of them follow from, 0 or more.
        task: The number of the task.
        trials: How many.

    >>> trial_seeds("compare", 0, 1, 4)[:2] == trial_seeds("compare", 0, 1, 2)
    True
    """
    if seed < 0:
        raise InputError(f"seed is {seed!r}, expected a whole number, 0 or more")
    return [number(f"{seed} {what} {task} {i}") for i in range(trials)]
