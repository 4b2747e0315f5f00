"""One verdict for every URL, and what it rests on."""

from datetime import datetime, timezone

from sitemapgen.core import robots
from sitemapgen.core.eligibility import (
    Directives,
    ResponseFacts,
    Rules,
    admit_url,
    judge_response,
    robots_directives,
)
from sitemapgen.core.urls import Patterns, Site
from sitemapgen.verdicts import Verdict
from tests.helpers.tables import for_each

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
SITE = Site(origin="https://e.example", directory="/docs/")
RULES = Rules(
    site=SITE,
    robots=robots.parse_robots(b"User-agent: *\nDisallow: /docs/private"),
    include=Patterns("/docs/*"),
    exclude=Patterns("*/print"),
)


@for_each(
    ("https://e.example/docs/a", None, ""),
    ("https://e.example/docs/v1.2", None, ""),
    ("http://e.example/docs/a", Verdict.OUT_OF_SCOPE, "http of this host"),
    ("http://o.example/docs/a", Verdict.OUT_OF_SCOPE, "another origin than https://e.example"),
    ("https://e.example/blog/", Verdict.OUT_OF_SCOPE, "outside /docs/"),
    ("https://e.example/docs/a/print", Verdict.EXCLUDED, "exclude=*/print"),
    (
        "https://e.example/docs/private/a",
        Verdict.ROBOTS_DISALLOWED,
        "robots.txt line 2: Disallow: /docs/private",
    ),
    (
        "https://e.example/docs/" + "a" * 2048,
        Verdict.EXCLUDED,
        "2071 characters; a sitemap takes 12 to 2,048",
    ),
)
def test_before_it_is_fetched(url: str, verdict: Verdict | None, evidence: str) -> None:
    judgement = admit_url(url, RULES)
    assert (judgement and judgement[:2]) == (None if verdict is None else (verdict, evidence))


def test_include_names_the_patterns_that_nothing_matched() -> None:
    rules = Rules(
        site=Site(origin="https://e.example"),
        robots=robots.Robots(),
        include=Patterns("/a/*,/b/*"),
        exclude=Patterns(""),
    )
    assert admit_url("https://e.example/b/c", rules) is None
    assert admit_url("https://e.example/c", rules)[:2] == (
        Verdict.EXCLUDED,
        "matches no include=/a/*,/b/*",
    )


URL = "https://e.example/docs/a"


@for_each(
    ({}, Verdict.LISTED, ""),
    ({"media_type": "application/xhtml+xml"}, Verdict.LISTED, ""),
    ({"canonical": URL}, Verdict.LISTED, ""),
    ({"status": 404}, Verdict.HTTP_ERROR, "HTTP 404"),
    ({"status": 503}, Verdict.HTTP_ERROR, "HTTP 503"),
    ({"status": 202}, Verdict.HTTP_ERROR, "HTTP 202"),
    ({"status": 304}, Verdict.HTTP_ERROR, "HTTP 304"),
    (
        {"status": 301, "location": "https://e.example/b"},
        Verdict.REDIRECT,
        "301 to https://e.example/b",
    ),
    (
        {"status": 302, "location": "https://other.example/"},
        Verdict.OFFSITE_REDIRECT,
        "302 to https://other.example/",
    ),
    ({"status": 301}, Verdict.HTTP_ERROR, "HTTP 301"),
    ({"media_type": "application/pdf"}, Verdict.NOT_HTML, "application/pdf"),
    ({"media_type": ""}, Verdict.NOT_HTML, "no Content-Type, no HTML"),
    ({"noindex": "X-Robots-Tag: none"}, Verdict.NOINDEX, "X-Robots-Tag: none"),
    (
        {"canonical": "https://e.example/b"},
        Verdict.CANONICALISED,
        "canonical is https://e.example/b",
    ),
    ({"noindex": "x", "canonical": "https://e.example/b"}, Verdict.NOINDEX, "x"),
    (
        {"refresh": "https://e.example/b", "canonical": "https://e.example/c"},
        Verdict.REDIRECT,
        "refresh to https://e.example/b",
    ),
    (
        {"refresh": "https://other.example/", "noindex": "x"},
        Verdict.OFFSITE_REDIRECT,
        "refresh to https://other.example/",
    ),
    ({"refresh": URL}, Verdict.LISTED, ""),
    ({"status": 404, "noindex": "x"}, Verdict.HTTP_ERROR, "HTTP 404"),
)
def test_after_its_answer(answer: dict[str, object], verdict: Verdict, evidence: str) -> None:
    facts = {"url": URL, "status": 200, "media_type": "text/html", **answer}
    judgement = judge_response(ResponseFacts(**facts), SITE)
    assert judgement[:2] == (verdict, evidence)
    has_other = verdict in ("redirect", "offsite_redirect", "canonicalised")
    assert judgement.other_url == (evidence.rpartition(" ")[2] if has_other else "")


