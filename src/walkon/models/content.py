"""The content hash of a model: equal numbers have equal hashes, in any representation."""

import hashlib
from typing import Any

import numpy as np
from scipy.sparse import issparse


def content_hash(*parts: Any) -> str:
    """Return the SHA-256 digest of strings, numbers, arrays, CSR matrices and tuples of them."""
    digest = hashlib.sha256()

    def add(part: Any) -> None:
        if issparse(part):
            add(("csr", np.asarray(part.shape), part.indptr, part.indices, part.data))
        elif isinstance(part, np.ndarray):
            kind = np.float64 if part.dtype.kind == "f" else np.int64
            digest.update(f"array{part.shape}".encode())
            digest.update((np.ascontiguousarray(part, dtype=kind) + kind(0)).tobytes())
        elif isinstance(part, tuple):
            digest.update(f"tuple{len(part)}".encode())
            for inner in part:
                add(inner)
        else:
            digest.update(repr(part).encode())

    add(parts)
    return digest.hexdigest()
