"""Answers as JSON: whatever is in them, they can be written; and what is wrong with a message, in one sentence."""

import json
from collections.abc import Sequence
from typing import Any

from fastapi import Response

from walkon.service.refusal import RefusalError


def response(said: dict[str, Any] | RefusalError, status: int = 200) -> Response:
    """An answer, or a refusal with its own status."""
    if not isinstance(said, RefusalError):
        return Response(json.dumps(said, allow_nan=False), status, media_type="application/json")
    headers = None if said.retry_after is None else {"retry-after": str(said.retry_after)}
    return Response(json.dumps(said.document()), said.status, headers, "application/json")


def mistake(errors: Sequence[Any]) -> str:
    """What is wrong with a message: the place, the value and what was expected."""
    broken = next((each for each in errors if each["type"] == "json_invalid"), None)
    if broken is not None:
        return f"the body is not JSON ({broken.get('ctx', {}).get('error', '')}): send an object"
    error = min(errors, key=lambda each: len(each["loc"]))  # of the ways in which it could be meant, the first
    place = ".".join(map(str, error["loc"])) or "the message"
    others = "" if len(errors) == 1 else f" (and {len(errors) - 1} more)"
    return f"{place} is {error.get('input')!r:.100}: {error['msg']}{others}; GET /docs says what is expected"
