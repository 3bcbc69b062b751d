"""Where a server listens."""

import secrets
import socket
from dataclasses import dataclass

from walkon.errors import InputError
from walkon.network.guard import LOCAL


@dataclass(frozen=True)
class Address:
    """An address to serve on.

    Attributes:
        host: The address to listen on.
        port: The port; 0 for any that is free.
        token: What visitors have to show; None on this machine alone.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    token: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise InputError(f"port is {self.port}, expected a number from 0 to 65535")
        if self.host not in LOCAL and not self.token:
            raise InputError(f"{self.host} can be reached from other machines: a token has to protect it")

    @classmethod
    def guarded(cls, host: str, port: int, token: str | None) -> "Address":
        """An address that has a token where it needs one: the given one, or a new one."""
        return cls(host, port, token or (None if host in LOCAL else secrets.token_urlsafe(16)))

    @property
    def hosts(self) -> frozenset[str]:
        """The names that the server goes by; empty for any, where a token protects it."""
        return LOCAL if self.token is None else frozenset()

    def bound(self) -> socket.socket:
        """A socket that listens there. Whoever comes before the server has started waits for it."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((self.host, self.port))
            found.listen()
        except OSError as problem:
            found.close()
            raise InputError(
                f"cannot listen on {self.host}, port {self.port} ({problem.strerror}): "
                "take another --port, or 0 for any that is free"
            ) from None
        return found

    def url(self, listening: socket.socket) -> str:
        """How it is called, without the token."""
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{shown}:{listening.getsockname()[1]}/"
