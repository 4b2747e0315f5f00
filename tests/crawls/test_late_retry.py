"""Pages that fail while others answer, and recover: asked for again before it is a verdict."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.browser import QUICK, WORDS, app, links, needs_browser
from tests.helpers.crawls import IMPATIENT, Crawler, command, start, wait_for
from tests.helpers.raw import RawServer, answer
from tests.helpers.server import Answer, Serve, Server, page

NAMES = [f"{section}/{n}" for section in ("a", "b") for n in range(15)]


def options(seconds: float, *more: str) -> tuple[str, ...]:
    return (*IMPATIENT, "-s", f"SITEMAPGEN_LATE_RETRY_SECONDS={seconds}", *more)


def text_of(name: str) -> Answer:
    return page("/", title=name, text=f"all that is to be said about {name} stands here. " * 4)


def failing(server: Server, bad: dict[str, Answer], until: Callable[[str, int], bool]) -> None:
    """Let some pages of a site fail until a condition on their path and count is met."""
    site = {f"/{name}": text_of(name) for name in NAMES}
    site["/"] = page(*site, title="start", text="start of a site")

    def answer(path: str) -> Answer | None:
        if path in bad and not until(path, server.paths.count(path)):
            return bad[path]
        return site.get(path)

    server.site = answer


FAILURES = [Answer("", 500), Answer("", 0)]


@pytest.mark.full
@pytest.mark.parametrize("bad", FAILURES, ids=["500", "reset"])
def test_pages_that_fail_for_a_while(bad: Answer, serve: Serve, crawl: Crawler) -> None:
    """All tries that Scrapy makes fail, and the first of the late ones."""
    names = [f"/a/{n}" for n in range(9)]
    server = serve({})
    tries = 5 if bad.status else 8  # a connection that is reset is tried more often at once
    failing(server, dict.fromkeys(names, bad), lambda path, count: count > tries)
    few = ("-s", "SITEMAPGEN_BACKOFF_RETRIES=2")
    assert len(crawl(server.url, settings=options(0, *few)).sitemap) == 1 + len(NAMES) - len(names)
    del server.visits[:]
    result = crawl.published(server.url, "fresh=true", settings=options(20, *few))
    assert len(result.sitemap) == 1 + len(NAMES)
    assert "requested again" in result.log
    assert result.report["failing"] == 0


def test_errors_that_answer_200(serve: Serve, crawl: Crawler) -> None:
    """A list among them leads on when it is requested again; what lasts is named."""
    error = page(title="Database Error", text="Error establishing a database connection")
    gone = page(title="Gone", text="This job is no longer available")
    jobs = {f"/jobs/{n}": gone for n in range(20)}
    server = serve({})
    site = {f"/{name}": text_of(name) for name in NAMES}
    site["/"] = page("/a", "/b", "/c", *jobs, title="start", text="start of a site")
    site |= (
        jobs
        | {"/c": text_of("c")}
        | {f"/{name}": page(*(f"/{name}/{n}" for n in range(15))) for name in "ab"}
    )

    def answer(path: str) -> Answer | None:
        is_first = server.paths.count(path) == 1
        return error if is_first and path in ("/a", "/b", "/c", "/b/3") else site.get(path)

    server.site = answer
    result = crawl.published(server.url, settings=options(1))
    assert {f"{server.url}{name}" for name in (*NAMES, *"abc")} <= {*result.sitemap}
    asked = [server.paths.count(path) for path in jobs]
    assert sum(asked) <= 20 + 8 + 3  # the title's form is compared with a made-up name, too
    assert "20 pages have no link, and the same short text" in result.log
    assert result.report["repeated"]["count"] == 20


@pytest.mark.full
def test_a_page_that_fails_is_no_refusal(serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    failing(server, {"/a/1": Answer("", 500)}, lambda _, count: False)
    log = crawl(server.url, settings=options(3, "-s", "LOGSTATS_INTERVAL=0.2")).log
    assert "pages that failed are requested again in" in log
    assert "the site refused requests" not in log


@pytest.mark.full
def test_pages_that_hang(serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    failing(server, dict.fromkeys(("/a/1", "/b/2"), Answer(delay=60)), lambda _, count: count > 3)
    result = crawl(server.url, settings=options(4, "-s", "DOWNLOAD_TIMEOUT=1"))
    assert len(result.sitemap) == 1 + len(NAMES)


def test_what_recovered_pages_link_to_is_crawled(serve: Serve, crawl: Crawler) -> None:
    site = {"/": page("/list"), "/list": page("/deep"), "/deep": page("/deeper")}
    site["/deeper"] = text_of("deeper")
    server = serve({})

    def answer(path: str) -> Answer | None:
        is_broken = path == "/list" and server.paths.count(path) < 5
        return Answer("", 500) if is_broken else site.get(path)

    server.site = answer
    result = crawl(server.url, settings=options(2))
    assert f"{server.url}deeper" in result.sitemap
    assert result.urls[f"{server.url}deeper"]["depth"] == "3"


@pytest.mark.full
def test_pages_that_are_broken_for_good_are_sampled(serve: Serve, crawl: Crawler) -> None:
    """600 broken pages cost eight requests a round; those that recover are found beside them."""
    broken = [f"/x/page-{n}" for n in range(600)]
    site = {"/": page(*broken, "/y/1", title="start", text="start"), "/y/1": text_of("y")}
    server = serve({})

    def answer(path: str) -> Answer | None:
        if path.startswith("/x/") or (path == "/y/1" and server.paths.count(path) < 5):
            return Answer("", 500)
        return site.get(path)

    server.site = answer
    once = ("-s", "RETRY_ENABLED=False", "-s", "CONCURRENT_REQUESTS=16")
    result = crawl.published(server.url, settings=options(2, *once))
    assert f"{server.url}y/1" in result.sitemap
    asked = sum(path.startswith("/x/") for path in server.paths)
    assert 600 < asked <= 600 + 7 * 8
    assert result.report["failing"] == 600
    assert "600 pages still fail" in result.log
    outcome = result.outcome
    assert "600 pages still fail" in outcome["sentence"]
    assert outcome["counts"]["failing"] == 600
    asked_first = len(server.paths)
    again = crawl(server.url, settings=options(2, *once))
    assert again.report["failing"] == 600
    assert "round 2" not in again.log  # what failed before makes no crawl wait
    assert len(server.paths) - asked_first < 700


def test_hundreds_that_recover_are_all_read(serve: Serve, crawl: Crawler) -> None:
    bad = [f"/x/page-{n}" for n in range(200)]
    site = {path: text_of(path) for path in bad}
    site["/"] = page(*bad, title="start", text="start")
    server = serve({})

    def answer(path: str) -> Answer | None:
        is_broken = path != "/" and server.paths.count(path) < 2
        return Answer("", 502) if is_broken else site.get(path)

    server.site = answer
    once = ("-s", "RETRY_ENABLED=False", "-s", "CONCURRENT_REQUESTS=16")
    result = crawl(server.url, settings=options(2, *once))
    assert len(result.sitemap) == 201


def test_max_pages_counts_a_page_once(serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    bad = dict.fromkeys(("/a/0", "/a/1", "/a/2"), Answer("", 500))
    failing(server, bad, lambda _, count: count > 3)
    result = crawl(server.url, "max_pages=10", settings=options(2))
    assert result.report["fetched"] == 10
    assert len({path for path in server.paths if path[1:] in NAMES}) == 9
    assert len(result.sitemap) == 10


@pytest.mark.full
def test_ctrl_c_ends_the_pause_and_a_kill_continues(serve: Serve, tmp_path: Path) -> None:
    server = serve({})
    healthy: list[bool] = []
    failing(server, {"/a/3": Answer("", 500)}, lambda *_: bool(healthy))
    log = tmp_path / "log"
    arguments = command(server.url, tmp_path / "output", *options(20_000))
    for end in (signal.SIGKILL, signal.SIGINT):
        begun = log.read_text().count("(round") if log.exists() else 0
        process = start(arguments, log)
        wait_for(lambda: log.exists() and log.read_text().count("(round") > begun)  # noqa: B023
        process.send_signal(end)
        code = process.wait(30)
        assert code == (6 if end == signal.SIGINT else -9), log.read_text()
    healthy.append(True)
    process = start(arguments, log)
    assert process.wait(60) == 0, log.read_text()
    assert (tmp_path / "output/sitemap.xml").read_text().count("<loc>") == 1 + len(NAMES)


def test_a_listed_page_in_its_grace_is_asked_again(serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    failing(server, {}, lambda *_: True)
    crawl(server.url, settings=options(2))
    del server.visits[:]
    failing(server, {"/a/3": Answer("", 500)}, lambda _, count: count > 3)
    result = crawl(server.url, settings=options(2))
    assert result.urls[f"{server.url}a/3"]["evidence"] == ""
    assert result.urls[f"{server.url}a/3"]["verdict"] == "listed"
    assert result.report["failing"] == 0


@pytest.mark.full
@needs_browser
def test_a_page_whose_rendering_fails_for_a_while(serve: Serve, crawl: Crawler) -> None:
    """Its script never ends; later it does."""
    server = serve({})
    made = app(links("/made"))

    def answer(path: str) -> Answer | None:
        if path == "/app":
            return app("for (;;) {}") if server.paths.count(path) < 3 else made
        return {"/": page("/app", text=WORDS), "/made": page(text=WORDS)}.get(path)

    server.site = answer
    quick = (*QUICK, "-s", "SITEMAPGEN_LATE_RETRY_SECONDS=20")
    result = crawl(server.url, settings=quick)
    assert sorted(result.sitemap) == [server.url, f"{server.url}app", f"{server.url}made"]
    assert result.report["failing"] == 0, result.log


class Answers(dict[str, bytes]):
    """Answers by path, of which some are garbled the first time."""

    def __init__(self, answers: dict[str, bytes], once: dict[str, bytes]) -> None:
        super().__init__(answers)
        self.once = once

    def get(self, path: str, default: bytes = b"") -> bytes:  # type: ignore[override]
        return self.once.pop(path, None) or super().get(path, default)


PACKED = [
    answer(b"no such thing", b"Content-Type: text/html", b"Content-Encoding: " + name)
    for name in (b"gzip", b"br", b"zstd", b"deflate")
]
GARBLED = {f"/packed-{number}": sent for number, sent in enumerate(PACKED)} | {
    "/status-of-four-digits": answer(b"x", status=b"1000 Fine"),
    "/status-of-letters": answer(b"x", status=b"OK"),
    "/no-http": b"garbage\r\n" * 9,
    "/length-of-letters": answer(b"x", b"Content-Length: many"),
}


def test_what_is_garbled_twice_is_a_verdict_at_once(raw: RawServer, crawl: Crawler) -> None:
    """Garbled once, it is read: whatever waits for it would wait for hours."""
    html = b"Content-Type: text/html"
    once = {f"{path}-once": sent for path, sent in GARBLED.items()}
    good = {path: answer(f"<p>A page, {path}".encode(), html) for path in once}
    links = "".join(f"<a href={path}>x</a>" for path in (*GARBLED, *once))
    home = {"/": answer(f"<!doctype html><p>{links}".encode(), html)}
    raw.answers = Answers({**home, **good, **GARBLED}, once)
    result = crawl.published(raw.url, settings=options(20_000))
    assert "requested again" not in result.log
    verdicts = {url.removeprefix(raw.url[:-1]): name for url, name in result.verdicts.items()}
    assert verdicts == {
        **dict.fromkeys(["/", *good], "listed"),
        **dict.fromkeys(GARBLED, "fetch_error"),
    }
    counts = [raw.paths.count(path) for path in GARBLED]
    assert min(counts) == 2
    assert max(counts) <= 3
