"""Files read within limits and reported by line, replaced as a whole or not at all, and locks on folders."""

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from walkon.errors import InputError

LARGEST_FILE = 2**30  # bytes
MOST_ACTIONS = 10_000


class FormatError(InputError):
    """A malformed file. Lines and columns count from 1; None where the mistake has no single place."""

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class FormatWarning(UserWarning):
    """Something in a file that was not read as it stands, such as a row that was divided by its sum."""


def error_at(name: str, line: int, column: int, message: str) -> FormatError:
    """Return the error for one place in a file: `tiger.pomdp, line 3, column 9: message`."""
    return FormatError(f"{name}, line {line}, column {column}: {message}", line=line, column=column)


def read_whole(path: str | os.PathLike[str], largest: int | None = None) -> bytes:
    """Read a file, unless it has more than `largest` bytes (by default `LARGEST_FILE`)."""
    limit = LARGEST_FILE if largest is None else largest
    with open(path, "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise FormatError(f"{os.fspath(path)} has more than {limit:,} bytes, the largest size allowed: split it")
    return data


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a draft beside the file, which replaces it when the block succeeds and is deleted when it fails.

    If the process is killed or the disk is full, the old file stays as it was.
    """
    draft = Path(path).parent / f".walkon-{secrets.token_hex(8)}.draft"
    try:
        yield draft
        with open(draft, "rb") as written:
            os.fsync(written.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def lock_folder(path: Path, taken: str) -> sqlite3.Connection:
    """Hold a lock until the connection is closed or the process ends; `taken` is the error if another one holds it."""
    lock = sqlite3.connect(path, timeout=0.2, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as cause:
        lock.close()
        if "locked" not in str(cause):
            raise InputError(f"{path}: {cause}: can the folder be written?") from None
        raise InputError(taken) from None
    except sqlite3.DatabaseError as cause:
        lock.close()
        raise InputError(f"{path} is not a lock of walkon ({cause}): move it away") from None
    return lock
