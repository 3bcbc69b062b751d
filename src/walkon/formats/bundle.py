"""Bundles: models, policies, solutions, libraries and agents as safetensors files: numbers and names, never code.

A bundle is one safetensors file. Each array field of the saved object is a tensor named by its path, such as
`P.0.data` or `policy.vectors`; everything else (numbers, names, which class it is) stands as JSON in the header's
metadata under `walkon`. Observation goes through the same constructors as building by hand, so a bundle that was
tampered with is refused like any other bad input.
"""

import json
import os
from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file
from scipy.sparse import csr_array, issparse

from walkon.agents.agent import AgentBase
from walkon.errors import InputError
from walkon.formats.records import AgentRecord, LibraryRecord, TaskRecord
from walkon.formats.replacing import replacing
from walkon.models.mdp import MDP
from walkon.models.mmdp import MMDP
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy
from walkon.solvers.solution import Solution
from walkon.tasks import Tally, Task, TaskLibrary

VERSIONS = (1, 2)  # of which the last is written
KINDS: dict[str, type[Any]] = {
    "mdp": MDP,
    "mmdp": MMDP,
    "pomdp": POMDP,
    "tabular": TabularPolicy,
    "alpha-vectors": AlphaVectors,
    "solution": Solution,
    "tally": Tally,
    "task": TaskRecord,
    "library": LibraryRecord,
    "agent": AgentRecord,
}
READERS = {f".{kind}": f"; read it with walkon.read_{kind}" for kind in ("pomdp", "mdp")}  # what load is not for

Tensors = dict[str, npt.NDArray[Any]]


def save(thing: Any, path: str | os.PathLike[str]) -> None:
    """Write a model, a policy, a solution, a task, a library or an agent to a bundle."""
    if isinstance(thing, Task):
        thing = TaskRecord.of(thing, joint=True)
    elif isinstance(thing, TaskLibrary):
        thing = LibraryRecord.of(thing)
    elif isinstance(thing, AgentBase):
        thing = AgentRecord.of(thing)
    if type(thing) not in KINDS.values():
        raise InputError(f"cannot save a {type(thing).__name__}: expected one of {', '.join(KINDS)}")
    tensors: Tensors = {}
    header = {"version": VERSIONS[-1], "content": _pack(thing, "", tensors)}
    with replacing(path) as draft:
        save_file(tensors, draft, metadata={"walkon": json.dumps(header)})


def load(path: str | os.PathLike[str]) -> Any:
    """Read what `save` wrote. Anything else gives an `InputError` that says what is wrong with the file."""
    if os.path.isdir(path):
        raise InputError(f"{os.fspath(path)} is a folder, expected a bundle")
    try:
        with safe_open(path, framework="np") as file:
            text = (file.metadata() or {}).get("walkon")
            if text is None:
                raise InputError("it has no walkon header")
            header = json.loads(text)
            if not isinstance(header, dict) or header.get("version") not in VERSIONS:
                raise InputError(f"its version is not {VERSIONS[-1]}: was it written by a newer walkon?")
            names = file.keys()
            content = header.get("content")
            if not isinstance(content, dict) or content.get("kind") not in KINDS:
                raise InputError(f"its header names no content; expected one of {', '.join(KINDS)}")
            tensors = {name: file.get_tensor(name) for name in names}
        thing = _unpack(content, "", tensors)
        if isinstance(thing, TaskRecord):
            return thing.task()
        if isinstance(thing, LibraryRecord):
            return thing.library()
        return thing.agent() if isinstance(thing, AgentRecord) else thing
    except (
        SafetensorError,
        InputError,
        KeyError,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
        MemoryError,
    ) as cause:
        detail = f"{cause} is missing" if isinstance(cause, KeyError) else str(cause) or type(cause).__name__
        remedy = READERS.get(os.path.splitext(os.fspath(path))[1].lower(), "")
        raise InputError(f"{os.fspath(path)} is not a walkon bundle that can be read: {detail}{remedy}") from None


def _pack(value: Any, path: str, tensors: Tensors) -> Any:
    """The JSON part of a value; its arrays go into `tensors`, named by their path."""
    if issparse(value):
        tensors |= {f"{path}.{part}": getattr(value, part) for part in ("indptr", "indices", "data")}
        return {"csr": list(value.shape)}
    if isinstance(value, np.ndarray):
        tensors[path] = np.ascontiguousarray(value)
        return {"array": True}
    if isinstance(value, tuple):
        return [_pack(each, f"{path}.{i}", tensors) for i, each in enumerate(value)]
    for kind, of in KINDS.items():
        if type(value) is of:
            stem = f"{path}." if path else ""
            return {"kind": kind} | {
                field.name: _pack(getattr(value, field.name), stem + field.name, tensors) for field in fields(of)
            }
    return value


def _unpack(value: Any, path: str, tensors: Tensors) -> Any:
    """The value that `_pack` was given, made by its own constructor."""
    if isinstance(value, list):
        return tuple(_unpack(each, f"{path}.{i}", tensors) for i, each in enumerate(value))
    if not isinstance(value, dict):
        return value
    if "array" in value:
        return tensors[path]
    if "csr" in value:
        parts = [tensors[f"{path}.{part}"] for part in ("data", "indices", "indptr")]
        matrix = csr_array(tuple(parts), shape=tuple(value["csr"]))
        matrix.check_format(full_check=True)
        return matrix
    content = dict(value)
    kind = content.pop("kind")
    if kind not in KINDS:
        raise InputError(f"it holds a {kind!r}, expected one of {', '.join(KINDS)}")
    stem = f"{path}." if path else ""
    return KINDS[kind](**{name: _unpack(each, stem + name, tensors) for name, each in content.items()})
