"""Request targets that Twisted's client sends as the URL has them: RFC 9112 section 3.2.1.

Twisted splits a URL into path, parameters and query and joins them again, which loses a ``;`` or
``?`` with nothing behind it: ``/a;`` would be listed and ``/a`` fetched. All other rewriting has
been done before: ``core/urls.py`` has a form that browsers and Scrapy leave as it is.
"""

from __future__ import annotations

from typing import Any

from twisted.web import client


class ExactURI(client.URI):
    """A URL that keeps its path and query as they are written."""

    target = b"/"

    @classmethod
    def fromBytes(cls, uri: bytes, defaultPort: int | None = None) -> Any:  # noqa: N802, N803 - Twisted's
        parsed = super().fromBytes(uri, defaultPort)  # type: ignore[no-untyped-call]
        rest = uri.strip().partition(b"#")[0].partition(b"://")[2]
        slash = rest.find(b"/")
        if slash >= 0 and b"?" not in rest[:slash]:
            parsed.target = rest[slash:]
        else:  # no path: "http://host?query"
            parsed.target = super(ExactURI, parsed).originForm
        return parsed

    @property
    def originForm(self) -> bytes:  # noqa: N802 - Twisted's
        return self.target


def install() -> None:
    """Have Twisted's agents use it, which take their class from the module."""
    client.URI = ExactURI  # type: ignore[misc]
