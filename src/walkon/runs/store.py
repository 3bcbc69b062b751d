"""The results of a run: one SQLite file, one row for each trial.

It has one writer. A trial is stored as a whole or not at all: rows are committed, through a write-ahead log that is
flushed to the disk, as soon as they are made. So a run that is killed at any moment keeps all finished trials, and the
next call runs only those that are missing.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from walkon.errors import InputError
from walkon.formats.files import lock_folder, reason
from walkon.runs.columns import Columns, unpack
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
PLACES = """
CREATE TABLE IF NOT EXISTS places (
    sweep TEXT NOT NULL, x REAL, pair INTEGER NOT NULL, quick INTEGER NOT NULL, key TEXT NOT NULL
) STRICT;
CREATE VIEW IF NOT EXISTS results AS
SELECT sweep, x, pair, quick, agent, domain, task, seed, steps, solved, tally,
    (SELECT json_extract(value, '$[1]') FROM json_each(trial, '$.world.options')
     WHERE json_extract(value, '$[0]') = 'size') AS size,
    (SELECT json_extract(value, '$[1]') FROM json_each(trial, '$.world.options')
     WHERE json_extract(value, '$[0]') = 'noise') AS noise, key
FROM places JOIN trials USING (key);
"""  # of the last call that ended, as in the report: a trial may belong to several sweeps, those of other calls to none


class Result(NamedTuple):
    """The result of one trial."""

    key: str  # of the trial
    library: str  # the hash of the agent's library
    task: str  # the name of the task that was played
    numbers: dict[str, float | None]  # the measured numbers, None where one does not apply
    episode: bytes  # packed columns


class Row(NamedTuple):
    """A finished trial."""

    trial: MeasuredTrial
    task: str
    library: str  # its hash
    numbers: dict[str, float | None]
    columns: Columns
    session: int


class Score(NamedTuple):
    """The main numbers of a trial; None where one does not apply."""

    task: str
    steps: float | None
    solved: float | None
    tally: float | None
    final_p_true: float | None


class Store:
    """The results in a folder. Use it in a `with` block; a writer locks the folder until its end."""

    def __init__(self, folder: Path, *, write: bool = False) -> None:
        self.folder = folder
        self.path = folder / FILE
        self._lock: sqlite3.Connection | None = None
        self._session: int | None = None
        if write:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as cause:
                raise InputError(f"{folder} cannot be made ({reason(cause)}): take another folder with --out") from None
            taken = f"another run is writing to {folder}: wait for it, or take another folder with --out"
            self._lock = lock_folder(folder / LOCK, taken)
        elif not self.path.is_file():
            raise InputError(f"{folder} has no {FILE}: give the folder of a run, or start one with walkon reproduce")
        try:
            with _named(self.path):
                self._base = sqlite3.connect(self.path, isolation_level=None, timeout=30, check_same_thread=False)
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
        if write:
            self._base.executescript(PLACES)

    def _renew(self) -> None:
        """Bring results of version 1 to this version, all of them or none."""
        with self._transaction():
            self._base.execute("ALTER TABLE trials RENAME COLUMN soups TO tally")
            for key, record, text in self._base.execute("SELECT key, trial, numbers FROM trials").fetchall():
                trial, numbers = MeasuredTrial.from_json(record), _read(text)
                if "soups" in numbers:
                    numbers["tally"] = numbers.pop("soups")
                row = [trial.key, trial.json(), json.dumps(numbers), key]
                self._base.execute("UPDATE trials SET key = ?, trial = ?, numbers = ? WHERE key = ?", row)
            self._base.execute(f"PRAGMA user_version = {VERSION}")

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, and release the folder's lock."""
        if "_base" in vars(self):  # else it could not be opened
            self._base.close()
        if self._lock is not None:
            self._lock.close()

    def begin(self, provenance: dict[str, Any], settings: dict[str, Any]) -> None:
        """Record the provenance and the settings of the rows that follow."""
        with self._transaction():
            inserted = self._base.execute("INSERT INTO sessions (provenance) VALUES (?)", [json.dumps(provenance)])
            self._session = inserted.lastrowid
            for name, value in settings.items():
                self._base.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", [name, json.dumps(value)])

    def add(self, trials: Iterable[tuple[MeasuredTrial, Result]]) -> None:
        """Keep finished trials: all of them, or none if that fails."""
        rows = [
            [trial.key, trial.json(), trial.agent, trial.world.domain, result.task, result.library, trial.seed]
            + [result.numbers.get(name) for name in ("steps", "solved", "tally")]
            + [json.dumps(result.numbers), result.episode, self._session]
            for trial, result in trials
        ]
        with self._transaction():
            self._base.executemany(f"INSERT INTO trials VALUES ({', '.join('?' * 13)}) ON CONFLICT DO NOTHING", rows)

    def add_policy(self, facts: dict[str, Any]) -> None:
        """Keep the facts about a solved problem."""
        recipe = json.dumps(facts["problem"]["recipe"], sort_keys=True)
        with self._transaction():
            row = [facts["model"], recipe, json.dumps(facts), self._session]
            self._base.execute("INSERT INTO policies VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", row)

    def place(self, places: Iterable[tuple[str, float, int, str]], quick: bool) -> None:
        """Replace the places of trials: their sweep, its point, their number there and their key."""
        rows = [[sweep, None if x != x else x, pair, int(quick), key] for sweep, x, pair, key in places]
        with self._transaction():
            self._base.execute("DELETE FROM places")
            self._base.executemany("INSERT INTO places VALUES (?, ?, ?, ?, ?)", rows)

    def finished(self) -> set[str]:
        """Return the keys of all finished trials."""
        return {key for (key,) in self._select("SELECT key FROM trials")}

    def rows(self, keys: Iterable[str]) -> Iterator[Row]:
        """Yield finished trials, in the order of the keys; those that are missing are left out."""
        query = "SELECT trial, task, library, numbers, episode, session FROM trials WHERE key = ?"
        for key in keys:
            for trial, task, library, numbers, episode, session in self._select(query, key):
                with _named(self.path):
                    row = Row(MeasuredTrial.from_json(trial), task, library, _read(numbers), unpack(episode), session)
                yield row

    def count(self) -> int:
        """Return the number of finished trials."""
        return int(self._select("SELECT count(*) FROM trials")[0][0])

    def scores(self) -> dict[str, Score]:
        """Return the main numbers of each finished trial, by its key."""
        rows = self._select("SELECT key, task, steps, solved, tally, numbers FROM trials")
        with _named(self.path):
            return {
                key: Score(task, steps, solved, tally, _read(numbers).get("final_p_true"))
                for key, task, steps, solved, tally, numbers in rows
            }

    def worlds(self) -> set[tuple[WorldSpec, str]]:
        """Return the worlds of the finished trials, with what was measured there."""
        query = "SELECT DISTINCT json_extract(trial, '$.world'), json_extract(trial, '$.measure') FROM trials"
        with _named(self.path):
            found = [(_read(world), measure) for world, measure in self._select(query)]
            return {(WorldSpec(world["domain"], frozen(world["options"])), measure) for world, measure in found}

    def settings(self) -> dict[str, Any]:
        """Return the settings of the last run."""
        with _named(self.path):
            return {name: json.loads(value) for name, value in self._select("SELECT name, value FROM settings")}

    def sessions(self) -> dict[int, dict[str, Any]]:
        """Return the provenance of each call that wrote to this store."""
        rows = self._select("SELECT id, provenance FROM sessions ORDER BY id")
        with _named(self.path):
            return {number: _read(text) for number, text in rows}

    def policies(self) -> list[dict[str, Any]]:
        """Return the facts about each solved problem."""
        with _named(self.path):
            return [_read(facts) for (facts,) in self._select("SELECT facts FROM policies ORDER BY model, recipe")]

    def _select(self, query: str, *values: str) -> list[Any]:
        with _named(self.path):
            return self._base.execute(query, values).fetchall()

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


