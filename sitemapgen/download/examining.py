"""Examination of documents: what the decisions about rendering and soft 404s need of a response.

Its results are plain values, so that a worker of a cluster can examine for the coordinator
(``cluster/``). The decisions: ``middlewares/rendering.py`` and ``download/probing.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any, NamedTuple

from scrapy.http import HtmlResponse, Response

from sitemapgen.core import soft404
from sitemapgen.core.document import html
from sitemapgen.core.document.markup import Source, read_source
from sitemapgen.core.document.pages import SCRIPT, UNCHANGED, Sent
from sitemapgen.core.eligibility import HTML, robots_directives
from sitemapgen.core.headers import content_type_of, media_type_of
from sitemapgen.core.rendering.detect import Outline, Policy, outline_document, read_raw
from sitemapgen.core.rendering.learn import (
    WHOLE,
    ComparedReading,
    Gain,
    added_links,
    compare_readings,
    decorated_links,
    is_empty,
    removed_links,
)
from sitemapgen.core.soft404 import read_document
from sitemapgen.core.urls import Resolver, Site, base_of
from sitemapgen.download.responses import utc_now
from sitemapgen.items import Page

_WORD = re.compile(r"[^\W_]+")


class Comparison(NamedTuple):
    """A rendered document, compared with the raw one."""

    gain: Gain
    is_empty: bool
    """Whether the rendered page has no links and hardly any text."""
    added: frozenset[str] = frozenset()
    """URLs of the site to which scripts added links."""
    sent: Sent = UNCHANGED
    """What counts of the document before rendering."""


class ResponseFindings(NamedTuple):
    """What a worker has found in a response."""

    page: Page
    outline: Outline | None = None
    """None for a response that is not to be rendered, and for a rendered one."""
    words: soft404.Reading | None = None
    """The document as it is compared with probes; None for pages that are no suspects."""
    comparison: Comparison | None = None
    """None for a document that was not rendered."""
    before: bytes = b""
    """The raw document, for the worker that renders the page; empty if there is no outline."""


class ReadResponse(Response):
    """Response that a worker has read; in place of its body it has the findings."""

    attributes = (*Response.attributes, "findings")

    def __init__(self, *args: Any, findings: ResponseFindings, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.findings = findings


class Examiner:
    """Examines the documents of one crawl."""

    def __init__(
        self,
        policy: Policy,
        sources: MutableMapping[Response, Source],
        *,
        is_always: bool,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """``sources`` keeps decoded bodies for the component that reads the page.

        ``is_always``: documents without scripts are rendered, too.
        """
        self.policy = policy
        self.sources = sources
        self.is_always = is_always
        self.now = now

    def outline(
        self, response: Response, journal: AbstractContextManager[None] | None = None
    ) -> Outline | None:
        """Return the features of a raw document; None if it is complete in any case.

        ``journal`` is entered for the time of reading.
        """
        if response.status != 200 or not is_html(response):
            return None
        if not (self.is_always or SCRIPT.search(response.body)):
            return None
        robots = [value.decode("latin-1") for value in response.headers.getlist("X-Robots-Tag")]
        if robots and robots_directives((), robots, self.now()).noindex:
            return None
        with journal or nullcontext():
            return self.shell(response)

    def shell(self, response: Response) -> Outline:
        """Return the features of the document of a path that cannot exist."""
        source = self._decoded_source(response)
        raw = read_raw(response.body, policy=self.policy, source=source)
        return outline_document(raw, response.url, self.policy)

    def read_parts(self, response: Response, site: Site) -> ComparedReading:
        """Read the parts of a document by which the raw and the rendered one are compared."""
        document = html.parse_document(
            response.body,
            source=self._decoded_source(response),
            options=html.ReadOptions(labels=True),
        )
        base = base_of(response.url, document.base)
        place = Resolver(site, response.url, base, document.encoding)
        anchors = ((place.link(each.href).url, each.nofollow) for each in document.anchors)
        urls = {(url, nofollow) for url, nofollow in anchors if url and site.owns(url)}
        links = frozenset(url for url, _ in urls)
        directives = robots_directives(document.robots, (), self.now())
        followed = () if directives.nofollow else (url for url, nofollow in urls if not nofollow)
        canonicals = set(map(place.target, document.canonicals))
        return ComparedReading(
            links=links,
            nofollow=links.difference(followed),
            words=_words(document.excerpt),
            label_words=_words(" ".join(text for _, _, text in document.labels)),
            title=document.title,
            robots=",".join(content for _, content in document.robots),
            noindex=directives.noindex,
            canonical=" ".join(sorted(filter(None, canonicals))),
            length=document.text_length,
        )

    def compare_readings(
        self, before: ComparedReading, after: ComparedReading, url: str, reason: str
    ) -> Comparison:
        """Compare the readings of a raw and a rendered document; ``reason``: of the rendering."""
        sent = Sent(decorated=decorated_links(before, after))
        if reason != "challenge":  # the metadata of a challenge is not that of the page behind it
            sent = sent._replace(
                canonicals=(*before.canonical.split(),),
                noindex=before.noindex,
                removed=removed_links(before, after),
            )
        minimum = self.policy.minimal_content_length
        return Comparison(
            compare_readings(before, after, is_whole=reason in WHOLE),
            is_empty(after, url, minimum),
            added_links(before, after),
            sent,
        )

    def _decoded_source(self, response: Response) -> Source:
        """Return the decoded document; it is kept for the component that reads it next."""
        source = self.sources.get(response)
        if source is None:
            source = read_source(response.body, content_type(response))
            self.sources[response] = source
        return source


def with_body_of(static: Response, rendered: Response) -> Response:
    """Return the rendered document with status and headers of the raw response."""
    headers = static.headers.copy()
    headers["Content-Type"] = rendered.headers["Content-Type"]
    return HtmlResponse(
        static.url,
        status=static.status,
        headers=headers,
        body=rendered.body,
        flags=[*static.flags, *rendered.flags],
        request=static.request,
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def read_words(response: Response) -> soft404.Reading:
    """Read a document as it is compared with probes."""
    if isinstance(response, ReadResponse):
        assert response.findings.words is not None
        return response.findings.words
    return read_document(response.body, content_type(response))


def content_type(response: Response) -> str:
    """Return what the Content-Type headers state; empty without one."""
    return content_type_of(
        value.decode("latin-1") for value in response.headers.getlist("Content-Type")
    )


def is_html(response: Response) -> bool:
    """Return whether a response is an HTML document."""
    media_type = media_type_of(content_type(response))
    return media_type in HTML or ("/" not in media_type and isinstance(response, HtmlResponse))
