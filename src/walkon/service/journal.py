"""The journal of a session: every step as one line of JSON, on the disk before its answer is sent.

    {"format": "walkon session", "version": 1, "agent": "9f...", "id": "...", "opening": {}, "seed": 7, "answer": {...}}
    {"told": {"step": 0, "observation": 3}, "action": 2, "answer": {...}}
    {"told": {"step": 1}, "action": 0, "answer": {...}}

Lines are only ever added, and there may be any number: only a replay reads them all. A last line that is cut off was
never answered: it is removed, and the client sends its step again. When a session is closed, its journal is renamed,
and only renamed journals are removed when they are old.
"""

import hashlib
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from walkon.errors import InputError
from walkon.formats.files import lock_folder, replacing
from walkon.service import lines
from walkon.service.checkpoint import Checkpoint
from walkon.service.lines import Happened, Heading
from walkon.service.messages import FAILED, UNKNOWN, UNWRITTEN, RefusalError

FORMAT, VERSION = "walkon session", 1
OPEN, CLOSED, CHECKPOINT, LOCK = ".jsonl", ".closed", ".checkpoint", "serving.lock"
KEEP_DAYS, DAY = 30.0, 86_400.0
AGAIN = 600.0  # seconds in which a repeated request to close gets the same answer
EARLIEST = 366 * DAY  # a file of 1970 was closed while the clock was not set
_flushed = getattr(os, "fdatasync", os.fsync)  # not every system has the cheaper one


class Journal:
    """The lines of one session."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, heading: dict[str, Any]) -> None:
        """Create the file with its first line, or not at all."""
        try:
            self.path.with_suffix(CHECKPOINT).unlink(missing_ok=True)
            with replacing(self.path) as draft:
                draft.write_bytes(lines.line_of(heading))
            _flush_folder(self.path.parent)
        except OSError as problem:
            raise _unwritten(problem) from None

    def append(self, line: dict[str, Any]) -> int:
        """Add a line, and return where it ends when it is on the disk; on failure the file stays as it was."""
        try:
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        except FileNotFoundError:
            why = f"{self.path} is gone: nothing was done; put it back, or close this session and open a new one"
            raise RefusalError(FAILED, why) from None
        except OSError as problem:
            raise _unwritten(problem) from None
        try:
            before, text = os.fstat(file).st_size, lines.line_of(line)
            try:
                rest = text
                while rest:
                    rest = rest[os.write(file, rest) :]
                _flushed(file)
            except OSError as problem:
                os.ftruncate(file, before)
                raise _unwritten(problem) from None
            return before + len(text)
        finally:
            os.close(file)

    def heading(self) -> Heading:
        """Read how the session was opened."""
        with self._opened() as file:
            line = file.readline()
        try:
            return lines.heading_in(line)
        except (KeyError, TypeError, ValueError) as cause:
            raise self.damaged(1, str(cause)) from None

    def steps(self, step: int, place: int) -> Iterator[Happened]:
        """Yield the steps from one on, whose line begins at a place, to the last that is complete now."""
        with self._opened() as file:
            end = os.fstat(file.fileno()).st_size
            file.seek(place)
            while place < end and (line := file.readline()).endswith(b"\n"):
                place += len(line)
                yield self._happened(line, step, place)
                step += 1

    def step(self, step: int) -> Happened:
        """Return one step."""
        with self._opened() as file:
            first, end = len(file.readline()), os.fstat(file.fileno()).st_size
            place = lines.find_step(file, step, first, end)
            if place is None:
                raise self.damaged(step + 2, "its steps do not follow one another")
            file.seek(place)
            line = file.readline()
            return self._happened(line, step, place + len(line))

    def __len__(self) -> int:
        """The number of steps, from the last line."""
        with self._opened() as file:
            return lines.step_in(lines.line_before(file, lines.whole_until(file, os.fstat(file.fileno()).st_size))) + 1

    def mend(self) -> None:
        """Remove a last line that is cut off."""
        with open(self.path, "r+b") as file:
            size = os.fstat(file.fileno()).st_size
            whole = lines.whole_until(file, size)
            if whole < size:
                file.truncate(whole)

    def checkpoint(self) -> tuple[Checkpoint, Happened] | None:
        """Return the checkpoint with the step before it; None if there is none that fits the journal."""
        found = Checkpoint.read(self.path.with_suffix(CHECKPOINT))
        if found is None:
            return None
        with self._opened() as file, suppress(RefusalError):
            line = lines.line_before(file, found.place) if 0 < found.place <= os.fstat(file.fileno()).st_size else b""
            if line.endswith(b"\n"):
                return found, self._happened(line, found.step - 1, found.place)
        return None

    def mark(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint. Nothing depends on it, so it does not matter if that fails."""
        with suppress(OSError):
            checkpoint.write(self.path.with_suffix(CHECKPOINT))

    def damaged(self, line: int, why: str) -> RefusalError:
        """Return the refusal of a journal that is damaged in a line."""
        problem = f"{' '.join(why.split()):.200}"
        return RefusalError(
            FAILED, f"{self.path} is damaged in line {line} ({problem}): move it away, and open a new session"
        )

    def _opened(self) -> BinaryIO:
        try:
            return open(self.path, "rb")
        except FileNotFoundError:  # it was closed at this moment
            raise RefusalError(UNKNOWN, f'session "{self.path.stem}" was closed: open a new one') from None

    def _happened(self, line: bytes, step: int, end: int) -> Happened:
        """Read a line, and refuse one that was tampered with."""
        try:
            return lines.happened_in(line, step, end)
        except (KeyError, TypeError, ValueError) as cause:
            raise self.damaged(step + 2, str(cause)) from None


