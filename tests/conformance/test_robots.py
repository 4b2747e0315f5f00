"""Do we read robots.txt as Google's parser, RFC 9309 and StormCrawler do?

Every deviation is listed with its reason, and has to be one.
"""

from typing import Any

from sitemapgen.core import urls
from sitemapgen.core.robots import MAX_BYTES, Robots, from_response, parse_robots
from sitemapgen.download.robots import MAX_AGE
from tests.helpers.shared import conformance
from tests.helpers.tables import for_each

URL = "https://example.com/private"
DENIAL = b"User-agent: *\nDisallow: /private\n"

HEADER = "the whole User-Agent header may be given: its first product is the token"
ESCAPES = "both sides are compared in one form of percent-encoding (RFC 9309 section 2.2.2)"
LINE_LENGTH = "Google cuts a line at 16,664 bytes; RFC 9309 has no such limit"
WAIVERS = {
    "google-040": HEADER,
    "google-063": ESCAPES,
    "google-065": ESCAPES,
    "google-066": ESCAPES,
    "google-083": LINE_LENGTH,
    "google-086": LINE_LENGTH,
}


GOOGLE = conformance("robots_google/cases.jsonl")
STATISTICS = conformance("robots_google/parse_stats.jsonl")
OTHERS = conformance("robots_google/misc.jsonl")
RFC = conformance("robots_http_status/rfc9309_rules.jsonl")
STATUS = conformance("robots_http_status/cases.jsonl")


@for_each(*GOOGLE)
def test_google(case: dict[str, Any]) -> None:
    robots = parse_robots(case["robots"].encode(), case["user_agent"])
    is_allowed = robots.refusal(case["url"]) is None
    assert is_allowed is (case["allowed"] is (case["id"] not in WAIVERS))


def test_all_of_google_is_there() -> None:
    assert len(GOOGLE) == 145
    assert {case["id"] for case in GOOGLE} >= WAIVERS.keys()
    assert (len(AGENTS), len(PATHS), len(PATTERNS)) == (11, 19, 4)
    assert len(OTHERS) == 34 == 11 + 19 + 4
    assert len(STATISTICS) == 22


AGENTS = [case for case in OTHERS if "user_agent" in case]
PATHS = [case for case in OTHERS if "path" in case]
PATTERNS = [case for case in OTHERS if "pattern" in case]


@for_each(*AGENTS)
def test_google_user_agents(case: dict[str, Any]) -> None:
    """What Google takes for a product token is one; HEADER says why we take more."""
    agent = case["user_agent"]
    named = parse_robots(f"User-agent: {agent}\nDisallow: /private".encode(), agent)
    others = parse_robots(f"User-agent: {agent}\nDisallow: /private".encode(), f"{agent}x")
    assert not (case["valid_user_agent"] and others.refusal(URL))
    is_token = agent.strip().isascii() and agent != ""
    assert (named.refusal(URL) is not None) is (case["valid_user_agent"] or is_token)


@for_each(*PATHS)
def test_google_paths(case: dict[str, Any]) -> None:
    """What a rule is matched against. Ours are absolute URLs: nothing else gets so far."""
    url = urls.parse(case["url"])
    if url is None:
        assert not case["url"].startswith("http")
        return
    _, path, query = urls.split(url)
    assert case["path"] == (f"{path}?{query}" if query else path)


@for_each(*PATTERNS)
def test_google_patterns(case: dict[str, Any]) -> None:
    """A pattern matches what its escaped form does, if it is a path."""
    robots = parse_robots(
        "User-agent: *\nDisallow: /{}".format(case["pattern"].lstrip("/")).encode()
    )
    escaped = case["escaped"].lstrip("/")
    assert robots.refusal(f"https://example.com/{escaped}")
    assert not robots.refusal("https://example.com/other")


@for_each(*[case for case in STATISTICS if case["what"] == "last_line_seen"])
def test_google_counts_lines_likewise(case: dict[str, Any]) -> None:
    evidence = parse_robots(case["robots"].encode(), "bar").refusal(URL)
    assert evidence == f"robots.txt line {case['expected']}: Disallow: /"


@for_each(
    *[
        case
        for case in STATISTICS
        if case["test"] == "ID_UTF8ByteOrderMarkIsSkipped" and case["what"] == "valid_directives"
    ]
)
def test_google_skips_a_byte_order_mark_likewise(case: dict[str, Any]) -> None:
    """Two valid directives are a rule with its agent, and only then does the rule apply."""
    robots = case["robots"].replace("Allow: /AnyValue", "Disallow: /private").encode("latin-1")
    assert (parse_robots(robots, "foo").refusal(URL) is not None) is (case["expected"] == 2)


