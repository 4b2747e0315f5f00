"""Drupal: the nodes that the module JSON:API shows to everybody.

Source: https://www.drupal.org/docs/core-modules-and-themes/core-modules/jsonapi-module (API
overview, sparse fieldsets, pagination). The module is part of Drupal from version 8.7 on, and not
always on. The site is recognised by its generator; directory and language are those of the settings
in its pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from sitemapgen.core.sources.reading import (
    MAX_ROWS,
    Answer,
    Ask,
    Reader,
    Response,
    SourceRecord,
    Statement,
    json_member,
    json_of,
    make_records,
    rows_with_text,
    zoned_time,
)
from sitemapgen.core.urls import parse

ENTRY = "jsonapi"
NODES = "node--"
"""Beginning of the names of the types of content; other resources are parts of pages."""
LIMIT = 50
"""Maximum of the API."""
ID = "drupal_internal__nid"

_GENERATOR = re.compile(r"Drupal\b(?! [1-7]\b)", re.IGNORECASE)
"""The generator; versions before 8 have no JSON:API."""
_BASE = re.compile(r'"baseUrl":("[^"]{1,100}")')
_PREFIX = re.compile(r'"pathPrefix":("[^"]{0,100}")')


class Drupal(Reader):
    """Types of content, then the nodes of each one with the time of the last change."""

    system = "drupal"
    is_whole = True

    def first(self, statement: Statement) -> Ask | None:
        named = (*statement.generators, statement.headers.get("x-generator", ""))
        if not any(_GENERATOR.match(each) for each in named):
            return None
        path = f"{_read_setting(_BASE, statement) or '/'}{_read_setting(_PREFIX, statement)}"
        base = parse(path, statement.url)
        return Ask(f"{base}{ENTRY}", "", base) if base else None

    def answer(self, ask: Ask, response: Response) -> Answer:
        value = json_of(response)
        if not ask.part:
            return Answer(more=tuple(_type_requests(ask, value)))
        rows = rows_with_text(value.get("data"), "id")
        found = make_records(rows, lambda row: _node_record(ask.state, row[1].get("attributes")))
        further = _link_href(value.get("links"), "next", ask.url)
        if not further:  # a page without rows may have a next one: hidden nodes are left out last
            return Answer(found)
        return Answer(found, (Ask(further, ask.part, ask.state),))


def _read_setting(pattern: re.Pattern[str], statement: Statement) -> str:
    """Return a text of the settings; empty without them."""
    found = (match[1] for script in statement.scripts if (match := pattern.search(script)))
    try:
        value = json.loads(next(found, '""'))
    except ValueError:
        return ""
    return str(value)


def _type_requests(ask: Ask, value: dict[str, Any]) -> Iterator[Ask]:
    """Yield the first request for the nodes of each type."""
    links = json_member(value, "links")
    for name in sorted(islice(links, MAX_ROWS)):
        href = _link_href(links, name, ask.url)
        if name.startswith(NODES) and href:
            fields = {f"fields[{name}]": f"{ID},changed,path"}
            query = {**fields, "sort": ID, "page[limit]": str(LIMIT)}
            try:
                url = f"{href.partition('?')[0]}?{urlencode(query, safe=',')}"
            except ValueError:  # half a surrogate pair
                url = ""
            yield Ask(url, name.removeprefix(NODES), ask.state)


def _link_href(links: Any, name: str, base: str) -> str:
    """Return a link; that of the site itself with the scheme by which the site is crawled.

    Behind a proxy that ends TLS, a site without its settings for it links to itself with http.
    """
    link = links.get(name) if isinstance(links, dict) else None
    href = link.get("href") if isinstance(link, dict) else link
    if not isinstance(href, str) or not href:
        return ""
    try:
        parts, own = urlsplit(urljoin(base, href)), urlsplit(base)
    except ValueError:
        return href
    return parts._replace(scheme=own.scheme).geturl() if parts.netloc == own.netloc else href


def _node_record(base: str, attributes: Any) -> SourceRecord | None:
    if not isinstance(attributes, dict):
        return None
    path = attributes.get("path")
    alias = path.get("alias") if isinstance(path, dict) else None
    number = attributes.get(ID)
    if isinstance(alias, str) and alias.strip("/"):
        url = alias.lstrip("/")
    elif type(number) is int:
        url = f"node/{number}"
    else:
        return None
    return SourceRecord(f"{base}{url}", zoned_time(attributes.get("changed")))
