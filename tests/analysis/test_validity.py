"""What the files of a sitemap say together."""

from datetime import datetime, timezone

from sitemapgen.analysis.validity import check_duplicates, check_hosts, check_lastmods, home_origin
from sitemapgen.core.sitemap_files.findings import Findings, Rule
from sitemapgen.core.sitemap_files.validate import Checked, check_file

NOW = datetime(2026, 5, 10, tzinfo=timezone.utc)


def text(name: str, *urls: str) -> Checked:
    return check_file("\n".join(urls).encode(), Findings(), name=name, now=NOW)


def dated(name: str, *dates: str, root: str = "urlset", entry: str = "url") -> Checked:
    entries = "".join(
        f"<{entry}><loc>https://example.com/{number}</loc><lastmod>{date}</lastmod></{entry}>"
        for number, date in enumerate(dates)
    )
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    body = f'<{root} xmlns="{space}">{entries}</{root}>'
    return check_file(body.encode(), Findings(), name=name, now=NOW)


def found(findings: Findings) -> list[tuple[str, str, int, str]]:
    return [
        (rule.word, each.file, each.line, each.sentence)
        for rule, _, kept in findings.groups()
        for each in kept
    ]


def test_duplicates_within_a_file_and_across_files() -> None:
    files = [
        text("1", "https://example.com/a", "https://example.com/b"),
        text("2"),
        text("3", "https://example.com/c", "https://EXAMPLE.com/b", "https://example.com/c"),
        text("4", "https://example.com/b"),
    ]
    findings = Findings()
    check_duplicates(files, findings)
    assert found(findings) == [
        ("duplicate_url", "3", 2, "listed before, at 1:2"),
        ("duplicate_url", "3", 3, "listed before, at 3:1"),
        ("duplicate_url", "4", 1, "listed before, at 1:2"),
    ]


def test_the_first_of_many_is_the_one_that_counts() -> None:
    many = ["https://example.com/a", "https://example.com/b"] * 500
    findings = Findings()
    check_duplicates([text("1", *many), text("2", *many)], findings)
    assert findings.counts[Rule.DUPLICATE_URL] == 1_998
    places = [(line, sentence) for _, _, line, sentence in found(findings)]
    assert places[:2] == [(3, "listed before, at 1:1"), (4, "listed before, at 1:2")]


def test_no_duplicates_among_nothing() -> None:
    for files in ([], [text("1")], [text("1", "https://example.com/a")]):
        findings = Findings()
        check_duplicates(files, findings)
        assert not findings.counts


FILES = [
    text("1", "https://example.com/a", "https://example.com/b", "http://example.com/"),
    text("2", "https://www.example.com/", "https://www.example.com/a"),
]


def test_hosts() -> None:
    assert home_origin(FILES) == "https://example.com"
    findings = Findings()
    check_hosts(FILES, home_origin(FILES), findings, is_vouched_for=lambda _origin, _file: False)
    assert [row[:3] for row in found(findings)] == [("other_host", "1", 3), ("other_host", "2", 1)]
    assert found(findings)[1][3].startswith("2 URLs are of https://www.example.com and not of")


def test_robots_txt_vouches_for_other_hosts() -> None:
    findings = Findings()
    vouched = ("https://www.example.com", "2")
    check_hosts(FILES, home_origin(FILES), findings, is_vouched_for=lambda *pair: pair == vouched)
    assert [row[1] for row in found(findings)] == ["1"]


def test_all_pages_have_one_lastmod() -> None:
    index = dated("0", "2024-01-03", root="sitemapindex", entry="sitemap")
    for files, is_suspect in (
        ([dated("1", *["2024-01-01"] * 10)], True),
        ([index, dated("1", *["2024-01-01"] * 10)], True),
        ([dated("1", *["2024-01-01"] * 5), dated("2", *["2024-01-01"] * 5)], True),
        ([dated("1", *["2024-01-01"] * 9)], False),
        ([dated("1", *["2024-01-01"] * 10), dated("2", "2024-01-02")], False),
        ([], False),
    ):
        findings = Findings()
        check_lastmods(files, findings)
        assert bool(findings.counts[Rule.LASTMOD_IDENTICAL]) is is_suspect
