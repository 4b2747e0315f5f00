"""Which of the dates that a page claims can be defended, and how is it written?"""

from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from sitemapgen.core.lastmod import (
    SOURCES,
    Claim,
    best_claim,
    explain_choice,
    http_date,
    make_claims,
    pack_claims,
    unpack_claims,
)
from sitemapgen.verdicts import DateFault
from tests.helpers.shared import SHARED, require
from tests.helpers.tables import for_each

NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=timezone.utc)
LATER = NOW + timedelta(days=1)
XSD = SHARED / "conformance" / "sitemap_xsd" / "sitemap.xsd"


def choose(
    candidates: Iterable[tuple[str, str]], *, now: datetime, served: datetime = LATER
) -> tuple[str, str]:
    """The date by the page alone, and its source."""
    claim = best_claim(make_claims(candidates, now=now, served=served))
    return (claim.lastmod, claim.source) if claim else ("", "")


@for_each(
    ("2024-05-01", "2024-05-01"),
    ("2024-05-01T10:20:30Z", "2024-05-01T10:20:30+00:00"),
    ("2024-05-01T10:20:30z", "2024-05-01T10:20:30+00:00"),
    ("2024-05-01t10:20:30Z", "2024-05-01T10:20:30+00:00"),
    ("2024-05-01T10:20Z", "2024-05-01T10:20:00+00:00"),
    ("2024-05-01T10:20:30.999Z", "2024-05-01T10:20:30+00:00"),
    ("2024-05-01T10:20:30,5Z", "2024-05-01T10:20:30+00:00"),
    ("2024-05-01T10:20:30+02:00", "2024-05-01T08:20:30+00:00"),
    ("2024-05-01T10:20:30+0200", "2024-05-01T08:20:30+00:00"),
    ("2024-05-01T10:20:30+02", "2024-05-01T08:20:30+00:00"),
    ("2024-05-01T01:20:30-05:30", "2024-05-01T06:50:30+00:00"),
    ("2024-05-01T01:20:30+05:30", "2024-04-30T19:50:30+00:00"),
    ("2024-05-01 10:20:30", "2024-05-01T10:20:30+00:00"),
    ("2024-05-01 10:20:30 +0200", "2024-05-01T08:20:30+00:00"),
    ("2024-05-01 10:20:30 UTC", "2024-05-01T10:20:30+00:00"),
    ("2024-05-01T10:20", "2024-05-01T10:20:00+00:00"),
    ("\n  2024-05-01\n", "2024-05-01"),
    ("2024-02-29", "2024-02-29"),
)
def test_a_date_in_any_usual_spelling_becomes_one_that_the_xsd_accepts(
    written: str, expected: str
) -> None:
    assert choose([("time", written)], now=NOW) == (expected, "time")


@for_each(
    "2024",  # a year or a month is no day, and the XSD refuses both
    "2024-05",
    "2023-02-29",
    "2024-13-01",
    "2024-05-01T24:00:00Z",
    "2024-05-01T12:60Z",
    "2024-05-01T12:00:60Z",
    "2024-05-01T12:00+24:00",
    "0001-01-01T00:00+01:00",
    "2024-05-01T10:61:00Z",
    "2024-05-01T10:20:30+25:00",
    "2024-05-01T10:20:30+02:75",
    "2024-05-01T",
    "2024-05-01T10",
    "01.05.2024",
    "May 1, 2024",
    "PT2H30M",  # <time> holds durations, weeks and times of day too
    "2011-W47",
    "14:54",
    "1714557600",
    "\u0662\u0660\u0662\u0664-05-01",  # Arabic digits
    "Sun, 06 Nov 1994 08:49:37 GMT",  # counts in the header only
    "",
)
def test_what_is_no_date_is_no_evidence(written: str) -> None:
    assert choose([("time", written)], now=NOW) == ("", "")


