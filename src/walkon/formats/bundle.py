"""Bundles: models, policies, solutions, libraries and agents as safetensors files: numbers and names, never code.

A bundle is one safetensors file. Each array field of the saved object is a tensor named by its path, such as
`P.0.data` or `policy.vectors.entries`; everything else (numbers, names, the class) is JSON in the header's metadata
under `walkon`. Loading calls the same constructors as building by hand, so a bundle that was tampered with is refused
like any other bad input.

Tasks, libraries and agents are saved as records. The rules of a world are code; a record keeps only the matrices that
follow from them. A loaded task plays the same, and its states are shown by their names instead of a picture. Of a
library without tables a record has only the names and hashes of the tasks: loading takes the library as well, and
refuses one with other rules.
"""

import json
import os
import re
from dataclasses import InitVar, asdict, dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file
from scipy.sparse import csr_array, issparse

from walkon.agents.agent import Agent, AgentBase
from walkon.agents.registry import AGENTS, agent, told
from walkon.errors import InputError
from walkon.formats.files import check_file, check_writable, replacing
from walkon.formats.policy_xml import write_policy
from walkon.models.mdp import MDP
from walkon.models.mmdp import MMDP
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy
from walkon.policies.vector_blocks import VectorBlocks
from walkon.solvers.solution import Solution
from walkon.tasks import Tally, Task, TaskLibrary

TASK_FIELDS = [field.name for field in fields(Task) if field.name not in ("team", "view")]

Tensors = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, eq=False)
class TaskRecord:
    """A task without its rules and its picture. `mmdp` and `teammates` are None where the teammates are folded in."""

    pomdp: POMDP
    mmdp: MMDP | None
    teammates: Any
    solved: Any
    name: str
    horizon: int
    state_numbers: Any
    observation_numbers: Any
    tally: Any = None
    score: Any = None  # "return" where it does not follow from tally and end; in version 1, the name of a tally
    deliveries: InitVar[Any] = None  # in bundles of version 1, in place of a tally

    def __post_init__(self, deliveries: Any) -> None:
        if deliveries is not None:
            object.__setattr__(self, "tally", Tally(self.score, deliveries, "delivered"))
        if self.score != "return":
            object.__setattr__(self, "score", None)

    @classmethod
    def of(cls, task: Task, joint: bool = True) -> "TaskRecord":
        """Record a task; without the matrices of each joint action if `joint` is false."""
        if not task.tables:
            raise InputError(f'task "{task.name}" has no tables: save its library, walkon.TaskLibrary([task])')
        known = {name: getattr(task, name) for name in TASK_FIELDS}
        if joint and task.mmdp is not None:
            return cls(mmdp=task.mmdp, **known)
        return cls(mmdp=None, **known | {"teammates": None, "tally": None})

    def restore(self, given: TaskLibrary | None = None) -> Task:
        """Build the task."""
        known = {name: getattr(self, name) for name in TASK_FIELDS}
        if self.mmdp is None:
            return Task(**known)
        pomdp = known.pop("pomdp")
        return Task(self.mmdp, sensor=pomdp.O, start=pomdp.start, observations=pomdp.observations, **known)


@dataclass(frozen=True, eq=False)
class LibraryRecord:
    """A library as its tasks."""

    tasks: tuple[TaskRecord, ...]

    @classmethod
    def of(cls, library: TaskLibrary, joint: bool = True) -> "LibraryRecord | RulesRecord":
        """Record a library."""
        if not library.tables:
            return RulesRecord(library.names, tuple(task.hash for task in library))
        return cls(tuple(TaskRecord.of(task, joint) for task in library))

    def restore(self, given: TaskLibrary | None = None) -> TaskLibrary:
        """Build the library."""
        return TaskLibrary([record.restore() for record in self.tasks])


