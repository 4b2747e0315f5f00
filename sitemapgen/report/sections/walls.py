"""The section ``wall``: rules in ``analysis/walls.py``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sitemapgen.analysis.walls import find_wall
from sitemapgen.core import remedies
from sitemapgen.core.urls import key
from sitemapgen.core.words import agree, counted
from sitemapgen.report.dataset import Dataset


def describe_wall(dataset: Dataset, start: str) -> dict[str, Any] | None:
    """Describe the page to which the start page and most others redirect; None if there is none."""

    def read_text(url: str) -> str | None:
        row = dataset.store.results.page(key(url))
        return f"{row.title}\n{row.excerpt}" if row else None

    is_listed = dataset.census.is_listed
    wall = find_wall(dataset.graph, is_listed, start, read_urls=dataset.urls, read_text=read_text)
    return asdict(wall) if wall else None


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
