"""Storage format of sitemap extensions (images, videos, news, hreflang) as compact JSON."""

from __future__ import annotations

import json
from typing import Any

from sitemapgen.items import Extensions, News, Video


def pack(said: Extensions) -> str:
    """Pack extensions as JSON without empty fields."""
    facts = {
        "images": said.images,
        "videos": [_present(video._asdict()) for video in said.videos],
        "news": said.news and said.news._asdict(),
        "alternates": said.alternates,
    }
    return json.dumps(_present(facts), ensure_ascii=False, separators=(",", ":"))


def _present(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value}


def unpack(text: str) -> Extensions:
    facts = json.loads(text)
    return Extensions(
        images=tuple(facts.get("images", ())),
        videos=tuple(Video(**video) for video in facts.get("videos", ())),
        news=News(**facts["news"]) if "news" in facts else None,
        alternates=tuple((code, url) for code, url in facts.get("alternates", ())),
    )
