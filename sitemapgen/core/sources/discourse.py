"""Discourse: the list of the latest topics.

Source: https://docs.discourse.org/#tag/Topics/operation/listLatestTopics. The forum is recognised
by its generator; its directory is that of the search description that its pages name.
"""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import quote, urljoin

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
    zoned_time,
)

GENERATOR = "Discourse"
PART = "topics"
LIST = "latest.json"
SEARCH = "/opensearch.xml"
PER_PAGE = 100
"""Maximum of the API; older versions answer 30."""
MOST_PAGES = 100
"""Maximum of the pages that are read; older topics are left to links and sitemaps."""
POSTS = 20
"""Posts on a page of a topic (``TopicView.chunk_size``): what is added to a longer topic is on
another page than its first."""


class Discourse(Reader):
    """Topics, the latest first, each with the time of its last post.

    That is the change of the first page only of a topic that has no second one.
    """

    system = "discourse"

    def first(self, statement: Statement) -> Ask | None:
        if not statement.is_made_by(GENERATOR):
            return None
        search = statement.link("search").partition("?")[0]
        base = search.removesuffix(SEARCH) if search.endswith(SEARCH) else ""
        return _page_request(f"{base}/" if base else urljoin(statement.url, "/"), 0)

    def answer(self, ask: Ask, response: Response) -> Answer:
        found = json_member(json_of(response), "topic_list")
        rows = json_member(found, "topics", list)
        base, number = ask.url.partition(LIST)[0], int(ask.state) + 1
        topics = (row for row in rows if isinstance(row, dict) and type(row.get("id")) is int)
        pages = make_records(topics, partial(_record_of_topic, base))
        if not (pages and found.get("more_topics_url")):
            return Answer(pages)
        if number == MOST_PAGES:
            return Answer(pages, error=f"only the latest {MOST_PAGES:,} pages of topics are read")
        return Answer(pages, (_page_request(base, number),))


def _page_request(base: str, number: int) -> Ask:
    return Ask(f"{base}{LIST}?per_page={PER_PAGE}&page={number}", PART, str(number))


def _record_of_topic(base: str, row: dict[str, Any]) -> SourceRecord:
    slug, posts = row.get("slug"), row.get("highest_post_number")
    words = f"{quote(slug, safe='')}/" if isinstance(slug, str) and slug else ""
    is_short = type(posts) is int and posts <= POSTS
    changed = zoned_time(row.get("last_posted_at")) if is_short else ""
    return SourceRecord(f"{base}t/{words}{row['id']}", changed)
