"""The lines of a journal: what they hold, and how to find one of them without reading all."""

import json
from typing import Any, BinaryIO, NamedTuple

from walkon.service.messages import Opening, Told

BLOCK = 2**16


class Happened(NamedTuple):
    """One step: the client's message, the executed action, the answer, and where its line ends."""

    told: Told
    action: int
    answer: dict[str, Any]
    end: int


class Heading(NamedTuple):
    """How a session was opened, the answer to that, and where the first step begins."""

    opening: Opening
    seed: int
    answer: dict[str, Any]
    end: int


def document_in(line: bytes) -> dict[str, Any]:
    """Return the document in a line; an empty one if there is none."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        document = None
    return document if isinstance(document, dict) else {}


def line_of(document: dict[str, Any]) -> bytes:
    """Return a document as a line."""
    return json.dumps(document, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def step_in(line: bytes) -> int:
    """Return the number of the step in a line; -1 if it holds none, as the first line of a journal."""
    told = document_in(line).get("told")
    step = told.get("step") if isinstance(told, dict) else None
    return step if isinstance(step, int) else -1


def heading_in(line: bytes) -> Heading:
    """Return what the first line says; a KeyError, TypeError or ValueError if it does not say it."""
    document = document_in(line)
    seed, answer = int(document["seed"]), dict(document["answer"])
    if seed < 0:
        raise ValueError("its seed is negative")
    return Heading(Opening(**document["opening"]), seed, answer, len(line))


def happened_in(line: bytes, step: int, end: int) -> Happened:
    """Return the step in a line that ends at a place; a KeyError, TypeError or ValueError if it is not that step."""
    document = document_in(line)
    found = Happened(Told(**document["told"]), int(document["action"]), dict(document["answer"]), end)
    if found.told.step != step:
        raise ValueError("its steps do not follow one another")
    return found


def whole_until(file: BinaryIO, end: int) -> int:
    """Return where the last line that is complete before `end` ends."""
    while end > 0:
        start = max(0, end - BLOCK)
        file.seek(start)
        newline = file.read(end - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


def line_before(file: BinaryIO, end: int) -> bytes:
    """Return the line that ends at a place."""
    start = whole_until(file, end - 1)
    file.seek(start)
    return file.read(max(0, end - start))


def find_step(file: BinaryIO, step: int, first: int, end: int) -> int | None:
    """Return where the line of a step begins, between two places: by bisection, as steps are in order."""
    while first < end:
        middle = (first + end) // 2
        file.seek(middle - 1)
        file.readline()  # the rest of the line before
        place, line = file.tell(), file.readline()
        found = step_in(line)
        if found == step:
            return place
        if place >= end or found > step:
            end = middle
        else:
            first = place + len(line)
    return None
