"""Files are replaced as a whole, or not at all: a kill or a full disk leaves the old file as it was."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A draft beside the file, which takes its place when the block ends well and is thrown away otherwise."""
    draft = Path(path).parent / f".walkon-{secrets.token_hex(8)}.draft"
    try:
        yield draft
        with open(draft, "rb") as written:
            os.fsync(written.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
