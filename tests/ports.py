"""A port that stays ours while nobody listens on it: for servers that come back, and for those that are not there."""

import socket
from contextlib import contextmanager


@contextmanager
def kept_port():
    """A port of this machine that the system gives to nobody else. A server that reuses addresses may listen on it."""
    with socket.socket() as kept:
        kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        kept.bind(("127.0.0.1", 0))
        yield kept.getsockname()[1]
