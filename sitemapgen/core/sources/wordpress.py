"""WordPress: the public part of its REST API.

Source: https://developer.wordpress.org/rest-api/reference/ (types, posts, pagination) and
https://developer.wordpress.org/rest-api/using-the-rest-api/discovery/.
"""

from __future__ import annotations

from itertools import islice
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from sitemapgen.core.sources.reading import (
    MAX_ROWS,
    Answer,
    Ask,
    Reader,
    Response,
    SourceRecord,
    Statement,
    json_of,
    rows_with_text,
    zoned_time,
)

REL = "https://api.w.org/"
PER_PAGE = 100
"""Maximum of the API."""
NO_PAGES = frozenset(
    {
        *("nav_menu_item", "wp_block", "wp_font_face", "wp_font_family", "wp_global_styles"),
        *("wp_navigation", "wp_template", "wp_template_part"),
    }
)
"""Types of WordPress itself that are parts of pages."""
ATTACHMENT = "attachment"
"""Type whose pages may be switched off (since version 6.4 by default), and then redirect to files:
it adds no URLs."""
TYPES = "wp/v2/types"
NO_DATE = "0000-00-00"
PAGE = "page"


class WordPress(Reader):
    """Types of content, then the entries of each public one with the time of the last change."""

    system = "wordpress"
    is_whole = True

    def first(self, statement: Statement) -> Ask | None:
        base = statement.link(REL)
        return Ask(_route_url(base, TYPES), "") if base else None

    def answer(self, ask: Ask, response: Response) -> Answer:
        return self._read_entries(ask, response) if ask.part else self._read_types(response)

    def _read_types(self, response: Response) -> Answer:
        """Return the requests for the entries of each type, named by the types themselves."""
        found = []
        for name, row in sorted(islice(json_of(response).items(), MAX_ROWS)):
            if name in NO_PAGES or not isinstance(row, dict):
                continue
            links = row.get("_links")
            items = links.get("wp:items") if isinstance(links, dict) else None
            if hrefs := rows_with_text(items, "href"):
                found.append(Ask(_with_query(hrefs[0][0], _page_query(1)), name, "1"))
        return Answer(more=tuple(found))

    def _read_entries(self, ask: Ask, response: Response) -> Answer:
        rows = json_of(response, list)
        is_page = ask.part != ATTACHMENT
        records = tuple(
            SourceRecord(link, _zoned_date(row.get("modified_gmt")), is_page)
            for link, row in rows_with_text(rows, "link")
        )
        number = int(ask.state)
        if len(rows) < PER_PAGE or number >= _count_pages(response):
            return Answer(records)
        url = _with_query(ask.url, _page_query(number + 1))
        return Answer(records, (Ask(url, ask.part, str(number + 1)),))


def _page_query(number: int) -> dict[str, str]:
    """Return the query for a page of entries, in an order that changes do not affect."""
    return {
        "_fields": "link,modified_gmt",
        "per_page": str(PER_PAGE),
        "orderby": "id",
        "order": "asc",
        PAGE: str(number),
    }


def _count_pages(response: Response) -> int:
    """Return the number of pages of entries by the header; without one, there may always be more.

    The next page is then an empty one, or an error.
    """
    said = response.headers.get("x-wp-totalpages", "")
    return int(said) if said.isdecimal() and len(said) < 10 else 1 << 30


def _zoned_date(said: object) -> str:
    """Return a time of the API, which is in UTC without a zone, with its zone."""
    if not isinstance(said, str) or not said or said.startswith(NO_DATE):
        return ""
    return zoned_time(f"{said}+00:00" if said[-1].isdigit() and "+" not in said else said)


def _route_url(base: str, path: str) -> str:
    """Return the URL of a route; without pretty permalinks it is in the query.

    >>> _route_url("https://example.com/?rest_route=/", "wp/v2/types")
    'https://example.com/?rest_route=%2Fwp%2Fv2%2Ftypes'
    """
    parts = urlsplit(base)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    if "rest_route" not in query:
        return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{path}", fragment=""))
    query["rest_route"] = f"{query['rest_route'].rstrip('/')}/{path}"
    return urlunsplit(parts._replace(query=urlencode(query), fragment=""))


def _with_query(url: str, more: dict[str, str]) -> str:
    """Add parameters to a URL, or replace them; empty for what is no URL."""
    try:
        parts = urlsplit(url)
        query = {**dict(parse_qsl(parts.query, keep_blank_values=True)), **more}
        return urlunsplit(parts._replace(query=urlencode(query, safe=","), fragment=""))
    except ValueError:
        return ""
