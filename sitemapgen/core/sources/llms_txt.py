"""llms.txt where the start page names it: links to the pages of a site, without dates.

Source: https://llmstxt.org. It is named by ``<link rel="llms-txt">``, by a link of any kind to a
file of this name, or by the headers ``Link`` and ``X-Llms-Txt``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from urllib.parse import urljoin, urlsplit

from sitemapgen.core.sources.reading import (
    Answer,
    Ask,
    Reader,
    Response,
    SourceRecord,
    Statement,
    Unreadable,
)

REL = "llms-txt"
HEADER = "x-llms-txt"
NAME = "/llms.txt"
PART = "links"
MOST = 10_000
"""Maximum of the links that are read."""
TEXTS = (".md", ".mdx", ".txt")
"""Ends of paths that are texts for language models beside the pages, and no pages."""

_LINK = re.compile(r"\]\(\s*<?([^()<>\s]{1,2048}(?:\([^()<>\s]{0,200}\)[^()<>\s]{0,200}){0,9})")


class LlmsTxt(Reader):
    """The links of the file, in the order in which they stand there."""

    system = "llms.txt"

    def first(self, statement: Statement) -> Ask | None:
        try:
            url = next(_named_urls(statement), "")
        except ValueError:
            return None
        return Ask(url, PART) if url else None

    def answer(self, ask: Ask, response: Response) -> Answer:
        text = response.body.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
        if text.startswith("<"):
            raise Unreadable("the answer is HTML")
        found = [match[1] for match in islice(_LINK.finditer(text), MOST + 1)]
        urls = dict.fromkeys(_page_urls(dict.fromkeys(found[:MOST]), ask.url))
        if not urls:
            raise Unreadable("the answer has no links")
        error = f"only the first {MOST:,} links are read" if len(found) > MOST else ""
        return Answer(tuple(map(SourceRecord, urls)), error=error)


def _named_urls(statement: Statement) -> Iterator[str]:
    """Yield the URLs that name the file. Raises ValueError for one that is malformed."""
    for link in statement.links:
        if REL in link.rel or urlsplit(link.href).path.endswith(NAME):
            yield link.href
    if href := statement.headers.get(HEADER, "").strip():
        yield urljoin(statement.url, href)


def _page_urls(hrefs: Iterable[str], base: str) -> Iterator[str]:
    """Yield the targets of links, absolute and without fragment, that may be pages."""
    for href in hrefs:
        try:
            url = urljoin(base, href.partition("#")[0])
            is_page = not urlsplit(url).path.lower().endswith(TEXTS)
        except ValueError:
            continue
        if is_page and url.startswith(("http://", "https://")):
            yield url
