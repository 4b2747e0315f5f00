"""Small sites for questions of politeness, and crawls that wait for nothing but what is asked."""

from collections.abc import Iterable

from tests.helpers.server import Answer, page, text

ONE_SITEMAP = "Sitemap: /sitemap.xml\n"
"""In robots.txt, so that the usual paths are not tried."""


def settings(**values: object) -> tuple[str, ...]:
    """Options of a crawl without any delay of its own, but for these."""
    quick = {
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "SITEMAPGEN_BACKOFF_START": 0,
        "SITEMAPGEN_ROBOTS_BACKOFF": 0.01,
        "SITEMAPGEN_LATE_RETRY_SECONDS": 0,
    }
    return tuple(
        part for item in (quick | values).items() for part in ("-s", "=".join(map(str, item)))
    )


def site_of(names: Iterable[str], robots: str = "") -> dict[str, Answer]:
    """A start page that links to pages with these names."""
    return {
        "/robots.txt": text(ONE_SITEMAP + robots),
        "/": page(*(f"/{name}" for name in names)),
        **{f"/{name}": page(title=name) for name in names},
    }
