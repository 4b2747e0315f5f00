"""Links to the host of the site by another scheme, port or spelling."""

import pytest

from tests.helpers.crawls import Crawler
from tests.helpers.server import page, redirect, text, urlset

ADDRESSES = {
    "https://site.example/old": "https of this host",
    "http://site.example:8443/admin": "port 8443 of this host",
    "http://site.example./dot": "the host with a trailing dot",
    "http://www.site.example/www": "the host with www",
    "https://site.example/moved": "https of this host",
}
ELSEWHERE = "http://other.example/"


@pytest.mark.fixed_urls
def test_links_to_another_address_of_the_site(crawl: Crawler) -> None:
    """Each has a row, and is something to fix with the pages that link to it; none is requested."""
    canonical = '<link rel="canonical" href="http://site.example/a">'
    found, (moved,) = [*ADDRESSES][:4], [*ADDRESSES][4:]
    answers = {
        "/": page("/a", "/moved", *found, ELSEWHERE, text="The start of it all."),
        "/a": page(found[0], "/b", head=canonical, text="A page of its own, the first one."),
        "/b": page("/", text="Another page, which is the second one."),
        "/moved": redirect(moved),
        "/robots.txt": text("Sitemap: /sitemap.xml"),
        "/sitemap.xml": urlset("https://site.example/s", "/a"),
    }
    server, result = crawl.site(answers, "check_external=true")
    rows = {url: (row["verdict"], row["evidence"]) for url, row in result.urls.items()}
    for url, how in ADDRESSES.items():
        assert rows[url] == ("out_of_scope", how)
    assert ELSEWHERE not in rows
    assert not {visit.headers["Host"] for visit in server.visits} - {
        *("site.example", "site.example:8443", "other.example"),
    }

    section = result.report["other_addresses"]
    assert (section["count"], section["links"]) == (5, 6)
    assert section["examples"][0] == {
        "url": found[0],
        "verdict": "out_of_scope",
        "evidence": "https of this host",
        "links": 2,
        "pages": [server.url, f"{server.url}a"],
    }
    (fix,) = (row for row in result.report["priorities"] if row["id"] == "other_addresses")
    assert fix["sentence"] == (
        "6 links of the site lead to 5 URLs of another address of this site, first "
        "https://site.example/old (https of this host): link to this one."
    )
    (fix,) = (row for row in result.report["priorities"] if row["id"] == "offsite_in_sitemap")
    assert fix["sentence"].startswith(
        "1 of the 2 entries of your sitemap is of another address of this site (https of this host)"
    )
    html = result.html
    assert "1 entry is of another address of this site (https of this host): " in html
    assert "Other addresses of this site" in html
    # Another port may be another site.
    external = {row["host"]: row["urls"] for row in result.report["external"]["by_host"]}
    assert external == {"other.example": 1, "site.example:8443": 1}
