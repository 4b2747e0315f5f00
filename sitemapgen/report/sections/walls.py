"""The section ``wall``: the start page and most others redirect to one form, or one sentence.

As where a server demands a cookie, or a login, before it shows anything.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sitemapgen.analysis.graph import Ints
from sitemapgen.analysis.key_index import distinct
from sitemapgen.core import remedies
from sitemapgen.core.logins import SAMPLES, LoginForm, have_one_text, login_form
from sitemapgen.core.urls import key
from sitemapgen.core.words import agree, counted
from sitemapgen.report.dataset import Dataset, number_of

OPEN_SHARE = 4
"""Divisor of the pages: a site of which more is open to all has a sitemap of its own."""


def find_wall(dataset: Dataset, start: str) -> dict[str, Any] | None:
    """Describe the page to which the start page and most others redirect; None if there is none.

    ``is_proved``: two addresses to return to show the same; or pages to which the page itself links
    lead back to it. An old site whose addresses redirect to a new page has neither.
    """
    graph, nodes = dataset.graph, dataset.graph.nodes
    (wall,) = graph.find_nodes(np.array([key(start)]))
    ends = graph.redirect_ends()
    sources = np.flatnonzero(nodes.is_redirect & nodes.is_fetched)
    sources = np.setdiff1d(sources, graph.first_targets(sources))  # those on the way do not count
    first = dataset.urls(sources[nodes.is_start[sources] & (ends[sources] == wall)])
    if not any(url.startswith(f"{dataset.origin}/") for url in first):
        return None
    form = next(filter(None, (login_form(start, url) for url in first)), None)
    shown, texts = _read_ends(dataset, distinct(ends[sources]), start, form)
    if not have_one_text(texts):
        return None
    sources = sources[np.isin(ends[sources], shown)]
    others = np.setdiff1d(np.flatnonzero(dataset.census.is_listed), shown)
    linked = graph.targets_of(int(wall))
    is_closed = form is not None and bool(np.isin(others, linked).all())
    is_sign = form is not None or len(sources) >= SAMPLES
    if not is_closed and (not is_sign or len(others) > len(sources)):
        return None
    returns = nodes.is_start[sources] | np.isin(sources, linked)
    is_proved = len(texts) > 1 if form is not None else number_of(returns) >= SAMPLES
    pages = len(sources) + len(others)
    return {
        "url": start,
        "count": len(sources),
        "of": pages,
        "is_proved": is_proved and len(others) * OPEN_SHARE <= pages,
    }


def _read_ends(
    dataset: Dataset, ends: Ints, start: str, form: LoginForm | None
) -> tuple[Ints, list[tuple[str, str]]]:
    """Return those of the nodes that are the start page, or of its form; and (URL, text) of them.

    Those that were not fetched have no text.
    """
    found = [
        (node, url)
        for node, url in zip(ends.tolist(), dataset.urls(ends))
        if url == start or (form is not None and form.address(url) is not None)
    ]
    rows = ((url, dataset.store.results.page(key(url))) for _, url in found)
    texts = [(url, f"{row.title}\n{row.excerpt}") for url, row in rows if row]
    return np.array([node for node, _ in found], np.int64), texts


def wall_in_words(wall: dict[str, Any] | None) -> str:
    """Describe the page to which most pages redirect, with the remedy; empty if there is none.

    >>> wall_in_words({"url": "https://e.example/consent", "count": 3, "of": 4})[:67]
    '3 of 4 pages, the start page among them, redirect to https://e.exam'
    """
    if wall is None:
        return ""
    remedy = remedies.LOGGED_IN if remedies.is_login(wall["url"]) else remedies.FIRST_COOKIE
    among = ", the start page among them," if wall["count"] > 1 else ", the start page,"
    return (
        f"{wall['count']:,} of {counted(wall['of'], 'page')}{among} "
        f"{agree(wall['count'], 'redirects', 'redirect')} to {wall['url']}: {remedy}"
    )
