"""Compiles hot loops to machine code, all by one decorator.

A kernel knows only arrays. It is compiled at its first call and cached on disk, so each machine compiles it once. There
is no `fastmath`: sums keep their order, and the same inputs give the same bits.

Numba's cache checks only the file of a kernel, and not the kernels of other files that are compiled into it. So the
cache is in a folder that is named by the content of all kernels: any change starts a new one. Where a kernel cannot be
stored or loaded, it is compiled for this process alone.

If several processes need a kernel at the same time, one of them compiles it and the others wait for it. The first
process that compiles logs that, with the logger "walkon".

A kernel that another one calls becomes a part of it (`_Part`), which is optimised as a whole. Numba would also optimise
and translate it by itself, once for each level of calls, and wrap it for Python. Only what Python calls needs that, so
there are two forms of a kernel, each compiled when it is needed.

Kernels that are called millions of times, with many arrays, count no references to them (`view_kernel`); they may make
no arrays, and return none but by `inlined` functions.

Kernels copy arrays element by element: an assignment to a slice adds seconds of compilation, because Numba compiles the
text of its error message too.
"""

import gc
import hashlib
import logging
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from mmap import mmap
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite.binding import parse_assembly
from numba.core import cgutils, config, event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from walkon.caches import cache_folder, warn_of_cache

F = TypeVar("F", bound=Callable[..., object])

TYPES: Any = numba.types
LOGGER = logging.getLogger("walkon")
OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}
LONGEST = (
    180.0  # seconds to wait for another process that compiles the same kernel; one takes up to ten on an idle core
)
BETWEEN_LOOKS = 0.02  # seconds
FITTING = (0, 68)  # the version of Numba whose insides `_Part` fits; with others kernels are compiled as Numba does
ENVIRONMENT = "_ZN08NumbaEnv"  # how the names begin of the variables that Numba needs of each function


def kernel(function: F) -> F:
    """Compile a function of plain arrays at its first call; the result is cached on disk."""
    return _compiled(function, {"no_cfunc_wrapper": True})  # which would take a tenth longer to compile


def rule_kernel(function: F) -> F:
    """Compile a function like a kernel, for kernels that call it by its address."""
    return _compiled(function, {})


def view_rule_kernel(function: F) -> F:
    """Compile a function like a `view_kernel`, for kernels that call it by its address."""
    return _compiled(function, {"_nrt": False})


def view_kernel(function: F) -> F:
    """Compile a kernel that makes no arrays, only views of those that it is given: without counting references.

    Numba counts how many names an array has, by an atomic instruction for each array at each call. Where calls are
    short and have many arguments, that takes longer than all the rest.
    """
    return _compiled(function, {"no_cfunc_wrapper": True, "_nrt": False})


def inlined(function: F) -> F:
    """Make a function a part of each kernel that calls it, so that it may return views in a `view_kernel` too."""
    return cast(F, numba.njit(inline="always")(function))


def _compiled(function: F, options: dict[str, Any]) -> F:
    if vars(config)["DISABLE_JIT"]:  # for a debugger: kernels are plain Python, and slow
        return function
    made = _form(function, kernel_folder(), options)
    if numba.version_info.short != FITTING:
        return cast(F, made)
    bare = {"no_cfunc_wrapper": True, "no_cpython_wrapper": True, "pipeline_class": _PartCompiler}
    part = _form(function, _part_folder(), bare)
    made.get_call_template, made.get_overload = part.get_call_template, part.get_overload  # what other kernels ask for
    return cast(F, made)


def _form(function: Callable[..., object], folder: str, options: dict[str, Any]) -> Any:
    """Make a function that Numba compiles when it is first called, and keeps in a folder."""
    settings = vars(config)
    before = settings["CACHE_DIR"]
    settings["CACHE_DIR"] = folder
    try:
        made: Any = numba.njit(**OPTIONS, **options)(function)
        made.compile = _one_at_a_time(made.compile, Path(folder, f"{made.__module__}.{made.__name__}.lock"))
        stored = vars(made)["_cache"]
        stored.load_overload = _tolerant(stored.load_overload, stored.cache_path)
        stored.save_overload = _tolerant(stored.save_overload, stored.cache_path)
        return made
    finally:
        settings["CACHE_DIR"] = before


