"""What we take from inside Scrapy's downloader and engine: a change there must be loud here."""

import inspect
from pathlib import Path
from time import monotonic
from types import SimpleNamespace

import pytest
from scrapy import Request
from scrapy.core import engine
from scrapy.core.downloader import Downloader, Slot
from scrapy.utils.test import get_crawler

import sitemapgen
from sitemapgen.core.robots import parse_robots
from sitemapgen.download.downloader import PoliteDownloader, PoliteSlot
from sitemapgen.download.engine import is_ending, is_quiet, wake_engine

URL = "https://example.com/a"
SETTINGS = {
    "DOWNLOAD_HANDLERS": {"http": None, "https": None},
    "DOWNLOAD_DELAY": 0.4,
    "DOWNLOAD_DELAY_JITTER": 0.9,
    "SITEMAPGEN_BACKOFF_START": 1,
    "SITEMAPGEN_MAX_RETRY_AFTER": 300,
    "SITEMAPGEN_MAX_CRAWL_DELAY": 30,
}


class Idle:
    """A looping call that never runs: there is no event loop here."""

    running = False

    def start(self, interval: float, now: bool = True) -> None: ...


@pytest.fixture
def downloader(monkeypatch: pytest.MonkeyPatch) -> PoliteDownloader:
    monkeypatch.setattr("sitemapgen.download.downloader.create_looping_call", lambda _: Idle())
    monkeypatch.setattr("scrapy.core.downloader.create_looping_call", lambda _: Idle())
    return PoliteDownloader(get_crawler(settings_dict=SETTINGS))


def obeying(downloader: PoliteDownloader, rule: str) -> PoliteSlot:
    downloader.obey_robots("https://example.com", parse_robots(f"User-agent: *\n{rule}".encode()))
    slot = downloader._get_slot(Request(URL))[1]
    assert isinstance(slot, PoliteSlot)
    return slot


def test_neither_jitter_nor_autothrottle_get_below_a_floor(downloader: PoliteDownloader) -> None:
    slot = obeying(downloader, "Crawl-delay: 2")
    for delay in (0, 0.5, 2):  # what AutoThrottle writes
        slot.delay = delay
        assert min(slot.download_delay() for _ in range(200)) >= 2
    slot.delay = 40
    assert min(slot.download_delay() for _ in range(200)) > 2
    assert slot.free_transfer_slots() == 1


def delay_after(slot: PoliteSlot, seconds: float) -> float:
    """The delay after a request that was sent at a time of its own, and not late."""
    slot.lastseen = slot._due = seconds
    return slot.download_delay()


def test_the_jitter_is_drawn_once_a_request(downloader: PoliteDownloader) -> None:
    slot = obeying(downloader, "")
    slot.lastseen = 10
    assert len({slot.download_delay() for _ in range(200)}) == 1
    assert len({delay_after(slot, seconds) for seconds in range(200)}) == 200


@pytest.mark.parametrize("late", [0.001, 0.01])
def test_late_timers_do_not_add_up(late: float, downloader: PoliteDownloader) -> None:
    """Each request is sent some milliseconds after its delay; the mean gap is the delay.

    One per cent is seven standard deviations of that mean.
    """
    slot = obeying(downloader, "")
    slot.delay, slot.jitter = 0.05, 0.5
    now = start = 1000.0
    gaps = []
    for _ in range(50_000):
        slot.lastseen = now
        gaps.append(slot.download_delay() + late)
        now += gaps[-1]
    assert 0.99 <= (now - start) / 50_000 / 0.05 <= 1 + late / 0.1  # half of it
    assert min(gaps) >= 0.025  # and no gap is shorter than the shortest delay


def test_an_idle_time_shortens_one_delay_only(downloader: PoliteDownloader) -> None:
    slot = obeying(downloader, "")
    slot.delay, slot.jitter = 0.05, 0.5
    now, gaps = 1000.0, []
    for idle in (0.0, 100.0, *[0.0] * 1_000):
        slot.lastseen = now
        gaps.append(slot.download_delay())
        now += gaps[-1] + idle
    assert gaps[2] == pytest.approx(0.025)  # after the idle time
    assert sum(gaps[3:]) / len(gaps[3:]) == pytest.approx(0.05, rel=0.05)


