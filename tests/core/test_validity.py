"""Each rule finds what it is for, in its line; a file without faults has no findings."""

import gzip
from datetime import datetime, timezone

import pytest

from sitemapgen.core.sitemap_files.findings import EXAMPLES, Findings, Rule, quote_text
from sitemapgen.core.sitemap_files.validate import Checked, check_file
from tests.helpers.cost import at_most
from tests.helpers.tables import for_each

NOW = datetime(2026, 5, 10, 12, 0, tzinfo=timezone.utc)
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
SPACES = f'xmlns:i="{IMAGE}" xmlns:v="{VIDEO}" xmlns:n="{NEWS}" xmlns:x="{XHTML}"'
LOC = "<loc>https://example.com/a</loc>"

Found = list[tuple[str, int]]


def checked(body: str | bytes, **more: object) -> tuple[Checked, Findings]:
    findings = Findings()
    raw = body.encode() if isinstance(body, str) else body
    file = check_file(raw, findings, name="s.xml", now=NOW, **more)
    return file, findings


def found(body: str | bytes, **more: object) -> Found:
    """(rule, line) of all findings."""
    _, findings = checked(body, **more)
    return sorted(
        (rule.word, finding.line) for rule, _, kept in findings.groups() for finding in kept
    )


def urlset(*entries: str, attributes: str = f'xmlns="{SITEMAP}"') -> str:
    """A urlset whose entries begin in the second line, one a line."""
    lines = "\n".join(f"<url>{entry}</url>" for entry in entries)
    return f"<urlset {attributes} {SPACES}>\n{lines}\n</urlset>"


def index(*locs: str) -> str:
    lines = "\n".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f'<sitemapindex xmlns="{SITEMAP}">\n{lines}\n</sitemapindex>'


NEWS_ENTRY = (
    "<n:news><n:publication><n:name>N</n:name><n:language>en</n:language></n:publication>"
    "<n:publication_date>2026-05-09</n:publication_date><n:title>T</n:title></n:news>"
)
VIDEO_ENTRY = (
    "<v:video><v:thumbnail_loc>https://example.com/t</v:thumbnail_loc><v:title>T</v:title>"
    "<v:description>D</v:description><v:content_loc>https://example.com/v</v:content_loc></v:video>"
)


def video(more: str) -> str:
    """An entry with a video of which more is said."""
    return LOC + VIDEO_ENTRY.replace("</v:video>", f"{more}</v:video>")


def news(before: str, after: str) -> str:
    """An entry with news of which something else is said."""
    assert before in NEWS_ENTRY
    return LOC + NEWS_ENTRY.replace(before, after)


def link(attributes: str) -> str:
    return f"{LOC}<x:link {attributes}/>"


GOOD = [
    LOC,
    f"{LOC}<lastmod>2024-02-29</lastmod><changefreq>daily</changefreq><priority>0.5</priority>",
    f"{LOC}<lastmod>2024-05-01T10:30:00+14:00</lastmod><priority> 1.0 </priority>",
    f"{LOC}<lastmod>2024-05-01T10:30:00.123Z</lastmod><priority>.5</priority>",
    "<loc>https://example.com/a?b=1&amp;c=2</loc>",
    "<loc>https://example.com/%C3%A4</loc>",
    "<loc>http://[2001:db8::1]/a</loc>",
    f"{LOC}<i:image><i:loc>https://example.com/a.png</i:loc><i:title>A</i:title></i:image>",
    f'{LOC}<x:link rel="alternate" hreflang="de" href="https://example.com/de/"/>',
    LOC + NEWS_ENTRY,
    LOC + VIDEO_ENTRY,
    f"<loc>https://example.com/{'a' * 2_028}</loc>",
    f"{LOC}<lastmod>2026-05-11</lastmod>",  # already, east of here
    f"{LOC}<lastmod>2026-05-10T12:04:00Z</lastmod>",
    f"{LOC}<i:image><i:loc> http://cdn.example/%C3%A4.png </i:loc></i:image>",
    f"{LOC}<i:image><i:loc>https://example.com/{'a' * 2_029}</i:loc></i:image>",
    video("<v:duration>28800</v:duration><v:rating>4.5</v:rating><v:live>No</v:live>"),
    video('<v:restriction relationship="deny">DE  AT</v:restriction><v:category/>'),
    video(f"{'<v:tag>T</v:tag>' * 32}<v:price currency='EUR'>1</v:price><v:price type='rent'/>"),
    video("<v:publication_date>2024-05-01T10:30:00+02:00</v:publication_date>"),
    video("<v:tvshow><v:show_title>T</v:show_title></v:tvshow>"),
    news("<n:language>en", "<n:language>zh-tw"),
    news("<n:language>en", "<n:language>deu"),
    news("2026-05-09", "2026-05-08T12:00:01Z"),
    link('rel="alternate" hreflang="x-default" href="http://other.example/"'),
    link('rel="alternate" hreflang="zh-hant-hk" href="https://example.com/"'),
    link('rel="alternate" media="only screen and (max-width: 640px)" href="https://m.a.example/"'),
]


