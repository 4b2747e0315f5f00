"""The browser's proxy, asked over real connections."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

import pytest

from sitemapgen.browser.proxy import FilteringProxy, upstream_of
from sitemapgen.download.egress import Egress
from tests.helpers.proxy import Proxy
from tests.helpers.raw import RawServer, answer
from tests.helpers.tables import for_each

BASIC = "Basic b3duZXI6UzNDUkVU"
PUBLIC, PRIVATE = "http://93.184.216.34/", "http://127.0.0.1/"


def ask(
    request: Callable[[FilteringProxy], bytes],
    *,
    start: str = PRIVATE,
    upstream: dict[str, str] | None = None,
) -> tuple[bytes, list[str]]:
    """What a proxy answers; the hosts that it refused."""
    refused: list[str] = []

    async def talk() -> bytes:
        proxy = FilteringProxy(Egress([start]), upstream_of(upstream), refused.append)
        await proxy.start()
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            writer.write(request(proxy))
            data = b""
            with suppress(ConnectionResetError):  # it ended before all of the request was read
                data = await asyncio.wait_for(reader.read(), 60)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
            return data
        finally:
            proxy.close()

    return asyncio.run(talk()), refused


def head(proxy: FilteringProxy, line: str, *more: str, login: str | None = None) -> bytes:
    fields = [f"Proxy-Authorization: {proxy.authorization if login is None else login}", *more]
    return "\r\n".join([line, *fields, "", ""]).encode()


def test_an_answer_passes_and_ends_its_connection(raw: RawServer) -> None:
    raw.answers = {"/a?b=c": answer(b"body", b"Content-Length: 4")}
    url = f"{raw.url}a?b=c"
    got, refused = ask(lambda proxy: head(proxy, f"GET {url} HTTP/1.1", "Host: x"))
    assert got.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"\r\nConnection: close\r\n" in got
    assert got.endswith(b"\r\n\r\nbody")
    assert (raw.paths, refused) == (["/a?b=c"], [])


def test_a_tunnel_passes_bytes_as_they_are(raw: RawServer) -> None:
    raw.answers = {"/a": b"\x00\xff no HTTP\r\n\r\n"}
    place = raw.url[7:-1]
    got, _ = ask(
        lambda proxy: head(proxy, f"CONNECT {place} HTTP/1.1") + b"GET /a HTTP/1.1\r\n\r\n"
    )
    assert got == b"HTTP/1.1 200 OK\r\n\r\n\x00\xff no HTTP\r\n\r\n"


@pytest.mark.parametrize("login", ["", "Basic x", "Basic c2l0ZW1hcGdlbjp4", "Basic é"])
def test_no_other_client_may_use_it(login: str, raw: RawServer) -> None:
    for line in (f"GET {raw.url} HTTP/1.1", f"CONNECT {raw.url[7:-1]} HTTP/1.1"):
        got, _ = ask(lambda proxy, line=line: head(proxy, line, login=login))
        assert got.startswith(b"HTTP/1.1 407 ")
    assert raw.paths == []


def test_private_addresses_are_refused(raw: RawServer) -> None:
    port = raw.url.rpartition(":")[2][:-1]
    for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]"):
        line = f"GET http://{host}:{port}/ HTTP/1.1"
        got, refused = ask(lambda proxy, line=line: head(proxy, line), start=PUBLIC)
        assert (got, refused) == (b"", [host.strip("[]")])
        line = f"CONNECT {host}:{port} HTTP/1.1"
        got, refused = ask(lambda proxy, line=line: head(proxy, line), start=PUBLIC)
        assert got.startswith(b"HTTP/1.1 502 ")
    assert raw.paths == []


@for_each(b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\r\n\r\n", b"x" * 300_000)
def test_what_is_no_request_ends_the_connection(sent: bytes) -> None:
    assert ask(lambda proxy: sent)[0] == b""


def test_a_host_that_is_not_there() -> None:
    assert ask(lambda proxy: head(proxy, "GET http://no.invalid/ HTTP/1.1"))[0] == b""
    got, _ = ask(lambda proxy: head(proxy, "CONNECT 127.0.0.1:1 HTTP/1.1"))
    assert got.startswith(b"HTTP/1.1 502 ")


def test_a_site_that_asks_for_a_login_to_the_proxy(raw: RawServer) -> None:
    raw.answers = {"/": answer(status=b"407 Login")}
    got, _ = ask(lambda proxy: head(proxy, f"GET {raw.url} HTTP/1.1"))
    assert got.startswith(b"HTTP/1.1 502 ")


def test_a_large_answer_passes_whole(raw: RawServer) -> None:
    raw.answers = {"/": answer(b"x" * 5_000_000)}
    got, _ = ask(lambda proxy: head(proxy, f"GET {raw.url} HTTP/1.1"))
    assert got.count(b"x") == 5_000_000


@pytest.mark.full
def test_behind_a_proxy_of_the_users(raw: RawServer) -> None:
    raw.answers = {"/": answer(b"body")}
    with Proxy(raw.port, BASIC) as between:
        given = {"server": f"http://127.0.0.1:{between.port}", "username": "owner"}
        for password, first in (("S3CRET", b"HTTP/1.1 200 "), ("wrong", b"HTTP/1.1 502 ")):
            upstream = {**given, "password": password}
            line = "GET http://shop.invalid/ HTTP/1.1"
            got, _ = ask(lambda p, line=line: head(p, line), start=PUBLIC, upstream=upstream)
            assert got.startswith(first)
            line = "CONNECT shop.invalid:443 HTTP/1.1"
            got, _ = ask(
                lambda p, line=line: head(p, line) + b"GET / HTTP/1.1\r\n\r\n",
                start=PUBLIC,
                upstream=upstream,
            )
            assert got.startswith(first)
        asked = len(between.asked)
        line = "GET http://10.0.0.1/ HTTP/1.1"
        got, refused = ask(lambda p: head(p, line), start=PUBLIC, upstream=given)
        assert (got, refused, len(between.asked)) == (b"", ["10.0.0.1"], asked)
