"""Measure the time and memory to read a `.pomdp` file of 20 MB, for each way to write a model.

Each file is read in a process of its own, so that the peak of memory is that of this file.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from walkon.formats.cassandra.reader import read_pomdp
from walkon.formats.cassandra.writer import write_pomdp

SIZE = 20_000_000  # bytes


def preamble(states, actions, observations, names=False):
    """Return the lines before the first statement."""

    def axis(kind, n):
        return f"{kind}s: " + (" ".join(f"{kind}-number-{i}" for i in range(n)) if names else str(n)) + "\n"

    return (
        "discount: 0.95\nvalues: reward\n"
        + axis("state", states)
        + axis("action", actions)
        + axis("observation", observations)
    )


def entries(rng, names) -> Iterator[str]:
    """Write T and R entry by entry, with sixteen next states for each pair."""
    X, A = (9_600, 4) if not names else (4_200, 4)

    def name(kind, i):
        return f"{kind}-number-{i}" if names else str(i)

    yield preamble(X, A, 2, names) + "O: * uniform\n"
    for a in range(A):
        for x in range(X):
            p = rng.dirichlet(np.ones(16))
            for y, q in zip(rng.choice(X, 16, replace=False).tolist(), p.tolist(), strict=True):
                yield f"T: {name('action', a)} : {name('state', x)} : {name('state', y)} {q:.9f}\n"
            yield f"R: {name('action', a)} : {name('state', x)} : * : * {-x}\n"


def dense(rng) -> Iterator[str]:
    """Write T as whole matrices."""
    X, A = 650, 4
    yield preamble(X, A, 2) + "O: * uniform\nR: * : * : * : * -1\n"
    for a in range(A):
        yield f"T: {a}\n"
        for _ in range(X):
            p = rng.random(X)
            yield " ".join(f"{q:.9f}" for q in (p / p.sum()).tolist()) + "\n"


def mostly_zeros(rng) -> Iterator[str]:
    """Write T as whole matrices of zeros and ones."""
    X, A = 1_600, 4
    yield preamble(X, A, 2) + "O: * uniform\nR: * : * : * : * -1\n"
    for a in range(A):
        yield f"T: {a}\n"
        for _ in range(X):
            row = ["0"] * X
            row[int(rng.integers(X))] = "1"
            yield " ".join(row) + "\n"


def short_rows(rng) -> Iterator[str]:
    """Write O as rows of two numbers, and T as the identity."""
    X, A = 100_000, 6
    yield preamble(X, A, 2) + "T: * identity\nR: * : * : * : * -1\n"
    for a in range(A):
        for y in range(X):
            yield f"O: {a} : {y}\n0.{y % 9}12345678 0.{9 - y % 9}87654322\n"


def observations(rng) -> Iterator[str]:
    """Write rewards of the next state and the observation, with wildcards in every field; most are overridden later."""
    X, A, Z = 3_000, 4, 20
    yield preamble(X, A, Z) + "T: * identity\nO: * uniform\nR: * : * : * : * -1\n"
    for a in range(A):
        for x in range(X):
            for z in range(Z):
                yield f"R: {a} : {x} : * : {z} {x + z}.25\nR: * : * : {x} : {z} {z}.5\nR: {a} : {x} : {x} : {z} 1\n"


CASES = {
    "entries with numbers": lambda rng: entries(rng, names=False),
    "entries with names": lambda rng: entries(rng, names=True),
    "dense matrices": dense,
    "matrices of zeros": mostly_zeros,
    "short rows": short_rows,
    "rewards of observations": observations,
}


def peak() -> float:
    """Return the peak memory of this process in MB (Linux)."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1000


def read(path: str) -> None:
    """Read one file and write it again, in the child process, and print the times."""
    before = peak()
    begin, worked = time.perf_counter(), time.process_time()
    model = read_pomdp(path)
    seconds, worked = time.perf_counter() - begin, time.process_time() - worked
    megabytes = peak() - before
    begin = time.perf_counter()
    write_pomdp(model, path + ".again")
    again = time.perf_counter() - begin
    print(f"{seconds:8.2f} {worked:8.2f} {megabytes:10.0f} {sum(p.nnz for p in model.P + model.O):12,} {again:8.2f}")


def main() -> None:
    """Write the files, read each, and print a table."""
    print(f"{'case':24} {'MB':>6} {'read s':>8} {'CPU s':>8} {'peak MB':>10} {'non-zeros':>12} {'write s':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, make in CASES.items():
            path = Path(folder) / "model.pomdp"
            path.write_text("".join(make(np.random.default_rng(0))))
            print(f"{name:24} {path.stat().st_size / 1e6:6.1f}", end=" ", flush=True)
            subprocess.run([sys.executable, __file__, str(path)], check=True)


if __name__ == "__main__":
    read(sys.argv[1]) if len(sys.argv) > 1 else main()
