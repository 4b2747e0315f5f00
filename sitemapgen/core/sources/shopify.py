"""Shopify: products and collections of the online store, as JSON beside its pages.

The shop is recognised by its headers, or by the script ``Shopify.shop`` that every theme has.
Source: https://shopify.dev/docs/api/ajax/reference/product and
https://shopify.dev/docs/api/admin-rest/latest/resources/product, whose rows it has; the lists
themselves (``/products.json``) have no page of documentation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urljoin

from sitemapgen.core.sources.reading import (
    Answer,
    Ask,
    Record,
    Response,
    Unreadable,
    json_of,
    texts,
)
from sitemapgen.core.sources.turning import Turn, zoned

if TYPE_CHECKING:
    from sitemapgen.core.sources.statement import Statement

PRODUCTS, COLLECTIONS = "products", "collections"
LIMIT = 250
"""Maximum of the lists."""
HEADERS = ("x-shopid", "x-sorting-hat-shopid", "x-shopify-stage")

_SHOP = re.compile(r"\bShopify\.shop\s*=\s*[\"']")
_ROOT = re.compile(r"\bShopify\.routes\.root\s*=\s*[\"'](\\?/[^\"']{0,100})[\"']")


class Shopify:
    """Collections, then products, each with the time of its last change."""

    system = "shopify"

    def first(self, statement: Statement) -> Ask | None:
        if not _is_shop(statement):
            return None
        roots = (match[1] for script in statement.scripts if (match := _ROOT.search(script)))
        root = next(roots, "/").replace("\\", "")
        return _ask(urljoin(statement.url, root), PRODUCTS, Turn(1))

    def read(self, ask: Ask, response: Response) -> Answer:
        base, turn = ask.url.partition(f"{ask.part}.json")[0], Turn.of(ask.state)
        try:
            rows = _rows(ask.part, response)
            following = turn.next(handle for handle, _ in rows)
        except Unreadable as error:
            return Answer(error=str(error))
        records = tuple(
            Record(f"{base}{ask.part}/{quote(handle, safe='')}", zoned(row.get("updated_at")))
            for handle, row in rows
        )
        more = []
        if ask.part == PRODUCTS and turn.number == 1:
            more.append(_ask(base, COLLECTIONS, Turn(1)))
        if len(rows) >= LIMIT:
            more.append(_ask(base, ask.part, following))
        return Answer(records, tuple(more))


def _rows(part: str, response: Response) -> list[tuple[str, dict[str, Any]]]:
    """Return the handles and the rows of a list. Raises Unreadable."""
    listed = json_of(response, dict).get(part)
    if not isinstance(listed, list):
        raise Unreadable("the answer has another form than documented")
    return texts(listed, "handle")


def _is_shop(statement: Statement) -> bool:
    headers = statement.headers
    return (
        any(name in headers for name in HEADERS)
        or headers.get("powered-by", "").lower() == "shopify"
        or any(_SHOP.search(script) for script in statement.scripts)
    )


def _ask(base: str, part: str, turn: Turn) -> Ask:
    return Ask(f"{base}{part}.json?limit={LIMIT}&page={turn.number}", part, turn.state())