@for_each(
    ([], [], "", False),
    ([("robots", "index, follow")], [], "", False),
    ([("robots", "NoIndex")], [], '<meta name="robots" content="NoIndex">', False),
    ([("robots", "none")], [], '<meta name="robots" content="none">', True),
    ([("robots", "nofollow")], [], "", True),
    ([("googlebot", "noindex")], [], '<meta name="googlebot" content="noindex">', False),
    ([("bingbot", "noindex")], [], "", False),
    ([("robots", "noindexed, no-index")], [], "", False),
    ([("robots", "index"), ("robots", "noindex")], [], "noindex", False),
    ([], ["noindex, nofollow"], "X-Robots-Tag: noindex, nofollow", True),
    ([], ["noarchive", "noindex"], "X-Robots-Tag: noindex", False),
    ([], ["otherbot: noindex, nofollow"], "", False),
    ([], ["otherbot: noindex, sitemapgen: nofollow"], "", True),
    ([], ["googlebot: noindex"], "X-Robots-Tag: googlebot: noindex", False),
    ([], ["unavailable_after: 25 Jun 2010 15:00:00 PST"], "unavailable_after", False),
    ([], ["unavailable_after: 2025-12-31"], "unavailable_after", False),
    # RFC 850 and RFC 822 have commas of their own; so has what follows the date.
    ([], ["unavailable_after: Tuesday, 31-Dec-24 23:00:00 PST"], "unavailable_after", False),
    ([], ["unavailable_after: Wednesday, 31-Dec-30 23:00:00 PST"], "", False),
    ([], ["unavailable_after: Fri, 25 Jun 2010 15:00:00 PST, nofollow"], "unavail", True),
    ([], ["unavailable_after: 25 Jun 2010 15:00:00 PST, noarchive"], "unavail", False),
    ([], ["unavailable_after: 31 Dec 2030 23:00:00 PST, noindex"], "noindex", False),
    ([], ["googlebot: unavailable_after: Sat, 01-Jul-00 07:00:00 PST"], "unavail", False),
    ([], ["bingbot: unavailable_after: Sat, 01-Jul-00 07:00:00 PST"], "", False),
    ([], ["unavailable_after: 2025-12-31T10:00:00+0100"], "unavailable_after", False),
    ([], ["UNAVAILABLE_AFTER : 2025-12-31"], "UNAVAILABLE_AFTER", False),
    ([], ["GoogleBot: NONE"], "NONE", True),
    ([], ["googlebot-news: noindex"], "", False),
    ([], ["max-snippet: 20, noindex"], "noindex", False),
    ([], ["bingbot: max-image-preview: large, noindex"], "", False),
    ([], ["otherbot: noindex", "nofollow"], "", True),
    ([("robots", "max-image-preview:large, noindex")], [], "noindex", False),
    ([], ["unavailable_after: 2027-01-01"], "", False),
    ([], ["unavailable_after: someday"], "", False),
    ([], ["max-snippet: 20"], "", False),
    ([("robots", "unavailable_after: 2010-06-25T15:00:00+02:00")], [], "unavail", False),
)
def test_directives(
    metas: list[tuple[str, str]], headers: list[str], noindex: str, nofollow: bool
) -> None:
    directives = robots_directives(metas, headers, NOW)
    assert bool(directives.noindex) is bool(noindex)
    assert noindex in directives.noindex
    assert directives.nofollow is nofollow


@for_each(
    ("noindex nofollow", True),
    ("noindex;nofollow", True),
    ("noindex | nofollow", True),
    ("NOINDEX/NOFOLLOW", True),
    ("noindex\u00a0nofollow", True),
    ("noarchive, noindex & nofollow", True),
    ("nofollow noarchive none", True),
    ("noindex;", True),
    ("noindex\uff0cnofollow", True),  # a comma of Chinese texts
    ("googlebot: noindex nofollow", False),  # of a <meta>; of a header see below
    ("nofollow noarchive", False),
    ("max-image-preview:none", False),
    ("noindexed nofollow", False),
    ("please noindex", False),
    ("noindex, nofollow", False),
    ("", False),
)
def test_directives_without_a_comma(content: str, is_unseparated: bool) -> None:
    """They count for nothing, which is worth a remark where the owner's wish is plain."""
    found = robots_directives([("robots", content)], [], NOW)
    assert bool(found.unseparated) is is_unseparated
    assert bool(found.noindex) is (content == "noindex, nofollow")
    if is_unseparated:
        assert not found.nofollow
        assert found.unseparated == f'<meta name="robots" content="{" ".join(content.split())}">'
        assert robots_directives([], [f"googlebot: {content}"], NOW).unseparated
        assert not robots_directives([], [f"otherbot: {content}"], NOW).unseparated


def test_no_directive_is_no_objection() -> None:
    assert robots_directives([], [], NOW) == Directives(noindex="", nofollow=False)
