"""The dashboard of real crawls: what a client is told, and what no client can do to the crawl."""

import asyncio
import json
import shutil
import signal
import socket
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import aiohttp
import psutil
import pytest
from playwright.sync_api import expect
from yarl import URL

from sitemapgen.extensions.dashboard.server import MAX_CLIENTS
from tests.helpers.crawls import DEADLINE, IMPATIENT, command, rest, run_to_end, wait_for
from tests.helpers.dashboard import PORT, Front, Watch, Watched
from tests.helpers.opened import Show
from tests.helpers.report import HOSTILE
from tests.helpers.server import Answer, Serve, page
from tests.helpers.sites import SLOW_ROBOTS, endless_tree


@dataclass
class Event:
    """One event, as a client reads it."""

    id: int
    type: str
    data: Any


@pytest.fixture
def connect() -> Iterator[Callable[[Watched], socket.socket]]:
    """Connect to the dashboard of a crawl until the test ends."""
    with ExitStack() as stack:
        yield lambda crawl: stack.enter_context(socket.create_connection(("127.0.0.1", crawl.port)))


def talk(conversation: Callable[[aiohttp.ClientSession], Awaitable[None]]) -> None:
    """Be a client, for so long at the most."""

    async def client() -> None:
        timeout = aiohttp.ClientTimeout(total=None)
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(timeout=timeout, connector=connector) as session:
            await asyncio.wait_for(conversation(session), DEADLINE)

    asyncio.run(client())


async def read(response: aiohttp.ClientResponse) -> AsyncIterator[Event]:
    """The events of a stream, to its end."""
    assert response.status == 200
    assert response.content_type == "text/event-stream"
    fields: dict[str, str] = {}
    async for raw in response.content:
        line = raw.decode("ascii").removesuffix("\n")
        assert "\r" not in line
        if line:
            name, _, value = line.partition(": ")
            assert name in ("id", "event", "data", "retry", "")
            assert name not in fields
            fields[name] = value
        elif "event" in fields:
            yield Event(int(fields["id"]), fields["event"], json.loads(fields["data"]))
            fields = {}
        else:
            fields = {}


# What a client is told


def test_a_crawl_from_its_beginning_to_its_end(serve: Serve, watch: Watch) -> None:
    crawl = watch(serve(endless_tree(0.05)).url, "-a", "max_pages=300")
    events: list[Event] = []

    async def conversation(session: aiohttp.ClientSession) -> None:
        async with session.get(f"{crawl.url}events") as response:
            events.extend([event async for event in read(response)])

    talk(conversation)
    assert crawl.process.wait(DEADLINE) == 0, crawl.log.read_text()
    assert [event.type for event in events[:1] + events[-1:]] == ["snapshot", "finished"]
    assert {event.type for event in events[1:-1]} == {"progress", "pages"}
    assert [event.id for event in events] == [*range(events[0].id, events[-1].id + 1)]
    told = [event.data["fetched"] for event in events if event.type == "progress"]
    assert told == sorted(told)
    assert len(told) >= 3
    states = [event.data["state"] for event in events if event.type == "progress"]
    assert states[-1] == "publishing"  # told before the files are written
    pages = [
        p for event in events if event.type in ("snapshot", "pages") for p in event.data["pages"]
    ]
    skipped = sum(event.data["skipped"] for event in events if event.type == "pages")
    assert len({p["url"] for p in pages}) == len(pages)  # no page is told twice
    assert len(pages) + skipped <= 300
    assert {p["verdict"] for p in pages} == {"listed"}
    end = events[-1].data
    assert (end["outcome"], end["exit_code"]) == ("published", 0)
    assert (end["fetched"], end["listed"]) == (300, 300)
    report = json.loads((crawl.output / "report.json").read_text())
    assert end["verdicts"] == {word: urls for word, urls in report["verdicts"].items() if urls}
    assert [Path(file["path"]).read_bytes()[:1] for file in end["files"]] == [b"<", b"<", b"u"]