@for_each(
    ("2026-11-21T12:00:00Z", True),
    ("2026-11-21T12:00:01Z", False),
    ("2026-11-21T14:00:00+02:00", True),
    ("2026-11-21T11:59:59-00:01", False),
    ("2026-11-21", True),
    ("2026-11-22", False),
    ("1990-01-01", True),
    ("1989-12-31", False),
    ("1990-01-01T00:00:00Z", True),
    ("1990-01-01T00:00:00+01:00", False),
    ("1970-01-01T00:00:00Z", False),
    ("0001-01-01T00:00:00+14:00", False),
    ("9999-12-31T23:59:59-14:00", False),
)
def test_never_the_future_and_never_before_the_web(written: str, is_kept: bool) -> None:
    assert bool(choose([("sitemap", written)], now=NOW)[0]) is is_kept


def test_now_may_be_given_in_any_zone() -> None:
    tokyo = NOW.astimezone(timezone(timedelta(hours=14)))  # there it is the 22nd already
    assert choose([("time", "2026-11-22")], now=tokyo) == ("", "")
    naive = NOW.replace(tzinfo=None)
    assert choose([("time", "2026-11-21T12:00:00Z")], now=naive)[1] == "time"


def test_the_most_trusted_source_wins_wherever_it_stands() -> None:
    claims = [(source, f"2024-01-0{day}") for day, source in enumerate(SOURCES[:-1], 1)]
    claims.append(("last_modified", "Sun, 07 Jan 2024 10:00:00 GMT"))
    for trusted in range(len(SOURCES)):
        date, source = choose(reversed(claims[trusted:]), now=NOW)
        assert source == SOURCES[trusted]
        assert date.startswith(f"2024-01-0{trusted + 1}")


@for_each(
    ([("json_ld", "soon"), ("time", "2024-01-01")], ("2024-01-01", "time")),
    ([("json_ld", "2099-01-01"), ("time", "2024-01-01")], ("2024-01-01", "time")),
    ([("time", "2024-01-02"), ("time", "2024-01-03")], ("2024-01-02", "time")),
    ([("time", "2h"), ("time", "2024-01-03")], ("2024-01-03", "time")),
    ([], ("", "")),
)
def test_a_claim_that_fails_gives_way_to_the_next(
    claims: list[tuple[str, str]], expected: tuple[str, str]
) -> None:
    assert choose(claims, now=NOW) == expected


@for_each(
    "Sun, 06 Nov 1994 08:49:37 GMT",  # the three forms of RFC 9110 section 5.6.7
    "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994",
)
def test_the_header_is_read_in_all_three_forms_of_http(header: str) -> None:
    expected = ("1994-11-06T08:49:37+00:00", "last_modified")
    assert choose([("last_modified", header)], now=NOW) == expected


@for_each(
    ("last_modified", "Sat, 21 Nov 2026 11:00:00 GMT", "clock"),
    ("last_modified", "Sat, 21 Nov 2026 12:00:00 +0100", "clock"),
    ("last_modified", "Sat, 21 Nov 2026 10:59:58 GMT", "clock"),
    ("last_modified", "Sat, 21 Nov 2026 10:59:00 GMT", "clock"),
    ("last_modified", "Sat, 21 Nov 2026 10:58:59 GMT", ""),
    ("last_modified", "Sat, 21 Nov 2026 11:01:00 GMT", "clock"),
    ("last_modified", "Sat, 21 Nov 2026 12:00:01 GMT", "future"),
    ("last_modified", "never", "unreadable"),
    ("last_modified", "0", "unreadable"),
    ("last_modified", "Thu, 01 Jan 1970 00:00:00 GMT", "ancient"),
    ("json_ld", "2026-11-21T11:00:01Z", "clock"),
    ("json_ld", "2026-11-21", ""),
    ("json_ld", "2026-11-22", "future"),
    ("json_ld", "2024", "unreadable"),
)
def test_what_is_wrong_with_a_claim(source: str, written: str, fault: str) -> None:
    """The server's clock is an hour behind ours."""
    (claim,) = make_claims([(source, written)], now=NOW, served=NOW - timedelta(hours=1))
    assert (claim.fault or "") == fault
    assert bool(claim.lastmod) is bool(claim.written) is not bool(fault)


