"""The tests' own server leaves nothing behind."""

import math
import socket

from tests.helpers.crawls import wait_for
from tests.helpers.server import Server, page


def test_an_answer_without_a_client_ends_with_the_server() -> None:
    server = Server({"/": page()._replace(delay=60)})
    with socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for(lambda: bool(server.visits))
    server.stop()
    assert server.visits[0].ended < math.inf