def test_without_jitter_no_gap_is_shorter_than_the_delay(downloader: PoliteDownloader) -> None:
    slot = obeying(downloader, "")
    slot.delay, slot.jitter = 1.0, 0.0
    slot.lastseen = 10
    assert slot.download_delay() == 1
    slot.lastseen = 100  # late
    assert slot.download_delay() == 1


def test_without_a_floor_the_slot_is_scrapys(downloader: PoliteDownloader) -> None:
    slot = obeying(downloader, "Crawl-delay: 0")
    delays = [delay_after(slot, seconds) for seconds in range(1, 200)]
    assert 0 < min(delays) < 0.2
    assert 0.6 < max(delays) < 0.8
    assert slot.free_transfer_slots() == slot.concurrency > 1


@pytest.mark.parametrize(("rule", "floor"), [("Crawl-delay: 1e9", 30), ("Request-rate: 1/5", 5)])
def test_floors_are_capped(rule: str, floor: float, downloader: PoliteDownloader) -> None:
    assert obeying(downloader, rule).delay_floor() == floor


def test_two_origins_of_a_host_share_the_longer_delay(downloader: PoliteDownloader) -> None:
    slot = obeying(downloader, "Crawl-delay: 5")
    downloader.obey_robots("http://example.com", parse_robots(b"User-agent: *\nCrawl-delay: 2"))
    assert slot.delay_floor() == 5
    downloader.obey_robots("https://example.com", parse_robots(b""))  # read again, a day later
    assert slot.delay_floor() == 2


def test_a_pause_holds_whatever_the_delay_is(downloader: PoliteDownloader) -> None:
    slot = obeying(downloader, "")
    now = slot.lastseen = monotonic()
    slot.delay = 0
    slot.pace.refused(now, now, asked=20)
    assert slot.lastseen + slot.download_delay() == pytest.approx(now + 20)
    assert slot.free_transfer_slots() == 1


def test_a_slot_that_scrapy_forgot_remembers(downloader: PoliteDownloader) -> None:
    slot = obeying(downloader, "Crawl-delay: 2")
    downloader._slot_gc(age=-monotonic() - 1)
    assert not downloader.slots
    assert downloader._get_slot(Request(URL)) == ("example.com", slot)
    assert downloader.slots == {"example.com": slot}


def test_scrapys_downloader_still_works_as_we_take_it() -> None:
    """Pinned to the minor version; read ``core/downloader`` again when one of these fails."""
    assert set(Slot.__slots__) == {
        *("concurrency", "delay", "jitter", "active", "queue"),
        *("transferring", "lastseen", "latercall"),
    }
    queue = inspect.getsource(Downloader._process_queue)
    for line in (
        "delay = slot.download_delay()",
        "penalty = delay - now + slot.lastseen",
        "while slot.queue and slot.free_transfer_slots() > 0:",
        "slot.lastseen = now",
    ):
        assert line in queue
    assert "self._get_slot(request)" in inspect.getsource(Downloader._enqueue_request)
    download = inspect.getsource(Downloader._download)
    told, next_one = download.index("signals.response_downloaded"), download.index("_process_queue")
    assert told < next_one  # a refusal is known before the next request starts
    assert "self.closing" in inspect.getsource(engine._Slot.close)


def test_a_crawl_is_ending_from_its_close_on(downloader: PoliteDownloader) -> None:
    crawler = downloader.crawler
    calls: list[str] = []
    nextcall = SimpleNamespace(schedule=lambda: calls.append("asked"))
    slot = SimpleNamespace(closing=None, inprogress=set(), nextcall=nextcall)
    crawler.engine = SimpleNamespace(_slot=slot, _start=None)  # type: ignore[assignment]  # what is read of it
    assert not is_ending(crawler)
    assert is_quiet(crawler)
    wake_engine(crawler)
    assert calls == ["asked"]
    slot.closing = object()
    assert is_ending(crawler)
    crawler.engine._slot = None  # type: ignore[union-attr]  # set above
    assert is_ending(crawler)
    assert not is_quiet(crawler)
    wake_engine(crawler)
    source = inspect.getsource(engine.ExecutionEngine.open_spider_async)
    assert "await" not in source[: source.index("self._slot = _Slot")]  # no other code runs before


def test_one_module_reads_the_slot_of_the_engine() -> None:
    package = Path(sitemapgen.__file__).parent
    found = [path for path in package.rglob("*.py") if "engine._slot" in path.read_text("utf-8")]
    assert found == [package / "download" / "engine.py"]