@for_each(*GOOD)
def test_nothing_is_found_where_nothing_is_wrong(entry: str) -> None:
    assert found(urlset(entry)) == []


ENTRIES = [
    ("no_loc", "<lastmod>2024-01-01</lastmod>"),
    ("no_loc", "<loc> </loc>"),
    ("loc_not_absolute", "<loc>/just/a/path/of/it</loc>"),
    ("loc_not_absolute", "<loc>ftp://example.com/a</loc>"),
    ("loc_not_absolute", "<loc>https:///no/host/here</loc>"),
    ("loc_not_absolute", "<loc>https://exa mple.com/</loc>"),
    ("loc_length", "<loc>http://a.b/</loc>"),
    ("loc_length", f"<loc>https://example.com/{'a' * 2_029}</loc>"),
    ("loc_characters", "<loc>https://example.com/a b</loc>"),
    ("loc_characters", "<loc>https://example.com/a[1]</loc>"),
    ("loc_characters", "<loc>https://example.com/100%</loc>"),
    ("loc_characters", "<loc>https://example.com/%zz</loc>"),
    ("loc_form", "<loc>https://example.com</loc>"),
    ("loc_form", "<loc>https://EXAMPLE.com/a</loc>"),
    ("loc_form", "<loc>https://example.com:443/a</loc>"),
    ("loc_form", "<loc>https://example.com/a#b</loc>"),
    ("loc_form", "<loc>https://example.com/a/../b</loc>"),
    ("loc_form", "<loc>https://example.com/ä</loc>"),
    ("loc_form", "<loc>https://user:password@example.com/</loc>"),
    ("lastmod_format", f"{LOC}<lastmod>2024</lastmod>"),
    ("lastmod_format", f"{LOC}<lastmod>2024-05</lastmod>"),
    ("lastmod_format", f"{LOC}<lastmod>2024-05-01T10:30Z</lastmod>"),
    ("lastmod_format", f"{LOC}<lastmod>2024-05-01 10:30:00</lastmod>"),
    ("lastmod_format", f"{LOC}<lastmod>2023-02-29</lastmod>"),
    ("lastmod_format", f"{LOC}<lastmod>2024-05-01T25:00:00Z</lastmod>"),
    ("lastmod_format", f"{LOC}<lastmod>2024-05-01T10:00:00+0200</lastmod>"),
    ("lastmod_format", f"{LOC}<lastmod>yesterday</lastmod>"),
    ("lastmod_format", f"{LOC}<lastmod/>"),
    ("lastmod_zone", f"{LOC}<lastmod>2024-05-01T10:30:00</lastmod>"),
    ("lastmod_future", f"{LOC}<lastmod>2026-05-12</lastmod>"),
    ("lastmod_future", f"{LOC}<lastmod>2026-05-10T12:06:00Z</lastmod>"),
    ("lastmod_future", f"{LOC}<lastmod>2026-05-10T12:30:00+00:00</lastmod>"),
    ("changefreq_value", f"{LOC}<changefreq>Daily</changefreq>"),
    ("changefreq_value", f"{LOC}<changefreq/>"),
    ("priority_value", f"{LOC}<priority>1.1</priority>"),
    ("priority_value", f"{LOC}<priority>-0.1</priority>"),
    ("priority_value", f"{LOC}<priority>high</priority>"),
    ("priority_value", f"{LOC}<priority>1e-1</priority>"),
    ("priority_value", f"{LOC}<priority>nan</priority>"),
    ("element_order", f"<lastmod>2024-01-01</lastmod>{LOC}"),
    ("element_order", f"{LOC}{LOC}"),
    ("element_order", f"<i:image><i:loc>https://example.com/i</i:loc></i:image>{LOC}"),
    ("unexpected_element", f"{LOC}<title>A</title>"),
    ("unexpected_element", "<loc>https://example.com/a<b/></loc>"),
    ("unexpected_element", "<loc>https://example.com/a<i:image/></loc>"),
    ("stray_text", f"{LOC}and more"),
    ("stray_text", f'{LOC}<priority kind="high">0.5</priority>'),
    ("extension_content", f"{LOC}<i:image/>"),
    ("extension_content", f"{LOC}<i:picture/>"),
    ("extension_content", f"{LOC}<i:image><i:loc>https://a/</i:loc><i:size>1</i:size></i:image>"),
    ("extension_content", f'{LOC}<x:link rel="alternate" href="https://example.com/de/"/>'),
    ("extension_content", f"{LOC}<n:news><n:title>T</n:title></n:news>"),
    (
        "extension_content",  # neither content_loc nor player_loc
        f"{LOC}<v:video><v:thumbnail_loc>https://a/</v:thumbnail_loc><v:title>T</v:title>"
        "<v:description>D</v:description></v:video>",
    ),
    ("extension_content", f"{LOC}<i:image>{'<i:loc>https://a.b/c</i:loc>' * 2}</i:image>"),
    ("extension_content", video("<v:tag>T</v:tag>" * 33)),
    ("extension_content", video("<v:restriction>DE</v:restriction>")),
    ("extension_content", link('rel="alternate" hreflang=" " href="https://example.com/"')),
    ("stray_text", f"{LOC}<i:image>A picture<i:loc>https://a.b/c</i:loc></i:image>"),
    ("extension_value", f"{LOC}<i:image><i:loc/></i:image>"),
    ("extension_value", f"{LOC}<i:image><i:loc>/a.png</i:loc></i:image>"),
    ("extension_value", f"{LOC}<i:image><i:loc>data:image/png;base64,AAAA</i:loc></i:image>"),
    ("extension_value", f"{LOC}<i:image><i:loc>https://a.b/my picture.png</i:loc></i:image>"),
    ("extension_value", video("").replace("/t<", "/[t]<")),
    ("extension_value", video("").replace("https://example.com/v", "v.mp4")),
    ("extension_value", video("").replace("<v:title>T", f"<v:title>{'T' * 101}")),
    ("extension_value", video("").replace("<v:title>T", "<v:title> ")),
    ("extension_value", video("").replace("D<", f"{'D' * 2_049}<")),
    ("extension_value", video("<v:duration>0</v:duration>")),
    ("extension_value", video("<v:duration>28801</v:duration>")),
    ("extension_value", video("<v:duration>PT2M</v:duration>")),
    ("extension_value", video("<v:duration>90.5</v:duration>")),
    ("extension_value", video("<v:duration/>")),
    ("extension_value", video("<v:rating>5.1</v:rating>")),
    ("extension_value", video("<v:view_count>-1</v:view_count>")),
    ("extension_value", video("<v:publication_date>2024</v:publication_date>")),
    ("extension_value", video("<v:expiration_date>soon</v:expiration_date>")),
    ("extension_value", video("<v:family_friendly>true</v:family_friendly>")),
    ("extension_value", video("<v:restriction relationship='no'>DE</v:restriction>")),
    ("extension_value", video("<v:restriction relationship='deny'>Germany</v:restriction>")),
    ("extension_value", video("<v:platform relationship='allow'>web,tv</v:platform>")),
    ("extension_value", video("<v:price currency='euro'>1</v:price>")),
    ("extension_value", news("<n:name>N", "<n:name>")),
    ("extension_value", news("<n:language>en", "<n:language>en-GB")),
    ("extension_value", news("<n:language>en", "<n:language>English")),
    ("extension_value", news("<n:language>en", "<n:language>xx")),
    ("extension_value", news("2026-05-09", "9 May 2026")),
    ("extension_value", news("2026-05-09", "2026-05-09T10:00Z")),
    ("extension_value", news("<n:title>T", "<n:title>")),
    ("extension_value", news("<n:title>", "<n:genres>Gossip</n:genres><n:title>")),
    ("news_date", news("2026-05-09", "2026-05-07")),
    ("news_date", news("2026-05-09", "2026-05-10T13:00:00Z")),
    ("extension_value", link('rel="alternate" hreflang="en-UK" href="https://example.com/"')),
    ("extension_value", link('rel="alternate" hreflang="de_AT" href="https://example.com/"')),
    ("extension_value", link('rel="alternate" hreflang="eu-ES-" href="https://example.com/"')),
    ("extension_value", link('rel="alternate" hreflang="de" href="/de/"')),
    ("extension_value", link('rel="alternate" hreflang="de" href="//example.com/de/"')),
    ("extension_value", link('rel="next" hreflang="de" href="https://example.com/"')),
    ("extension_namespace", f'{LOC}<image xmlns="{IMAGE.replace("http:", "https:")}"/>'),
    ("extension_namespace", f'{LOC}<link xmlns="http://www.w3.org/TR/xhtml11/xhtml11_schema"/>'),
    ("unknown_namespace", f'{LOC}<geo xmlns="http://www.google.com/geo/schemas/sitemap/1.0"/>'),
]


