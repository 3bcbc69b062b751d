"""Files read within limits and reported by line, replaced as a whole or not at all, and locks on folders."""

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from walkon.errors import InputError

LARGEST_FILE = 2**30  # bytes
MOST_ACTIONS = 10_000
SURELY_ALLOWED = 1_000_000  # numbers, however small the file is
PER_BYTE = 100  # numbers for each byte of a larger file: real files have far fewer


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


def allowed_numbers(size: int) -> int:
    """Return how many numbers a file of so many bytes may describe, so that a small one cannot exhaust the memory."""
    return max(SURELY_ALLOWED, PER_BYTE * size)


class FileError(InputError, OSError):
    """A file that cannot be read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """A file, or the folder for it, that does not exist."""


def read_whole(
    path: str | os.PathLike[str], largest: int | None = None, what: str = "a file that can be read"
) -> bytes:
    """Read a file, unless it has more than `largest` bytes (`LARGEST_FILE`); errors say what was expected."""
    limit = LARGEST_FILE if largest is None else largest
    check_file(path, what)
    try:
        with open(path, "rb") as file:
            data = file.read(limit + 1)
    except OSError as cause:
        raise FileError(f"{os.fspath(path)} cannot be read: {reason(cause)}") from None
    if len(data) > limit:
        raise FormatError(f"{os.fspath(path)} has more than {limit:,} bytes, the largest size allowed: split it")
    return data


def check_file(path: str | os.PathLike[str], what: str = "a file that can be read") -> None:
    """Refuse a path at which there is no file to read."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path is {path!r:.60}, expected the path of {what}")
    name = os.fspath(path)
    if os.path.isdir(path):
        raise FileError(f"{name} is a folder, expected {what}")
    if not os.path.exists(path):
        where = "" if os.path.isabs(name) else f" in {os.getcwd()}"
        raise MissingFileError(f'there is no file "{name}"{where}: expected {what}')


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse a path at which no file can be made."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path is {path!r:.60}, expected the path of a file")
    name, folder = os.fspath(path), Path(path).parent
    if not name or "\0" in name:
        raise FileError(f"path is {name!r:.60}, expected the name of a file")
    if os.path.isdir(path):
        raise FileError(f"{name} is a folder: give the name of a file in it")
    if not folder.is_dir():
        raise MissingFileError(f"{name} cannot be written: there is no folder {folder}, make it first")


def check_ending(path: str | os.PathLike[str], ending: str) -> None:
    """Refuse a path whose ending is that of another kind of file: it may be one that the user wrote."""
    check_writable(path)
    found = os.path.splitext(os.fspath(path))[1].lower()
    if found not in ("", ending):
        raise FileError(f"{os.fspath(path)} cannot be written as {found}: name it {ending}")


def reason(cause: OSError) -> str:
    """Say why the system refused, without the number of the error and the name of a file."""
    return cause.strerror or str(cause)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a draft beside the file, which replaces it when the block succeeds and is deleted when it fails.

    If the process is killed or the disk is full, the old file stays as it was. Errors name the file, not the draft.
    """
    check_writable(path)
    draft = Path(path).parent / f".walkon-{secrets.token_hex(8)}.draft"
    try:
        yield draft
        with open(draft, "rb") as written:
            os.fsync(written.fileno())
        os.replace(draft, path)
    except InputError:
        raise
    except OSError as cause:
        error = FileError(f"{os.fspath(path)} cannot be written: {reason(cause)}")
        error.strerror = reason(cause)
        raise error from cause
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def lock_folder(path: Path, taken: str) -> sqlite3.Connection:
    """Hold a lock until the connection is closed or the process ends; `taken` is the error if another one holds it."""
    try:
        lock = sqlite3.connect(path, timeout=0.2, isolation_level=None, check_same_thread=False)
    except sqlite3.OperationalError as cause:
        raise InputError(f"{path}: {cause}: can the folder be written?") from None
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
