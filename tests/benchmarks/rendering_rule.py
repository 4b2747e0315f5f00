"""What the rendering rule finds, and renders for nothing, on real builds with ground truth.

Crawls each site of ``../shared/corpus`` in shuffled orders: the documents as its server sends
them, rendered ones as the manifest says that a browser sees them. A render is wasted when the
manifest says that its page needs no browser.
"""

from __future__ import annotations

import random
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from sitemapgen.core.document import html
from sitemapgen.core.rendering.detect import Raw, outline_document, read_raw
from sitemapgen.core.rendering.learn import Gain, decide_rendering
from sitemapgen.core.urls import key
from sitemapgen.frontier.phases import recall_unrendered
from sitemapgen.items import Judgement, Link, Page
from sitemapgen.store import Store
from sitemapgen.store.frontier import Lease, Limits
from sitemapgen.verdicts import Verdict
from tests.benchmarks.corpus import manifest, normal, serve

CONTENT_TYPE = "text/html; charset=utf-8"
LISTED = Judgement(Verdict.LISTED, "")
WORDS_MISSING = 0.6
"""The manifest's label: a page needs a browser when its raw document has fewer of its words."""


@dataclass
class Outcome:
    """What one crawl of one site came to."""

    found: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    forbidden: set[str] = field(default_factory=set)
    renders: int = 0
    wasted: list[str] = field(default_factory=list)
    unrendered: set[str] = field(default_factory=set)
    """Pages that need a browser and got none."""

    def count(self, path: str, reason: str, served: Served) -> None:
        self.renders += 1
        if not served.needs_browser(path):
            self.wasted.append(f"{path} ({reason})")


class Served:
    """One site of the corpus, its documents read over HTTP and kept."""

    def __init__(self, site: dict[str, Any], base: str) -> None:
        self.site = site
        self.routes = {route["path"]: route for route in site["routes"]}
        self.base = base
        self.shell = self.document("/no-such-page")

    @cache  # noqa: B019 - lives as long as the site
    def document(self, path: str) -> tuple[int, bytes]:
        try:
            with urllib.request.urlopen(self.base + path, timeout=10) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    @cache  # noqa: B019
    def raw(self, path: str) -> Raw:
        return read_raw(self.document(path)[1], CONTENT_TYPE)

    def static_links(self, path: str) -> list[str]:
        document = html.parse_document(self.document(path)[1], CONTENT_TYPE)
        base = urljoin(self.base + path, document.base)
        links = (normal(urljoin(base, anchor.href), self.base) for anchor in document.anchors)
        return [link for link in links if link]

    def needs_browser(self, path: str) -> bool:
        route = self.routes.get(path)
        return route is not None and route["needs_browser"]

    def rendered_links(self, path: str) -> list[str]:
        route = self.routes.get(path)
        return list(route["missing_in_raw"]) if route else []

    def gain(self, path: str) -> Gain:
        """What the manifest says that a browser adds."""
        route = self.routes.get(path)
        if route is None:
            return Gain()
        lacks_words = route["raw_text_coverage"] < WORDS_MISSING
        return Gain(links=len(route["missing_in_raw"]), words=int(lacks_words))


def sites() -> Iterator[Served]:
    """Serve the sites of the corpus, one after the other."""
    for site in manifest():
        with serve(site, is_slow=False) as base:
            yield Served(site, base)


def crawl(served: Served, order: random.Random, state: Path) -> Outcome:
    """Crawl a site in a random order, into a store of its own."""
    outcome = Outcome()
    host = f"https://{order.random()}.example"  # whose keys choose the samples
    status, body = served.shell
    shell = outline_document(read_raw(body, CONTENT_TYPE), f"{host}/") if status == 200 else None
    skipped: set[str] = set()
    with closing(Store(state, Limits(), fresh=True)) as store:
        store.begin_run({}, 0.0)
        store.frontier.seed(_link(host, "/"), 0.0)
        hand: list[Lease] = []
        while True:
            hand += store.frontier.lease(1_000)
            if not hand:
                if not recall_unrendered(store):
                    break
                continue
            lease = hand.pop(order.randrange(len(hand)))
            path = lease.url.removeprefix(host)
            links: list[str] = []
            if served.document(path)[0] == 200:
                outcome.found.add(path)
                raw = served.raw(path)
                outline = outline_document(raw, lease.url)
                name = outline.signature
                record = store.rendering.record_of(name, lease.key)
                verdict = outline.against(shell) if shell else outline.verdict
                decision = decide_rendering(verdict, record)
                links = list(served.static_links(path))
                if decision.render:
                    brought = served.gain(path)
                    links += served.rendered_links(path)
                    outcome.count(path, decision.reason, served)
                    skipped.discard(path)
                    if decision.is_counted:
                        store.rendering.count_rendered(name, lease.key, brought)
                else:
                    skipped.add(path)
                    if decision.is_counted:
                        store.rendering.count_skipped(name, lease.key)
            targets = tuple(_link(host, link) for link in dict.fromkeys(links))
            store.record_page(
                Page(url=lease.url, key=lease.key, judgement=LISTED, status=200, links=targets), 0.0
            )
    outcome.missing = set(served.site["expected_urls"]) - outcome.found
    outcome.forbidden = set(served.site["forbidden_urls"]) & outcome.found
    outcome.unrendered = {path for path in skipped if served.needs_browser(path)}
    return outcome


def _link(host: str, path: str) -> Link:
    return Link(url=host + path, key=key(host + path))