@pytest.mark.full
def test_what_was_missed_is_told_again(serve: Serve, watch: Watch) -> None:
    crawl = watch(serve(endless_tree(0.05)).url)

    async def some(session: aiohttp.ClientSession, count: int, last: int | None) -> list[Event]:
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        async with session.get(f"{crawl.url}events", headers=headers) as response:
            events = []
            async for event in read(response):
                events.append(event)
                if len(events) == count:
                    break
            return events

    async def conversation(session: aiohttp.ClientSession) -> None:
        first = await some(session, 4, None)
        while (await some(session, 1, None))[0].id < first[-1].id + 4:
            pass
        again = await some(session, 4, first[-1].id)
        assert [event.id for event in again] == [*range(first[-1].id + 1, first[-1].id + 5)]
        assert "snapshot" not in {event.type for event in again}
        for strange in (999_999, -3, 10**30):
            (event,) = await some(session, 1, strange)
            assert event.type == "snapshot"

    talk(conversation)
    assert crawl.end() == 6


@pytest.mark.full
def test_a_page_of_the_snapshot_is_not_told_again(serve: Serve, watch: Watch) -> None:
    crawl = watch(serve(endless_tree(0.2)).url)

    async def conversation(session: aiohttp.ClientSession) -> None:
        async with session.get(f"{crawl.url}events") as watching:
            assert watching.status == 200
            others = read(watching)
            for _ in range(3):
                while (await anext(others)).type != "pages":
                    pass
                async with session.get(f"{crawl.url}events") as response:
                    events = read(response)
                    told = [page["url"] for page in (await anext(events)).data["pages"]]
                    while (event := await anext(events)).type != "pages":
                        pass
                    told += [page["url"] for page in event.data["pages"]]
                    assert len({*told}) == len(told)

    talk(conversation)
    assert crawl.end() == 6


@pytest.mark.full
def test_status_is_the_same_as_json(serve: Serve, watch: Watch) -> None:
    url = serve(endless_tree(0.05, SLOW_ROBOTS.format(2))).url
    crawl = watch(url)

    async def conversation(session: aiohttp.ClientSession) -> None:
        status: dict[str, Any] = {}
        while status.get("state") != "crawling" or not status["wait"]:
            async with session.get(f"{crawl.url}status") as response:
                assert response.content_type == "application/json"
                status = await response.json()
        assert status["url"] == url
        assert status["wait"] == {"reason": "robots_delay", "seconds": 2.0}
        assert status["output"] == str(crawl.output)
        assert status["published"] == []

    talk(conversation)
    assert crawl.end() == 6


def test_it_says_that_it_was_interrupted(serve: Serve, watch: Watch) -> None:
    crawl = watch(serve(endless_tree(0.05)).url)

    async def conversation(session: aiohttp.ClientSession) -> None:
        async with session.get(f"{crawl.url}events") as response:
            events = read(response)
            await anext(events)
            crawl.process.terminate()
            last = [event async for event in events][-1]
            assert last.type == "finished"
            assert last.data["outcome"] == "interrupted"
            assert last.data["files"] == []

    talk(conversation)
    assert crawl.process.wait(DEADLINE) == 6


@pytest.mark.full
def test_the_last_event_has_the_sentence_of_the_result(serve: Serve, watch: Watch) -> None:
    crawl = watch(serve({"/": Answer(status=404, delay=2)}).url)
    last: list[Event] = []

    async def conversation(session: aiohttp.ClientSession) -> None:
        async with session.get(f"{crawl.url}events") as response:
            last.extend([event async for event in read(response)][-1:])

    talk(conversation)
    assert crawl.process.wait(DEADLINE) == 3
    result = json.loads((crawl.output / "result.json").read_text())
    assert last[0].data["outcome"] == "unreachable"
    assert last[0].data["detail"] == result["sentence"] != ""


