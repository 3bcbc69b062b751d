"""A lock on a folder that ends with the process that holds it, however that ends."""

import sqlite3
from pathlib import Path

from walkon.errors import InputError


def locked(path: Path, taken: str) -> sqlite3.Connection:
    """Hold a lock, until the connection is closed.

    Args:
        path: The file that stands for the lock. SQLite knows how to lock files on every system.
        taken: What to say where somebody else holds it.
    """
    lock = sqlite3.connect(path, timeout=0.2, isolation_level=None, check_same_thread=False)  # for a glance
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
