"""The readers of whatever a site sends, but for its pages: each takes one text or one body."""

from collections.abc import Callable, Mapping
from datetime import datetime, time, timezone

from sitemapgen.core import (
    access,
    eligibility,
    file_hints,
    headers,
    indexed,
    lastmod,
    pagination,
    politeness,
    robots,
    shapes,
    urls,
)
from sitemapgen.core.document import encoding, languages, texts
from sitemapgen.core.document.texts import line
from sitemapgen.core.headers import content_type_of, read_refresh
from sitemapgen.core.sitemap_files import entries, findings, read, validate, values
from sitemapgen.core.urls import Patterns, Site
from sitemapgen.download.responses import MAX_HEADER

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
SITE = "https://example.com"
SITES = (
    Site(origin=SITE),
    Site(origin=SITE, query="keep"),
    Site(origin=SITE, query="drop", trailing_slash="strip", merge_www=True),
)
PATTERNS = Patterns("/a*b*c*d*e,*.pdf,*a*a*a*a*b,/x/*")
ROBOTS = robots.parse_robots(
    b"User-agent: *\nDisallow: /*a*a*a*a*a*b$\nDisallow: /*/*/*/*x$\nAllow: /*?*&*&*=*%\n"
)


def _header_links(text: str) -> None:
    for link in headers.read_links([text]):
        urls.parse(link.href, f"{SITE}/")


def _directives(text: str) -> None:
    eligibility.robots_directives([("robots", text)], [text], NOW)


def _dates(text: str) -> None:
    lastmod.make_claims([("json_ld", text), ("sitemap", text), ("last_modified", text)], now=NOW)
    entries.w3c_datetime(text)
    lastmod.http_date(text)
    lastmod.iso_date(text)


def _resolve(text: str) -> None:
    for site in SITES:
        for href in (text, f"/{text}", f"/?{text}", f"http://{text}"):
            url = site.resolve(href, f"{SITE}/a/b?c")
            assert url is None or urls.parse(url) == url


def _encode(text: str) -> None:
    for name in ("windows-1252", "shift_jis", "utf-16", "martian"):
        urls.parse(f"?{text}", f"{SITE}/", name)


def normal(text: str) -> str:
    """Some normalised URL with the text in it."""
    return urls.parse(f"/{text}", f"{SITE}/") or f"{SITE}/"


def _forms(text: str) -> None:
    url = normal(text)
    shape = shapes.shape(url) or shapes.plain_shape(url)
    pattern = shape.pattern(frozenset())
    for each in (
        shape.family,
        pattern,
        shapes.space(pattern),
        shapes.topic(pattern),
        *shape.slots(),
    ):
        assert len(each) <= len(url) + 200
    shapes.made_up(url, pattern, 1)
    shapes.suspect(url)
    shapes.base(url)
    file_hints.file_hint(url)
    pagination.strip_page_number(url)


def _matches(text: str) -> None:
    url = normal(text)
    PATTERNS.match(url)
    ROBOTS.refusal(url)
    urls.is_private(url)
    urls.is_same_site(url, SITE + "/")


def _fields(text: str) -> None:
    for parent, name in (
        ("image", "loc"),
        *(("video", name) for name in ("duration", "rating", "restriction", "platform", "price")),
        *(("news", name) for name in ("genres", "stock_tickers", "publication_date")),
        ("publication", "language"),
    ):
        list(values.faults_of_extension(parent, name, text, {"relationship": text, "href": text}))
    list(
        values.faults_of_extension("url", "link", "", {"hreflang": text, "rel": text, "href": text})
    )
    values.fault_of_date(text)
    values.forbidden_in_url(text)
    findings.quote_text(text)


def _table(text: str) -> None:
    lines = text.split("\n")[: indexed.SAMPLE]
    try:
        form = indexed.recognise_format([*lines, f"{SITE}/,1,2"])
        list(indexed.read_rows(lines, form))
    except indexed.Unusable:
        pass


TEXTS: Mapping[str, Callable[[str], object]] = {
    "Link": _header_links,
    "X-Robots-Tag": _directives,
    "Retry-After": lambda text: politeness.retry_after(text, NOW),
    "Content-Type": lambda text: encoding.decode_document(
        b"\xff", content_type_of([text, "text/html"])
    ),
    "Refresh": lambda text: read_refresh(text[:2_000]),
    "dates": _dates,
    "URLs": _resolve,
    "URLs in other encodings": _encode,
    "forms of URLs": _forms,
    "patterns of URLs": _matches,
    "languages": lambda text: (languages.canonical_hreflang(text), languages.news_language(text)),
    "fields of sitemaps": _fields,
    "lines": lambda text: texts.line(text, 100),
    "tables": _table,
    "users in URLs": access.split_userinfo,
}


def _rules(body: bytes) -> None:
    rules = robots.parse_robots(body)
    rules.delay(time(12))
    rules.closed(time(12))
    for url in (f"{SITE}/", f"{SITE}/a/b?c=d&e", f"{SITE}/{'a/' * 50}"):
        rules.refusal(url)


def _check(body: bytes) -> None:
    found = findings.Findings()
    validate.check_file(body, found, name="sitemap.xml", now=NOW, location=f"{SITE}/")


def _sitemap(body: bytes) -> None:
    for is_cut in (False, True):
        sitemap = read.read_sitemap(body, is_cut=is_cut)
        assert sitemap.format or sitemap.error
        assert sitemap.error == line(sitemap.error)


BODIES: Mapping[str, Callable[[bytes], object]] = {
    "robots.txt": _rules,
    "sitemap": _sitemap,
    "validate": _check,
    "encoding": encoding.decode_document,
}

OPENINGS: Mapping[str, tuple[str, ...]] = {
    "robots.txt": ("", "User-agent: *\nDisallow: /", "User-agent: *\nVisit-time: ", "Sitemap: "),
    "sitemap": (
        *("", "<urlset><url><loc>", "<urlset><url><loc>&</loc></url>", "<rss><channel><item>"),
        *("<feed><entry>", "https://example.com/\n", "<?xml version='1.0' encoding='x'?><urlset>"),
    ),
    "validate": ("", "<urlset><url><loc>", "https://example.com/\n", "<urlset xmlns='"),
    "encoding": ("", "<meta ", "<?xml ", "<!--", "<meta charset='", "\ufeff"),
}
"""What a body may begin with, so that what follows is read."""

HEADER_SIZE = MAX_HEADER // 2
BODY_SIZE = 200_000
