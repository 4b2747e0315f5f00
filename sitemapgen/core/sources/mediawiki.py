"""MediaWiki: the query module of its action API.

Source: https://www.mediawiki.org/wiki/API:Siteinfo, API:Allpages, API:Info, API:Revisions and
API:Continue. The API is named by the EditURI link, of Really Simple Discovery.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from sitemapgen.core.sources.reading import (
    MAX_ROWS,
    Answer,
    Ask,
    Reader,
    Response,
    SourceRecord,
    Statement,
    Unreadable,
    json_member,
    json_of,
    rows_with_text,
    zoned_time,
)

REL = "edituri"
GENERATOR = "MediaWiki"
LIMIT = 500
"""Maximum of the API for everybody."""
NO_PAGES = frozenset({8, 9, 10, 11, 828, 829})
"""Namespaces of messages, templates and modules, and their talk: parts of pages."""
COMMON = {"action": "query", "format": "json", "formatversion": "2"}
SITE = {**COMMON, "meta": "siteinfo", "siprop": "general|namespaces"}
PAGES = {
    **COMMON,
    **{"generator": "allpages", "gapfilterredir": "nonredirects", "gaplimit": str(LIMIT)},
    **{"prop": "info|revisions", "inprop": "url", "rvprop": "timestamp"},
}
"""Parameters of a request for the pages of a namespace, besides its number."""


class MediaWiki(Reader):
    """Namespaces, then the pages of each one with the time of the last revision.

    Pages of namespaces without content (talk, users, files) have their dates from it, and add no
    URLs.
    """

    system = "mediawiki"
    is_whole = True

    def first(self, statement: Statement) -> Ask | None:
        link = statement.link(REL)
        if not (link and statement.is_made_by(GENERATOR)):
            return None
        api = urlunsplit(urlsplit(link)._replace(query="", fragment=""))
        return Ask(f"{api}?{urlencode(SITE)}", "")

    def answer(self, ask: Ask, response: Response) -> Answer:
        value = json_of(response)
        if isinstance(error := value.get("error"), dict):
            raise Unreadable(f"the API refuses: {str(error.get('code'))[:80]}")
        return self._read_pages(ask, value) if ask.part else self._read_namespaces(ask, value)

    def _read_namespaces(self, ask: Ask, value: dict[str, Any]) -> Answer:
        known = json_member(json_member(value, "query"), "namespaces").values()
        spaces = islice(known, MAX_ROWS)
        found = []
        for space in sorted(
            (each for each in spaces if isinstance(each, dict) and type(each.get("id")) is int),
            key=lambda each: (not each.get("content"), each["id"]),
        ):
            if space["id"] < 0 or space["id"] in NO_PAGES:
                continue
            query = {**PAGES, "gapnamespace": str(space["id"])}
            name = str(space.get("name") or "articles")
            state = json.dumps({"query": query, "is_page": bool(space.get("content"))})
            found.append(Ask(_query_url(ask.url, query), name, state))
        return Answer(more=tuple(found))

    def _read_pages(self, ask: Ask, value: dict[str, Any]) -> Answer:
        state = json.loads(ask.state)
        query, is_page = state["query"], state["is_page"]
        rows = json_member(value, "query").get("pages") if "query" in value else []
        records = tuple(
            SourceRecord(url, _revision_time(row), is_page)
            for url, row in rows_with_text(rows, "fullurl")
        )
        further = value.get("continue")
        if not isinstance(further, dict):
            return Answer(records)
        try:
            more = {name: str(value) for name, value in islice(further.items(), MAX_ROWS)}
            url = _query_url(ask.url, {**query, **more})
        except ValueError:  # half a surrogate pair
            url = ""
        return Answer(records, (Ask(url, ask.part, ask.state),))


def _query_url(api: str, query: dict[str, str]) -> str:
    return urlunsplit(urlsplit(api)._replace(query=urlencode(query)))


def _revision_time(row: dict[str, Any]) -> str:
    """Return the time of the last revision, which has a zone."""
    return zoned_time(
        next((said for said, _ in rows_with_text(row.get("revisions"), "timestamp")), "")
    )
