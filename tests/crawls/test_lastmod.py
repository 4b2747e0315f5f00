"""A site whose dates lie, in each way that sites do: only the true ones are published."""

import json
import re
from collections import Counter
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest

from tests.helpers.crawls import IMPATIENT, Crawl, Crawler, rest
from tests.helpers.server import HERE, Answer, Serve, Server, page, text, urlset

TRUE = {f"/blog/{number}": f"20{10 + number}-0{number % 9 + 1}-17" for number in range(12)}
BUILD = datetime(2026, 3, 4, 5, 6, 7, tzinfo=timezone.utc)
SECTIONS = ("clock", "late-clock", "cache", "build", "slow-build", "future", "listed")
PAGES = 14


def date(moment: datetime) -> str:
    return format_datetime(moment.astimezone(timezone.utc), usegmt=True)


def json_ld(value: str) -> str:
    return f'<script type="application/ld+json">{json.dumps({"dateModified": value})}</script>'


def lying(path: str) -> Answer | None:
    """Twelve true dates in the blog; in every other section, another way to lie."""
    now = datetime.now(timezone.utc)
    _, section, name = (*path.split("/"), "")[:3]
    number = int(name) if name.isdigit() else 0
    if path == "/":
        return page(*TRUE, *(f"/{each}/{n}" for each in SECTIONS for n in range(PAGES)))
    head, last_modified = "", None
    if section == "clock":
        last_modified = now
    elif section == "late-clock":
        last_modified, head = now - timedelta(seconds=2), json_ld(now.isoformat())
    elif section == "cache":
        last_modified = now - timedelta(minutes=5)
    elif section == "build":
        head = json_ld(BUILD.isoformat())
    elif section == "slow-build":
        last_modified = BUILD + timedelta(seconds=20 * number)
    elif section == "future":
        head = json_ld("2999-01-01") + json_ld(date(now))
    elif section == "blog":
        # The truth, behind a header that is the clock's.
        head = f'<meta property="article:modified_time" content="{TRUE[path]}">'
        last_modified = now
    elif section != "listed":
        return None
    answer = page("/", head=head, title=path)
    if last_modified is None:
        return answer
    return answer._replace(headers={**answer.headers, "Last-Modified": date(last_modified)})


@pytest.fixture
def liar(serve: Serve) -> Server:
    dates = {f"listed/{n}": f"2026-03-04T05:06:{n:02d}+00:00" for n in range(PAGES)}
    files = {
        "/robots.txt": text("Sitemap: /sitemap.xml"),
        "/sitemap.xml": urlset(*dates, base=HERE, dates=dates),
    }
    return serve(lambda path: files.get(path) or lying(path))


def published(result: Crawl) -> dict[str, str]:
    """The lastmods in sitemap.xml by URL."""
    entries = re.findall(r"<url>.*?</url>", (result.output / "sitemap.xml").read_text(), re.DOTALL)
    found = {}
    for entry in entries:
        (loc,) = re.findall("<loc>(.*?)</loc>", entry)
        for lastmod in re.findall("<lastmod>(.*?)</lastmod>", entry):
            found[loc] = lastmod
    return found


# At once, and in some seconds: then the clocks drift along the crawl.
@pytest.mark.parametrize("settings", [IMPATIENT, *rest((("-s", "DOWNLOAD_DELAY=0.05"),))])
def test_only_the_true_dates_are_published(
    settings: tuple[str, ...], liar: Server, crawl: Crawler
) -> None:
    result = crawl.published(liar.url, settings=settings)
    assert published(result) == {
        liar.url + path.removeprefix("/"): date for path, date in TRUE.items()
    }
    report = result.report
    others = len(SECTIONS) * PAGES + 1
    assert report["listed_by_lastmod_source"] == {
        "article:modified_time": len(TRUE),
        "none": others,
    }
    assert report["distrusted_lastmods"] == {
        "json_ld": {"future": PAGES, "clock": PAGES, "shared": PAGES},
        "sitemap": {"shared": PAGES},
        "last_modified": {"clock": 2 * PAGES + len(TRUE), "shared": 2 * PAGES},
    }
    evidence = Counter(row["lastmod_evidence"] for row in result.urls.values())
    assert evidence == {
        "": 1,
        "not last_modified (clock)": PAGES,
        "not json_ld (clock); not last_modified (clock)": PAGES,
        "not last_modified (shared)": 2 * PAGES,
        "not json_ld (shared)": PAGES,
        "not json_ld (future)": PAGES,
        "not sitemap (shared)": PAGES,
        **{f"{true}; not last_modified (clock)": 1 for true in TRUE.values()},
    }


def test_the_files_do_not_tell_when_pages_were_fetched(liar: Server, crawl: Crawler) -> None:
    one, two = crawl(liar.url), crawl(liar.url, "fresh=true")
    assert one.files == two.files


def test_the_date_as_the_site_wrote_it(serve: Serve, crawl: Crawler) -> None:
    written = "2024-05-01 10:20:30 +0200"
    server = serve({"/": page(head=json_ld(written))})
    row = crawl(server.url).urls[server.url]
    assert row["lastmod"] == "2024-05-01T08:20:30+00:00"
    assert row["lastmod_source"] == "json_ld"
    assert row["lastmod_evidence"] == written
