"""What came of a trial: its numbers, and the columns of its episode as bytes."""

import zlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load, save

from walkon.errors import InputError
from walkon.trials.episode import Episode

Columns = dict[str, npt.NDArray[Any]]
EPISODE = ("states", "actions", "teammate_actions", "observations", "rewards", "counts", "task_beliefs")
OLD = {"replies": "teammate_actions", "deliveries": "counts"}  # what columns were called once


class Outcome(NamedTuple):
    """The result of one trial."""

    key: str  # of the trial
    library: str  # the hash of the agent's library
    task: str  # the name of the task that was played
    numbers: dict[str, float | None]  # what was measured, None where it does not apply
    episode: bytes  # columns


def columns_of(episode: Episode) -> Columns:
    """The columns of an episode that are the same on every run; decision times are not among them."""
    found = {name: getattr(episode, name) for name in EPISODE}
    return {name: np.ascontiguousarray(column) for name, column in found.items() if column is not None}


def packed(columns: Columns) -> bytes:
    """Columns as bytes. The same columns give the same bytes."""
    return zlib.compress(save(dict(sorted(columns.items()))), 6)


def unpacked(content: bytes) -> Columns:
    """The columns again."""
    try:
        found: Columns = load(zlib.decompress(content))
    except (zlib.error, SafetensorError) as cause:
        raise InputError(f"the columns of an episode cannot be read: {cause}") from None
    return {OLD.get(name, name): column for name, column in found.items()}
