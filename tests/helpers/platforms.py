"""Answers of systems, in the shapes that their public documents show or their demo sites send.

Each was cut down to a few rows; what a reader ignores stays in, as far as it could mislead one.
"""

import json
from typing import Any

SHOPIFY_SCRIPT = (
    'var Shopify = Shopify || {};\nShopify.shop = "lamps.myshopify.com";\n'
    'Shopify.locale = "en";\nShopify.currency = {"active":"EUR","rate":"1.0"};\n'
    'Shopify.routes = Shopify.routes || {};\nShopify.routes.root = "/";'
)
"""The script that ``content_for_header`` puts into every page of an online store."""


def product(handle: str, updated: str = "2026-02-03T04:05:06-05:00") -> dict[str, Any]:
    """A row of ``/products.json``."""
    return {
        "id": 632910392,
        "title": handle.title(),
        "handle": handle,
        "body_html": "<p>It's <b>bright</b>.</p>",
        "published_at": "2025-12-31T19:00:00-05:00",
        "created_at": "2025-12-30T19:00:00-05:00",
        "updated_at": updated,
        "vendor": "Lamps",
        "product_type": "Lamp",
        "tags": ["new"],
        "variants": [{"id": 808950810, "title": "Red", "price": "199.00", "available": True}],
        "images": [{"id": 850703190, "src": "https://cdn.shopify.com/s/files/1/lamp.png"}],
        "options": [{"name": "Color", "position": 1, "values": ["Red"]}],
    }


def collection(handle: str, updated: str = "2026-01-02T03:04:05-05:00") -> dict[str, Any]:
    """A row of ``/collections.json``."""
    return {
        "id": 841564295,
        "title": handle.title(),
        "handle": handle,
        "description": "",
        "published_at": "2025-12-31T19:00:00-05:00",
        "updated_at": updated,
        "image": None,
        "products_count": 1,
    }


def topic(number: int, slug: str, posts: int = 3) -> dict[str, Any]:
    """A row of ``/latest.json`` of Discourse."""
    return {
        "id": number,
        "title": slug.replace("-", " "),
        "fancy_title": slug.replace("-", " "),
        "slug": slug,
        "posts_count": posts,
        "reply_count": posts - 1,
        "highest_post_number": posts,
        "image_url": None,
        "created_at": "2026-01-01T08:00:00.000Z",
        "last_posted_at": "2026-03-01T08:00:00.000Z",
        "bumped": True,
        "bumped_at": "2026-03-04T08:00:00.000Z",
        "archetype": "regular",
        "pinned": False,
        "visible": True,
        "closed": False,
        "category_id": 4,
        "posters": [{"extras": "latest single", "user_id": 1}],
    }


def latest(topics: list[dict[str, Any]], more: str = "") -> bytes:
    """``/latest.json`` of Discourse; ``more``: the address of the next page."""
    listed = {"can_create_topic": False, "per_page": 30, "topics": topics}
    if more:
        listed["more_topics_url"] = more
    return json.dumps({"users": [], "primary_groups": [], "topic_list": listed}).encode()


def drupal_entry(base: str) -> dict[str, Any]:
    """``/jsonapi`` of a Drupal at a base URL with a slash at its end."""
    names = ("block--block", "menu--menu", "node--article", "node--page", "user--user")
    links = {name: {"href": f"{base}jsonapi/{name.replace('--', '/')}"} for name in names}
    return {
        "jsonapi": {"version": "1.0", "meta": {"links": {"self": {"href": "http://jsonapi.org"}}}},
        "data": [],
        "links": {"self": {"href": f"{base}jsonapi"}, **links},
    }


def node(number: int, alias: str | None) -> dict[str, Any]:
    """A node of Drupal's JSON:API, with the fields that were asked for."""
    return {
        "type": "node--article",
        "id": f"5f1ad6c4-0000-0000-0000-{number:012}",
        "links": {"self": {"href": "https://example.com/jsonapi/node/article/5f1ad6c4"}},
        "attributes": {
            "drupal_internal__nid": number,
            "changed": f"2026-01-{number:02}T10:00:00+00:00",
            "path": {"alias": alias, "pid": number, "langcode": "en"},
        },
    }


def drupal_settings(base: str = "/", prefix: str = "") -> str:
    """The beginning of the settings in a page of Drupal."""
    path = {"baseUrl": base, "pathPrefix": prefix, "currentPath": "node", "isFront": True}
    settings = {"path": path, "pluralDelimiter": "\x03"}
    return json.dumps(settings, separators=(",", ":")).replace("/", "\\/")


ATOM = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>News</title><updated>2026-03-02T00:00:00Z</updated>
<entry><title>A</title><id>1</id><link rel="alternate" href="{base}/a"/>
<published>2026-01-01T00:00:00Z</published><updated>2026-03-01T12:00:00+01:00</updated></entry>
<entry><title>B</title><id>2</id><link href="{base}/a#b"/>
<updated>2026-03-02T12:00:00Z</updated></entry>
<entry><title>C</title><id>3</id><link href="/c"/><updated>2026-03-02T12:00:00</updated></entry>
</feed>"""
"""An Atom feed with a page, a later entry that is a part of this page, and one without a zone."""

RSS = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>News</title><link>{base}/</link>
<item><title>A</title><link>{base}/a</link><pubDate>Thu, 01 Jan 2026 00:00:00 GMT</pubDate></item>
<item><title>B</title><link>{base}/b</link><pubDate>01 Jan 2026 00:00</pubDate></item>
</channel></rss>"""

LLMS = """# Lamps

> All about [lamps](/summary).

## Docs

- [Guide](/guide): how [lamps]({base}/lamps_(light)#top) are lit
- [Guide, as text](/guide.md)
- [Elsewhere](https://other.example/x)
- [Mail](mailto:a@example.com)
- [Guide again]({base}/guide)
- [Broken](http://[)
"""
