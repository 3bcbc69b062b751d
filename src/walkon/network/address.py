"""The address that a server listens on."""

import secrets
import socket
from dataclasses import dataclass

from walkon.errors import InputError
from walkon.network.guard import LOCAL


@dataclass(frozen=True)
class Address:
    """An address to serve on."""

    host: str = "127.0.0.1"
    port: int = 8080  # 0 for any free one
    token: str | None = None  # for clients; None if only this machine can reach the server

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise InputError(f"port is {self.port}, expected a number from 0 to 65535")
        if self.host not in LOCAL and not self.token:
            raise InputError(f"{self.host} can be reached from other machines: a token has to protect it")

    @classmethod
    def guarded(cls, host: str, port: int, token: str | None) -> "Address":
        """Make an address, with the given token or a new one where it needs one."""
        return cls(host, port, token or (None if host in LOCAL else secrets.token_urlsafe(16)))

    @property
    def hosts(self) -> frozenset[str]:
        """The host names that the server answers to; empty for any, where a token protects it."""
        return LOCAL if self.token is None else frozenset()

    def bound(self) -> socket.socket:
        """Return a socket that listens there. Clients that connect before the server has started wait for it."""
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
                "take another --port, or 0 for any free one"
            ) from None
        return found

    def url(self, listening: socket.socket) -> str:
        """Return the URL, without the token."""
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{shown}:{listening.getsockname()[1]}/"
