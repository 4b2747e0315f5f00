"""Where a page in the browser may go."""

import re

from sitemapgen.core.rendering.fence import (
    MAX_PATTERNS,
    Fence,
    Passage,
    private_patterns,
    refused_patterns,
    resolver_rules,
)
from sitemapgen.core.urls import is_private
from tests.helpers.tables import for_each

PUBLIC = "https://shop.example/a"
PRIVATE = "http://127.0.0.1:8000/a"


def refusal(url: str) -> str | None:
    return "Disallow: /no" if "/no" in url else None


def judge(page: str, target: str, kind: str = "fetch", method: str = "GET") -> str:
    passage = Fence(page, refusal).judge(
        target,
        is_document=kind in ("main", "frame"),
        is_main_frame=kind == "main",
        method=method,
    )
    return passage.value


@for_each(
    (PUBLIC, "main", "go"),
    ("https://shop.example:443/x/../a#part", "main", "go"),
    ("https://shop.example/b", "main", "leave"),
    ("https://shop.example/no", "main", "leave"),
    ("https://other.example/", "main", "leave"),
    ("http://127.0.0.1/", "main", "leave"),
    ("file:///etc/passwd", "main", "stop"),
    ("data:text/html,x", "main", "stop"),
    ("https://shop.example/frame", "frame", "go"),
    ("https://shop.example/no", "frame", "refused"),
    ("https://other.example/", "frame", "stop"),
    ("https://other.example/script.js", "fetch", "go"),
    ("https://shop.example/no", "fetch", "refused"),
    ("https://shop.example/x/../no", "fetch", "refused"),
    ("https://other.example/no", "fetch", "go"),
    ("http://127.0.0.1/", "fetch", "stop"),
    ("http://0x7f.1/", "fetch", "stop"),
    ("http://[::1]/", "fetch", "stop"),
    ("http://printer.local/", "fetch", "stop"),
    ("ftp://other.example/", "fetch", "stop"),
    ("https://shop.example/font.woff2?v=3", "fetch", "stop"),
    ("https://www.googletagmanager.com/gtm.js", "fetch", "stop"),
    ("https://shop.example/favicon.ico", "fetch", "stop"),
    ("https://shop.example/film.mp4", "frame", "go"),
)
def test_a_page_of_a_public_site(target: str, kind: str, passage: str) -> None:
    assert judge(PUBLIC, target, kind) == passage


def test_a_form_that_sends_itself_leads_nowhere() -> None:
    assert judge(PUBLIC, "https://shop.example/order", "main", "POST") == Passage.STOP.value


def test_a_site_at_a_private_address_may_use_others() -> None:
    assert judge(PRIVATE, "http://192.168.0.7/api") == Passage.GO.value


@for_each(
    *("localhost", "a.localhost", "nas.local", "db.internal", "0.0.0.0", "10.1.2.3"),
    *("127.0.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("100.64.0.1", "198.18.0.1", "[::1]", "[fd00::1]", "[::ffff:127.0.0.1]"),
)
def test_every_private_host_has_a_pattern(host: str) -> None:
    """Chromium asks about what matches a pattern, in which ``*`` is anything."""
    url = f"http://{host}/"
    assert is_private(url)
    patterns = [".*".join(map(re.escape, pattern.split("*"))) for pattern in private_patterns()]
    assert any(re.fullmatch(pattern, url) for pattern in patterns)


def test_resolver_rules() -> None:
    assert resolver_rules(PRIVATE) == ""
    rules = resolver_rules(PUBLIC, "http://10.0.0.1:3128").split(",")
    assert "MAP 127.* ~NOTFOUND" in rules
    assert rules[-2:] == ["EXCLUDE shop.example", "EXCLUDE 10.0.0.1"]


@for_each(
    ("/no", "https://shop.example/nothing"),
    ("/a b", "https://shop.example/a%20b"),
    ("/%E4", "https://shop.example/%e4"),
    ("/käse", "https://shop.example/k%C3%A4se"),
    ("/*?id=", "https://shop.example/x?id=1"),
    ("*.php$", "https://shop.example/a/b.php"),
    ("/end$", "https://shop.example/end"),
    (r"/a\b", "https://shop.example/a%5Cb"),
    ("/(x)[y]", "https://shop.example/(x)[y]"),
)
def test_what_robots_txt_forbids_has_a_pattern(path: str, url: str) -> None:
    (pattern,) = refused_patterns(PUBLIC, [path])
    assert re.fullmatch(pattern.replace(".", r"\.").replace("*", ".*"), url)
    assert not re.search(r"[?\\]", pattern)  # they mean something else to Chromium


def test_of_many_rules_no_patterns_are_made() -> None:
    paths = [f"/{number}" for number in range(MAX_PATTERNS + 1)]
    assert refused_patterns(PUBLIC, paths) == ["https://shop.example/*"]
