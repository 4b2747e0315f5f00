"""Publishing pages as sitemap files, and reading and validating what was published."""

import gzip
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from lxml import etree

from sitemapgen.items import News
from sitemapgen.publish.file_names import ENTRY
from sitemapgen.publish.files import Staging
from sitemapgen.publish.formats import FORMATS
from sitemapgen.publish.options import Options
from sitemapgen.publish.sitemaps import FileLimits, Listed, Written, write_files
from tests.helpers.shared import SHARED, require

XSD = SHARED / "conformance" / "sitemap_xsd"
NS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
SITE = "https://example.com/"
EVERY = frozenset(FORMATS)


def pages(count: int) -> list[Listed]:
    return [Listed(f"{SITE}{n:06d}", "2024-05-01T10:00:00Z", n % 12) for n in range(count)]


def publish(
    directory: Path,
    listed: Iterable[Listed],
    *,
    now: int = 1_000_000_000,
    limits: FileLimits | None = None,
    steps: Sequence[float] = (),
    news: Iterable[Listed] = (),
    **options,
) -> Written:
    with Staging(directory, now) as staging:
        chosen = Options(**({"base_url": SITE} | options))
        written = write_files(listed, staging, chosen, limits or FileLimits(), steps, news=news)
        staging.commit(last=ENTRY, stale=written.stale)
    return written


def content(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def state(directory: Path) -> dict[str, tuple[bytes, int, int]]:
    return {
        path.name: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino)
        for path in directory.iterdir()
    }


def locs(data: bytes) -> list[str]:
    return [loc.text for loc in etree.fromstring(data).iter(f"{NS}loc")]


def entry_point(directory: Path) -> etree._Element:
    return etree.fromstring((directory / ENTRY).read_bytes())


def urls(directory: Path) -> list[str]:
    """What a search engine that starts at sitemap.xml finds."""
    data = (directory / ENTRY).read_bytes()
    if etree.fromstring(data).tag == f"{NS}urlset":
        return locs(data)
    parts = [directory / loc.removeprefix(SITE) for loc in locs(data)]
    return [url for part in parts for url in locs(content(part))]


@cache
def schema(name: str) -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(XSD / name))


def assert_valid(directory: Path) -> None:
    require(XSD)
    for path in directory.glob("sitemap*.xml*"):
        document = etree.fromstring(content(path))
        index = document.tag == f"{NS}sitemapindex"
        schema("siteindex.xsd" if index else "sitemap.xsd").assertValid(document)


HARD_TEXT = "</script> & \"quotes' ünï\u200dcode"
ARTICLE = News(HARD_TEXT, "en", "2026-11-21T10:00:00Z", HARD_TEXT)


def assert_valid_with_extensions(directory: Path) -> None:
    """By the schemas of sitemaps.org and of Google together."""
    require(XSD)
    schema = etree.XMLSchema(etree.parse(XSD / "all.xsd"))
    index = etree.XMLSchema(etree.parse(XSD / "siteindex.xsd"))
    for path in directory.glob("sitemap*.xml*"):
        document = etree.fromstring(content(path))
        (index if document.tag == f"{NS}sitemapindex" else schema).assertValid(document)
