"""A port that stays reserved while no server listens on it, for servers that restart and servers that are missing."""

import socket
from contextlib import contextmanager


@contextmanager
def kept_port():
    """Reserve a port that the system gives to no other process. A server that reuses addresses may listen on it."""
    with socket.socket() as kept:
        kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        kept.bind(("127.0.0.1", 0))
        yield kept.getsockname()[1]
