"""Messages of an HTTP proxy: parsing of a browser's requests, and the heads that are passed on.

RFC 9112 section 3.2: absolute-form for ``http://`` URLs, authority-form for CONNECT.
``browser/proxy.py`` is the proxy.
"""

from __future__ import annotations

from typing import NamedTuple

MAX_HEAD = 1 << 18
"""Maximum bytes of the head of a message, as in Chromium."""

_HOP_BY_HOP = frozenset({"connection", "keep-alive", "proxy-connection", "proxy-authorization"})
"""Header fields of a single connection, which are not passed on (RFC 9110 section 7.6.1)."""


class Malformed(ValueError):
    """Malformed request: a browser would not send it to a proxy."""


class ProxyRequest(NamedTuple):
    """Head of a request to a proxy."""

    method: str
    target: str
    """As received: a URL, or host and port."""
    host: str
    """Lower case, without brackets."""
    port: int
    authorization: str
    """Value of Proxy-Authorization; empty without one."""
    fields: tuple[str, ...]
    """Lines of the header fields that are passed on."""

    @property
    def is_tunnel(self) -> bool:
        """Whether it requests a tunnel for any protocol (CONNECT)."""
        return self.method == "CONNECT"

    @property
    def origin(self) -> str:
        """Host and port as an http: URL, whatever the scheme."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"

    def for_server(self) -> bytes:
        """Return the head for the server itself, which closes the connection afterwards."""
        path = "/" + self.target.partition("://")[2].partition("/")[2]
        return self._format_head(path, "Connection: close")

    def for_proxy(self, authorization: str) -> bytes:
        """Return the head for an upstream proxy, with its credentials."""
        login = [f"Proxy-Authorization: {authorization}"] if authorization else []
        return self._format_head(
            self.target, *login, *([] if self.is_tunnel else ["Connection: close"])
        )

    def _format_head(self, target: str, *more: str) -> bytes:
        lines = [f"{self.method} {target} HTTP/1.1", *self.fields, *more, "", ""]
        return "\r\n".join(lines).encode("latin-1")


def parse_request(head: bytes) -> ProxyRequest:
    """Parse the head of a request, its empty line included. Raises Malformed."""
    first, *lines = head.decode("latin-1").split("\r\n")[:-2]
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise Malformed(first)
    method, target, _ = words
    host, port = _split_authority(method, target)
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


def _split_authority(method: str, target: str) -> tuple[str, int]:
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
    """Return the status in the head of a response; 0 without one.

    >>> status_of(b"HTTP/1.1 404 Not Found\\r\\n\\r\\n")
    404
    """
    words = head.split(b" ", 2)
    is_status = len(words) > 1 and words[0].startswith(b"HTTP/") and words[1][:3].isdigit()
    return int(words[1][:3]) if is_status else 0


def closing_response(head: bytes) -> bytes:
    """Return the head of a response with ``Connection: close``, so that it is the last one.

    >>> closing_response(b"HTTP/1.1 200 OK\\r\\nKeep-Alive: 5\\r\\nA: b\\r\\n\\r\\n")
    b'HTTP/1.1 200 OK\\r\\nA: b\\r\\nConnection: close\\r\\n\\r\\n'
    """
    first, *lines = head[:-4].split(b"\r\n")
    if status_of(head) == 407:  # the browser would send its credentials for this proxy again
        first = b"HTTP/1.1 502 Bad Gateway"
    names = (line.partition(b":")[0].decode("latin-1").lower() for line in lines)
    kept = [line for line, name in zip(lines, names) if name not in _HOP_BY_HOP]
    return b"\r\n".join([first, *kept, b"Connection: close", b"", b""])
