"""Messages of an HTTP proxy."""

import pytest

from sitemapgen.core.proxying import Malformed, closing_response, parse_request, status_of
from tests.helpers.tables import for_each

HEAD = b"\r\nHost: a\r\nProxy-Authorization: Basic x\r\nConnection: keep-alive\r\nA: b\r\n\r\n"


@for_each(
    (b"GET http://shop.example/ HTTP/1.1", "shop.example", 80, False),
    (b"POST http://Shop.Example:8080/a?b=http://c:1/ HTTP/1.1", "shop.example", 8080, False),
    (b"GET http://[::1]/ HTTP/1.1", "::1", 80, False),
    (b"GET http://[::1]:81/ HTTP/1.0", "::1", 81, False),
    (b"CONNECT shop.example:443 HTTP/1.1", "shop.example", 443, True),
    (b"CONNECT [2606::1]:443 HTTP/1.1", "2606::1", 443, True),
)
def test_requests(line: bytes, host: str, port: int, is_tunnel: bool) -> None:
    request = parse_request(line + HEAD)
    assert (request.host, request.port, request.is_tunnel) == (host, port, is_tunnel)
    assert request.authorization == "Basic x"
    assert request.fields == ("Host: a", "A: b")


@for_each(
    *(b"", b"GET", b"GET / HTTP/1.1", b"GET https://a/ HTTP/1.1", b"GET ftp://a/ HTTP/1.1"),
    *(b"CONNECT a HTTP/1.1", b"CONNECT :443 HTTP/1.1", b"CONNECT a:99999 HTTP/1.1"),
    *(b"GET http:/// HTTP/1.1", b"GET http://a@b/ HTTP/1.1", b"GET http://a:b/ HTTP/1.1"),
    *(b"GET http://a/ SSH-2.0", b"\x16\x03\x01\x02", "GET http://a:١/ HTTP/1.1".encode()),
)
def test_what_is_no_request_of_a_browser(line: bytes) -> None:
    with pytest.raises(Malformed):
        parse_request(line + HEAD)


def test_what_is_passed_on() -> None:
    request = parse_request(b"GET http://a:8000/b?c=http://d/e HTTP/1.1" + HEAD)
    passed = b" HTTP/1.1\r\nHost: a\r\nA: b\r\n"
    assert request.for_server() == b"GET /b?c=http://d/e" + passed + b"Connection: close\r\n\r\n"
    assert request.for_proxy("Basic y") == (
        b"GET http://a:8000/b?c=http://d/e"
        + passed
        + b"Proxy-Authorization: Basic y\r\nConnection: close\r\n\r\n"
    )
    tunnel = parse_request(b"CONNECT a:443 HTTP/1.1" + HEAD)
    assert tunnel.for_proxy("") == b"CONNECT a:443" + passed + b"\r\n"
    assert tunnel.origin == "http://a:443/"


def test_answers() -> None:
    head = b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: 5\r\nA: b\r\n\r\n"
    assert closing_response(head) == b"HTTP/1.1 200 OK\r\nA: b\r\nConnection: close\r\n\r\n"
    login = b"HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic\r\n\r\n"
    assert closing_response(login).startswith(b"HTTP/1.1 502 ")
    assert [status_of(each) for each in (b"", b"SSH-2.0 200", b"HTTP/1.1 x", head)] == [
        0,
        0,
        0,
        200,
    ]