def test_without_a_date_header_the_clock_is_ours() -> None:
    (claim,) = make_claims([("last_modified", "Sat, 21 Nov 2026 11:59:59 GMT")], now=NOW)
    assert claim.fault == "clock"


def test_a_source_speaks_once_with_its_first_date_or_its_first_fault() -> None:
    written = [("time", "2h"), ("json_ld", "2099-01-01"), ("time", "2024-01-03"), ("json_ld", "x")]
    assert make_claims(written, now=NOW) == (
        Claim("json_ld", "", "", "future"),
        Claim("time", "2024-01-03", "2024-01-03"),
    )


def test_the_evidence_is_the_date_as_written_and_what_was_not_believed() -> None:
    written = [("time", "2024-01-03  10:00 +0200"), ("json_ld", "2099-01-01")]
    claims = make_claims(written, now=NOW)
    assert (
        explain_choice(claims, best_claim(claims)) == "2024-01-03 10:00 +0200; not json_ld (future)"
    )
    assert explain_choice(claims[:1], None) == "not json_ld (future)"
    assert explain_choice((), None) == ""


moments = st.datetimes(timezones=st.timezones() | st.just(timezone.utc))
spellings = (
    moments.map(datetime.isoformat)
    | moments.map(lambda moment: moment.date().isoformat())
    | st.from_regex(r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:]{5,8}([+-][0-9:]{2,5})?\Z")
    | st.text()
)
headers = st.datetimes().map(format_datetime) | st.text()


@given(
    claims=st.lists(st.tuples(st.sampled_from(SOURCES), spellings | headers)),
    now=st.datetimes(timezones=st.just(timezone.utc)),
)
def test_whatever_is_claimed_the_answer_is_empty_or_not_in_the_future(
    claims: list[tuple[str, str]], now: datetime
) -> None:
    date, source = choose(claims, now=now)
    assert bool(date) == bool(source)
    if date:
        assert datetime.fromisoformat(date).replace(tzinfo=timezone.utc) <= now
        assert date >= "1990"
        assert len(date) == 10 or date.endswith("+00:00")


@given(headers)
def test_no_header_is_too_strange(written: str) -> None:
    assert http_date(written) is None or isinstance(http_date(written), datetime)


@given(st.lists(st.tuples(st.sampled_from(SOURCES), spellings | headers)))
def test_what_is_packed_can_be_unpacked(written: list[tuple[str, str]]) -> None:
    claims = make_claims(written, now=NOW)
    assert tuple(unpack_claims(pack_claims(claims))) == claims
    assert {claim.fault for claim in claims} <= {None, *DateFault}


@pytest.fixture(scope="module")
def schema() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(require(XSD)))


def urlset(lastmod: str) -> etree._Element:
    return etree.fromstring(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        f"<url><loc>https://example.com/</loc><lastmod>{lastmod}</lastmod></url></urlset>"
    )


@pytest.mark.parametrize(
    "written", ["2024-05-01", "2024-05-01 10:20", "2024-05-01T10:20:30.123+0200"]
)
def test_the_official_schema_accepts_what_is_chosen(schema: etree.XMLSchema, written: str) -> None:
    assert schema.validate(urlset(choose([("time", written)], now=NOW)[0]))


def test_the_official_schema_refuses_what_is_not_rewritten(schema: etree.XMLSchema) -> None:
    assert not schema.validate(urlset("2024-05-01T10:20Z"))


@given(moments)
def test_the_official_schema_accepts_every_date(schema: etree.XMLSchema, moment: datetime) -> None:
    date, _ = choose([("time", moment.isoformat())], now=datetime.max.replace(tzinfo=timezone.utc))
    assert not date or schema.validate(urlset(date))
