"""The pool of browsers at several endpoints: DevTools and Playwright's own, living and dead."""

import asyncio
import logging
import os
import re
import signal
import socket
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import playwright
import psutil
import pytest
from playwright.async_api import Error, async_playwright
from scrapy.settings import Settings

from sitemapgen import settings
from sitemapgen.browser.chromium import GRACE, NoBrowser
from sitemapgen.browser.pool import TabPool
from sitemapgen.browser.tab import RenderJob, Tab
from sitemapgen.checks.browser import BrowserConfig
from sitemapgen.core.rendering.fence import Fence
from sitemapgen.download.egress import Egress
from tests.helpers.browser import BROWSER, app, links, needs_browser
from tests.helpers.crawls import wait_for
from tests.helpers.endpoints import RemoteBrowser
from tests.helpers.server import Serve, Server

DRIVER = Path(playwright.__file__).parent / "driver"


@asynccontextmanager
async def pool(server: Server, **given: object) -> AsyncIterator[TabPool]:
    """The pool of a crawl of the server."""
    found = Settings()
    found.setmodule(settings)
    found.setdict({"SITEMAPGEN_RENDERING_QUIET": 0.2, **given})
    config = BrowserConfig.from_settings(found)
    ending, before = asyncio.Event(), psutil.Process().children()
    egress, lock = Egress([server.url]), asyncio.Lock()
    tabs = TabPool(config, found, ending.is_set, egress, lambda _: None, lock)
    try:
        yield tabs
    finally:
        ending.set()
        await tabs.close()
        while set(psutil.Process().children()) - {*before}:  # asyncio has not noticed their end
            await asyncio.sleep(0.1)
        await asyncio.sleep(0.1)


async def render(tabs: TabPool, server: Server, count: int) -> None:
    """Render a page at the same time as ``count`` - 1 others."""
    jobs = [
        RenderJob(
            fence=Fence(f"{server.url}{number}", lambda _: None),
            disallowed=(),
            headers={},
            proxy=None,
            max_size=1_000_000,
        )
        for number in range(count)
    ]
    for rendered in await asyncio.gather(*map(tabs.render, jobs)):
        assert 'href="/made"' in rendered.html


@needs_browser
def test_a_tab_whose_driver_has_ended_is_not_cleared(serve: Serve) -> None:
    server = serve(site)
    job = RenderJob(
        fence=Fence(server.url, lambda _: None),
        disallowed=(),
        headers={},
        proxy=None,
        max_size=1_000_000,
    )
    found = Settings()
    found.setmodule(settings)

    async def scenario() -> None:
        driver = await async_playwright().start()
        options = {"executable_path": str(BROWSER), "args": ["--no-sandbox"]}
        browser = await driver.chromium.launch(**options)
        tab = await Tab.open(browser, None, None, None)
        await tab.render(job, BrowserConfig.from_settings(found).waits)
        for process in psutil.Process().children():
            if "run-driver" in process.cmdline():
                process.kill()
        with pytest.raises(Error):
            await asyncio.wait_for(tab.clear_page(), 4 * GRACE)

    asyncio.run(scenario())


def site(_: str) -> Any:
    return app(links("/made"))


def left_out(caplog: pytest.LogCaptureFixture, name: str) -> int:
    """The number of warnings that an endpoint is left out."""
    lines = [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]
    return sum("left out" in line and name in line for line in lines)


@pytest.mark.full
@needs_browser
def test_endpoints_that_refuse_or_never_answer(
    serve: Serve, remote_browser: Callable[[str], RemoteBrowser], caplog: pytest.LogCaptureFixture
) -> None:
    """They are left out with a warning each, and tried again; pages do not wait for them."""
    living = remote_browser("living")
    hanging, refusing = (socket.create_server(("127.0.0.1", 0)) for _ in range(2))
    dead = [f"127.0.0.1:{each.getsockname()[1]}" for each in (refusing, hanging)]
    refusing.close()
    server = serve(site)

    async def scenario() -> None:
        urls = [living.url, *(f"http://me:S3CRET@{each}/?token=S3CRET" for each in dead)]
        kwargs = {"timeout": 2000}
        async with pool(server, PLAYWRIGHT_CDP_URL=urls, PLAYWRIGHT_CDP_KWARGS=kwargs) as tabs:
            while min(backend.failed_starts for backend in tabs.backends[1:]) < 2:
                await render(tabs, server, 3)
            assert [count > 0 for _, count in tabs.page_counts()] == [True, False, False]

    with hanging:
        asyncio.run(scenario())
    assert [left_out(caplog, name) for name in dead] == [1, 1]
    assert f"{dead[0]}: connect ECONNREFUSED" in caplog.text
    assert f"{dead[1]} does not answer" in caplog.text
    assert "S3CRET" not in caplog.text


