"""Shopify: products and collections of the online store, as JSON beside its pages.

The shop is recognised by its headers, or by the script ``Shopify.shop`` that every theme has.
Source: https://shopify.dev/docs/api/ajax/reference/product and
https://shopify.dev/docs/api/admin-rest/latest/resources/product, whose rows it has; the lists
themselves (``/products.json``) have no page of documentation.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any
from urllib.parse import quote

from sitemapgen.core.sources.reading import (
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

PRODUCTS, COLLECTIONS = "products", "collections"
LIMIT = 250
"""Maximum of the lists."""
MOST_PAGES = 100
"""Maximum of the pages of a list that are read."""
HEADERS = ("x-shopid", "x-sorting-hat-shopid", "x-shopify-stage")

_SHOP = re.compile(r"\bShopify\.shop\s*=\s*[\"']")
_ROOT = re.compile(r"\bShopify\.routes\.root\s*=\s*[\"'](\\?/[^\"']{0,100})[\"']")


class Shopify(Reader):
    """Collections, then products, each with the time of its last change.

    Pages and articles of the shop are not among them.
    """

    system = "shopify"

    def first(self, statement: Statement) -> Ask | None:
        if not _is_shop(statement):
            return None
        roots = (match[1] for script in statement.scripts if (match := _ROOT.search(script)))
        root = next(roots, "/").replace("\\", "")
        base = parse(root, statement.url)
        return _page_request(base, PRODUCTS, 1) if base else None

    def answer(self, ask: Ask, response: Response) -> Answer:
        rows = rows_with_text(json_member(json_of(response), ask.part, list), "handle")
        base, number = ask.url.partition(f"{ask.part}.json")[0], int(ask.state)
        found = make_records(rows, partial(_record_of_row, f"{base}{ask.part}/"))
        more = []
        if ask.part == PRODUCTS and number == 1:
            more.append(_page_request(base, COLLECTIONS, 1))
        if len(rows) >= LIMIT and number == MOST_PAGES:
            return Answer(found, error=f"only the first {LIMIT * MOST_PAGES:,} rows are read")
        if len(rows) >= LIMIT:
            more.append(_page_request(base, ask.part, number + 1))
        return Answer(found, tuple(more))


def _record_of_row(directory: str, row: tuple[str, dict[str, Any]]) -> SourceRecord:
    handle, values = row
    return SourceRecord(
        f"{directory}{quote(handle, safe='')}", zoned_time(values.get("updated_at"))
    )


def _is_shop(statement: Statement) -> bool:
    headers = statement.headers
    return (
        any(name in headers for name in HEADERS)
        or headers.get("powered-by", "").lower() == "shopify"
        or any(_SHOP.search(script) for script in statement.scripts)
    )


def _page_request(base: str, part: str, number: int) -> Ask:
    return Ask(f"{base}{part}.json?limit={LIMIT}&page={number}", part, str(number))