@pytest.mark.full
def test_refused_files_are_those_that_are_linked(
    serve: Serve, watch: Watch, tmp_path: Path
) -> None:
    hrefs = [f"/{number}" for number in range(30)]
    site = {"/": page(*hrefs), **{href: page("/", text=f"This is {href}.") for href in hrefs}}
    server = serve(site)
    arguments = command(server.url, tmp_path / "output-0", *IMPATIENT)
    assert run_to_end(arguments, tmp_path / "log") == 0
    server.site = {"/": page()._replace(delay=1)}
    crawl = watch(server.url)

    async def conversation(session: aiohttp.ClientSession) -> None:
        async with session.get(f"{crawl.url}events") as response:
            last = [event async for event in read(response)][-1]
        assert last.data["outcome"] == "refused"
        assert last.data["listed"] == 1
        hrefs = [file["href"] for file in last.data["files"]]
        assert hrefs == ["refused/report.html", "refused/sitemap.xml", "refused/urls.csv"]
        for href in hrefs:
            async with session.get(f"{crawl.url}{href}") as response:
                assert await response.read() == (crawl.output / href).read_bytes()

    talk(conversation)
    assert crawl.process.wait(DEADLINE) == 5


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_behind_a_web_server_that_passes_it_on(
    serve: Serve, watch: Watch, show: Show, tmp_path: Path
) -> None:
    """Under a path, with the Host of loopback."""
    with Front(tmp_path) as front:
        crawl = watch(serve(endless_tree(1.0)).url, "-a", "max_pages=60", port=PORT)
        opened = show(f"{front.url}/dashboard/{crawl.port}{crawl.path}")
        expect(opened.page.locator("#state")).to_have_text("Crawling")
        expect(opened.page.locator("#state")).to_have_text("Published")
        expect(opened.page.locator("#end a[href^=blob]")).to_have_count(3)
        assert opened.complaints == []
    assert crawl.process.wait(DEADLINE) == 0


# Who may look


def test_strangers_are_refused(serve: Serve, watch: Watch) -> None:
    crawl = watch(serve(endless_tree(0.05)).url)
    here = f"http://127.0.0.1:{crawl.port}"
    token = crawl.url.removeprefix(here).strip("/")
    no_token = "The address of this dashboard is in the log of its crawl.\n"
    no_host = "This dashboard does not answer to this Host name.\n"
    asked: list[tuple[str, str, dict[str, str], int, str]] = [
        ("GET", "/", {}, 403, no_token),
        ("GET", "/events", {}, 403, no_token),
        ("GET", "/status", {}, 403, no_token),
        ("GET", f"/{token[:-1]}/status", {}, 403, no_token),
        ("GET", f"/{token}x/status", {}, 403, no_token),
        ("GET", "/%F0%9F%98%80%ED%A0%80/status", {}, 403, no_token),
        ("GET", f"/{token}/status", {"Host": "evil.example"}, 403, no_host),
        ("GET", f"/{token}/status", {"Host": f"evil.example:{crawl.port}"}, 403, no_host),
        ("GET", f"/{token}/status", {"Host": "127.0.0.1.evil.example"}, 403, no_host),
        ("GET", f"/{token}/", {"Host": ""}, 403, no_host),
        ("GET", f"/{token}/nothing", {}, 404, "Not Found.\n"),
        ("GET", f"/{token}/crawl.sqlite", {}, 404, "Not Found.\n"),
        ("GET", f"/{token}/../crawl.sqlite", {}, 404, "Not Found.\n"),
        ("GET", f"/{token}/%2e%2e/log-0", {}, 404, "Not Found.\n"),
        ("GET", f"/{token}/report.html", {}, 404, "There is no report.html yet.\n"),
        ("POST", f"/{token}/status", {}, 405, "Method Not Allowed.\n"),
        ("OPTIONS", f"/{token}/status", {"Origin": "http://evil.example"}, 405, ""),
    ]

    async def conversation(session: aiohttp.ClientSession) -> None:
        for method, path, headers, status, sentence in asked:
            url = URL(here + path, encoded=True)
            async with session.request(method, url, headers=headers) as response:
                said = await response.text()
                assert (response.status, sentence in said) == (status, True), (path, said)
                assert said.count("\n") == 1
                assert not [name for name in response.headers if "access-control" in name.lower()]
        for name in ("localhost", "LOCALHOST", "127.0.0.1:1", "[::1]:80"):
            async with session.get(f"{crawl.url}status", headers={"Host": name}) as response:
                assert response.status == 200

    talk(conversation)
    connections = psutil.Process(crawl.process.pid).net_connections()
    listening = [each.laddr.ip for each in connections if each.status == psutil.CONN_LISTEN]
    assert listening == ["127.0.0.1"]
    assert crawl.end() == 6
    assert crawl.log.read_text().count(token) == 1
    assert "Traceback" not in crawl.log.read_text()


