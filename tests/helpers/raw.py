"""A server on loopback that answers byte for byte what it is told, be it HTTP or not."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer

import pytest


def answer(body: bytes = b"", *headers: bytes, status: bytes = b"200 OK") -> bytes:
    """An answer that ends with its connection."""
    lines = [b"HTTP/1.1 " + status, b"Connection: close", *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


class RawServer:
    """Sends ``answers[path]`` and hangs up; until ``stop``."""

    def __init__(self) -> None:
        self.answers: Mapping[str, bytes] = {}
        self.paths: list[str] = []
        server = self

        class Handler(StreamRequestHandler):
            def handle(self) -> None:
                with suppress(OSError, IndexError):
                    path = self.rfile.readline().split()[1].decode("latin-1")
                    while self.rfile.readline().strip():
                        pass
                    server.paths.append(path)
                    missing = answer(b"none", b"Content-Type: text/plain", status=b"404 Not Found")
                    self.wfile.write(server.answers.get(path, missing))

        self._server = ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def raw() -> Iterator[RawServer]:
    """A server that stops with the test."""
    server = RawServer()
    yield server
    server.stop()
