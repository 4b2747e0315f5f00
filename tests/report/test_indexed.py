"""The URLs that a search engine has, matched with those of a site."""

from pathlib import Path

import numpy as np

from sitemapgen.analysis.coverage import NotSeen
from sitemapgen.core.urls import Site, key
from sitemapgen.report.sections.indexed import match_urls

ORIGIN = "https://example.com"
TABLE = """URL,Clicks,Impressions
https://example.com/docs/a,1,10
https://example.com/docs/unseen,2,20
https://example.com/docs/unseen#part,0,5
https://example.com/docs/shown,0,7
https://example.com/docs/idle,0,0
https://example.com/blog/x,9,90
"""


def test_what_the_crawl_never_saw_is_counted_once_by_state(tmp_path: Path) -> None:
    file = tmp_path / "pages.csv"
    file.write_text(TABLE)
    keys = np.array([key(f"{ORIGIN}/docs/a"), key(f"{ORIGIN}/docs/b")])
    index = match_urls(file, Site(origin=ORIGIN), keys)
    assert index.is_indexed.tolist() == [True, False]
    assert index.not_seen == NotSeen(indexed=4, results=3, clicked=2)
    assert (index.urls, index.foreign) == (5, 0)


def test_what_is_outside_the_directory_of_the_crawl_is_not_of_the_site(tmp_path: Path) -> None:
    file = tmp_path / "pages.csv"
    file.write_text(TABLE)
    keys = np.array([key(f"{ORIGIN}/docs/a")])
    index = match_urls(file, Site(origin=ORIGIN, directory="/docs/"), keys)
    assert index.not_seen == NotSeen(indexed=3, results=2, clicked=1)
    assert (index.urls, index.foreign) == (4, 1)
    assert index.foreign_examples == [f"{ORIGIN}/blog/x"]
