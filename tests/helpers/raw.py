"""Servers on loopback below HTTP: a connection is handed to a function, or answered with bytes."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import TypeVar

import pytest


def answer(body: bytes = b"", *headers: bytes, status: bytes = b"200 OK") -> bytes:
    """An answer that ends with its connection."""
    lines = [b"HTTP/1.1 " + status, b"Connection: close", *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


Kind = TypeVar("Kind", bound="Listener")


class Listener:
    """Hands each connection to ``handle``, in a thread of its own; as a context, until its end."""

    def __init__(self, handle: Callable[[StreamRequestHandler], object]) -> None:
        class Handler(StreamRequestHandler):
            def handle(self) -> None:
                handle(self)

        self._server = ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self: Kind) -> Kind:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class RawServer(Listener):
    """Sends ``answers[path]`` byte for byte, be it HTTP or not, and hangs up."""

    def __init__(self, answers: Mapping[str, bytes] = {}) -> None:
        self.answers = answers
        self.paths: list[str] = []
        super().__init__(self._handle)

    def _handle(self, handler: StreamRequestHandler) -> None:
        with suppress(OSError, IndexError):
            path = handler.rfile.readline().split()[1].decode("latin-1")
            while handler.rfile.readline().strip():
                pass
            self.paths.append(path)
            missing = answer(b"none", b"Content-Type: text/plain", status=b"404 Not Found")
            handler.wfile.write(self.answers.get(path, missing))


@pytest.fixture
def raw() -> Iterator[RawServer]:
    """A server that stops with the test."""
    with RawServer() as server:
        yield server