@for_each(*ENTRIES)
def test_entries(rule: str, entry: str) -> None:
    assert found(urlset(LOC, entry)) == [(rule, 3)]


def test_the_line_is_that_of_the_value() -> None:
    entry = f"{LOC}\n<i:image>\n<i:loc>\n/a.png\n</i:loc>\n</i:image>"
    assert found(urlset(entry)) == [("extension_value", 4)]


FILES = [
    ("not_a_sitemap", 0, ""),
    ("not_a_sitemap", 0, " \n"),
    ("not_a_sitemap", 0, "nothing of the kind"),
    ("not_a_sitemap", 1, "<!doctype html><p>404<p>"),
    ("not_a_sitemap", 1, "<!DOCTYPE html><html/>"),
    ("not_a_sitemap", 2, "<!-- \n --><html><br></html>"),
    ("not_a_sitemap", 1, "<products/>"),
    ("not_well_formed", 3, f"<urlset xmlns='{SITEMAP}'>\n<url>{LOC}</url>\n<url></urlset>"),
    ("not_well_formed", 2, f"<urlset xmlns='{SITEMAP}'>\n<url><loc>https://a.b/?c&d</loc></url>"),
    ("not_well_formed", 2, f"<urlset xmlns='{SITEMAP}'>\n<url>{LOC}<image:image/></url></urlset>"),
    ("not_well_formed", 2, f"\n<?xml version='1.0'?>\n{urlset(LOC)}"),
    ("empty", 1, f"<urlset xmlns='{SITEMAP}'></urlset>"),
    ("empty", 1, f"<sitemapindex xmlns='{SITEMAP}'/>"),
    ("namespace", 1, urlset(LOC, attributes=f'xmlns="{SITEMAP.replace("http:", "https:")}"')),
    ("namespace", 1, urlset(LOC, attributes='xmlns="http://www.google.com/schemas/sitemap/0.84"')),
    ("namespace", 1, urlset(LOC, attributes="")),
    ("stray_text", 1, urlset(LOC, attributes=f'xmlns="{SITEMAP}" version="1"')),
    ("stray_text", 3, f"<urlset xmlns='{SITEMAP}'>\n\n hello\n\n<url>{LOC}</url></urlset>"),
    ("doctype", 1, f"<!DOCTYPE urlset>{urlset(LOC)}"),
    ("encoding", 1, f"<?xml version='1.0' encoding='ISO-8859-1'?>{urlset(LOC)}"),
    ("encoding", 2, b"https://example.com/\nhttps://example.com/\xe9\n"),
    ("loc_not_absolute", 2, "https://example.com/\nexample.com/a/b/c\n"),
    ("loc_form", 3, "https://example.com/\r\n\r\nhttps://example.com/a#b\r\n"),
    ("unexpected_element", 1, f"<sitemapindex xmlns='{SITEMAP}'><sitemap>"
     "<loc>https://example.com/s.xml</loc><priority>1</priority></sitemap></sitemapindex>"),
    ("feed", 1, "<rss><channel><item><link>https://example.com/</link></item></channel></rss>"),
]  # fmt: skip


