"""The columns of an episode as bytes, which a store keeps."""

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load, save

from walkon.errors import InputError
from walkon.trials.episode import Episode

Columns = dict[str, npt.NDArray[Any]]
EPISODE = ("states", "actions", "teammate_actions", "observations", "rewards", "counts", "task_beliefs")
VALUES = ("states", "teammate_actions", "observations")
OLD = {"replies": "teammate_actions", "deliveries": "counts"}  # earlier names of columns
LARGEST_EPISODE = 2**28  # bytes; ten thousand steps with 32 tasks take 3 million


def columns_of(episode: Episode) -> Columns:
    """Return the columns of an episode that are the same on every run: all but decision times.

    Without tables, states and observations are values, which follow from the actions (`retraced`).
    """
    values = episode.states.dtype == object
    found = {name: getattr(episode, name) for name in EPISODE if not (values and name in VALUES)}
    return {name: np.ascontiguousarray(column) for name, column in found.items() if column is not None}


def pack(columns: Columns) -> bytes:
    """Turn columns into bytes. The same columns give the same bytes."""
    return zlib.compress(save(dict(sorted(columns.items()))), 6)


def unpack(content: bytes) -> Columns:
    """Turn bytes back into columns, under their present names."""
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(content, LARGEST_EPISODE)
        if unpacking.unconsumed_tail or not unpacking.eof:
            raise InputError(f"it is cut off, or has more than {LARGEST_EPISODE:,} bytes")
        found: Columns = load(data)
    except (zlib.error, SafetensorError, InputError) as cause:
        raise InputError(f"the columns of an episode cannot be read: {cause}") from None
    return {OLD.get(name, name): column for name, column in found.items()}
