"""Which URLs does a robots.txt forbid us, and which of its lines does it?"""

import re
from datetime import time

from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from sitemapgen.core.robots import MAX_BYTES, Robots, from_response, parse_robots
from tests.helpers.tables import for_each

SITE = "https://example.com"


def refusal(robots: str, path: str, user_agent: str = "sitemapgen") -> str | None:
    return parse_robots(robots.encode(), user_agent).refusal(SITE + path)


@for_each(
    ("Disallow: /private/", "/private/x", 2),
    ("Disallow: /private/", "/private", None),
    ("Disallow: /a\nDisallow: /a/b\nDisallow: /a/c", "/a/b/c", 3),
    ("Disallow: /a\nAllow: /a/b", "/a/b/c", None),
    ("Disallow: /a/b\nAllow: /a", "/a/b/c", 2),
    ("Allow: /a\nDisallow: /a", "/a", None),
    ("# why\n\nDisallow: /*?print=  # a comment", "/x?print=1", 4),
    ("Disallow: /*.pdf$", "/x.pdf", 2),
    ("Disallow: /*.pdf$", "/x.pdf?y", None),
    ("Disallow: /caf%c3%a9", "/caf%C3%A9", 2),
    ("Disallow: /café", "/caf%C3%A9", 2),
    ("Disallow: /%7Eme", "/~me", 2),
    ("Disallow: /a%2Fb", "/a/b", None),
    ("Disallow:", "/", None),
    ("Disallow: /\nAllow: /$", "/", None),
    ("Disallow: /", "/robots.txt", None),
    ("Disallow: /", "/robots.txt.html", 2),
)
def test_the_longest_match_decides_and_is_named(rules: str, path: str, line: int | None) -> None:
    robots = f"User-agent: *\n{rules}"
    if line is None:
        assert refusal(robots, path) is None
    else:
        text = robots.splitlines()[line - 1].partition("#")[0].strip()
        assert refusal(robots, path) == f"robots.txt line {line}: {text}"


def test_the_line_is_found_among_many() -> None:
    paths = [f"/{'x' * (i % 7)}{i}/" for i in range(300)]
    robots = parse_robots(
        "\n".join(["User-agent: *", *(f"Disallow: {path}" for path in paths)]).encode()
    )
    for number, path in enumerate(paths, 2):
        assert robots.refusal(SITE + path) == f"robots.txt line {number}: Disallow: {path}"


@for_each(
    ("User-agent: sitemapgen\nDisallow: /", True),
    ("User-agent: SiteMapGen\nDisallow: /", True),
    ("User-agent: sitemapgen/1.2\nDisallow: /", True),
    ("User-agent: sitemapgen and friends\nDisallow: /", True),
    ("User-agent: sitemapgenerator\nDisallow: /", False),
    ("User-agent: sitemap\nDisallow: /", False),
    ("User-agent: *\nDisallow: /", True),
    ("User-agent: * # all\nDisallow: /", True),
    ("User-agent: *\nDisallow: /\nUser-agent: sitemapgen\nDisallow:", False),
    ("User-agent: *\nDisallow: /\nUser-agent: sitemapgen", False),
    ("User-agent: sitemapgen\nAllow: /\nUser-agent: *\nDisallow: /", False),
    ("User-agent: sitemapgen\n\nUser-agent: a\nDisallow: /x\n", True),
    ("User-agent: sitemapgen\nDisallow: /y\nUser-agent: sitemapgen\nDisallow: /x", True),
    ("Disallow: /\nUser-agent: *\nAllow: /", False),
    ("User-agent:\nDisallow: /", False),
)
def test_the_groups_that_name_us_apply_else_those_for_all(robots: str, is_refused: bool) -> None:
    assert (refusal(robots, "/x") is not None) is is_refused


