"""A web server on loopback for one CGI program (RFC 3875), as small as code browsers need."""

import os
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote


@contextmanager
def serve(
    program: str, port: int, variables: Mapping[str, str], edit: tuple[bytes, bytes] = (b"", b"")
) -> Iterator[None]:
    """Run a program for every path until the end of the context.

    ``edit``: bytes of its answers and what they are replaced by, as a proxy in front may do.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            request = {"PATH_INFO": unquote(path), "QUERY_STRING": query, "REQUEST_METHOD": "GET"}
            request |= {"SERVER_NAME": "127.0.0.1", "SERVER_PORT": str(port), "SCRIPT_NAME": ""}
            request |= {"HTTP_HOST": f"127.0.0.1:{port}", "REQUEST_URI": self.path}
            request |= {"SERVER_PROTOCOL": "HTTP/1.1", "GATEWAY_INTERFACE": "CGI/1.1"}
            answer = subprocess.run(
                [program],
                check=False,
                env={**os.environ, **variables, **request},
                capture_output=True,
            ).stdout
            gap = b"\r\n\r\n" if b"\r\n\r\n" in answer[:2000] else b"\n\n"
            head, _, body = answer.partition(gap)
            self._answer(head.decode("latin-1"), body.replace(*edit) if edit[0] else body)

        def _answer(self, head: str, body: bytes) -> None:
            fields = [line.split(": ", 1) for line in head.splitlines() if ": " in line]
            status = next((value for name, value in fields if name == "Status"), "200")
            self.send_response(int(status.split()[0]))
            for name, value in fields:
                if name not in ("Status", "Content-Length"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
