"""Events of the dashboard as values and bytes, and their tables in docs/guides/dashboard.md."""

import json
import re
from pathlib import Path

from sitemapgen.analysis.progress import Sample, TimeLeft
from sitemapgen.download.downloader import Wait
from sitemapgen.errors import Exit
from sitemapgen.extensions.dashboard import events
from sitemapgen.extensions.dashboard.events import EventLog
from sitemapgen.extensions.figures import Status
from sitemapgen.items import Judgement, Page
from sitemapgen.verdicts import Verdict
from tests.helpers.tables import for_each

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "guides" / "dashboard.md").read_text("utf-8")
STATUS = Status(
    state="crawling",
    url="https://example.com/",
    seconds=12.345,
    fetched=40,
    listed=30,
    queued=60,
    rate=4.321,
    wait=Wait("robots_delay", 1.0),
    left=TimeLeft(13.9, "queue", 60, 100, 4.321),
    verdicts={"listed": 30, "redirect": 10},
    frontier={1: 10, 2: 50},
)
LAST = events.progress_data(STATUS)
HOSTILE = "</script><!-- \r\n\r\nevent: finished\rdata: {}\n\x00\x85\u2028\u2029\ud800\U0001f600"


def ids(journal: EventLog, last_id: int | None) -> list[int] | None:
    found = journal.events_since(last_id)
    return None if found is None else [int(event[4:].partition(b"\n")[0]) for event in found]


@for_each(
    (None, None),  # new here
    (0, None),  # 1 and 2 are gone
    (1, None),
    (2, [3, 4, 5]),
    (4, [5]),
    (5, []),
    (6, None),  # of another crawl
)
def test_what_a_client_missed(last_id: int | None, expected: list[int] | None) -> None:
    journal = EventLog(3)
    for number in range(5):
        journal.append(events.PROGRESS, {"number": number})
    assert ids(journal, last_id) == expected


def test_an_empty_journal() -> None:
    assert ids(EventLog(3), 0) == []
    assert ids(EventLog(3), None) is None


def test_a_snapshot_never_stands_for_the_end() -> None:
    journal = EventLog(3)
    journal.append(events.PROGRESS, {})
    assert (journal.is_closed, journal.before_the_end()) == (False, 1)
    journal.append(events.FINISHED, {})
    assert (journal.is_closed, journal.before_the_end()) == (True, 1)
    assert ids(journal, journal.before_the_end()) == [2]


def test_an_event_as_bytes() -> None:
    journal = EventLog(9)
    journal.append(events.PROGRESS, {"fetched": 1})
    assert journal.events_since(0) == [b'id: 1\nevent: progress\ndata: {"fetched": 1}\n\n']


def test_texts_of_a_site_cannot_become_events() -> None:
    page = Page(
        url=f"https://example.com/{HOSTILE}",
        key=1,
        judgement=Judgement(Verdict.HTTP_ERROR, HOSTILE),
        title=HOSTILE * 1_000,
        status=404,
    )
    told = events.page_data(page)
    assert len(told["title"]) == 300
    data = events.encode_event(events.PAGES, {"pages": [told]}, 7)
    lines = data.split(b"\n")
    assert [line.split(b":")[0] for line in lines] == [b"id", b"event", b"data", b"", b""]
    assert all(32 <= byte < 127 or byte == 10 for byte in data)
    assert json.loads(lines[2][6:])["pages"][0]["reason"] == HOSTILE


@for_each(
    (Exit.PUBLISHED, "published"),
    (Exit.ERROR, "error"),
    (Exit.UNREACHABLE, "unreachable"),
    (Exit.NOTHING, "nothing"),
    (Exit.REFUSED, "refused"),
    (Exit.INTERRUPTED, "interrupted"),
    (Exit.NO_SPACE, "no_space"),
)
def test_how_it_ended(exit_code: Exit, outcome: str) -> None:
    data = events.finished_data(LAST, exit_code, "a remark", {}, [])
    assert (data["outcome"], data["exit_code"]) == (outcome, int(exit_code))
    assert (data["state"], data["detail"], data["rate"]) == ("finished", "a remark", None)
    assert (data["verdicts"], data["listed"]) == (STATUS.verdicts, STATUS.listed)
    assert f"`{outcome}`" in DOCS


def test_the_last_counts_are_those_of_the_report() -> None:
    report = {"verdicts": {"listed": 25, "duplicate": 5, "redirect": 10, "trap": 0}}
    files = [{"name": "sitemap.xml", "path": "/a/sitemap.xml", "href": "sitemap.xml"}]
    data = events.finished_data(LAST, 0, "", report, files)
    assert (data["listed"], data["verdicts"]["duplicate"]) == (25, 5)
    assert "trap" not in data["verdicts"]
    assert data["files"] == files


def test_the_curve_begins_at_nought() -> None:
    samples = [Sample(1_000.0, 3, 1), Sample(1_001.04, 9, 1)]
    assert events.curve_points(samples) == [(0.0, 3), (1.0, 9)]
    assert events.curve_points([]) == []


# The docs


def table(heading: str) -> list[str]:
    """The words in the first column of the table after a heading."""
    section = DOCS[DOCS.index(heading) :]
    rows = section[section.index("|---") :].split("\n\n")[0].splitlines()[1:]
    return [word for row in rows for word in re.findall(r"`(\w+)`", row.split("|")[1])]


def test_every_event_is_in_the_docs() -> None:
    assert table("## Events") == list(events.EVENTS)


def test_every_field_is_in_the_docs() -> None:
    told = events.progress_data(STATUS)
    assert table("### `progress`") == list(told)
    assert set(table("### `finished`")) | set(told) == set(
        events.finished_data(LAST, 0, "", {}, [])
    )
    page = Page(url="https://example.com/", key=1, judgement=Judgement(Verdict.LISTED, ""))
    assert table("### `pages`") == list(events.page_data(page))
