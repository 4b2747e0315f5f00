"""What a start page states about the system behind it: links, names and headers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sitemapgen.core.document.markup import read_source
from sitemapgen.core.headers import content_type_of, read_links
from sitemapgen.core.urls import base_of, parse

MAX_LINKS = 200
"""Links of the head that are read."""
MAX_METAS = 200
"""Elements ``<meta>`` that are read."""
MAX_SCRIPTS = 20
"""Addresses and beginnings of scripts that are read."""
_SCRIPT = 2_000


class HeadLink(NamedTuple):
    """A <link> of the head, or a link of the ``Link`` headers."""

    rel: frozenset[str]
    """Lower-case words of its rel."""
    href: str
    """Absolute URL."""
    type: str
    """Lower-case media type; empty without one."""


class Statement(NamedTuple):
    """The start page, as far as it names its system."""

    url: str
    links: tuple[HeadLink, ...] = ()
    """Those of the document, then those of its ``Link`` headers."""
    generators: tuple[str, ...] = ()
    """Contents of <meta name="generator">, unmodified."""
    headers: Mapping[str, str] = {}
    """The values of each header, joined by commas, by lower-case name."""
    scripts: tuple[str, ...] = ()
    """Addresses of the first scripts, and the beginnings of those within the page."""

    def link(self, rel: str) -> str:
        """Return the href of the first link with a rel; empty without one."""
        return next((link.href for link in self.links if rel in link.rel), "")

    def is_made_by(self, name: str) -> bool:
        """Return whether a generator begins with a name, in any case."""
        return any(each.lower().startswith(name.lower()) for each in self.generators)


def read_statement(url: str, headers: Mapping[str, str], body: bytes) -> Statement:
    """Read a start page; ``headers``: the values of each, joined by commas, by lower-case name."""
    tree = read_source(body, content_type_of([headers.get("content-type", "")])).parse().tree
    named = tree.css_first("base[href]")
    base = base_of(url, (named.attributes.get("href") or "") if named else "")
    links = []
    for node in tree.css("link[rel][href]")[:MAX_LINKS]:
        values = {name: value or "" for name, value in node.attributes.items()}
        href = parse(values["href"], base)
        if href:
            links.append(
                HeadLink(
                    frozenset(values["rel"].lower().split()),
                    href,
                    values.get("type", "").strip().lower(),
                )
            )
    for found in read_links([headers.get("link", "")]):
        if href := parse(found.href, url):
            links.append(HeadLink(found.rel, href, ""))
    generators = [
        node.attributes.get("content") or ""
        for node in tree.css("meta[name][content]")[:MAX_METAS]
        if (node.attributes.get("name") or "").lower() == "generator"
    ]
    scripts = [
        node.attributes.get("src") or (node.text() or "")[:_SCRIPT]
        for node in tree.css("script")[:MAX_SCRIPTS]
    ]
    return Statement(url, tuple(links), tuple(generators), headers, tuple(scripts))
