"""A library and its policies as a script that a browser loads, from a file or a server, and plays without walkon.

The script is one call, `walkonLibrary({...})`. Its argument has facts about the world, and all arrays as one deflated
block in base64, with a table that says where each begins. Probabilities are indices into the list of all different
ones, so that the browser has them to the last bit. The matrices of a task are the rows in which they differ from those
of task 0. The entries of each alpha vector are rounded to 256 equal steps. Whoever reads the policies back, here or in
the browser, gets the same numbers.
"""

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, vstack

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy
from walkon.tasks import Task, TaskLibrary

BEFORE, AFTER = "walkonLibrary(", ");\n"
LEVELS = 2**8 - 1
Array: TypeAlias = npt.NDArray[Any]
Policy: TypeAlias = AlphaVectors | TabularPolicy


@dataclass(frozen=True, eq=False)
class LibraryScript:
    """Facts about a world, which JSON can hold, and arrays by name."""

    facts: Mapping[str, Any]
    arrays: Mapping[str, Array]

    @classmethod
    def of(cls, library: TaskLibrary, policies: Sequence[Policy], **facts: Any) -> "LibraryScript":
        """Collect what a browser needs to play a library whose tasks share their states and have one teammate."""
        tasks = list(library)
        teams = [_team(task) for task in tasks]
        sensors = [task.pomdp.O[0].tocsr() for task in tasks]
        folded = [task.teammates.toarray() for task in tasks if task.teammates is not None]
        starts = [task.pomdp.start for task in tasks]
        values = [*(matrix.data for matrix in (*teams, *sensors)), *map(np.ravel, folded), *starts]
        numbers = np.unique(np.concatenate(values))
        arrays: dict[str, Array] = {"numbers": numbers.astype(np.float64)}
        arrays |= _rows("team", teams[0], numbers)
        X = len(starts[0])
        for k, (task, team) in enumerate(zip(tasks, teams, strict=True)):
            differs = np.flatnonzero(np.diff((team != teams[0]).tocsr().indptr))
            arrays[f"changed{k}"] = differs.astype(np.uint16)
            arrays |= _rows(f"team{k}", team[differs], numbers)
            if not library.observed and (k == 0 or (sensors[k] != sensors[0]).nnz):
                arrays |= _rows(f"sensor{k}", sensors[k], numbers)
            arrays[f"teammates{k}"] = _index(folded[k], numbers)
            arrays[f"start{k}"] = _index(starts[k], numbers)
            if task.solved is not None:
                arrays[f"solved{k}"] = np.flatnonzero(task.solved).astype(np.uint16)
            if task.tally is not None:
                arrays[f"tally{k}"] = np.ravel(task.tally.counts).astype(np.uint8)
            arrays |= _policy(k, policies[k])
        arrays["states"] = np.asarray(tasks[0].state_numbers).astype(np.int8)
        if not library.observed:
            arrays["observations"] = np.asarray(tasks[0].observation_numbers).astype(np.int8)
        model = tasks[0].pomdp
        known = {
            "hash": library.hash,
            "names": list(library.names),
            "horizon": tasks[0].horizon,
            "X": X,
            "A": len(model.P),
            "B": folded[0].shape[1],
            "Z": model.O[0].shape[1],
            "observed": library.observed,
        }
        return cls(known | facts, arrays)

    def text(self) -> str:
        """Write the script."""
        table, block = {}, b""
        for name, array in self.arrays.items():
            block += b"\0" * (-len(block) % 8)  # where a browser can look at it as numbers
            flat = np.ascontiguousarray(array)
            table[name] = [flat.dtype.str.lstrip("<|"), len(block), flat.size]
            block += flat.astype(flat.dtype.newbyteorder("<")).tobytes()
        data = b64encode(zlib.compress(block, 9)).decode("ascii")
        return BEFORE + json.dumps({**self.facts, "arrays": table, "data": data}, separators=(",", ":")) + AFTER

    @classmethod
    def read(cls, text: str) -> "LibraryScript":
        """Read a script that `text` wrote."""
        facts = json.loads(text.removeprefix(BEFORE).removesuffix(AFTER))
        block, table = zlib.decompress(b64decode(facts.pop("data"))), facts.pop("arrays")
        arrays = {name: np.frombuffer(block, f"<{kind}", size, at) for name, (kind, at, size) in table.items()}
        return cls(facts, arrays)

    def policies(self) -> list[Policy]:
        """The policies, one for each task."""
        X, A = self.facts["X"], self.facts["A"]
        found: list[Policy] = []
        for k in range(len(self.facts["names"])):
            if f"levels{k}" in self.arrays:
                low, unit = self.arrays[f"scales{k}"].reshape(-1, 2, 1).swapaxes(0, 1)
                levels = self.arrays[f"levels{k}"].reshape(-1, X)
                found.append(AlphaVectors(low + unit * levels, self.arrays[f"actions{k}"], A))
            else:
                best = self.arrays[f"best{k}"][:, None] >> np.arange(A) & 1
                found.append(TabularPolicy(best.astype(np.float64)))
        return found


def _team(task: Task) -> csr_array:
    """The team's matrices in one, row (a B + b) X + x."""
    mmdp = task.mmdp
    if mmdp is None or len(task.seats) != 1 or any((o != task.pomdp.O[0]).nnz for o in task.pomdp.O):
        raise InputError(f'task "{task.name}" cannot be played in a browser: expected one teammate, and one sensor')
    return csr_array(vstack([matrix for row in mmdp.P for matrix in row], format="csr"))


def _rows(name: str, matrix: csr_array, numbers: Floats) -> dict[str, Array]:
    """The rows of a matrix: how many entries each has, their columns, and their values."""
    counts = np.diff(matrix.indptr)
    return {
        f"{name}.counts": counts.astype(np.uint8 if counts.size == 0 or counts.max() < 256 else np.uint16),
        f"{name}.columns": matrix.indices.astype(np.uint16),
        f"{name}.values": _index(matrix.data, numbers),
    }


def _index(values: Floats, numbers: Floats) -> Array:
    return np.ravel(np.searchsorted(numbers, values)).astype(np.uint8 if len(numbers) <= 256 else np.uint16)


def _policy(k: int, policy: Policy) -> dict[str, Array]:
    if isinstance(policy, TabularPolicy):
        return {f"best{k}": ((policy.choices > 0) << np.arange(policy.choices.shape[1])).sum(axis=1).astype(np.uint8)}
    vectors = policy.vectors
    low, width = vectors.min(axis=1), np.ptp(vectors, axis=1)
    unit = np.where(width > 0, width, 1.0) / LEVELS
    levels = np.rint((vectors - low[:, None]) / unit[:, None]).astype(np.uint8)
    return {
        f"scales{k}": np.stack([low, unit], axis=1),
        f"levels{k}": np.ravel(levels),
        f"actions{k}": policy.actions.astype(np.uint8),
    }