@dataclass(frozen=True, eq=False)
class RulesRecord:
    """A library without tables: which tasks it had. Their rules are code, and are not in it."""

    names: tuple[str, ...]
    hashes: tuple[str, ...]

    def restore(self, given: TaskLibrary | None = None) -> TaskLibrary:
        """Return the library that was given, if it is this one."""
        if given is None:
            remedy = (
                "give their library too, as in walkon.load(path, walkon.read_library('rules.py')) or --library rules.py"
            )
            raise InputError(f"its tasks ({', '.join(self.names):.80}) are rules, which a bundle never holds: {remedy}")
        hashes = {task.hash: task for task in given}
        for name, wanted in zip(self.names, self.hashes, strict=True):
            if wanted not in hashes:
                raise InputError(
                    f'the rules of task "{name}" are not those that it was saved with: their hash differs, so the file '
                    "or its values were changed"
                )
        return TaskLibrary([hashes[wanted] for wanted in self.hashes])


@dataclass(frozen=True, eq=False)
class AgentRecord:
    """An agent as its name, its library, its policies, its prior and its options.

    Older files have three options as fields of their own: `evidence`, `budget` and `seconds`.
    """

    name: str
    library: LibraryRecord | RulesRecord
    policies: tuple[Any, ...]
    prior: Any
    hazard: float = 0.0
    seed: int = 0
    options: tuple[tuple[str, Any], ...] = ()
    particles: int | None = None  # only without tables
    evidence: InitVar[str | None] = None
    budget: InitVar[int | None] = None
    seconds: InitVar[float | None] = None

    def __post_init__(self, evidence: str | None, budget: int | None, seconds: float | None) -> None:
        old = {"evidence": "observations" if evidence == "readings" else evidence, "budget": budget, "seconds": seconds}
        if given := AGENTS[self.name].picked({name: value for name, value in old.items() if value is not None}):
            object.__setattr__(self, "options", tuple(given.items()))

    @classmethod
    def of(cls, made: AgentBase[Any]) -> "AgentRecord":
        """Record an agent of a registered class."""
        if made.name not in AGENTS or AGENTS[made.name] is not type(made):
            raise InputError(f"cannot save a {type(made).__name__}: expected an agent that `walkon list` knows")
        library, inference = LibraryRecord.of(made.library, joint="teammates" in made.senses), made.inference
        options = tuple(asdict(made.options).items())
        particles = getattr(inference, "particles", None)
        return cls(made.name, library, made.policies, inference.prior, inference.hazard, made.seed, options, particles)

    def restore(self, given: TaskLibrary | None = None) -> Agent[Any]:
        """Build the agent. Nothing is ever solved for it."""
        library, options = self.library.restore(given), dict(self.options)
        if not self.policies and AGENTS[self.name].needs.model and library.tables:
            raise InputError("its policies are missing")
        facts: dict[str, Any] = {"policies": self.policies, "prior": self.prior, "target": told(self.name, 0)}
        if not library.tables:
            facts |= {"policies": None, "particles": self.particles}
        return agent(self.name, library, hazard=self.hazard, seed=self.seed, **facts, **options)


VERSIONS = (1, 2, 3)  # of which the last is written; in the others, alpha vectors are a matrix
RECORDS: dict[type[Any], Any] = {Task: TaskRecord, TaskLibrary: LibraryRecord, AgentBase: AgentRecord}
KINDS: dict[str, type[Any]] = {"mdp": MDP, "mmdp": MMDP, "pomdp": POMDP, "tabular": TabularPolicy}
KINDS |= {"alpha-vectors": AlphaVectors, "vector-blocks": VectorBlocks, "solution": Solution, "tally": Tally}
KINDS |= {"task": TaskRecord, "library": LibraryRecord, "agent": AgentRecord, "rules": RulesRecord}
RESTORED = (*RECORDS.values(), RulesRecord)
NAMES = {"blocks": "vectors"}  # fields whose argument in the constructor has another name
OTHERS = ("pomdp", "pomdpx", "dpomdp", "mdp", "policy")  # no bundles
READERS = {f".{kind}": f"; read it with walkon.read_{kind}" for kind in OTHERS}
WRITERS = {".pomdp": ": write it with walkon.write_pomdp", ".csv": ": write a log with walkon.write_log"}
WRITERS[".pomdpx"] = ": write it with walkon.write_pomdpx"
WRITERS[".json"] = ": write an episode with walkon.write_episode"
BUNDLE, VECTORS = ".safetensors", ".policy"
UNREADABLE: tuple[type[Exception], ...] = (SafetensorError, InputError, KeyError, TypeError, ValueError, AttributeError)
UNREADABLE += (OverflowError, RecursionError, MemoryError)


