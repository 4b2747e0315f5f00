"""Do we find an error where the official schemas refuse a file, and none where they take it?

lxml validates with the schemas themselves. Every deviation is listed with its reason, and has to
be one.
"""

import re
from datetime import datetime, timezone
from typing import Any

from lxml import etree

from sitemapgen.core.sitemap_files.findings import ERROR, Findings, Rule
from sitemapgen.core.sitemap_files.read import read_sitemap
from sitemapgen.core.sitemap_files.validate import check_file
from tests.helpers.shared import SHARED, conformance, require
from tests.helpers.tables import for_each

BROKEN = {"scsm-004": Rule.UNEXPECTED_ELEMENT, "scsm-010": Rule.ENTITIES}
"""Files that crawlers read something out of, though the protocol has no such thing."""
NOW = datetime(2026, 5, 10, tzinfo=timezone.utc)
SCHEMAS = require(SHARED / "conformance" / "sitemap_xsd")
URLSET = etree.XMLSchema(etree.parse(SCHEMAS / "all.xsd"))
INDEX = etree.XMLSchema(etree.parse(SCHEMAS / "siteindex.xsd"))

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
SPACES = (
    f'{NS} xmlns:i="http://www.google.com/schemas/sitemap-image/1.1" '
    'xmlns:v="http://www.google.com/schemas/sitemap-video/1.1" '
    'xmlns:n="http://www.google.com/schemas/sitemap-news/0.9" '
    'xmlns:x="http://www.w3.org/1999/xhtml"'
)
LOC = "<loc>https://example.com/a</loc>"
NEWS = (
    "<n:news><n:publication><n:name>N</n:name><n:language>en</n:language></n:publication>"
    "<n:publication_date>2026-05-09</n:publication_date><n:title>T</n:title></n:news>"
)
VIDEO = (
    "<v:video><v:thumbnail_loc>https://a.b/t</v:thumbnail_loc><v:title>T</v:title>"
    "<v:description>D</v:description><v:content_loc>https://a.b/v</v:content_loc></v:video>"
)

LOCS = [
    *("https://example.com/", "http://a.b/", "http://a.b/c", " https://example.com/a ", ""),
    *(f"https://example.com/{'a' * 2_028}", f"https://example.com/{'a' * 2_029}"),
    *("https://example.com/[a]", "https://example.com/%zz", "https://example.com/%41"),
    *("https://example.com/a%", "https://example.com/ä", "https://[::1]/abc", "https://a.b/?c=d#e"),
    *("https://example.com/a b", "/relative/path", "example.com/a/b", "ftp://example.com/a"),
    *("https://example.com/{a}", "https://example.com/a|b", "https:///example.com/abc"),
]
LASTMODS = [
    *("2024-05-01", "2024-05-01Z", "2024-05-01+02:00", "2024-05-01T10:30:00Z", "2024-05"),
    *("2024-05-01T10:30:00", "2024-05-01T10:30:00.5+14:00", "2024-05-01T10:30:00+14:01", "2024"),
    *("2024-05-01T10:30Z", "2024-05-01t10:30:00z", "2024-05-01 10:30:00", "2024-13-01", ""),
    *("2024-02-30", "2023-02-29", "2024-02-29", "2024-05-01T24:00:00Z", "2024-05-01T24:00:01Z"),
    *("2024-05-01T23:59:60Z", "2024-05-01T10:30:00+0200", " 2024-05-01 ", "20240501", "yesterday"),
    *("2024-5-1", "2024-05-01T1:30:00Z", "2024-05-01T10:30:00.Z", "٢٠٢٤-05-01"),
]
FREQUENCIES = ["always", "never", "hourly", "Daily", " daily", "", "biweekly"]
PRIORITIES = [
    *(
        *("0.5", "1", "0", "1.0", "1.01", "-0.1", "-0", "+0.5", ".5", "1.", "", "high"),
        *("1e-1", " 0.5 "),
    ),
    *("0,5", "INF", "NaN", "0.50000"),
]
ENTRIES = [
    *(f"<loc>{loc}</loc>" for loc in LOCS),
    *(f"{LOC}<lastmod>{lastmod}</lastmod>" for lastmod in LASTMODS),
    *(f"{LOC}<changefreq>{word}</changefreq>" for word in FREQUENCIES),
    *(f"{LOC}<priority>{number}</priority>" for number in PRIORITIES),
    *("", "<lastmod>2024-01-01</lastmod>", f"<lastmod>2024-01-01</lastmod>{LOC}", f"{LOC}{LOC}"),
    *(f"{LOC}<priority>1</priority><changefreq>daily</changefreq>", f"{LOC}<title/>", f"{LOC}x"),
    *(f'<loc a="b">{LOC[5:]}', f"<loc>{LOC}</loc>", f'{LOC}<lastmod xml:lang="en">2024</lastmod>'),
    *(f"{LOC}{NEWS}", f"{NEWS}{LOC}", f"{LOC}{VIDEO}", f"{LOC}{VIDEO}{NEWS}", f"{LOC}<n:news/>"),
    f"{LOC}<i:image><i:loc>https://a.b/c</i:loc></i:image>",
    *(f"{LOC}<i:image/>", f"{LOC}<i:images/>", f"{LOC}{VIDEO.replace('title', 'titel')}"),
    f'{LOC}<x:link rel="alternate" hreflang="de" href="https://a.b/c"/>',
    f'{LOC}<lastmod xmlns="">2024-01-01</lastmod>',
    f'{LOC}<other xmlns="https://example.com/ns"/>',
]


