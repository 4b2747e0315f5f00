"""Files beside the sitemap: feeds, pages for visitors, llms.txt, the link graph, texts, styles."""

from __future__ import annotations

import re
from collections.abc import Collection
from importlib import resources
from pathlib import Path

from sitemapgen.core.document.texts import line
from sitemapgen.core.urls import authority, key
from sitemapgen.core.words import counted
from sitemapgen.publish import feeds, html_pages, llms, texts
from sitemapgen.publish.files import Staging
from sitemapgen.publish.formats import STYLESHEETS
from sitemapgen.publish.options import Options
from sitemapgen.publish.sections import MAX_TITLE
from sitemapgen.report import urls_csv
from sitemapgen.store import Store
from sitemapgen.store.results import PageText, TitledRow

LINKS = "links.csv"
"""The link graph: a row for each distinct source and target, sorted by both."""
LINK_COLUMNS = ("source", "target", "text", "nofollow", "kind")
_NAMES = re.compile(
    r"sitemap(-[1-9][0-9]*)?\.html|sitemap\.(rss|atom|xsl|css|jsonl|md\.zip)|links\.csv|llms\.txt"
)
_MARK, _BEGINNING, _END = b"sitemapgen", 8_192, 32
"""A word in the first or last bytes of each of these files, but for those with a head of their own;
files of others may have the same names."""
_HEADS = {
    LINKS: (",".join(LINK_COLUMNS) + "\n").encode(),
    texts.FORMATS["jsonl"][0]: texts.BEGINNING,
}


def write_companions(store: Store, start: str, staging: Staging, options: Options) -> None:
    """Stage the files that the options name, from a concluded store.

    A site without dated pages gets no feed.
    """
    wanted = [feed for name, feed in feeds.FORMATS.items() if name in options.formats]
    page = store.results.page(key(start))
    title = line(page.title, MAX_TITLE) if page and page.title else authority(start)
    if wanted and (changes := feeds.latest_changes(store.results.listed(TitledRow))):
        for name, feed in wanted:
            staging.open(name).write(feed(changes, start, title, options.base_url + name))
    if "html" in options.formats:
        html_pages.write_pages(store.results, staging, title, options.settings.html_template)
    if llms.FORMAT in options.formats:
        llms.write_llms_txt(store.results, staging, start, title, options.base_url)
    if "links" in options.formats:
        rows = (
            (source, target, text, int(nofollow), kind)
            for source, labels in store.results.link_labels()
            for target, kind, text, nofollow in sorted(labels)
        )
        urls_csv.write_csv(rows, staging.open(LINKS), LINK_COLUMNS)
    for format_name, (name, write_texts) in texts.FORMATS.items():
        if format_name in options.formats:
            with staging.open(name) as file:
                write_texts(store.results.listed(PageText), file)
    for name in STYLESHEETS[options.stylesheet]:
        text = (resources.files("sitemapgen.publish") / "page" / name).read_bytes()
        staging.open(name).write(text)


def missing_feeds(formats: Collection[str], files: Collection[str]) -> list[str]:
    """Return the feeds of these formats that are not among the files."""
    names = [name for each, (name, _) in feeds.FORMATS.items() if each in formats]
    return [name for name in names if name not in files]


def describe_cuts(files: Collection[str], listed: int) -> list[str]:
    """Return sentences on those of these files that have fewer pages than are listed."""
    if llms.NAME not in files or listed <= llms.PAGES:
        return []
    pages = f"{llms.PAGES:,} of {counted(listed, 'listed page')}, those nearest to the start page"
    return [f"{llms.NAME}: has {pages}; the sitemap has all"]


def is_ours(path: Path) -> bool:
    """Return whether an earlier run wrote a file: by its name and its first or last bytes."""
    if not (_NAMES.fullmatch(path.name) and path.is_file()):
        return False
    with path.open("rb") as file:
        beginning = file.read(_BEGINNING)
        file.seek(max(0, path.stat().st_size - _END))
        end = file.read()
    if head := _HEADS.get(path.name):
        return beginning.startswith(head)
    return _MARK in beginning or _MARK in end
