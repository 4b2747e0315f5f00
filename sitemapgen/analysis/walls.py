"""Walls: the start page and most others redirect to one form, or one sentence.

As where a server demands a cookie, or a login, before it shows anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sitemapgen.analysis.graph import Ints, LinkGraph, Mask
from sitemapgen.analysis.key_index import distinct
from sitemapgen.core.logins import SAMPLES, have_one_text, login_form
from sitemapgen.core.urls import key, split

OPEN_SHARE = 4
"""Divisor of the pages: a site of which more is open to all has a sitemap of its own."""


@dataclass(frozen=True, slots=True)
class Wall:
    """The page to which the start page and most others redirect."""

    url: str
    count: int
    """Number of pages that redirect to it."""
    of: int
    """Number of these and of all listed pages besides it."""
    is_proved: bool
    """Whether two addresses to return to show the same; or pages to which the page itself links
    lead back to it. An old site whose addresses redirect to a new page has neither."""


def find_wall(
    graph: LinkGraph,
    is_listed: Mask,
    start: str,
    *,
    read_urls: Callable[[Ints], list[str]],
    read_text: Callable[[str], str | None],
) -> Wall | None:
    """Return the page to which the start page and most others redirect; None if there is none.

    ``read_urls`` returns the URLs of nodes; ``read_text`` the text at a URL, None if not fetched.
    """
    nodes = graph.nodes
    (wall,) = graph.find_nodes(np.array([key(start)]))
    ends = graph.redirect_ends()
    sources = np.flatnonzero(nodes.is_redirect & nodes.is_fetched)
    sources = np.setdiff1d(sources, graph.first_targets(sources))  # those on the way do not count
    first = read_urls(sources[nodes.is_start[sources] & (ends[sources] == wall)])
    if not any(url.startswith(f"{split(start).origin}/") for url in first):
        return None
    form = next(filter(None, (login_form(start, url) for url in first)), None)
    candidates = distinct(ends[sources])
    urls = read_urls(candidates)
    is_shown = [
        url == start or (form is not None and form.address(url) is not None) for url in urls
    ]
    shown = candidates[np.array(is_shown, np.bool_)]
    read = ((url, read_text(url)) for url, is_end in zip(urls, is_shown) if is_end)
    texts = [(url, text) for url, text in read if text is not None]
    if not have_one_text(texts):
        return None
    sources = sources[np.isin(ends[sources], shown)]
    others = np.setdiff1d(np.flatnonzero(is_listed), shown)
    linked = graph.targets_of(int(wall))
    is_closed = form is not None and bool(np.isin(others, linked).all())
    is_sign = form is not None or len(sources) >= SAMPLES
    if not is_closed and (not is_sign or len(others) > len(sources)):
        return None
    returns = nodes.is_start[sources] | np.isin(sources, linked)
    is_proved = len(texts) > 1 if form is not None else int(np.count_nonzero(returns)) >= SAMPLES
    pages = len(sources) + len(others)
    return Wall(start, len(sources), pages, is_proved and len(others) * OPEN_SHARE <= pages)