def save(thing: Any, path: str | os.PathLike[str]) -> None:
    """Write a model, a policy, a solution, a task, a library or an agent to a bundle.

    A file named `.policy` gets the vectors of a policy or a solution as XML instead, see `walkon.write_policy`.
    """
    if check_name(path) == VECTORS:
        policy = thing.policy if isinstance(thing, Solution) else thing
        if not isinstance(policy, AlphaVectors):
            what = type(policy).__name__
            raise InputError(f"{os.fspath(path)} would hold alpha vectors, and this is a {what}: name it {BUNDLE}")
        return write_policy(policy, path)
    record = next((kind.of(thing) for saved, kind in RECORDS.items() if isinstance(thing, saved)), thing)
    if type(record) not in KINDS.values():
        raise InputError(f"cannot save a {type(thing).__name__}: expected one of {', '.join(KINDS)}")
    tensors: Tensors = {}
    header = {"version": VERSIONS[-1], "content": _pack(record, "", tensors)}
    with replacing(path) as draft:
        try:
            save_file(tensors, draft, metadata={"walkon": json.dumps(header)})
        except SafetensorError as cause:  # a full disk, with the name of the draft
            raise OSError(re.sub(r"^.*: | \(os error.*", "", str(cause))) from None


def check_name(path: str | os.PathLike[str]) -> str:
    """Return the suffix that decides what `save` writes, or refuse the path of a file that it cannot write."""
    check_writable(path)
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    if suffix not in ("", BUNDLE, VECTORS):
        raise InputError(f"{os.fspath(path)} cannot be written as {suffix}{WRITERS.get(suffix, f': name it {BUNDLE}')}")
    return suffix


def load(path: str | os.PathLike[str], library: TaskLibrary | None = None) -> Any:
    """Read a bundle that `save` wrote. Any other file gives an `InputError` that says what is wrong with it.

    Args:
        path: The file.
        library: The rules of what was saved, if that has no tables. They have to be the same as then.
    """
    check_file(path, "a bundle")
    try:
        with safe_open(path, framework="np") as file:
            text = (file.metadata() or {}).get("walkon")
            if text is None:
                raise InputError("it has no walkon header")
            header = json.loads(text)
            if not isinstance(header, dict) or header.get("version") not in VERSIONS:
                raise InputError(f"its version is not {VERSIONS[-1]}: was it written by a newer walkon?")
            names, content = file.keys(), header.get("content")
            if not isinstance(content, dict) or content.get("kind") not in KINDS:
                raise InputError(f"its header names no content; expected one of {', '.join(KINDS)}")
            tensors = {name: file.get_tensor(name) for name in names}
        thing: Any = _unpack(content, "", tensors)
        return thing.restore(library) if type(thing) in RESTORED else thing
    except UNREADABLE as cause:
        detail = f"{cause} is missing" if isinstance(cause, KeyError) else str(cause) or type(cause).__name__
        remedy = READERS.get(os.path.splitext(os.fspath(path))[1].lower(), "")
        raise InputError(f"{os.fspath(path)} is not a walkon bundle that can be read: {detail}{remedy}") from None


def _pack(value: Any, path: str, tensors: Tensors) -> Any:
    """Return the JSON part of a value, and put its arrays into `tensors`, named by their path."""
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
            stem, names = f"{path}." if path else "", [field.name for field in fields(of)]
            given = {NAMES.get(name, name): getattr(value, name) for name in names}
            return {"kind": kind} | {name: _pack(each, stem + name, tensors) for name, each in given.items()}
    return value


def _unpack(value: Any, path: str, tensors: Tensors) -> Any:
    """Rebuild the value that `_pack` was given with its own constructor."""
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
