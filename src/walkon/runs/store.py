"""The results of a run: one SQLite file, one row for each trial.

It has one writer. A trial is there as a whole or not at all: rows are committed, through a write-ahead log that is
flushed to the disk, as soon as they are made. So a run that is killed at any instant has all that it finished, and the
next call runs only what is missing.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from walkon.errors import InputError
from walkon.formats.files import lock_folder
from walkon.runs.outcome import Columns, Outcome, unpacked
from walkon.trials.trial import MeasuredTrial, WorldSpec, frozen

VERSION = 2
FILE, LOCK = "results.sqlite", "running.lock"
SCHEMA = """
CREATE TABLE sessions (id INTEGER PRIMARY KEY, provenance TEXT NOT NULL) STRICT;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE trials (
    key TEXT PRIMARY KEY, trial TEXT NOT NULL, agent TEXT NOT NULL, domain TEXT NOT NULL, task TEXT NOT NULL,
    library TEXT NOT NULL, seed INTEGER NOT NULL, steps REAL, solved REAL, tally REAL, numbers TEXT NOT NULL,
    episode BLOB NOT NULL, session INTEGER NOT NULL REFERENCES sessions (id)
) STRICT, WITHOUT ROWID;
CREATE TABLE policies (
    model TEXT NOT NULL, recipe TEXT NOT NULL, facts TEXT NOT NULL, session INTEGER NOT NULL REFERENCES sessions (id),
    PRIMARY KEY (model, recipe)
) STRICT, WITHOUT ROWID;
"""


class Row(NamedTuple):
    """A finished trial."""

    trial: MeasuredTrial
    task: str
    library: str  # its hash
    numbers: dict[str, float | None]
    columns: Columns
    session: int


class Score(NamedTuple):
    """What came of a trial, in brief; None where it does not apply."""

    task: str
    steps: float | None
    solved: float | None
    tally: float | None


class Store:
    """The results in a folder. Use it in a `with` block; a writer holds the folder until its end."""

    def __init__(self, folder: Path, *, write: bool = False) -> None:
        self.folder = folder
        self.path = folder / FILE
        self._lock: sqlite3.Connection | None = None
        self._session: int | None = None
        if write:
            folder.mkdir(parents=True, exist_ok=True)
            taken = f"another run is writing to {folder}: wait for it, or take another folder with --out"
            self._lock = lock_folder(folder / LOCK, taken)
        elif not self.path.is_file():
            raise InputError(f"{folder} has no {FILE}: give the folder of a run, or begin one with walkon reproduce")
        self._base = sqlite3.connect(self.path, isolation_level=None, timeout=30, check_same_thread=False)
        try:
            with _named(self.path):
                self._open(write)
        except BaseException:
            self.close()
            raise

    def _open(self, write: bool) -> None:
        version = self._base.execute("PRAGMA user_version").fetchone()[0]
        fresh = not self._base.execute("SELECT name FROM sqlite_master").fetchall()
        if write:
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = FULL")
            if fresh:
                self._base.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
                version = VERSION
        else:
            self._base.execute("PRAGMA query_only = ON")
        if version not in (1, VERSION):
            raise InputError(f"{self.path} has version {version}, expected {VERSION}: take another folder with --out")
        damage = self._base.execute("PRAGMA quick_check(1)").fetchone()[0]
        if damage != "ok":
            raise sqlite3.DatabaseError(" ".join(damage.split()))
        if version == 1:
            if not write:  # the file stays as it is
                copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
                self._base.backup(copy)
                self._base.close()
                self._base = copy
            self._renew()

    def _renew(self) -> None:
        """Bring results of version 1 to this version, all of them or none."""
        with self._transaction():
            self._base.execute("ALTER TABLE trials RENAME COLUMN soups TO tally")
            for key, record, text in self._base.execute("SELECT key, trial, numbers FROM trials").fetchall():
                trial, numbers = MeasuredTrial.from_json(record), json.loads(text)
                if "soups" in numbers:
                    numbers["tally"] = numbers.pop("soups")
                row = [trial.key, trial.json(), json.dumps(numbers), key]
                self._base.execute("UPDATE trials SET key = ?, trial = ?, numbers = ? WHERE key = ?", row)
            self._base.execute(f"PRAGMA user_version = {VERSION}")

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the folder go."""
        self._base.close()
        if self._lock is not None:
            self._lock.close()

    def begin(self, provenance: dict[str, Any], settings: dict[str, Any]) -> None:
        """Note who writes the rows that follow, and what they are for."""
        with self._transaction():
            inserted = self._base.execute("INSERT INTO sessions (provenance) VALUES (?)", [json.dumps(provenance)])
            self._session = inserted.lastrowid
            for name, value in settings.items():
                self._base.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", [name, json.dumps(value)])

    def add(self, trials: Iterable[tuple[MeasuredTrial, Outcome]]) -> None:
        """Keep finished trials: all of them, or none if that fails."""
        rows = [
            [trial.key, trial.json(), trial.agent, trial.world.domain, outcome.task, outcome.library, trial.seed]
            + [outcome.numbers.get(name) for name in ("steps", "solved", "tally")]
            + [json.dumps(outcome.numbers), outcome.episode, self._session]
            for trial, outcome in trials
        ]
        with self._transaction():
            self._base.executemany(f"INSERT INTO trials VALUES ({', '.join('?' * 13)}) ON CONFLICT DO NOTHING", rows)

    def add_policy(self, facts: dict[str, Any]) -> None:
        """Keep what is known about a solved problem."""
        recipe = json.dumps(facts["problem"]["recipe"], sort_keys=True)
        with self._transaction():
            row = [facts["model"], recipe, json.dumps(facts), self._session]
            self._base.execute("INSERT INTO policies VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", row)

    def finished(self) -> set[str]:
        """The keys of all finished trials."""
        with _named(self.path):
            return {key for (key,) in self._base.execute("SELECT key FROM trials")}

    def rows(self, keys: Iterable[str]) -> Iterator[Row]:
        """Finished trials, in the order of the keys; those that are missing are left out."""
        query = "SELECT trial, task, library, numbers, episode, session FROM trials WHERE key = ?"
        for key in keys:
            with _named(self.path):
                found = self._base.execute(query, [key]).fetchone()
                if found is not None:
                    trial, task, library, numbers, episode, session = found
                    read = MeasuredTrial.from_json(trial)
                    yield Row(read, task, library, json.loads(numbers), unpacked(episode), session)

    def count(self) -> int:
        """How many trials are finished."""
        with _named(self.path):
            return int(self._base.execute("SELECT count(*) FROM trials").fetchone()[0])

    def scores(self) -> dict[str, Score]:
        """What came of each finished trial, in brief, by its key."""
        with _named(self.path):
            rows = self._base.execute("SELECT key, task, steps, solved, tally FROM trials")
            return {key: Score(*numbers) for key, *numbers in rows}

    def worlds(self) -> set[tuple[WorldSpec, str]]:
        """The worlds of the finished trials, and what was measured there."""
        query = "SELECT DISTINCT json_extract(trial, '$.world'), json_extract(trial, '$.measure') FROM trials"
        with _named(self.path):
            found = [(json.loads(world), measure) for world, measure in self._base.execute(query)]
        return {(WorldSpec(world["domain"], frozen(world["options"])), measure) for world, measure in found}

    def settings(self) -> dict[str, Any]:
        """What the last run was asked for."""
        with _named(self.path):
            return {name: json.loads(value) for name, value in self._base.execute("SELECT name, value FROM settings")}

    def sessions(self) -> dict[int, dict[str, Any]]:
        """The provenance of each call that wrote here."""
        with _named(self.path):
            rows = self._base.execute("SELECT id, provenance FROM sessions ORDER BY id")
            return {number: json.loads(text) for number, text in rows}

    def policies(self) -> list[dict[str, Any]]:
        """What is known about each solved problem."""
        with _named(self.path):
            rows = self._base.execute("SELECT facts FROM policies ORDER BY model, recipe")
            return [json.loads(facts) for (facts,) in rows]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _named(self.path):
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._base.execute("COMMIT")
            except BaseException:
                if self._base.in_transaction:  # a full disk has already undone it
                    self._base.execute("ROLLBACK")
                raise


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Errors of the database as errors that name the file and the remedy."""
    try:
        yield
    except sqlite3.OperationalError as cause:
        full = "full" in str(cause) or "disk I/O" in str(cause)
        remedy = "make room and call again; all that was finished is kept" if full else "can it be read and written?"
        raise InputError(f"{path}: {cause}: {remedy}") from None
    except sqlite3.IntegrityError:
        raise  # a mistake of ours, not of the file
    except sqlite3.DatabaseError as cause:
        raise InputError(
            f"{path} is damaged ({cause}): move it away and call again to run everything anew, or take another --out"
        ) from None


def being_written(folder: Path) -> bool:
    """Whether a run is going on in a folder. Looking takes no lock that a run would have to wait for."""
    if not (folder / LOCK).is_file():
        return False
    lock = sqlite3.connect(f"{(folder / LOCK).resolve().as_uri()}?mode=ro", timeout=0, uri=True)
    try:
        lock.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as cause:
        return "locked" in str(cause)
    except sqlite3.DatabaseError:
        return False
    finally:
        lock.close()
    return False
