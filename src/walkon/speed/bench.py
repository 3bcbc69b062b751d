"""The tools of all measurements of speed.

Times are CPU seconds of this process, so other programs do not matter. A section is a function of a `Bench` that yields
rows of plain data, each as soon as it is measured. Kernels are compiled before, which is timed separately, and a fixed
NumPy kernel, timed in the same run, shows how fast the machine is.
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import wait
from dataclasses import dataclass, field
from time import process_time
from typing import Any, TypeAlias

import numpy as np

from walkon.models.pomdp import POMDP
from walkon.processes import Workers

Row: TypeAlias = dict[str, Any]
Section: TypeAlias = "Callable[[Bench], Iterator[Row]]"


@dataclass(frozen=True, kw_only=True)
class Bench:
    """The settings of a measurement."""

    seconds: float = 2.0  # CPU seconds for each solve
    full: bool = False  # whether to measure large sizes too
    seed: int = 0
    problems: Mapping[str, POMDP] = field(default_factory=dict)  # for the solvers, instead of the usual ones
    report: Callable[[str], None] = lambda what: None  # is called with what is being measured
    stop: Callable[[], bool] = lambda: False  # returns whether to stop a long measurement


def seconds_of(work: Callable[[], Any]) -> float:
    """Return the CPU seconds of one call."""
    began = process_time()
    work()
    return process_time() - began


def least_seconds(work: Callable[[], Any], times: int) -> float:
    """Return the CPU seconds of the fastest of several calls."""
    return min(seconds_of(work) for _ in range(times))


def alone(bench: Bench, work: Callable[..., Row], *given: Any) -> Row | None:
    """Return the result of a call in a new process, with empty caches and its own memory; None if stopped."""
    if bench.stop():
        return None
    pool = Workers(1)
    try:
        answer = pool.submit(work, *given)
        while not wait([answer], timeout=0.1).done:
            if bench.stop():
                return None
        return answer.result()
    finally:
        pool.kill()


def kernel_seconds() -> float:
    """Return the CPU seconds of a fixed NumPy kernel: a product of two matrices of 300 x 300, and a norm."""
    square = np.ones((300, 300))
    return least_seconds(lambda: np.linalg.norm(square @ square), 50)
