"""How much a file may ask for. Files come from anywhere, so nothing is made before it is known to be this small."""

import os

from walkon.formats.format_error import FormatError

LARGEST_FILE = 2**30  # bytes
MOST_ACTIONS = 10_000


def read_whole(path: str | os.PathLike[str]) -> bytes:
    """The content of a file, unless it is too large."""
    with open(path, "rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise FormatError(f"{os.fspath(path)} has more than {LARGEST_FILE:,} bytes, the most that is read")
    return data
