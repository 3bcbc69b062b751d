"""What a measurement of speed is given, and what it gives.

Times are CPU seconds of this process, so what other programs do meanwhile does not count. A section is a function of a
`Bench` that yields rows of plain data, each as soon as it is measured. Kernels are compiled before, which is timed
apart, and a fixed NumPy kernel, timed in the same run, says how fast the machine is.
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
    """How much is measured, and who is told.

    Attributes:
        seconds: CPU seconds for each solve.
        full: Whether to measure large sizes too.
        seed: What all chance follows from.
        problems: What the solvers are measured on, if not on the usual problems.
        tell: Is told what is being measured.
        stop: Says whether to stop a measurement that takes long.
    """

    seconds: float = 2.0
    full: bool = False
    seed: int = 0
    problems: Mapping[str, POMDP] = field(default_factory=dict)
    tell: Callable[[str], None] = lambda what: None
    stop: Callable[[], bool] = lambda: False


def seconds_of(work: Callable[[], Any]) -> float:
    """The CPU seconds of one call."""
    began = process_time()
    work()
    return process_time() - began


def least_seconds(work: Callable[[], Any], times: int) -> float:
    """The CPU seconds of the fastest of several calls."""
    return min(seconds_of(work) for _ in range(times))


def alone(bench: Bench, work: Callable[..., Row], *given: Any) -> Row | None:
    """What a call gives in a new process: nothing is there already, and its memory is its own. None if stopped."""
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
    """The CPU seconds of a fixed NumPy kernel: a product of two matrices of 300 x 300, and a norm."""
    square = np.ones((300, 300))
    return least_seconds(lambda: np.linalg.norm(square @ square), 50)