def in_video(part: str) -> str:
    """Elements of the video extension, with its prefix."""
    return re.sub("<(/?)([a-z])", r"<\1v:\2", part)


IMAGES = [*LOCS, "https://a/"]
DURATIONS = ["0", "1", " 60 ", "+60", "-1", "28800", "28801", "1.5", "1:30", "", "abc"]
PARTS = [
    *(f"<duration>{said}</duration>" for said in DURATIONS),
    *(f"<expiration_date>{said}</expiration_date>" for said in LASTMODS),
    *(f"<rating>{said}</rating>" for said in ["0", "5", "5.0", "5.1", "-1", "", "good", " 4 "]),
    *(f"<view_count>{said}</view_count>" for said in ["0", "12345678901", "-1", "1.0", ""]),
    *(f"<publication_date>{said}</publication_date>" for said in LASTMODS),
    *("<tag>T</tag>" * 32, "<tag>T</tag>" * 33, "<category>C</category>" * 2, "<category/>"),
    *(f"<category>{'C' * 256}</category>", f"<category>{'C' * 257}</category>"),
    *(f"<family_friendly>{said}</family_friendly>" for said in ["yes", "Yes", "yEs", " no", ""]),
    *(
        f'<restriction relationship="deny">{said}</restriction>'
        for said in ["", "DE", "DE AT", "DE  AT", "de", "DE,AT", "DEU"]
    ),
    *("<restriction>DE</restriction>", '<restriction relationship="not">DE</restriction>'),
    *("<price>1</price>", '<price currency="EUR">1</price>', '<price currency="eur">1</price>'),
    *('<price type="rent"/>', '<price type="gift"/>', '<price type="rent" resolution="4K"/>'),
    *(
        f'<platform relationship="allow">{said}</platform>'
        for said in ["", "web", "web tv mobile", "web,tv", "radio"]
    ),
    *("<live>no</live>", "<live>later</live>", '<id type="url">1</id>', '<id type="isbn">1</id>'),
    *("<id>1</id>", '<id type="url">1</id>' * 3, "text"),
]
SAID = [
    *(("<n:language>en", f"<n:language>{code}") for code in ["deu", "zh-cn", "zh", "en-GB", "EN"]),
    *(("<n:language>en", f"<n:language>{code}") for code in ["", " en", "zh-hk", "qq", "engl"]),
    *(("2026-05-09", said) for said in LASTMODS),
    *(("<n:title>", f"<n:title>{said}") for said in ["A longer ", "&#228;"]),
    *(("<n:name>", f"<n:genres/><n:name>{said}") for said in [""]),
    *(
        ("<n:publication_date>", f"<n:genres>{said}</n:genres><n:publication_date>")
        for said in ["Blog", "Blog, Satire", "Blog,Satire", "News", "", "Blog Satire"]
    ),
    *(
        ("<n:publication_date>", f"<n:access>{said}</n:access><n:publication_date>")
        for said in ["Subscription", "Registration", "free", ""]
    ),
    *(
        ("</n:title>", f"</n:title><n:stock_tickers>{said}</n:stock_tickers>")
        for said in ["", "NASDAQ:AMAT", "A:B, C:D", "AMAT", "A:1,A:2,A:3,A:4,A:5,A:6"]
    ),
]
LINKS = [
    *(f'rel="alternate" hreflang="{code}" href="https://a.b/c"' for code in ["de", "de-AT", "xx"]),
    *(f'rel="alternate" hreflang="{code}" href="https://a.b/c"' for code in ["de_AT", "x-default"]),
    *(f'rel="alternate" hreflang="{code}" href="https://a.b/c"' for code in ["en-UK", "german"]),
    *(f'rel="alternate" hreflang="de" href="{href}"' for href in ["/de", "https://a.b/c d", ""]),
    *('rel="next" hreflang="de" href="https://a.b/c"', 'rel="alternate" href="https://a.b/c"'),
    'rel="alternate" media="only screen and (max-width: 640px)" href="https://a.b/c"',
]
EXTENDED = [
    *(f"{LOC}<i:image><i:loc>{loc}</i:loc></i:image>" for loc in IMAGES),
    f"{LOC}<i:image>{'<i:loc>https://a.b/c</i:loc>' * 2}</i:image>",
    f"{LOC}<i:image>text<i:loc>https://a.b/c</i:loc></i:image>",
    *(LOC + VIDEO.replace("</v:video>", f"{in_video(part)}</v:video>") for part in PARTS),
    *(LOC + VIDEO.replace("T<", f"{'T' * count}<") for count in (0, 100, 101)),
    *(LOC + VIDEO.replace("D<", f"{'D' * count}<") for count in (0, 2_048, 2_049)),
    *(LOC + VIDEO.replace("https://a.b/t", loc) for loc in LOCS),
    *(LOC + NEWS.replace(before, after) for before, after in SAID),
    *(f"{LOC}<x:link {attributes}/>" for attributes in LINKS),
]