@for_each(
    *("Crawl-delay: 5", "Request-rate: 1/5", "Visit-time: 0600-0845"),
    *("Sitemap: https://example.com/sitemap.xml", "Host: example.com", "Clean-param: ref /"),
    *("Noindex: /x", "what is this?", "<p>a page", "", "# a comment"),
)
def test_only_allow_and_disallow_end_the_list_of_agents(between: str) -> None:
    robots = f"User-agent: sitemapgen\n{between}\nUser-agent: other\nDisallow: /x"
    assert refusal(robots, "/x") == "robots.txt line 4: Disallow: /x"


@for_each("Allow: /y", "Disallow: /y", "Disallow:")
def test_allow_and_disallow_do_even_when_empty(end: str) -> None:
    assert refusal(f"User-agent: sitemapgen\n{end}\nUser-agent: other\nDisallow: /x", "/x") is None


@for_each(
    ("foo", True),
    ("Foo/2.0 (+https://example.com/bot)", True),
    ("Mozilla/5.0 (compatible; foo)", False),
    ("(strange)", False),
)
def test_we_are_the_first_product_of_our_header(user_agent: str, is_refused: bool) -> None:
    robots = "User-agent: foo\nDisallow: /"
    assert (refusal(robots, "/", user_agent) is not None) is is_refused


def test_without_a_token_the_groups_for_all_apply() -> None:
    assert refusal("User-agent: (strange)\nDisallow: /", "/", "(strange)") is None
    assert refusal("User-agent: *\nDisallow: /", "/", "(strange)") is not None


@for_each(
    "disallow:/x",
    "DISALLOW : /x",
    "  Disallow:\t/x  ",
    "Disallow /x",
    "Disalow: /x",  # a spelling that Google reads as it was meant
    "Disallow: /x # not yet",
    "Disallow: /x#fragment",
)
def test_spellings_that_are_read(line: str) -> None:
    assert refusal(f"user agent: *\n{line}", "/x") is not None


@for_each("Disalloww: /x", "Dis allow: /x", "Disallow", "Disallow /x please", "-Disallow: /x", "/x")
def test_what_is_no_directive_is_no_denial(line: str) -> None:
    assert refusal(f"User-agent: *\n{line}", "/x") is None


@for_each("\n", "\r", "\r\n")
def test_every_line_end_ends_one_line(end: str) -> None:
    lines = ["User-agent: *", "", "Disallow: /x"]
    assert refusal(end.join(lines), "/x") == "robots.txt line 3: Disallow: /x"


@for_each("\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029")
def test_what_ends_a_line_for_python_only_ends_none(character: str) -> None:
    robots = f"User-agent: *\nDisallow: /a{character}Disallow: /x"
    assert refusal(robots, "/x") is None
    assert refusal(robots, "/ab") is None


def test_evidence_is_one_short_line_without_control_characters() -> None:
    robots = "User-agent: *\nDisallow: /\x1b[31m\nDisallow:  /\t" + "*" * 1000
    assert refusal(robots, "/%1B[31m") == "robots.txt line 2: Disallow: /%1B[31m"
    long = refusal(f"User-agent: *\nDisallow: /{'*' * 1000}", "/x")
    assert long is not None
    assert len(long) == 200


@for_each(
    "User-agent: *\nDisallow: /ü".encode("utf-8-sig"),
    "\ufeffUser-agent: *\nDisallow: /ü".encode("utf-16-le"),
    "\ufeffUser-agent: *\nDisallow: /ü".encode("utf-16-be"),
    b"\xef\xbbUser-agent: *\nDisallow: /\xc3\xbc",
)
def test_encodings_are_told_by_their_byte_order_mark(body: bytes) -> None:
    assert parse_robots(body).refusal(f"{SITE}/%C3%BC") is not None


@for_each((MAX_BYTES - 1, True), (MAX_BYTES, True), (MAX_BYTES + 1, False))
def test_a_file_too_long_is_cut_behind_its_last_whole_line(size: int, is_refused: bool) -> None:
    last = b"\nDisallow: /xy\n"
    start = b"User-agent: *\nDisallow: /a\n#"
    body = start + b"." * (size - len(start) - len(last)) + last
    robots = parse_robots(body + b"Disallow: /")
    assert robots.refusal(f"{SITE}/a") is not None
    assert robots.refusal(f"{SITE}/x") is None  # never half of a rule
    assert (robots.refusal(f"{SITE}/xy") is not None) is is_refused


