"""Logs as CSV files.

    episode,step,action,observation,state,teammates,reward
    1,0,left,nothing,"agent 1, mate 2",stay,-1
    1,1,stay,"someone is near","agent 0, mate 2",left,-1
    1,2,,,"agent 0, mate 1",,

The first four columns are needed, the others may be left out; columns may come in any order. An empty cell means that
it is not known. `state` is the one in which the step began, `observation` is what was read after the action. A file may
come from anywhere: whatever is wrong with it is told with its line, and nothing in it is ever code.
"""

import csv
import io
import math
import os
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np

from walkon.formats.format_error import FormatError
from walkon.formats.replacing import replacing
from walkon.tasks.learning.log import Log

NEEDED = ("episode", "step", "action", "observation")
OPTIONAL = ("state", "teammates", "reward")
COLUMNS = NEEDED + OPTIONAL
LARGEST_FILE = 2**28  # bytes
LAST_STEP = 2**31


class _Row(NamedTuple):
    """One line of the file."""

    line: int
    episode: str
    step: int
    action: str
    observation: str
    state: str
    teammates: str
    reward: float


def read_log(path: str | os.PathLike[str]) -> Log:
    """Read a log. Anything that is not one gives an error with its line, its value and what would be right."""
    name = os.fspath(path)
    with open(path, "rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise FormatError(f"{name} has more than {LARGEST_FILE:,} bytes, the most that is read: split it")
    try:
        return _log(name, _text(data))
    except FormatError as cause:
        place = name if cause.line is None else f"{name}, line {cause.line}"
        raise FormatError(f"{place}: {cause}", line=cause.line) from None


def write_log(log: Log, path: str | os.PathLike[str]) -> None:
    """Write a log as CSV."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    words = zip(log.episodes, log.steps.tolist(), log.actions, log.observations, log.states, log.teammates, strict=True)
    for row, reward in zip(words, log.rewards.tolist(), strict=True):
        writer.writerow([*row, "" if math.isnan(reward) else repr(reward)])
    with replacing(path) as draft:
        draft.write_text(text.getvalue(), encoding="utf-8", newline="")


def _text(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        line = data[: cause.start].count(b"\n") + 1
        raise FormatError("it is not UTF-8: save it as UTF-8 text", line=line) from None
    if "\0" in text:
        raise FormatError("it has a zero byte: is it a CSV file?", line=text[: text.index("\0")].count("\n") + 1)
    return text


def _log(name: str, text: str) -> Log:
    rows = sorted(_rows(text), key=lambda row: row[:2])
    if not rows:
        raise FormatError("it has no rows below its heading")
    lines, episodes, steps, actions, observations, states, teammates, rewards = zip(
        *(row for _, _, row in rows), strict=True
    )
    return Log(
        source=name,
        lines=np.array(lines, dtype=np.int64),
        episodes=episodes,
        steps=np.array(steps, dtype=np.int64),
        actions=actions,
        observations=observations,
        states=states,
        teammates=teammates,
        rewards=np.array(rewards, dtype=np.float64),
    )


def _rows(text: str) -> Iterator[tuple[int, int, _Row]]:
    """All rows with the number of their episode and their step, in the order of the file."""
    cells = _cells(text)
    try:
        _, heading = next(cells)
    except StopIteration:
        raise FormatError(f"it is empty: expected a heading {','.join(NEEDED)}", line=1) from None
    places = _places([cell.strip().lower() for cell in heading])
    number: dict[str, int] = {}
    seen: dict[tuple[int, int], int] = {}
    for line, row in cells:
        if len(row) != len(heading):
            raise FormatError(
                f"{len(row)} cells, and the heading has {len(heading)}: put quotes around a cell that has a comma",
                line=line,
            )
        made = _row(line, {column: row[place].strip() for column, place in places.items()})
        key = (number.setdefault(made.episode, len(number)), made.step)
        if key in seen:
            raise FormatError(
                f"episode {_shown(made.episode)} has step {made.step} already in line {seen[key]}: number the steps "
                "0, 1, 2, ... in each episode",
                line=line,
            )
        seen[key] = line
        yield *key, made


def _cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        begun = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as cause:
            raise FormatError(f"it cannot be taken apart: {cause}", line=begun) from None
        if any(cell.strip() for cell in row):
            yield begun, row


def _places(heading: Sequence[str]) -> dict[str, int]:
    """Where each column stands."""
    if len(heading) == 1 and any(mark in heading[0] for mark in ";\t|"):
        raise FormatError(f"its heading is {_shown(heading[0])}: separate the columns by commas", line=1)
    for i, column in enumerate(heading):
        if column not in COLUMNS:
            close = get_close_matches(column, COLUMNS, n=1)
            meant = f" (did you mean {close[0]}?)" if close else ""
            raise FormatError(f"there is no column {_shown(column)}{meant}: expected {', '.join(COLUMNS)}", line=1)
        if column in heading[:i]:
            raise FormatError(f"it has the column {column} twice", line=1)
    for column in NEEDED:
        if column not in heading:
            raise FormatError(f"it has no column {column}: expected {', '.join(NEEDED)}", line=1)
    return {column: i for i, column in enumerate(heading)}


def _row(line: int, cells: dict[str, str]) -> _Row:
    if not cells["episode"]:
        raise FormatError("the episode is empty: expected its number or name", line=line)
    step = cells["step"]
    if not (step.isascii() and step.isdigit() and len(step) < 12 and int(step) <= LAST_STEP):
        raise FormatError(f"step is {_shown(step)}, expected a whole number, 0 or more", line=line)
    action, observation = cells["action"], cells["observation"]
    if observation and not action:
        raise FormatError(
            f"observation {_shown(observation)} has no action that it followed: give the action, or leave both empty",
            line=line,
        )
    return _Row(
        line,
        cells["episode"],
        int(step),
        action,
        observation,
        cells.get("state", ""),
        cells.get("teammates", ""),
        _reward(line, cells.get("reward", "")),
    )


def _reward(line: int, cell: str) -> float:
    if not cell:
        return math.nan
    try:
        reward = float(cell)
    except ValueError:
        reward = math.nan
    if not math.isfinite(reward):
        raise FormatError(f"reward is {_shown(cell)}, expected a finite number, or nothing", line=line)
    return reward


def _shown(cell: str) -> str:
    return repr(cell if len(cell) <= 60 else f"{cell[:57]}...")
