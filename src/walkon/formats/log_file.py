"""Logs as CSV files.

    episode,step,action,observation,state,teammates,reward
    1,0,left,nothing,"agent 1, mate 2",stay,-1
    1,1,stay,"someone is near","agent 0, mate 2",left,-1
    1,2,,,"agent 0, mate 1",,

The first four columns are required, the others are optional; columns may come in any order. A column `task`, the task
that was going on, is read for `walkon.replay`. Other columns are skipped, and the log names them; one whose name
resembles that of an absent column is refused, unless it begins with #. An empty cell means that the value is not known.
`state` is the state before the action, `observation` is made after it. Errors name the line, and nothing in a file is
ever run as code.
"""

import csv
import io
import math
import os
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Protocol, runtime_checkable

from walkon.errors import InputError
from walkon.formats.files import FormatError, read_whole, replacing
from walkon.saying import briefly
from walkon.tasks.learning.log import Log, Row

NEEDED = ("episode", "step", "action", "observation")
COLUMNS = (*NEEDED, "state", "teammates", "reward")
TASK = "task"
LARGEST_FILE = 2**28  # bytes
LAST_STEP = 2**31
MISSPELT = 0.75  # how similar the name of an absent column is


@runtime_checkable
class Frame(Protocol):
    """A table in memory that can be written as CSV, such as a data frame of pandas."""

    def to_csv(self, *, index: bool) -> str:
        """Return the table as CSV."""


def read_log(path: str | os.PathLike[str] | Frame) -> Log:
    """Read a log from a CSV file or a frame with the same columns.

    In a malformed file, the error names the line, the value and what was expected.
    """
    name, text = _source(path)
    try:
        cells = _cells(text)
        _, heading = next(cells, (1, []))
        places = _places([cell.strip() for cell in heading])
        rows = sorted(_rows(cells, places, len(heading)), key=lambda row: row[0])
        if not rows:
            raise FormatError("it has no rows below its heading")
    except FormatError as cause:
        raise _in(name, cause) from None
    skipped = tuple(cell.strip() for i, cell in enumerate(heading) if i not in places.values())
    tasks = tuple(task for _, _, task in rows) if TASK in places else ()
    return Log.of(name, [row for _, row, _ in rows], skipped, tasks)


def write_log(log: Log, path: str | os.PathLike[str]) -> None:
    """Write a log as CSV."""
    if not isinstance(log, Log):
        raise InputError(f"log is {briefly(log)}, expected a log, such as walkon.logged(episodes, task)")
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*COLUMNS, TASK] if log.tasks else COLUMNS)
    words = zip(log.episodes, log.steps.tolist(), log.actions, log.observations, log.states, log.teammates, strict=True)
    tasks = [[task] for task in log.tasks] if log.tasks else [[]] * len(log)
    for row, reward, task in zip(words, log.rewards.tolist(), tasks, strict=True):
        writer.writerow([*row, "" if math.isnan(reward) else repr(reward), *task])
    with replacing(path) as draft:
        draft.write_text(text.getvalue(), encoding="utf-8", newline="")


def _source(path: str | os.PathLike[str] | Frame) -> tuple[str, str]:
    """Return the name and the text of a log."""
    if isinstance(path, Frame):
        return "the frame", path.to_csv(index=False)
    data, name = read_whole(path, LARGEST_FILE, "a log, a CSV file"), os.fspath(path)
    try:
        return name, _text(data)
    except FormatError as cause:
        raise _in(name, cause) from None


def _text(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        line = data[: cause.start].count(b"\n") + 1
        raise FormatError("it is not UTF-8: save it as UTF-8 text", line=line) from None
    if "\0" in text:
        raise FormatError("it has a zero byte: is it a CSV file?", line=text[: text.index("\0")].count("\n") + 1)
    return text


def _rows(
    cells: Iterator[tuple[int, list[str]]], places: dict[str, int], width: int
) -> Iterator[tuple[tuple[int, int], Row, str]]:
    """Yield all rows in the order of the file, each after the number of its episode and its step, with its task."""
    number: dict[str, int] = {}
    seen: dict[tuple[int, int], int] = {}
    for line, found in cells:
        if len(found) != width:
            what = f"{len(found)} cells, but the heading has {width}"
            raise FormatError(f"{what}: put quotes around a cell that has a comma", line=line)
        named = {column: found[place].strip() for column, place in places.items()}
        row = _row(line, named)
        _, episode, step, *_ = row
        key = (number.setdefault(episode, len(number)), step)
        if key in seen:
            what = f"episode {_quote(episode)} already has step {step} in line {seen[key]}"
            raise FormatError(f"{what}: number the steps 0, 1, 2, ... in each episode", line=line)
        seen[key] = line
        yield key, row, named.get(TASK, "")


def _cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each line that is not blank, with its number."""
    reader, line = csv.reader(io.StringIO(text, newline=""), strict=True), 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield line, row
            line = reader.line_num + 1
    except csv.Error as cause:
        raise FormatError(f"it cannot be split into cells: {cause}", line=line) from None


def _places(heading: Sequence[str]) -> dict[str, int]:
    """Return the position of each column that a log has."""
    if not heading:
        raise FormatError(f"it is empty: expected a heading {','.join(NEEDED)}", line=1)
    if len(heading) == 1 and any(mark in heading[0] for mark in ";\t|"):
        raise FormatError(f"its heading is {_quote(heading[0])}: separate the columns by commas", line=1)
    places: dict[str, int] = {}
    absent = [column for column in COLUMNS if column not in map(str.lower, heading)]
    for i, name in enumerate(heading):
        column = name.lower()
        if column in places:
            raise FormatError(f"it has the column {column} twice", line=1)
        if column in (*COLUMNS, TASK):
            places[column] = i
        elif (close := get_close_matches(column, absent, 1, MISSPELT)) and not column.startswith("#"):
            what = f"there is no column {_quote(name)} (did you mean {close[0]!r}?)"
            raise FormatError(f"{what}: rename it, or begin its name with # to skip it", line=1)
    for column in NEEDED:
        if column not in places:
            raise FormatError(f"it has no column {column}: expected {', '.join(NEEDED)}", line=1)
    return places


def _row(line: int, cells: dict[str, str]) -> Row:
    episode, step, action, observation, state, teammates, reward = (cells.get(column, "") for column in COLUMNS)
    if not episode:
        raise FormatError("the episode is empty: expected its number or name", line=line)
    if not (step.isascii() and step.isdigit() and len(step) < 12 and int(step) <= LAST_STEP):
        raise FormatError(f"step is {_quote(step)}, expected a whole number, 0 or more", line=line)
    if observation and not action:
        what = f"observation {_quote(observation)} follows no action"
        raise FormatError(f"{what}: give the action, or leave both empty", line=line)
    try:
        paid = float(reward or "nan")
    except ValueError:
        paid = math.inf
    if math.isinf(paid) or (reward and math.isnan(paid)):
        raise FormatError(f"reward is {_quote(reward)}, expected a finite number, or nothing", line=line)
    return line, episode, int(step), action, observation, state, teammates, paid


def _in(name: str, cause: FormatError) -> FormatError:
    """Return an error that names its file and its line."""
    place = name if cause.line is None else f"{name}, line {cause.line}"
    return FormatError(f"{place}: {cause}", line=cause.line)


def _quote(cell: str) -> str:
    return repr(cell if len(cell) <= 60 else f"{cell[:57]}...")