@for_each(*FILES)
def test_files(rule: str, line: int, body: str | bytes) -> None:
    rules = found(body)
    if rule == "encoding" and isinstance(body, bytes):
        rules = [each for each in rules if each[0] == "encoding"]
    assert rules == [(rule, line)]


def test_utf_16_is_read_and_found() -> None:
    body = f"<?xml version='1.0' encoding='UTF-16'?>\n{urlset(LOC)}".encode("utf-16")
    file, findings = checked(body)
    assert file.entries == 1
    assert list(findings.counts) == [Rule.ENCODING]


def test_a_byte_order_mark_and_gzip_are_no_faults() -> None:
    assert found(b"\xef\xbb\xbf" + urlset(LOC).encode()) == []
    assert found(gzip.compress(urlset(LOC).encode())) == []
    assert found("https://example.com/\r\nhttps://example.com/a") == []


def test_gzip_that_breaks_off() -> None:
    body = gzip.compress(
        urlset(*(f"<loc>https://example.com/{n}</loc>" for n in range(900))).encode()
    )
    file, findings = checked(body[:-1_000])
    assert list(findings.counts) == [Rule.UNREADABLE]  # not also that its XML has no end
    assert 100 < file.entries < 900


def test_an_answer_that_breaks_off() -> None:
    file, findings = checked("https://example.com/a\nhttps://example.com/b", is_cut=True)
    assert list(findings.counts) == [Rule.UNREADABLE]
    assert file.entries == 1  # half a URL is another URL