class Journals:
    """A folder of journals, all of the agent with this digest. The folder is locked until it is closed.

    A file that is no journal that this walkon can read is left alone and refused, with the reason in `refused`.
    """

    def __init__(self, folder: Path, agent: str, keep_days: float = KEEP_DAYS) -> None:
        self.folder, self.agent = folder, agent
        self.refused: dict[str, str] = {}  # by the name of the session
        self._keep, self._swept = max(keep_days * DAY, AGAIN), -AGAIN
        self._ahead = time.time() - time.monotonic()  # a clock that is set later removes nothing
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(f"{folder} cannot be made ({problem.strerror}): give a folder with --journal") from None
        self._lock = _locked(folder)
        try:
            for path in sorted(folder.glob(f"*{OPEN}")):
                if why := self._problem(path):
                    self.refused[path.stem] = why
            self._tidy()
            self.sweep()
        except BaseException:
            self.close()
            raise

    def _problem(self, path: Path) -> str:
        """Say why a journal cannot be used, empty if it can; mend it if it is cut off."""
        try:
            with open(path, "rb") as file:
                heading = lines.document_in(file.readline(2**24))
            if heading.get("format") != FORMAT or heading.get("version") != VERSION:
                return f"{path} is not a journal that this walkon can read: move it away"
            if heading.get("agent") != self.agent:
                raise InputError(
                    f"{path} is the journal of another agent ({heading.get('agent')!r:.18}..., this one is "
                    f"'{self.agent:.16}...'): take another folder with --journal, or serve the bundle it was made with"
                )
            if heading.get("id") != path.stem:
                return f"{path} is the journal of session {heading.get('id')!r:.80}: give it the name of its session"
            Journal(path).mend()
        except OSError as problem:
            return f"{path} cannot be used ({problem.strerror}): make it readable and writable, or move it away"
        return ""

    def _tidy(self) -> None:
        """Remove what a service that was killed left: drafts, and checkpoints without a journal."""
        for path in [*self.folder.glob(".walkon-*.draft"), *self.folder.glob(f"*{CHECKPOINT}")]:
            if path.suffix != CHECKPOINT or not path.with_suffix(OPEN).exists():
                with suppress(OSError):
                    path.unlink()

    def begin(self, name: str, **opened: Any) -> Journal:
        """Begin the journal of a new session with its opening, seed and first answer."""
        journal = self.of(name)
        journal.begin({"format": FORMAT, "version": VERSION, "agent": self.agent, "id": name} | opened)
        return journal

    def names(self) -> list[str]:
        """Return the names of the open sessions."""
        return sorted(path.stem for path in self.folder.glob(f"*{OPEN}") if path.stem not in self.refused)

    def of(self, name: str) -> Journal:
        """Return the journal of a session; refuse a file that is none, as long as it is there."""
        journal = Journal(self.folder / f"{name}{OPEN}")
        if name in self.refused and journal.path.exists():
            raise RefusalError(FAILED, self.refused[name])
        return journal

    def retire(self, name: str) -> None:
        """Rename the journal of a closed session; the time for which it is kept starts now."""
        journal = self.folder / f"{name}{OPEN}"
        try:
            with suppress(FileNotFoundError):  # deleted by hand, or renamed by a request that then failed
                os.utime(journal)
                os.replace(journal, journal.with_suffix(CLOSED))
            journal.with_suffix(CHECKPOINT).unlink(missing_ok=True)
            _flush_folder(self.folder)
        except OSError as problem:
            raise _unwritten(problem) from None

    def ended(self, name: str) -> bool:
        """Check whether a session of this name was closed."""
        return (self.folder / f"{name}{CLOSED}").is_file()

    def sweep(self) -> None:
        """Remove journals of sessions that were closed long ago; not at every call, as a folder may be large."""
        if time.monotonic() - self._swept < AGAIN:
            return
        self._swept = time.monotonic()
        now = self._ahead + time.monotonic()
        for path in self.folder.glob(f"*{CLOSED}"):
            with suppress(OSError):  # tried again the next time
                closed = path.stat().st_mtime
                if closed < EARLIEST < now:
                    os.utime(path, (now, now))
                elif now - closed > self._keep and _begins_a_journal(path):
                    path.unlink()

    def close(self) -> None:
        """Release the folder's lock."""
        self._lock.close()


def _locked(folder: Path) -> sqlite3.Connection:
    """Lock a folder; a damaged lock locks nothing, and is put aside."""
    path = folder / LOCK
    with suppress(OSError):
        if path.read_bytes()[:16] not in (b"", b"SQLite format 3\0"):
            os.replace(path, folder / f"{LOCK}.damaged")
    taken = f"another service is writing to {folder}: end it, or take another folder with --journal"
    return lock_folder(path, taken)


def digest_of(path: Path) -> str:
    """Return the digest of a bundle."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _begins_a_journal(path: Path) -> bool:
    """Check that a file is a journal: nothing else is ever removed."""
    with open(path, "rb") as file:
        start = lines.line_of({"format": FORMAT})[:-2]
        return file.read(len(start)) == start


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
