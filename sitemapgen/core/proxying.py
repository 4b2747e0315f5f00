"""Messages of an HTTP proxy: requests as a browser sends them to it, and what is passed on.

RFC 9112 section 3.2: absolute-form for ``http://`` URLs, authority-form for CONNECT. The proxy:
``browser/proxy.py``.
"""

from __future__ import annotations

from typing import NamedTuple

MAX_HEAD = 1 << 18
"""Bytes of the head of a message: Chromium reads no longer ones."""

_HOP_BY_HOP = frozenset({"connection", "keep-alive", "proxy-connection", "proxy-authorization"})
"""Header fields that are between two neighbours, and not passed on: RFC 9110 section 7.6.1."""


class Malformed(ValueError):
    """No request that a browser sends to a proxy."""


class ProxyRequest(NamedTuple):
    """The head of a request to a proxy."""

    method: str
    target: str
    """As it came: a URL, or host and port."""
    host: str
    """Lower case, without brackets."""
    port: int
    authorization: str
    """For the proxy."""
    fields: tuple[str, ...]
    """The header fields that are passed on, line by line."""

    @property
    def is_tunnel(self) -> bool:
        """Whether it asks for a connection, to speak any protocol over it."""
        return self.method == "CONNECT"

    @property
    def origin(self) -> str:
        """Host and port as a URL, of whatever scheme."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"

    def for_server(self) -> bytes:
        """The head for the server itself, which is asked for nothing else."""
        path = "/" + self.target.partition("://")[2].partition("/")[2]
        return self._head(path, "Connection: close")

    def for_proxy(self, authorization: str) -> bytes:
        """The head for another proxy, with the credentials that it wants."""
        login = [f"Proxy-Authorization: {authorization}"] if authorization else []
        return self._head(self.target, *login, *([] if self.is_tunnel else ["Connection: close"]))

    def _head(self, target: str, *more: str) -> bytes:
        lines = [f"{self.method} {target} HTTP/1.1", *self.fields, *more, "", ""]
        return "\r\n".join(lines).encode("latin-1")


def parse_request(head: bytes) -> ProxyRequest:
    """Parse the head of a request, its empty line included. Raises Malformed."""
    first, *lines = head.decode("latin-1").split("\r\n")[:-2]
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise Malformed(first)
    method, target, _ = words
    host, port = _authority(method, target)
    named = [(line.partition(":")[0].lower(), line) for line in lines]
    logins = [line for name, line in named if name == "proxy-authorization"]
    return ProxyRequest(
        method=method,
        target=target,
        host=host,
        port=port,
        authorization=logins[0].partition(":")[2].strip() if logins else "",
        fields=tuple(line for name, line in named if name not in _HOP_BY_HOP),
    )


def _authority(method: str, target: str) -> tuple[str, int]:
    if method == "CONNECT":
        authority, default = target, ""
    elif target[:7].lower() == "http://":
        authority, default = target[7:].partition("/")[0].partition("?")[0], "80"
    else:
        raise Malformed(target)
    host, colon, port = authority.rpartition(":")
    if not colon or authority.endswith("]"):
        host, port = authority, default
    if not host or "@" in host or not (port.isascii() and port.isdigit()) or int(port) > 65_535:
        raise Malformed(target)
    return host.strip("[]").lower(), int(port)


def status_of(head: bytes) -> int:
    """The status in the head of an answer; 0 for what has none.

    >>> status_of(b"HTTP/1.1 404 Not Found\\r\\n\\r\\n")
    404
    """
    words = head.split(b" ", 2)
    is_status = len(words) > 1 and words[0].startswith(b"HTTP/") and words[1][:3].isdigit()
    return int(words[1][:3]) if is_status else 0


def closing_response(head: bytes) -> bytes:
    """The head of an answer after which the connection ends, without a second one on it.

    >>> closing_response(b"HTTP/1.1 200 OK\\r\\nKeep-Alive: 5\\r\\nA: b\\r\\n\\r\\n")
    b'HTTP/1.1 200 OK\\r\\nA: b\\r\\nConnection: close\\r\\n\\r\\n'
    """
    first, *lines = head[:-4].split(b"\r\n")
    if status_of(head) == 407:  # the browser would take it for ours, and try its password again
        first = b"HTTP/1.1 502 Bad Gateway"
    kept = [line for line in lines if _name(line) not in _HOP_BY_HOP]
    return b"\r\n".join([first, *kept, b"Connection: close", b"", b""])


def _name(line: bytes) -> str:
    return line.partition(b":")[0].decode("latin-1").lower()