def test_lines_are_right_in_large_files() -> None:
    entries = [f"\n\n{LOC}"] * 40_000
    assert found(urlset(*entries, "<loc>https://example.com/ä</loc>")) == [("loc_form", 120_002)]


@pytest.mark.full
def test_too_many_entries() -> None:
    entry = "<url><loc>https://example.com/</loc></url>"
    start = f'<urlset xmlns="{SITEMAP}">'
    assert found(f"{start}{entry * 50_000}</urlset>") == []
    assert found(f"{start}{entry * 50_001}</urlset>") == [("too_many_entries", 0)]


def test_too_many_images_and_news() -> None:
    image = "<i:image><i:loc>https://example.com/i</i:loc></i:image>"
    assert found(urlset(LOC + image * 1_000, LOC + image)) == []
    assert found(urlset(LOC, LOC + image * 1_001)) == [("extension_content", 3)]
    assert found(urlset(*[LOC + NEWS_ENTRY] * 1_000)) == []
    assert found(urlset(*[LOC + NEWS_ENTRY] * 1_002)) == [("extension_content", 1_002)]


def test_too_large() -> None:
    padding = "\n" * (52_428_800 - len(urlset(LOC)))
    assert found(urlset(LOC) + padding) == []
    assert found(urlset(LOC) + padding + "\n") == [("too_large", 0)]


def test_an_index_has_children_with_their_lines() -> None:
    file, findings = checked(index("https://example.com/1.xml", "https://EXAMPLE.com/2.xml"))
    assert file.format == "index"
    assert file.children == [("https://example.com/1.xml", 2), ("https://example.com/2.xml", 3)]
    assert list(findings.counts) == [Rule.LOC_FORM]


