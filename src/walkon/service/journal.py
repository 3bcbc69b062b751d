"""The journal of a session: every step as one line of JSON, on the disk before its answer is sent.

    {"format": "walkon session", "version": 1, "agent": "9f...", "id": "...", "opening": {}, "seed": 7, "answer": {...}}
    {"told": {"step": 0, "observation": 3}, "action": 2, "answer": {...}}
    {"told": {"step": 1}, "action": 0, "answer": {...}}

Lines are only ever added. A last line that is cut off was never answered: it is removed, and the client sends its step
again. When a session is closed, its journal is renamed, and only renamed journals are removed when they are old.
"""

import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from walkon.errors import InputError
from walkon.formats.files import lock_folder, replacing
from walkon.service.messages import FAILED, UNKNOWN, UNWRITTEN, Opening, RefusalError, Told

FORMAT, VERSION = "walkon session", 1
OPEN, CLOSED, LOCK = ".jsonl", ".closed", "serving.lock"
KEEP_DAYS, DAY = 30.0, 86_400.0
AGAIN = 600.0  # seconds in which a repeated request to close gets the same answer
_flushed = getattr(os, "fdatasync", os.fsync)  # not every system has the cheaper one


class Journal:
    """The lines of one session."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, heading: dict[str, Any]) -> None:
        """Create the file with its first line, or not at all."""
        try:
            with replacing(self.path) as draft:
                draft.write_bytes(_line(heading))
            _flush_folder(self.path.parent)
        except OSError as problem:
            raise _unwritten(problem) from None

    def append(self, line: dict[str, Any]) -> None:
        """Add a line, and return when it is on the disk; on failure the file stays as it was."""
        try:
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        except OSError as problem:
            raise _unwritten(problem) from None
        try:
            before = os.fstat(file).st_size
            try:
                rest = _line(line)
                while rest:
                    rest = rest[os.write(file, rest) :]
                _flushed(file)
            except OSError as problem:
                os.ftruncate(file, before)
                raise _unwritten(problem) from None
        finally:
            os.close(file)

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield all complete lines."""
        try:
            whole, _, _ = self.path.read_bytes().rpartition(b"\n")
        except FileNotFoundError:  # it was closed at this moment
            raise RefusalError(UNKNOWN, f'session "{self.path.stem}" was closed: open a new one') from None
        for number, text in enumerate(whole.split(b"\n"), start=1):
            line = _read(text)
            if "answer" not in line:
                why = f"{self.path} is damaged in line {number}: move it away, and open a new session"
                raise RefusalError(FAILED, why)
            yield line

    def mend(self) -> None:
        """Remove a last line that is cut off."""
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            with open(self.path, "r+b") as file:
                file.truncate(whole)

    def steps(self) -> int:
        """Return the number of steps."""
        return self.path.read_bytes().count(b"\n") - 1


class Happened(NamedTuple):
    """One step: the client's message, the executed action, and the answer."""

    told: Told
    action: int
    answer: dict[str, Any]


class Past(NamedTuple):
    """The history of a session, from its journal."""

    opening: Opening
    seed: int
    first: dict[str, Any]  # the answer to the opening
    steps: tuple[Happened, ...]

    @classmethod
    def of(cls, journal: Journal) -> "Past":
        """Read a journal, and refuse one that was tampered with."""
        heading, *lines = journal.lines()
        try:
            steps = tuple(Happened(Told(**line["told"]), int(line["action"]), dict(line["answer"])) for line in lines)
            past = cls(Opening(**heading["opening"]), int(heading["seed"]), dict(heading["answer"]), steps)
            if past.seed < 0 or [each.told.step for each in steps] != list(range(len(steps))):
                raise ValueError("its steps do not follow one another")
        except (KeyError, TypeError, ValueError) as cause:
            problem = " ".join(str(cause).split())
            why = f"{journal.path} is damaged ({problem:.200}): move it away, and open a new session"
            raise RefusalError(FAILED, why) from None
        return past

    @property
    def last(self) -> dict[str, Any]:
        """The last answer."""
        return self.steps[-1].answer if self.steps else self.first