def _read(text: str) -> dict[str, Any]:
    """Read a JSON object."""
    found = json.loads(text)
    if not isinstance(found, dict):
        raise TypeError(f"{text:.60} is no JSON object")
    return found


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Turn errors of the database into errors that name the file and the remedy."""
    try:
        yield
    except sqlite3.OperationalError as cause:
        full = "full" in str(cause) or "disk I/O" in str(cause)
        remedy = "make room and call again; all that was finished is kept" if full else "can it be read and written?"
        raise InputError(f"{path}: {cause}: {remedy}") from None
    except sqlite3.IntegrityError:
        raise  # a mistake of ours, not of the file
    except (sqlite3.DatabaseError, json.JSONDecodeError, KeyError, TypeError) as cause:
        raise InputError(
            f"{path} is damaged ({cause}): move it away and call again to run everything, or take another --out"
        ) from None


def being_written(folder: Path) -> bool:
    """Check whether a run is writing to a folder, without a lock that the run would have to wait for."""
    if not (folder / LOCK).is_file():
        return False
    try:
        with closing(sqlite3.connect(f"{(folder / LOCK).resolve().as_uri()}?mode=ro", timeout=0, uri=True)) as lock:
            lock.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError as cause:
        return isinstance(cause, sqlite3.OperationalError) and "locked" in str(cause)
    return False
