"""A checkpoint: the memory of a session at one step, to the last bit, so that a long session is resumed quickly.

    91c0...                                                                a hash of the next line
    {"step": 512, "place": 180224, "memory": {"beliefs": "...", ...}}

It is a file beside the journal and can be lost or deleted at any time: the journal alone says what happened, and one
that does not fit the journal is not used. `place` is the length of the journal up to this step. Arrays are written as
the bytes of 64-bit floats, so nothing is rounded; powers of two behind small weights are part of them.
"""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.alarm import WithAlarm
from walkon.agents.memory import Memory, Suspicion, Unexplained
from walkon.arrays import Floats
from walkon.formats.files import replacing

EVERY = 256  # steps


class Checkpoint(NamedTuple):
    """A memory as JSON data, its step, and how many bytes of the journal lead to it."""

    step: int
    place: int
    memory: dict[str, Any]

    def write(self, path: Path) -> None:
        """Replace the file by this checkpoint."""
        content = json.dumps(self._asdict(), separators=(",", ":"), allow_nan=False).encode()
        with replacing(path) as draft:
            draft.write_bytes(_hash(content) + b"\n" + content)

    @classmethod
    def read(cls, path: Path) -> "Checkpoint | None":
        """Return the checkpoint in a file; None if there is none, or it is damaged."""
        try:
            digest, _, content = path.read_bytes().partition(b"\n")
            document = json.loads(content) if digest == _hash(content) else None
            return None if document is None else cls(int(document["step"]), int(document["place"]), document["memory"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None


def document_of(memory: Memory) -> dict[str, Any]:
    """Return a memory as JSON data."""
    document: dict[str, Any] = {
        "beliefs": _text(memory.beliefs),
        "step": memory.step,
        "state": memory.state,
        "events": [list(event) for event in memory.events],
        "likelihood": float(memory.likelihood).hex(),
    }
    if (suspicion := memory.suspicion) is not None:
        document["suspicion"] = {
            "tasks": [_text(each) for each in suspicion.tasks],
            "others": None if suspicion.others is None else _text(suspicion.others),
            "likelihood": _text(suspicion.likelihood),
            "alternatives": float(suspicion.alternatives).hex(),
            "uniform": float(suspicion.uniform).hex(),
            "evidence": _text(suspicion.evidence),
            "alarm": suspicion.alarm,
            "observations": suspicion.observations,
        }
    return document


def memory_of(document: dict[str, Any], agent: Agent[Memory], first: Memory) -> Memory | None:
    """Return the memory in JSON data, for an agent whose first memory this is; None if it cannot be its memory."""
    try:
        return first._replace(
            beliefs=_packed(document["beliefs"], first.sizes),
            step=int(document["step"]),
            state=_number(document["state"]),
            events=tuple(Unexplained(int(t), int(a), _number(z)) for t, a, z in document["events"]),
            suspicion=_suspicion(document.get("suspicion"), agent, first),
            likelihood=float.fromhex(document["likelihood"]),
        )
    except (ValueError, KeyError, TypeError, OverflowError):
        return None


def _suspicion(document: dict[str, Any] | None, agent: Agent[Memory], first: Memory) -> Suspicion | None:
    if document is None or first.suspicion is None or not isinstance(agent, WithAlarm):
        if document is not None or first.suspicion is not None:
            raise ValueError("one of them has no alarm")
        return None
    mixture, K = agent.alarm.mixture, len(first.sizes)
    others = document["others"]
    tasks = tuple(_packed(each, first.sizes) for each in document["tasks"])
    if len(tasks) != len(first.suspicion.tasks):
        raise ValueError("another number of tasks")
    return first.suspicion._replace(
        tasks=tasks,
        others=None if others is None or mixture is None else _packed(others, mixture.sizes),
        likelihood=_array(document["likelihood"], K),
        alternatives=float.fromhex(document["alternatives"]),
        uniform=float.fromhex(document["uniform"]),
        evidence=_array(document["evidence"], K),
        alarm=_number(document["alarm"]),
        observations=int(document["observations"]),
    )


def _packed(text: str, sizes: tuple[int, ...]) -> Floats:
    """Return packed beliefs, as in `walkon.models.packed_beliefs`; kernels trust them, so every index is checked."""
    packed, K = _array(text), len(sizes)
    ends = packed[2 * K : 3 * K]
    S = int(ends[-1]) if len(ends) else 0
    if len(packed) not in (3 * K + 2 * S, 5 * K + 4 * S) or np.isnan(packed).any():
        raise ValueError("another length")
    starts = np.concatenate([[0.0], ends])[:-1] if K else ends
    pairs = packed[3 * K : 3 * K + 2 * S].reshape(-1, 2)
    if (np.diff(ends) < 0).any() or (ends != np.floor(ends)).any() or (ends < 0).any() or (pairs < 0).any():
        raise ValueError("no beliefs")
    for start, end, size in zip(starts.astype(np.int64), ends.astype(np.int64), sizes, strict=True):
        states = pairs[start:end, 0]
        if (states >= size).any() or (states != np.floor(states)).any():
            raise ValueError("no such state")
    return packed


def _array(text: str, length: int | None = None) -> Floats:
    found = np.frombuffer(base64.b64decode(text, validate=True), dtype="<f8").astype(np.float64)
    if length is not None and len(found) != length:
        raise ValueError("another length")
    return found


def _text(array: Floats) -> str:
    return base64.b64encode(np.ascontiguousarray(array, dtype="<f8").tobytes()).decode()


def _number(said: int | None) -> int | None:
    return None if said is None else int(said)


def _hash(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).hexdigest().encode()
