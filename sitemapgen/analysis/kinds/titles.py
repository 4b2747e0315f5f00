"""Forms of URLs whose pages share a title: one may be a directory that answers any name.

A made-up name is requested in such a form, and a sample of its pages is compared with the response
(``core/soft404.py``); if one of them is a soft 404, all are compared. Forms whose pages differ in
their titles cost no request.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import unquote
from zlib import crc32

from sitemapgen.analysis.kinds.evidence import WITHOUT_EXCEPTION
from sitemapgen.core.probes import probe_beside
from sitemapgen.core.url_forms import template
from sitemapgen.core.urls import extension, split

SAMPLES = 3
"""Pages that are compared with its response before all others are."""

_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")


class FormKey(NamedTuple):
    """What the pages of a form have in common."""

    template: str
    """First directory and depth."""
    extension: str
    title: tuple[str, ...]
    """Words of the title, without numbers and those of the page's own URL; all of a title that has
    no others, as it is a name."""


class FormPage(NamedTuple):
    """A fetched page."""

    key: int
    url: str
    title: str
    probe: str
    """The made-up URL that a soft 404 answers like; empty for others."""


class Form(NamedTuple):
    """Pages of one form, by URL."""

    key: FormKey
    probe: str
    """A URL of this form that cannot exist."""
    pages: list[FormPage]

    @property
    def has_soft_404(self) -> bool:
        """Whether one of them answers like the probe."""
        return any(page.probe == self.probe for page in self.pages)

    @property
    def listed_pages(self) -> list[FormPage]:
        """Those that are no soft 404s, in the order in which they are samples."""
        some = (page for page in self.pages if not page.probe)
        return sorted(some, key=lambda page: (crc32(page.url.encode()), page.url))


def key_of(url: str, title: str) -> FormKey | None:
    """Return the form of a page; None for a URL with a query, in which a name proves nothing.

    >>> key_of("https://e.example/shop/red-chair.html", "No red chair | Shop").title
    ('no',)
    >>> key_of("https://e.example/wiki/red_chair", "Red chair").title
    ('red', 'chair')
    """
    _, path, query = split(url)
    if query:
        return None
    named = set(_WORD.findall(unquote(url).casefold()))
    words = tuple(_WORD.findall(title.casefold()))
    own = tuple(word for word in words if word not in named and not _DIGIT.search(word))
    return FormKey(template(url), extension(path), own or words)


def crowded_forms(pages: Iterable[FormPage]) -> list[Form]:
    """Return the forms with ``WITHOUT_EXCEPTION`` pages under one title, the largest first."""
    found: dict[FormKey, list[FormPage]] = {}
    for page in pages:
        if key := key_of(page.url, page.title):
            found.setdefault(key, []).append(page)
    forms = [
        Form(key, probe_beside(min(page.url for page in some)), some)
        for key, some in found.items()
        if len(some) >= WITHOUT_EXCEPTION
    ]
    return sorted(forms, key=lambda form: (-len(form.pages), form.key))