class Journals:
    """A folder of journals, all of the agent with this digest. The folder is locked until it is closed."""

    def __init__(self, folder: Path, agent: str, keep_days: float = KEEP_DAYS) -> None:
        self.folder, self.agent = folder, agent
        self._keep, self._swept = max(keep_days * DAY, AGAIN), -AGAIN
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(f"{folder} cannot be made ({problem.strerror}): give a folder with --journal") from None
        taken = f"another service is writing to {folder}: end it, or take another folder with --journal"
        self._lock = lock_folder(folder / LOCK, taken)
        try:
            for path in sorted(folder.glob(f"*{OPEN}")):
                self._check(path)
            self.sweep()
        except BaseException:
            self.close()
            raise

    def _check(self, path: Path) -> None:
        """Refuse the journal of another agent, and mend one that is cut off."""
        with open(path, "rb") as file:
            heading = _read(file.readline())
        if heading.get("format") != FORMAT or heading.get("version") != VERSION:
            raise InputError(f"{path} is not a journal that this walkon can read: move it away")
        if heading.get("agent") != self.agent or heading.get("id") != path.stem:
            raise InputError(
                f"{path} is the journal of another agent ({heading.get('agent')!r:.18}..., this one is "
                f"'{self.agent:.16}...'): take another folder with --journal, or serve the bundle that it was made with"
            )
        Journal(path).mend()

    def begin(self, name: str, **opened: Any) -> Journal:
        """Begin the journal of a new session with its opening, seed and first answer."""
        journal = self.of(name)
        journal.begin({"format": FORMAT, "version": VERSION, "agent": self.agent, "id": name} | opened)
        return journal

    def names(self) -> list[str]:
        """Return the names of the open sessions."""
        return sorted(path.stem for path in self.folder.glob(f"*{OPEN}"))

    def of(self, name: str) -> Journal:
        """Return the journal of a session."""
        return Journal(self.folder / f"{name}{OPEN}")

    def retire(self, name: str) -> None:
        """Rename the journal of a closed session; the time for which it is kept starts now."""
        os.utime(self.folder / f"{name}{OPEN}")
        os.replace(self.folder / f"{name}{OPEN}", self.folder / f"{name}{CLOSED}")
        _flush_folder(self.folder)

    def ended(self, name: str) -> bool:
        """Check whether a session of this name was closed."""
        return (self.folder / f"{name}{CLOSED}").is_file()

    def sweep(self) -> None:
        """Remove journals of sessions that were closed long ago; not at every call, as a folder may be large."""
        if time.monotonic() - self._swept < AGAIN:
            return
        self._swept = time.monotonic()
        for path in self.folder.glob(f"*{CLOSED}"):
            with suppress(OSError):  # tried again the next time
                if time.time() - path.stat().st_mtime > self._keep and _begins_a_journal(path):
                    path.unlink()

    def close(self) -> None:
        """Release the folder's lock."""
        self._lock.close()


def digest_of(path: Path) -> str:
    """Return the digest of a bundle."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _begins_a_journal(path: Path) -> bool:
    """Check that a file is a journal: nothing else is ever removed."""
    with open(path, "rb") as file:
        start = _line({"format": FORMAT})[:-2]
        return file.read(len(start)) == start


def _read(line: bytes) -> dict[str, Any]:
    """Return the document in a line; an empty one if there is none."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        document = None
    return document if isinstance(document, dict) else {}


def _line(document: dict[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _flush_folder(folder: Path) -> None:
    """Flush a folder, so that a new name in it is on the disk, where the system can."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _unwritten(problem: OSError) -> RefusalError:
    why = f"the journal cannot be written ({problem.strerror}): nothing was done; make room, and send this again"
    return RefusalError(UNWRITTEN, why, retry_after=1)
