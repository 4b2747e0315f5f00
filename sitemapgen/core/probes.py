"""Probe URLs: paths that cannot exist, whose responses show how a site answers for missing pages.

``download/probing.py`` requests them; ``soft404.py`` compares their responses with pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from itertools import islice, product

from sitemapgen.core.eligibility import Rules, admit_url
from sitemapgen.core.file_hints import file_hint
from sitemapgen.core.urls import directory, extension, split

MAX_EXTENSIONS = 4
"""Maximum file extensions with probes of their own, "no extension" included."""


def probe_token(origin: str) -> str:
    """Return a name that no page of the origin has by accident, the same in every run."""
    return f"sitemapgen-404-check-{blake2b(origin.encode(), digest_size=8).hexdigest()}"


def probe_beside(url: str) -> str:
    """Return a probe in the directory of a URL, with its file extension.

    >>> probe_beside("https://e.example/shop/chair.html").rpartition("/")[0]
    'https://e.example/shop'
    """
    origin, path, _ = split(url)
    suffix = extension(path)
    return f"{directory(url)}{probe_token(origin)}{f'.{suffix}' if suffix else ''}"


class Probes:
    """Probes of one site: in its root and its first directories, one for each file extension.

    Servers answer differently by directory (``/shop/`` is an application, the rest are files) and
    by extension (``.php`` reaches a script, ``.html`` the disk). The directories and extensions
    are those of the start URL and of the links on its page, in their order, so that the probes do
    not depend on the order in which pages are fetched.
    """

    def __init__(self, rules: Rules, start: Iterable[str], limit: int) -> None:
        """``start``: the start URL and the links on its page; ``limit``: maximum probes."""
        self._site = rules.site
        self._token = probe_token(rules.site.origin)
        pages = [url for url in start if admit_url(url, rules) is None and not file_hint(url)]
        places = [self._locate_url(url) for url in pages]
        extensions = dict.fromkeys(["", *(suffix for _, suffix in places)])
        self._extensions = frozenset(islice(extensions, min(MAX_EXTENSIONS, limit)))
        directories = dict.fromkeys(["", *(directory for directory, _ in places)])
        self._directories = frozenset(islice(directories, limit // len(self._extensions)))

    def urls(self) -> frozenset[str]:
        """Return all probes."""
        places = product(self._directories, self._extensions)
        return frozenset(self._probe_url(directory, suffix) for directory, suffix in places)

    def of(self, url: str) -> str:
        """Return the probe for a URL of the site: that of its directory, else of the root."""
        directory, suffix = self._locate_url(url)
        directory = directory if directory in self._directories else ""
        suffix = suffix if suffix in self._extensions else ""
        return self._probe_url(directory, suffix)

    def _probe_url(self, directory: str, suffix: str) -> str:
        return f"{self._site.origin}{self._site.directory}{directory}{self._token}{suffix}"

    def _locate_url(self, url: str) -> tuple[str, str]:
        """Return (first directory below the site's own, with its slash; suffix of the path)."""
        path = split(url).path
        name, slash, _ = path.removeprefix(self._site.directory).partition("/")
        suffix = extension(path)
        return name + slash if slash else "", f".{suffix}" if suffix else ""