def test_headers(serve: Serve, watch: Watch) -> None:
    crawl = watch(serve(endless_tree(0.05)).url)

    async def conversation(session: aiohttp.ClientSession) -> None:
        for path in ("", "status", "events", "nothing"):
            async with session.get(crawl.url + path) as response:
                headers = response.headers
                assert headers["Content-Security-Policy"].startswith("default-src 'none'")
                assert headers["X-Content-Type-Options"] == "nosniff"
                assert headers["Referrer-Policy"] == "no-referrer"
                assert headers["X-Frame-Options"] == "DENY"
                assert headers["Cache-Control"] == "no-store"
                assert "aiohttp" not in headers["Server"]
        async with session.get(crawl.url) as response:
            policy = response.headers["Content-Security-Policy"]
            assert "unsafe" not in policy
            assert policy.count("'sha256-") == 2

    talk(conversation)
    assert crawl.end() == 6


@pytest.mark.full
def test_a_busy_port(serve: Serve, watch: Watch) -> None:
    url = serve(endless_tree(0.05)).url
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        crawl = watch(url, port=port)
        assert port < crawl.port <= port + 20
        other = watch(url, port=port)
        assert other.port not in (port, crawl.port)
        assert (crawl.end(), other.end()) == (6, 6)


def test_an_address_of_another_machine_costs_only_the_dashboard(
    serve: Serve, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    settings = (
        *("-s", "SITEMAPGEN_DASHBOARD_ENABLED=true"),
        *("-s", "SITEMAPGEN_DASHBOARD_HOST=192.0.2.1"),
    )
    url = serve(endless_tree()).url
    arguments = command(url, tmp_path / "o", "-a", "max_pages=9", *IMPATIENT, *settings)
    assert run_to_end(arguments, log) == 0
    assert "ERROR No dashboard at 192.0.2.1:6030: " in log.read_text()


# What no client can do to the crawl


@pytest.mark.full
def test_a_thousand_clients(serve: Serve, watch: Watch) -> None:
    crawl = watch(serve(endless_tree(0.03)).url)
    most = MAX_CLIENTS

    async def conversation(session: aiohttp.ClientSession) -> None:
        async def client() -> tuple[int, str]:
            async with session.get(f"{crawl.url}events") as response:
                if response.status != 200:
                    return response.status, await response.text()
                return 200, [event async for event in read(response)][-1].type

        clients = [asyncio.ensure_future(client()) for _ in range(1_000)]
        while (done := sum(task.done() for task in clients)) < 1_000 - most:
            await asyncio.sleep(0.1)
        assert done == 1_000 - most
        refused = {task.result() for task in clients if task.done()}
        assert [status for status, _ in refused] == [503]
        assert f"as many clients as it may have ({most})" in refused.pop()[1]
        crawl.process.terminate()
        answers = await asyncio.gather(*clients)
        assert answers.count((200, "finished")) == most

    talk(conversation)
    assert crawl.process.wait(DEADLINE) == 6, crawl.log.read_text()


@pytest.mark.full
def test_a_client_that_never_reads(
    serve: Serve, watch: Watch, connect: Callable[[Watched], socket.socket]
) -> None:
    server = serve(endless_tree(0.01))
    crawl = watch(server.url, "-s", "CONCURRENT_REQUESTS=16")
    for _ in range(10):
        client = connect(crawl)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_024)
        client.sendall(f"GET {crawl.path}events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    process = psutil.Process(crawl.process.pid)
    wait_for(lambda: len(server.visits) >= 150, crawl.process)
    before = process.memory_info().rss
    wait_for(lambda: len(server.visits) >= 450, crawl.process)
    assert process.memory_info().rss - before < 20_000_000
    assert crawl.end() == 6


@pytest.mark.parametrize("times", [1, 2])
def test_a_signal_ends_it_promptly_while_clients_watch(
    times: int, serve: Serve, watch: Watch, connect: Callable[[Watched], socket.socket]
) -> None:
    delay = 0.01 if times == 1 else 2 * DEADLINE
    answer = endless_tree(delay)
    server = serve(lambda path: answer(path) if path != "/" else endless_tree(0)("/"))
    crawl = watch(server.url)
    clients = [connect(crawl) for _ in range(15)]
    for client in clients[:10]:
        client.sendall(f"GET {crawl.path}events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    wait_for(lambda: len({*server.paths}) > 3, crawl.process)
    crawl.process.send_signal(signal.SIGINT)
    if times == 2:
        wait_for(lambda: "WARNING Ctrl-C" in crawl.log.read_text(), crawl.process)
        crawl.process.send_signal(signal.SIGINT)
    assert crawl.process.wait(DEADLINE) == 6, crawl.log.read_text()
    log = crawl.log.read_text()
    assert "Traceback" not in log
    assert "never retrieved" not in log


@pytest.mark.parametrize(
    "said",
    [b"\x00\xff\r\n\r\n", *rest(b"GET / HTTP/9.9\r\n\r\n", b"GET " + b"x" * 99_999)],
)
def test_what_is_no_request_is_no_error(said: bytes, serve: Serve, watch: Watch) -> None:
    crawl = watch(serve(endless_tree(0.05)).url)
    with socket.create_connection(("127.0.0.1", crawl.port)) as client, suppress(OSError):
        client.sendall(said)
        client.settimeout(2)
        client.recv(1_000)
    assert crawl.end() == 6
    assert "Traceback" not in crawl.log.read_text()


# In a browser


@pytest.mark.full
def test_the_page_from_the_beginning_to_the_end(serve: Serve, watch: Watch, show: Show) -> None:
    server, is_seen = serve(endless_tree(0.15)), threading.Event()
    server.holds = lambda _: len(server.visits) > 150 and not is_seen.is_set()
    url = server.url
    crawl = watch(url, "-a", "max_pages=200")
    opened = show(crawl.url)
    expect(opened.page.locator("#host")).to_have_text(url.split("/")[2])
    expect(opened.page.locator("#state")).to_have_text("Crawling")
    expect(opened.page.locator("#curve path.stroke")).to_have_count(1)
    assert int(opened.text("#fetched")) > 0
    assert "indexable" in opened.text("#verdicts")
    assert opened.page.locator("#verdicts [title=listed]").count() == 1
    assert "clicks" in opened.text("#frontier")
    assert opened.page.locator("#pages tr").count() > 0
    expect(opened.page.locator("#outlook")).to_contain_text("until max_pages")
    is_seen.set()
    expect(opened.page.locator("#state")).to_have_text("Published")
    assert crawl.process.wait(DEADLINE) == 0
    assert opened.text("#end p") == "The sitemap is published. It lists 200 URLs."
    assert str(crawl.output / "report.html") in opened.text("#end")
    assert opened.text("#fetched") == "200"
    time.sleep(3)  # no client connects again, and nothing that is shown is lost
    assert opened.text("#state") == "Published"
    assert opened.page.locator("#pages tr").count() == 25
    assert opened.complaints == []
    files = [f"{crawl.url}{name}" for name in ("report.html", "sitemap.xml", "urls.csv")]
    assert opened.requests == [crawl.url, f"{crawl.url}events", *files]
    for name in ("report.html", "sitemap.xml", "urls.csv"):  # they stay with the page
        with opened.page.expect_download() as download:
            opened.page.locator("#end").get_by_role("link", name=name).click()
        assert download.value.suggested_filename == name
        assert Path(download.value.path()).read_bytes() == (crawl.output / name).read_bytes()


@pytest.mark.full
def test_a_crawl_that_was_killed(serve: Serve, watch: Watch, show: Show) -> None:
    crawl = watch(serve(endless_tree(0.05)).url)
    opened = show(crawl.url)
    expect(opened.page.locator("#state")).to_have_text("Crawling")
    crawl.process.kill()
    expect(opened.page.locator("#state")).to_have_text("Connection lost")
    assert opened.text("#outlook") == "The figures are the last that came."


@pytest.mark.full
@pytest.mark.parametrize("width", [360, *rest(1280)])
def test_a_hostile_site(width: int, serve: Serve, watch: Watch, show: Show) -> None:
    titles = [*HOSTILE, "CR\rLF\nevent: finished\ndata: {}\n\n"]
    titles = [escape(title.encode("utf-8", "replace").decode()) for title in titles]
    hrefs = [f"/{escape(title[:200])}-{number}" for number, title in enumerate(titles)]

    def site(path: str) -> Answer | None:
        if path == "/robots.txt":
            return None
        last = path.rpartition("-")[2]
        number = int(last) if last.isdecimal() and len(last) < 3 else 0
        words = f"This is {path}, and nothing else"
        found = page(*hrefs, "/slow:1", title=titles[number], text=escape(words))
        return found._replace(delay=15 if "slow" in path else 0)

    crawl = watch(serve(site).url)
    opened = show(crawl.url, width)
    end = time.monotonic() + DEADLINE
    while opened.page.locator("#pages tr").count() < len(titles):
        assert time.monotonic() < end, crawl.log.read_text()
    shown = opened.page.locator("#pages .title").all_inner_texts()
    assert any("</script><img src=x onerror=alert(1)>" in title for title in shown)
    assert opened.text("#state") == "Crawling"
    assert opened.page.locator("body :is(img, iframe, [onerror], [onload])").count() == 0
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width
    assert opened.complaints == []
    assert opened.requests == [crawl.url, f"{crawl.url}events"]
    links = opened.page.locator("#pages a").evaluate_all("all => all.map(a => a.protocol)")
    assert set(links) == {"http:"}
    crawl.process.kill()


@pytest.mark.full
def test_what_was_published_before_can_be_looked_at(
    serve: Serve, watch: Watch, show: Show, tmp_path: Path
) -> None:
    url = serve(endless_tree(0.05)).url
    log = tmp_path / "log"
    arguments = command(url, tmp_path / "output-0", "-a", "max_pages=30", *IMPATIENT)
    assert run_to_end(arguments, log) == 0
    crawl = watch(url)
    opened = show(crawl.url)
    expect(opened.page.locator("#before")).to_contain_text("report.html, sitemap.xml")
    with opened.page.expect_popup() as popup:
        opened.page.get_by_role("link", name="report.html").click()
    report = popup.value
    report.wait_for_selector("html[data-ready=yes]")
    assert report.evaluate("origin") == "null"  # it cannot look at the dashboard
    with opened.page.expect_popup() as popup:
        opened.page.get_by_role("link", name="sitemap.xml").click()
    popup.value.wait_for_load_state()
    assert url in popup.value.content()
    assert crawl.end() == 6