def _uncounted(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Write code that gives an array, or each in a tuple, without the memory of which its holders are counted."""
    if isinstance(kind, TYPES.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        return array._getvalue()
    if isinstance(kind, TYPES.BaseTuple):
        parts = zip(kind, cgutils.unpack_tuple(builder, value, kind.count), strict=True)
        return context.make_tuple(builder, kind, [_uncounted(context, builder, *part) for part in parts])
    return value


def _borrowed(typing: Any, data: Any) -> Any:
    """In a kernel: the same array, or tuple of arrays, without a count of who holds it.

    Around every call through a pointer, Numba counts each array that is handed over up and down again, with two locked
    instructions: together they took longer than all else in a search. Somebody else has to hold the array meanwhile.
    """
    return data(data), lambda context, builder, signature, values: _uncounted(context, builder, data, values[0])


borrowed: Any = (lambda data: data) if vars(config)["DISABLE_JIT"] else intrinsic(_borrowed)


class _Part(JITCodeLibrary):
    """The code of a kernel for other kernels, as it is before LLVM optimises it."""

    def _optimize_final_module(self) -> None:
        """Leave that to the kernel of which it becomes a part."""

    def _finalize_final_module(self) -> None:
        """Translate nothing but the variables by which Numba finds the environments of functions."""
        code, self._finalized = self._final_module, True
        self._get_module_for_linking()  # keeps a copy of the code for other kernels
        variables = [str(each) for each in code.global_variables if each.name.startswith(ENVIRONMENT)]
        self._final_module = parse_assembly("\n".join([str(self._codegen._create_empty_module(self.name)), *variables]))
        self._final_module.name = code.name
        super()._finalize_final_module()


class _PartCompiler(Compiler):
    """Compiles to a part."""

    def __init__(self, typing: Any, target: Any, library: Any, *others: Any) -> None:
        library = _Part(target.codegen(), "part")
        library.enable_object_caching()
        super().__init__(typing, target, library, *others)


def prepare_to_fork() -> None:
    """Load what Numba needs for any kernel, which takes a third of a second, once for all forked processes."""
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()


def _tolerant(use: Callable[..., Any], folder: str) -> Callable[..., Any]:
    """Make loading or storing a kernel do nothing where the folder is full or cannot be read or written."""

    def tolerant(*arguments: Any) -> Any:
        try:
            return use(*arguments)
        except OSError as cause:
            return warn_of_cache(folder, cause)

    return tolerant


def _one_at_a_time(compile_: Callable[[Any], Any], lock: Path) -> Callable[[Any], Any]:
    """Make one process compile a kernel, or load it, while others wait."""

    def compile_alone(signature: Any) -> Any:
        with global_compiler_lock, locked(lock), _no_garbage_collection():
            return compile_(signature)

    return compile_alone


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Look for no garbage meanwhile: Numba makes many objects that stay, and looking through them takes its time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock on a file, if the system has such locks, the file can be made, and nobody holds it for too long."""
    try:
        fcntl: Any = import_module("fcntl")
        file = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC)
    except (ImportError, OSError):
        yield
        return
    try:
        until = time.monotonic() + LONGEST
        while time.monotonic() < until:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(BETWEEN_LOOKS)
        yield
    finally:
        os.close(file)


@cache
def kernel_folder() -> str:
    """Return the folder of the compiled kernels."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*kernels.py")):
        digest.update(path.read_bytes())
    return str(cache_folder("kernels", digest.hexdigest()[:16], within=os.environ.get("NUMBA_CACHE_DIR")))


@cache
def _part_folder() -> str:
    """Return the folder of the parts of kernels."""
    folder = Path(f"{kernel_folder()}-parts")
    folder.mkdir(exist_ok=True)
    return str(folder)


NOTICE = "compiling kernels for this machine: up to a minute, and kept for the next time"
_shared = mmap(-1, 8)  # shared with forked processes: how many kernels were compiled, and whether that was said
_owner = os.getpid()
_tell: list[Callable[[str], None]] = [LOGGER.warning]


def compiled_count() -> int:
    """Return how many kernels this process and those that it forked have compiled."""
    return int.from_bytes(_shared[:4], "little")


@contextmanager
def telling(say: Callable[[str], None]) -> Iterator[None]:
    """Have another function say that kernels are compiled, in place of the logger; at once if there are none yet."""
    _tell.append(say)
    try:
        if not any(Path(kernel_folder()).iterdir()):
            _say()
        yield
    finally:
        _tell.pop()


def _say() -> None:
    """Say once that kernels are compiled. A worker process that was not forked leaves that to its parent."""
    spawned = os.getpid() == _owner and multiprocessing.parent_process() is not None
    if not _shared[4] and not spawned:
        _shared[4] = 1
        _tell[-1](NOTICE)


class _Counting(event.Listener):
    """Notices what Numba compiles."""

    def on_start(self, event: Any) -> None:
        """Say it, if it is the first."""
        _say()

    def on_end(self, event: Any) -> None:
        """Count a kernel of ours; Numba also compiles its own functions."""
        if event.data["dispatcher"].__module__.startswith("walkon."):
            _shared[:4] = (compiled_count() + 1).to_bytes(4, "little")


register: Callable[[str, _Counting], None] = event.register
register("numba:compile", _Counting())