@for_each(*[case for case in STATISTICS if case["what"] == "sitemap"])
def test_google_finds_sitemaps_likewise(case: dict[str, Any]) -> None:
    assert parse_robots(case["robots"].encode()).sitemaps == (case["expected"],)


@for_each(*[case for case in STATUS if not case["non_default_conf"]])
def test_status(case: dict[str, Any]) -> None:
    """Without the cases of a setting of StormCrawler that RFC 9309 does not know."""
    outcomes = {"disallow_all": None, "parse": False, "allow_all": True}
    assert allowed(from_response(case["http_status"], DENIAL)) is outcomes[case["expect"]]


def test_every_section_of_rfc_9309_that_the_rules_name_has_a_test() -> None:
    """Redirects (2.3.1.2) need a server: ``tests/crawls/test_rules_of_the_road.py``.

    The cache (2.4) holds a day.
    """
    assert MAX_AGE == 24 * 60 * 60
    by_status = {"2.3.1.1", "2.3.1.3", "2.3.1.4"}
    here = {".".join(name.split("_")[2:]) for name in globals() if name.startswith("test_rfc_")}
    for rule in RFC:
        section = rule["section"]
        assert section in by_status | {"2.3.1.2", "2.4"} or any(
            name.startswith(section) for name in here
        )


def allowed(robots: Robots | None) -> bool | None:
    return None if robots is None else robots.refusal(URL) is None


def test_rfc_2_2_1_groups_are_combined_and_case_does_not_matter() -> None:
    robots = parse_robots(
        b"User-agent: ExampleBot\nDisallow: /foo\nUser-agent: *\nDisallow: /private\n"
        b"User-agent: examplebot\nDisallow: /bar\n",
        "EXAMPLEBOT",
    )
    assert robots.refusal("https://example.com/foo")
    assert robots.refusal("https://example.com/bar")
    assert not robots.refusal(URL)


def test_rfc_2_2_1_no_group_no_rules() -> None:
    assert not parse_robots(b"User-agent: other\nDisallow: /\n").refusal(URL)


@for_each(
    (b"Allow: /p\nDisallow: /", "/page", True),
    (b"Allow: /folder\nDisallow: /folder", "/folder/page", True),
    (b"Allow: /page\nDisallow: /*.htm", "/page.htm", False),
    (b"Disallow: /", "/robots.txt", True),
    (b"Disallow: /foo/bar?baz=quz", "/foo/bar?baz=quz", False),
    (b"Disallow: /foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar", False),
    (b"Disallow: /foo/bar?baz=a:b", "/foo/bar?baz=a%3Ab", False),
    (b"Disallow: /foo/bar/\xe3\x83\x84", "/foo/bar/%E3%83%84", False),
    (b"Disallow: /foo/bar/%E3%83%84", "/foo/bar/%E3%83%84", False),
    (b"Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", False),
)
def test_rfc_2_2_2_the_longest_match_wins_and_allow_wins_a_tie(
    rules: bytes, path: str, is_allowed: bool
) -> None:
    """The rows that start with /foo/bar are the table of percent-encoding in that section."""
    robots = parse_robots(b"User-agent: *\n" + rules)
    assert (robots.refusal(f"https://example.com{path}") is None) is is_allowed


def test_rfc_2_2_2_an_escaped_slash_stays_another_character() -> None:
    """The one deviation from that table, Protego's: in a path, %2F and / are not the same."""
    robots = parse_robots(b"User-agent: *\nDisallow: /foo/bar?baz=https://foo.bar")
    assert not robots.refusal("https://example.com/foo/bar?baz=https%3A%2F%2Ffoo.bar")


def test_rfc_2_2_4_other_records_do_not_interfere() -> None:
    robots = parse_robots(
        b"User-agent: sitemapgen\nSitemap: https://example.com/s.xml\nUser-agent: b\n" + DENIAL[14:]
    )
    assert robots.refusal(URL)
    assert robots.sitemaps == ("https://example.com/s.xml",)


def test_rfc_2_3_1_5_what_can_be_read_is_obeyed() -> None:
    assert parse_robots(b"\x00\xff\x89PNG\nUser-agent: *\n<html>\n:::\n" + DENIAL[14:]).refusal(URL)


def test_rfc_2_5_at_least_500_kibibytes_are_read() -> None:
    assert MAX_BYTES >= 500 * 1024
    assert parse_robots(b"#" * (MAX_BYTES - 1 - len(DENIAL)) + b"\n" + DENIAL + b"#" * 9).refusal(
        URL
    )