def test_sitemaps_are_for_all_distinct_and_as_written() -> None:
    robots = parse_robots(
        b"Sitemap: https://example.com/a.xml\n"
        b"User-agent: other\nDisallow: /\nsitemap:   /b.xml  # relative\n"
        b"SITEMAP: https://example.com/a.xml\nSitemap:\nSitemap https://example.com/c.xml\n"
    )
    expected = ("https://example.com/a.xml", "/b.xml", "https://example.com/c.xml")
    assert robots.sitemaps == expected


@for_each(
    ("User-agent: *\nCrawl-delay: 1.5", 1.5),
    ("User-agent: *\nCrawl-delay: 0", 0.0),
    ("User-agent: *\nCrawl-delay: 2\nUser-agent: sitemapgen\nAllow: /", 0.0),
    ("User-agent: *\nCrawl-delay: 60\n\nUser-agent: sitemapgen\nCrawl-delay: 2", 2.0),
    ("User-agent: slurp\nCrawl-delay: 60\n\nUser-agent: *\nDisallow: /x", 0.0),
    ("User-agent: slurp\nUser-agent: *\nSitemap:\nUser-agent: a\nCrawl-delay: 2", 2.0),
    ("User-agent: *\nDisallow: /\nCrawl-delay: 2\nUser-agent: sitemapgen\nAllow: /", 0.0),
    ("User-agent: *\nCrawl-delay: 3\nDisallow: /x\nUser-agent: *\nCrawl-delay: 2", 3.0),
    ("User-agent: *\nCrawl-delay: soon", 0.0),
    ("User-agent: *\nCrawl-delay: -1", 0.0),
    ("User-agent: *\nCrawl-delay: nan", 0.0),
    ("User-agent: *\nCrawl-delay: 1e999", 0.0),
    ("User-agent: *\nCrawl-delay: 1e9", 1e9),
    ("Crawl-delay: 5", 0.0),
    ("User-agent: *\nRequest-rate: 1/5", 5.0),
    ("User-agent: *\nrequest rate: 4/2s", 0.5),
    ("User-agent: *\nRequest-rate: 30/1m", 2.0),
    ("User-agent: *\nRequest-rate: 1/5 0600-1200", 0.0),
    ("User-agent: *\nRequest-rate: 1/5 0600-1201", 5.0),
    ("User-agent: *\nRequest-rate: 1/9 2300-1230\nCrawl-delay: 2", 9.0),
    ("User-agent: *\nRequest-rate: 1/9 2300-1130\nCrawl-delay: 2", 2.0),
    ("User-agent: *\nRequest-rate: 1/0", 0.0),
    ("User-agent: *\nRequest-rate: -1/5", 0.0),
    ("User-agent: *\nRequest-rate: often", 0.0),
    ("User-agent: *\nRequest-rate: 1/" + "9" * 400, 31_536_000.0),
    ("User-agent: *\nRequest-rate: " + "9" * 400 + "/1", 0.0),
    ("User-agent: *\nRequest-rate: 1/" + "9" * 9000, 0.0),
    ("User-agent: other\nRequest-rate: 1/5", 0.0),
    ("", 0.0),
)
def test_the_longest_delay_of_our_group_at_noon(robots: str, delay: float) -> None:
    rules = parse_robots(robots.encode())
    assert rules.delay(time(12)) == delay
    assert rules.is_slow or not delay