def test_location() -> None:
    body = urlset("<loc>https://example.com/shop/a</loc>", LOC, "<loc>https://other.example/</loc>")
    assert found(body, location="https://example.com/shop/") == [("location", 3)]
    assert found(body) == []  # unknown, or robots.txt vouches for it


def test_hosts_are_counted_with_their_first_lines() -> None:
    file, _ = checked(urlset(LOC, LOC, "<loc>http://example.com/</loc>"))
    places = {origin: (place.line, place.times) for origin, place in file.origins.items()}
    assert places == {"https://example.com": (2, 2), "http://example.com": (4, 1)}


def test_findings_are_bounded_and_counted() -> None:
    _, findings = checked(urlset(*["<loc>https://example.com</loc>"] * 1_000))
    ((rule, count, kept),) = findings.groups()
    assert (rule, count, len(kept)) == (Rule.LOC_FORM, 1_000, EXAMPLES)


BILLION = (
    "<!DOCTYPE urlset [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>]>"
    + urlset("<loc>https://example.com/&b;</loc>")
)
SECRET = "<!DOCTYPE urlset [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>" + urlset("<loc>&a;</loc>")
OUTSIDE = "<!DOCTYPE urlset SYSTEM 'http://127.0.0.1:9/x.dtd'>" + urlset(
    "<loc>https://a.b/&c;</loc>"
)


@for_each(BILLION, SECRET, OUTSIDE)
def test_entities_are_not_read(body: str) -> None:
    file, findings = checked(body)
    assert findings.counts[Rule.ENTITIES] == 1
    assert not file.keys or body is OUTSIDE
    assert "root:" not in str(findings.groups())


HOSTILE = {
    "deep": lambda: f"<urlset xmlns='{SITEMAP}'>" + "<a>" * 1_000_000,
    "one long tag": lambda: f"<urlset xmlns='{SITEMAP}'><url a='" + "x" * 20_000_000,
    "one long text": lambda: (
        f"<urlset xmlns='{SITEMAP}'><url><loc>" + "x" * 20_000_000 + "</loc></url>"
    ),
    "many attributes": lambda: "<urlset " + " ".join(f"a{n}='1'" for n in range(200_000)) + "/>",
    "a million elements": lambda: f"<urlset xmlns='{SITEMAP}'>" + "<a/>" * 1_000_000 + "</urlset>",
    "gzip bomb": lambda: gzip.compress(b" " * 200_000_000),
    "lines": lambda: b"https://a.b/xy\n" + b"\n" * 20_000_000 + b"x",
    "bad lines": lambda: b"https://a.b/xy\n" + b"x\n" * 10_000_000,
    "entries": lambda: f"<urlset xmlns='{SITEMAP}'>" + "<url/>" * 5_000_000 + "</urlset>",
    "many URLs": lambda: b"https://example.com/\n" * 500_000,
    "nothing but <": lambda: "<" * 10_000_000,
}


@pytest.mark.sample
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_cost_seconds_at_most(name: str) -> None:
    body = HOSTILE[name]()
    with at_most(10):
        rules = found(body)
    assert rules
    assert len(rules) <= 3 * EXAMPLES


def test_a_file_that_is_nothing_but_faults_is_given_up_on() -> None:
    file, findings = checked(b"https://a.b/xy\n" + b"no URL\n" * 150_000)
    assert findings.counts[Rule.UNREADABLE] == 1
    assert findings.total("error") == 100_002  # and there are too many entries
    assert file.entries < 100_000  # two faults each
    _, findings = checked(f"<urlset xmlns='{SITEMAP}'><url>{LOC}{'<a>' * 40}")
    assert "32 elements" in findings.groups()[0][2][-1].sentence


def test_what_is_shown_cannot_speak_to_a_terminal() -> None:
    _, findings = checked("https://example.com/\nhttps://x\x1b[2J\x9b\u202e.example/\n")
    sentences = [finding.sentence for _, _, kept in findings.groups() for finding in kept]
    assert sentences
    assert "".join(sentences).isprintable()
    assert quote_text("a" * 500) == f'"{"a" * 120}..."'
