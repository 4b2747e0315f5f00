"""A small online store as Shopify builds it: products under several addresses, lists, a sitemap."""

import json
from collections.abc import Iterable
from urllib.parse import parse_qs

from tests.helpers.platforms import SHOPIFY_SCRIPT, collection, product
from tests.helpers.server import Answer, index, page, text, urlset

PRODUCTS = [f"lamp-{number}" for number in range(1, 61)]
COLLECTIONS = {"table-lamps": PRODUCTS[:24], "floor-lamps": PRODUCTS[16:48]}
"""The last twelve products are in no collection: only sitemap and ``/products.json`` name them."""
ON_PAGE = 16
ROBOTS = """# we use Shopify as our ecommerce platform
User-agent: *
Disallow: /admin
Disallow: /cart
Disallow: /search
Disallow: /collections/*sort_by*
Disallow: /account

Sitemap: {base}/sitemap.xml
"""


def updated(handle: str) -> str:
    """The ``updated_at`` of a product."""
    number = int(handle.removeprefix("lamp-"))
    return f"2026-02-{number % 28 + 1:02}T{number % 24:02}:05:06-05:00"


class StoreFront:
    """The answers of the store at ``base``, a URL without a slash at its end."""

    def __init__(self, base: str) -> None:
        self.base = base

    def __call__(self, path: str) -> Answer | None:
        path, _, query = path.partition("?")
        fields = {name: values[0] for name, values in parse_qs(query).items()}
        number = int(fields.get("page", "1"))
        if path == "/robots.txt":
            return text(ROBOTS.format(base=self.base))
        if path.startswith("/sitemap"):
            return self._sitemap(path)
        if path == "/products.json":
            return _list("products", [product(each, updated(each)) for each in PRODUCTS], number)
        if path == "/collections.json":
            return _list("collections", list(map(collection, COLLECTIONS)), number)
        return self._page(path, number)

    def _page(self, path: str, number: int) -> Answer | None:
        match path.split("/")[1:]:
            case [""]:
                return self._document("Lamps", "/", [])
            case ["pages", "about"]:
                return self._document("About us", path, [])
            case ["collections", name] if name in COLLECTIONS:
                handles = COLLECTIONS[name][ON_PAGE * (number - 1) : ON_PAGE * number]
                links = [f"{path}/products/{handle}" for handle in handles]
                links += [f"{path}?sort_by=price-ascending"]
                if ON_PAGE * number < len(COLLECTIONS[name]):
                    links.append(f"{path}?page={number + 1}")
                own = path if number == 1 else f"{path}?page={number}"
                return self._document(f"{name.title()} {number}", own, links)
            case ["products", handle] | ["collections", _, "products", handle] if (
                handle in PRODUCTS
            ):
                links = [f"/products/{handle}?variant={n}" for n in (1, 2)]
                return self._document(f"The {handle}", f"/products/{handle}", links)
        return None

    def _document(self, title: str, canonical: str, links: Iterable[str]) -> Answer:
        head = (
            f'<link rel="canonical" href="{self.base}{canonical}">'
            '<link rel="preconnect" href="https://cdn.shopify.com">'
            f"<script>{SHOPIFY_SCRIPT}</script>"
        )
        menu = ["/", *(f"/collections/{name}" for name in COLLECTIONS), "/pages/about", "/cart"]
        words = f"{title} gives a light of its own kind, for reading and for rest. " * 10
        return page(*menu, *links, head=head, title=title, text=words)

    def _sitemap(self, path: str) -> Answer | None:
        if path == "/sitemap.xml":
            files = (f"sitemap_{kind}_1.xml" for kind in ("products", "pages", "collections"))
            return index(*files, base=f"{self.base}/")
        named = {
            "/sitemap_products_1.xml": [f"products/{handle}" for handle in PRODUCTS],
            "/sitemap_pages_1.xml": ["pages/about", "pages/old"],
            "/sitemap_collections_1.xml": [f"collections/{name}" for name in COLLECTIONS],
        }
        if path not in named:
            return None
        return urlset(*named[path], base=f"{self.base}/")


def _list(name: str, rows: list[dict[str, object]], number: int) -> Answer:
    body = json.dumps({name: rows if number == 1 else []})
    return Answer(body, headers={"Content-Type": "application/json; charset=utf-8"})