@for_each(
    ("User-agent: *\nVisit-time: 0600-0845", "line 2: Visit-time: 0600-0845; 06:00"),
    ("User-agent: *\nVisit-time: 1300-1400", "line 2: Visit-time: 1300-1400; 13:00"),
    ("User-agent: *\nVisit-time: 2200-0600", "line 2: Visit-time: 2200-0600; 22:00"),
    ("User-agent: *\nVisit-time: 1100-1200", "line 2: Visit-time: 1100-1200; 11:00"),
    ("User-agent: *\nVisit-time: 0100 0200", "line 2: Visit-time: 0100 0200; 01:00"),
    (
        "User-agent: *\nVisit-time: 0600-0700\nVisit-time: 1800-1900\nVisit-time: 1500-1600",
        "line 4: Visit-time: 1500-1600; 15:00",
    ),
    ("User-agent: *\nVisit-time: 0600-0700\nVisit-time: 1159-1201", None),
    ("User-agent: *\nVisit-time: 1200-1300", None),
    ("User-agent: *\nVisit-time: 2200-1300", None),
    ("User-agent: *\nVisit-time: 0600-0600", None),
    ("User-agent: *\nVisit-time: at night", None),
    ("User-agent: *\nVisit-time: 2500-2600", None),
    ("User-agent: other\nVisit-time: 0600-0700", None),
    ("Visit-time: 0600-0700", None),
    ("", None),
)
def test_when_visits_are_welcome_at_noon(robots: str, opens: str | None) -> None:
    line, _, at = (opens or "").partition("; ")
    said = f"robots.txt {line}; it is 12:00 UTC, come back at {at} UTC" if opens else None
    assert parse_robots(robots.encode()).closed(time(12)) == said


DENIAL = b"User-agent: *\nDisallow: /\n"


@for_each(
    *((status, True) for status in (200, 203, 206)),  # it is read
    *((status, False) for status in (301, 304, 308, 400, 401, 403, 404, 410, 451)),  # no rules
    *((status, None) for status in (None, 429, 500, 502, 503, 504, 599)),  # unreachable
)
def test_what_follows_from_a_status(status: int | None, is_refused: bool | None) -> None:
    robots = from_response(status, DENIAL)
    assert (None if robots is None else robots.refusal(f"{SITE}/") is not None) is is_refused


def test_the_agent_is_handed_on() -> None:
    robots = from_response(200, b"User-agent: foo\nDisallow: /", "foo")
    assert robots is not None
    assert robots.refusal(f"{SITE}/") is not None


def test_a_site_without_rules() -> None:
    assert Robots().refusal(f"{SITE}/") is None
    assert Robots().sitemaps == ()
    assert Robots().delay(time(12)) == 0
    assert Robots().closed(time(12)) is None


paths = st.text("abAB*$/%2F?=é", max_size=8).map("/".__add__)
rules = st.tuples(st.sampled_from(["Allow", "Disallow"]), paths).map(": ".join)
lines = rules | st.sampled_from(["User-agent: *", "User-agent: sitemapgen", "", "# ..."])
urls = st.text("abAB/?=", max_size=8).map(f"{SITE}/".__add__)


@given(body=st.binary() | st.lists(lines | st.text()).map("\n".join).map(str.encode), url=urls)
def test_no_file_is_too_strange(body: bytes, url: str) -> None:
    for start in (b"", b"User-agent: *\nDisallow: /\n", b"\xff\xfe", b"\xfe\xff"):
        refused = parse_robots(start + body).refusal(url)
        assert refused is None or refused.startswith("robots.txt line ")


@given(rules=st.lists(rules), url=urls)
def test_the_line_that_is_named_refuses_by_itself(rules: list[str], url: str) -> None:
    robots = ["User-agent: *", *rules]
    evidence = parse_robots("\n".join(robots).encode()).refusal(url)
    if evidence is not None:
        match = re.fullmatch(r"robots\.txt line (\d+): (Disallow: .*)", evidence)
        assert match
        assert robots[int(match[1]) - 1] == match[2]
        assert not Protego.parse(f"User-agent: *\n{match[2]}").can_fetch(url, "*")


@given(robots=st.lists(lines).map("\n".join), url=urls)
def test_protego_agrees_where_nothing_needs_repair(robots: str, url: str) -> None:
    allowed = Protego.parse(robots).can_fetch(url, "sitemapgen")
    assert (parse_robots(robots.encode()).refusal(url) is None) is allowed
