"""A real forward proxy on loopback: it wants a password, and every host it knows is one server."""

import select
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from socketserver import StreamRequestHandler

from tests.helpers.raw import Listener


@dataclass
class Asked:
    """One request, as the proxy saw it."""

    line: str
    headers: dict[str, str] = field(default_factory=dict)
    """By lower-case name."""


class Proxy(Listener):
    """Forwards GET and CONNECT for clients that send ``authorization``."""

    def __init__(self, port: int, authorization: str) -> None:
        """Whatever host is asked for, 127.0.0.1 at ``port`` is reached."""
        self.asked: list[Asked] = []
        self.target = ("127.0.0.1", port)
        self.authorization = authorization
        super().__init__(self._handle)

    def _handle(self, handler: StreamRequestHandler) -> None:
        asked = Asked(handler.rfile.readline().decode().strip())
        while line := handler.rfile.readline().decode().strip():
            name, _, value = line.partition(":")
            asked.headers[name.lower()] = value.strip()
        self.asked.append(asked)
        if asked.headers.get("proxy-authorization") != self.authorization:
            handler.wfile.write(
                b"HTTP/1.1 407 Proxy Authentication Required\r\n"
                b'Proxy-Authenticate: Basic realm="proxy"\r\n'
                b"Content-Length: 0\r\nConnection: close\r\n\r\n"
            )
            return
        method, where, version = asked.line.split()
        with socket.create_connection(self.target, timeout=10) as server:
            if method == "CONNECT":
                handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
            else:
                path = "/" + where.split("/", 3)[3]
                passed = {**asked.headers, "connection": "close"}
                del passed["proxy-authorization"]
                lines = [f"{method} {path} {version}", *map(": ".join, passed.items())]
                server.sendall("\r\n".join([*lines, "", ""]).encode())
            with suppress(OSError):
                _pass_on(handler.connection, server)


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    peers = {one: other, other: one}
    while ready := select.select(list(peers), [], [], 10)[0]:
        for each in ready:
            data = each.recv(65_536)
            if not data:
                return
            peers[each].sendall(data)
