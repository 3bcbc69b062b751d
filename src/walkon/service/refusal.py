"""Answers and refusals: an input error with its HTTP status, and both as JSON."""

import json
from collections.abc import Sequence
from typing import Any

from fastapi import Response
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from walkon.errors import InputError

UNKNOWN, CONFLICT, TOO_LARGE, UNUSABLE, BUSY, FAILED, UNWRITTEN, LATE = 404, 409, 413, 422, 429, 500, 503, 504
BROKEN = "something went wrong here, and the log of walkon agent says what: send it again, or open a new session"


class RefusalError(InputError):
    """A refused request: its status, the value, the place and the remedy, and the seconds after which to try again."""

    def __init__(self, status: int, message: str, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status, self.retry_after = status, retry_after

    def document(self) -> dict[str, str | int]:
        """Return the refusal as JSON data."""
        return {"error": str(self), "status": self.status}


def unusable(message: str) -> RefusalError:
    """Refuse a message that cannot be used."""
    return RefusalError(UNUSABLE, message)


def refusal_of(problem: Exception) -> RefusalError:
    """Return the refusal for an exception; one that nobody expected is not shown."""
    match problem:
        case RefusalError():
            return problem
        case ValidationError() | RequestValidationError():
            return unusable(_mistake(problem.errors()))
        case InputError():
            return unusable(str(problem))
    return RefusalError(FAILED, BROKEN)


def response(answer: dict[str, Any] | RefusalError, status: int = 200) -> Response:
    """Return an answer, or a refusal with its own status, as JSON."""
    if not isinstance(answer, RefusalError):
        return Response(json.dumps(answer, allow_nan=False), status, media_type="application/json")
    headers = None if answer.retry_after is None else {"retry-after": str(answer.retry_after)}
    return Response(json.dumps(answer.document()), answer.status, headers, "application/json")


def _mistake(errors: Sequence[Any]) -> str:
    """Describe what is wrong with a message: the place, the value and the expectation."""
    broken = next((each for each in errors if each["type"] == "json_invalid"), None)
    if broken is not None:
        return f"the body is not JSON ({broken.get('ctx', {}).get('error', '')}): send an object"
    error = min(errors, key=lambda each: len(each["loc"]))  # of several alternatives, the first
    place = ".".join(map(str, error["loc"])) or "the message"
    others = "" if len(errors) == 1 else f" (and {len(errors) - 1} more)"
    return f"{place} is {error.get('input')!r:.100}: {error['msg']}{others}; GET /docs describes the messages"
