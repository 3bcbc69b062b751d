"""Files that are either there in full or not at all.

The text goes to a new file in the same folder, which takes the old file's place in one step. A reader never sees
half a file, and a full disk or a kill leaves the old file as it was.
"""

import os
import secrets
from collections.abc import Iterable
from pathlib import Path


def write_atomically(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """Write the pieces, one after the other, as the whole content of a file."""
    target = Path(path)
    draft = target.parent / f".walkon-{secrets.token_hex(8)}.tmp"
    # Not tempfile: it makes files that only their owner may read, and the mode would stay.
    try:
        with open(draft, "xb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
