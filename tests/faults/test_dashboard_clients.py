"""Clients of the dashboard that say nothing, or what no browser says."""

import socket

import pytest

from tests.helpers.crawls import DEADLINE, rest
from tests.helpers.dashboard import Watch, Watched
from tests.helpers.server import Serve
from tests.helpers.sites import endless_tree


def ask(crawl: Watched, request: str) -> str:
    """The status line of the answer to a request."""
    with socket.create_connection(("127.0.0.1", crawl.port), timeout=DEADLINE) as client:
        client.sendall(f"{request}\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        return client.makefile().readline().strip()


HALF_A_REQUEST = "GET /status HTTP/1.1\r\nHost: localhost\r\nX: "


@pytest.mark.parametrize("said", ["", *rest(HALF_A_REQUEST)])
def test_silent_clients_do_not_keep_the_owner_out(said: str, serve: Serve, watch: Watch) -> None:
    crawl = watch(serve(endless_tree(0.05)).url)
    silent = [socket.create_connection(("127.0.0.1", crawl.port)) for _ in range(40)]
    for client in silent[:20]:
        client.sendall(said.encode())
    try:
        for _ in range(3):
            assert ask(crawl, f"GET {crawl.path}status HTTP/1.1") == "HTTP/1.1 200 OK"
    finally:
        for client in silent:
            client.close()
    assert crawl.end() == 6
    assert "Traceback" not in crawl.log.read_text()


@pytest.mark.parametrize(
    "line",
    [
        "CONNECT / HTTP/1.1",
        *rest("CONNECT a:80 HTTP/1.1", "OPTIONS * HTTP/1.1"),
    ],
)
def test_requests_that_are_for_proxies(line: str, serve: Serve, watch: Watch) -> None:
    crawl = watch(serve(endless_tree(0.05)).url)
    assert ask(crawl, line).split()[1] in ("400", "405")
    assert ask(crawl, f"GET {crawl.path}status HTTP/1.1") == "HTTP/1.1 200 OK"
    assert crawl.end() == 6
    assert "Error" not in crawl.log.read_text()