ESCAPABLE = "RFC 3986 has no such character; the schema takes whatever could be escaped"
RELATIVE = "a sitemap needs http or https and a host; the schema takes any reference"
UNKNOWN = "a warning: search engines pass over what they do not know"
GOOGLE = "what Google says of it, and the schema does not"
DEVIATIONS = {
    **dict.fromkeys(
        ("<i:loc></i:loc>", "<v:title></", "<v:description></", "<v:thumbnail_loc></"), GOOGLE
    ),
    **dict.fromkeys(("<v:duration>0<", "<n:language>qq", 'g="xx"', 'g="en-UK"'), GOOGLE),
    **dict.fromkeys(('g="german"', 'href="/de"', 'href=""', 'rel="next"'), GOOGLE),
    'alternate" href=': GOOGLE,
    "https://a.b/c d": ESCAPABLE,
    "https://example.com/a b": ESCAPABLE,
    "https://example.com/{a}": ESCAPABLE,
    "https://example.com/a|b": ESCAPABLE,
    "/relative/path": RELATIVE,
    ">example.com/a/b": RELATIVE,
    "ftp://example.com/a": RELATIVE,
    "https:///example.com/abc": RELATIVE,
    "https://example.com/ns": UNKNOWN,
}


def errors(body: str) -> list[str]:
    findings = Findings()
    check_file(body.encode(), findings, name="s.xml", now=NOW)
    return [rule.word for rule, _, _ in findings.groups() if rule.severity == ERROR]


def assert_agrees(schema: etree.XMLSchema, body: str, entry: str) -> None:
    is_valid = schema.validate(etree.fromstring(body))
    agrees = (not errors(body)) == is_valid
    reason = next((why for part, why in DEVIATIONS.items() if part in entry), "")
    assert agrees is not bool(reason), (errors(body), reason, schema.error_log)


@for_each(*ENTRIES, *EXTENDED)
def test_entries(entry: str) -> None:
    assert_agrees(URLSET, f"<urlset {SPACES}><url>{entry}</url></urlset>", entry)


CHILDREN = [
    *(f"<loc>{loc}</loc>" for loc in LOCS),
    *(f"{LOC}<lastmod>{lastmod}</lastmod>" for lastmod in LASTMODS),
    *("", f"{LOC}<priority>1</priority>", f"{LOC}<changefreq>daily</changefreq>", f"{LOC}{LOC}"),
]


@for_each(*CHILDREN)
def test_indexes(entry: str) -> None:
    body = f"<sitemapindex {NS}><sitemap>{entry}</sitemap></sitemapindex>"
    assert_agrees(INDEX, body, entry)


CASES = conformance("sitemap_scrapy/cases.jsonl")


@for_each(*[case for case in CASES if case["kind"] == "sitemap"])
def test_what_crawlers_read_is_checked(case: dict[str, Any]) -> None:
    body = case["body"].encode()
    findings = Findings()
    file = check_file(body, findings, name="s.xml", now=NOW)
    sitemap = read_sitemap(body)
    if case["id"] in BROKEN:
        assert BROKEN[case["id"]] in findings.counts
        return
    assert file.format == sitemap.format
    assert len(file.keys) == len(sitemap.entries)
    assert len(file.children) == len(sitemap.children)
