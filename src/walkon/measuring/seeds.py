"""Seeds by hash: every label gets its own luck.

A trial's label names its run and its number. Runs with different seeds share no trial, however close the seeds; and a
longer run begins with the trials of a shorter one that has the same seed.
"""

import hashlib

from walkon.errors import InputError


def number(label: str) -> int:
    """Return the seed of a label: 48 bits of its hash."""
    return int.from_bytes(hashlib.sha256(label.encode()).digest()[:6])


def trial_seeds(what: str, seed: int, task: int, trials: int) -> list[int]:
    """Return the seeds of the trials of one task, [trials]; each purpose (`what`) has its own.

    >>> trial_seeds("compare", 0, 1, 4)[:2] == trial_seeds("compare", 0, 1, 2)
    True
    """
    if seed < 0:
        raise InputError(f"seed is {seed!r}, expected a whole number, 0 or more")
    return [number(f"{seed} {what} {task} {i}") for i in range(trials)]
