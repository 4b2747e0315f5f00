"""Crawls with a dashboard."""

from __future__ import annotations

import http.client
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.helpers.crawls import DEADLINE, IMPATIENT, command, start


@dataclass
class Watched:
    """A crawl with a dashboard."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path
    output: Path

    @property
    def port(self) -> int:
        return int(self.url.split(":")[2].split("/")[0])

    def end(self) -> int:
        """Interrupt it; the exit code."""
        self.process.terminate()
        return self.process.wait(DEADLINE)


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Callable[..., Watched]]:
    """Crawl with a dashboard: ``watch(url, "-a", "max_pages=9")``; return once it is open."""
    processes = []

    def watch_(url: str, *more: str, port: int = 0) -> Watched:
        log, output = tmp_path / f"log-{len(processes)}", tmp_path / f"output-{len(processes)}"
        port_setting = ("-s", f"SITEMAPGEN_DASHBOARD_PORT={port}")
        arguments = ("-a", "dashboard=true", *IMPATIENT, *port_setting, *more)
        processes.append(start(command(url, output, *arguments), log))
        end = time.monotonic() + DEADLINE
        while not (found := re.search(r"Dashboard: (\S+)", log.read_text())):
            assert time.monotonic() < end, log.read_text()
            assert processes[-1].poll() is None, log.read_text()
            time.sleep(0.02)
        return Watched(processes[-1], found[1], log, output)

    yield watch_
    for process in processes:
        process.kill()
        process.wait()


class Front:
    """A web server that passes /dashboard/PORT/... on to that port, as nginx without buffers."""

    def __init__(self, port: int) -> None:
        prefix = f"/dashboard/{port}"

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                assert self.path.startswith(prefix)
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
                headers = {"Host": "127.0.0.1"}
                connection.request("GET", self.path.removeprefix(prefix), headers=headers)
                with closing(connection), connection.getresponse() as answer:
                    self._pass_on(answer)

            def _pass_on(self, answer: http.client.HTTPResponse) -> None:
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                        self.send_header(name, value)
                self.end_headers()
                while data := answer.read1():
                    self.wfile.write(data)
                    self.wfile.flush()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Front:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
