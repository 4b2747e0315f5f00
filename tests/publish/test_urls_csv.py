"""urls.csv: readable by any CSV reader, harmless in any spreadsheet."""

import csv
import io
from unicodedata import category, normalize

import pytest

from sitemapgen.report.urls_csv import escape_cell, write_csv
from sitemapgen.store.results import COLUMNS
from sitemapgen.verdicts import Verdict
from tests.helpers.tables import for_each

ROW = (
    *("https://example.com/a", Verdict.LISTED, "HTTP 200", 200, 1, "https://example.com/", 3, None),
    *("2024-05-01T10:00:00Z", "json-ld", "A", "2024-05-01T12:00:00+02:00", 0.0123457, 1, 0, 1),
    *("a script writes links", 1, "https://example.com/b", "", "/*", 9, 96, 150, "All about A"),
)
REST = ("/c", "/*", None, None, None, "")


def written(*rows: tuple) -> bytes:
    file = io.BytesIO()
    write_csv(rows, file)
    return file.getvalue()


def cell(title: str) -> str:
    """What a reader gets for this title."""
    row = (*ROW[:10], title, "", None, 0, 1, 0, "", 0, "", *REST)
    rows = list(csv.DictReader(io.StringIO(written(row).decode(), newline="")))
    assert len(rows) == 1
    assert list(rows[0]) == list(COLUMNS)
    return rows[0]["title"]


def test_the_bytes() -> None:
    assert written(
        ROW, (*ROW[:10], 'Say "hi", all', "", 6.66667e-07, 0, 1, 0, "", 0, "", *REST)
    ) == (
        b"url,verdict,evidence,status,depth,parent,in_degree,canonical,lastmod,lastmod_source,title,"
        b"lastmod_evidence,pagerank,in_sitemap,reached,rendered,render_reason,view,view_of,"
        b"redirect_target,kind,title_length,title_pixels,description_length,description,"
        b"h1,h1s,words,images_without_alt,links_without_text,nofollow_links,mixed_content,"
        b"invalid_json_ld,incomplete_entities,structured_data,structured_data_faults,bytes,seconds,"
        b"duplicate_of,similarity,dead_end,hreflang_faults,sitemap_date_fault,page_date_faults,"
        b"redirect_hops,redirect_links,same_title,same_description,same_h1\n"
        b"https://example.com/a,listed,HTTP 200,200,1,https://example.com/,3,,"
        b"2024-05-01T10:00:00Z,json-ld,A,2024-05-01T12:00:00+02:00,0.0123457,1,0,1,"
        b"a script writes links,1,https://example.com/b,,/*,9,96,150,All about A\n"
        b"https://example.com/a,listed,HTTP 200,200,1,https://example.com/,3,,"
        b'2024-05-01T10:00:00Z,json-ld,"Say ""hi"", all",,6.66667e-07,0,1,0,,0,,/c,/*,,,,\n'
    )


def test_no_rows_are_a_header() -> None:
    assert written() == ",".join(COLUMNS).encode() + b"\n"


@for_each(
    ("", ""),
    ("Plain title", "Plain title"),
    ("Größe, 日本 🙂", "Größe, 日本 🙂"),
    ("a = b + c - d @ e", "a = b + c - d @ e"),
    ("'quoted'", "'quoted'"),
    # formulas
    ('=HYPERLINK("http://evil.example","x")', '\'=HYPERLINK("http://evil.example","x")'),
    ("+1", "'+1"),
    ("-1", "'-1"),
    ("@SUM(A1)", "'@SUM(A1)"),
    ("\t=1", "' =1"),
    ("\r=1", "' =1"),
    ("\rtext", "' text"),
    ("\ttext", "' text"),
    (" =1", "' =1"),
    ("\n=1", "' =1"),
    ("\xa0=1", "'\xa0=1"),
    ("＝1", "'＝1"),
    ("﹦1", "'﹦1"),
    ("⁼1", "'⁼1"),
    ("\ufeff=1", "'\ufeff=1"),
    ("\u200b\u202e @SUM(A1)", "'\u200b\u202e @SUM(A1)"),
    ("\x00=1", "' =1"),
    ("\u3164\ufe0f\U000e0020＋1", "'\u3164\ufe0f\U000e0020＋1"),
    ("\ufeffA title", "\ufeffA title"),
    ("\u3164", "\u3164"),
    # control characters
    ("two\nlines", "two lines"),
    ("two\r\nlines", "two  lines"),
    ("a\0b\x1b[31mc\x7fd\x85e\u2028f", "a b [31mc d e f"),
    ("half \ud83d pair", "half ? pair"),
)
def test_a_cell(title: str, read: str) -> None:
    assert cell(title) == read


def test_nothing_invisible_hides_a_formula() -> None:
    """Each character that no reader sees, before each that begins a formula."""
    kinds = {"Cc", "Cf", "Zl", "Zp", "Zs"}
    hidden = [each for each in map(chr, range(0x110000)) if category(each) in kinds]
    hidden += ["\u034f", "\u115f", "\u1160", "\u17b4", "\u180b", "\u2800", "\u3164", "\ufe00"]
    hidden += ["\uffa0", "\U000e0100", "\U000e0fff"]  # ignorable by default, of other categories
    assert len(hidden) > 250
    assert [each for each in hidden if not escape_cell(f"{each}=1").startswith("'")] == []
    begins = [each for each in map(chr, range(0x110000)) if normalize("NFKC", each)[:1] in "=+-@"]
    assert len(begins) >= 19
    assert [each for each in begins if not escape_cell(f"\ufeff{each}1").startswith("'")] == []


@for_each(*[name for name in COLUMNS if name != "verdict"])
def test_every_text_column_is_guarded(column: str) -> None:
    row = [*ROW, *[None] * (len(COLUMNS) - len(ROW))]
    row[COLUMNS.index(column)] = "=1"
    assert b"'=1" in written(tuple(row))


def test_numbers_stay_numbers() -> None:
    assert b",-1," in written((*ROW[:4], -1, *ROW[5:]))


def test_every_verdict_is_its_word() -> None:
    rows = [(*ROW[:1], verdict, *ROW[2:]) for verdict in Verdict]
    lines = written(*rows).decode().splitlines()[1:]
    assert [line.split(",")[1] for line in lines] == [verdict.value for verdict in Verdict]


def test_the_file_stays_open_and_failures_pass_through() -> None:
    file = io.BytesIO()
    write_csv([ROW], file)
    assert not file.closed

    def failing():
        yield ROW
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_csv(failing(), file)
    assert not file.closed