@pytest.mark.full
@needs_browser
def test_a_browser_that_freezes(
    serve: Serve, remote_browser: Callable[[str], RemoteBrowser], caplog: pytest.LogCaptureFixture
) -> None:
    """Its pages are rendered by the other one."""
    both = [remote_browser(name) for name in ("one", "other")]
    server = serve(site)
    given = {
        "PLAYWRIGHT_CDP_URL": [browser.url for browser in both],
        "SITEMAPGEN_RENDERING_DEADLINE": 10,
    }

    async def scenario() -> None:
        async with pool(server, **given) as tabs:
            while not all(count for _, count in tabs.page_counts()):
                await render(tabs, server, 2)
            both[0].freeze()
            before = tabs.page_counts()[0]
            await render(tabs, server, 4)
            assert tabs.page_counts()[0] == before

    asyncio.run(scenario())
    assert f"{both[0].authority} does not answer" in caplog.text
    assert left_out(caplog, both[0].authority) == 1


@needs_browser
def test_no_endpoint_can_be_reached(serve: Serve) -> None:
    server = serve(site)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        name = f"ws://127.0.0.1:{closed.getsockname()[1]}"

    async def scenario() -> None:
        async with pool(server, PLAYWRIGHT_CONNECT_URL=f"{name}/S3CRET") as tabs:
            await render(tabs, server, 1)

    sentence = f"no browser of PLAYWRIGHT_CONNECT_URL can be reached: {name}: .*ECONNREFUSED"
    with pytest.raises(NoBrowser, match=sentence) as raised:
        asyncio.run(scenario())
    assert "S3CRET" not in str(raised.value)


@pytest.fixture
def playwright_servers(tmp_path: Path) -> Iterator[list[tuple[str, subprocess.Popen[bytes]]]]:
    """Two of Playwright's own servers, with their endpoints."""
    started = []
    for number in range(2):
        with (tmp_path / f"server-{number}").open("wb") as file:
            arguments = ["run-server", "--host", "127.0.0.1", "--port", "0", "--unsafe"]
            process = subprocess.Popen(
                [DRIVER / "node", DRIVER / "package" / "cli.js", *arguments],
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        started.append(process)

    def urls() -> list[str]:
        texts = [(tmp_path / f"server-{number}").read_text() for number in range(2)]
        return [url for text in texts for url in re.findall(r"ws://\S+", text)]

    try:
        wait_for(lambda: len(urls()) == 2)
        yield list(zip(urls(), started, strict=True))
    finally:
        for process in started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.mark.full
@needs_browser
def test_endpoints_of_playwright(
    playwright_servers: list[tuple[str, subprocess.Popen[bytes]]],
    serve: Serve,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Pages are spread over both; when one ends, the other renders them."""
    server = serve(site)
    urls = [url for url, _ in playwright_servers]
    options = f'{{"executablePath": "{BROWSER}", "chromiumSandbox": false}}'
    headers = {"x-playwright-browser": "chromium", "x-playwright-launch-options": options}
    given = {
        "PLAYWRIGHT_CONNECT_URL": ", ".join(urls),
        "PLAYWRIGHT_CONNECT_KWARGS": {"headers": headers},
    }

    async def scenario() -> None:
        async with pool(server, **given) as tabs:
            while not all(backend.is_ready for backend in tabs.backends):
                await render(tabs, server, 1)
            before = dict(tabs.page_counts())
            await render(tabs, server, 4)
            spread = [count - before[endpoint] for endpoint, count in tabs.page_counts()]
            assert spread == [2, 2]
            os.killpg(playwright_servers[0][1].pid, signal.SIGKILL)
            await render(tabs, server, 4)
            assert tabs.page_counts()[0][1] == before[tabs.page_counts()[0][0]] + 2

    asyncio.run(scenario())
    assert left_out(caplog, urls[0].rstrip("/")) == 1
