"""``scrapy submit``: against a real server in the place of Search Console."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from urllib.parse import quote

import pytest
from aiohttp import web

from tests.crawls.commands import Result, run, urlset, write
from tests.helpers.crawls import IMPATIENT, Crawler
from tests.helpers.server import Serve, page

pytestmark = pytest.mark.sample

TOKEN = "ya29.S3CRET-token_1"
SITEMAP = "https://shop.example/sitemap.xml"
PATH = f"/v3/sites/{quote('https://shop.example/', safe='')}/sitemaps/{quote(SITEMAP, safe='')}"


class Api:
    """Answers requests with what is in ``answers``, then with 204."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, dict[str, str]]] = []
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        self._loop = asyncio.new_event_loop()
        self._ready = Event()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(10)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v3"

    def stop(self) -> None:
        if not self._thread.is_alive():
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        self._loop.run_until_complete(self._start())
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._runner.cleanup())
        self._loop.close()

    async def _start(self) -> None:
        self._runner = web.ServerRunner(web.Server(self._handle), shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port: int = self._runner.addresses[0][1]

    async def _handle(self, request: web.BaseRequest) -> web.Response:
        body = await request.read()
        self.requests.append((request.method, request.raw_path, dict(request.headers), body))
        status, headers = self.answers.pop(0) if self.answers else (204, {})
        return web.Response(status=status, headers=headers)


@pytest.fixture
def api() -> Iterator[Api]:
    server = Api()
    yield server
    server.stop()


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return write(tmp_path / "output", sitemap__xml=urlset("https://shop.example/"))


def submit(output: Path, api: Api, *arguments: str, token: str = TOKEN) -> Result:
    settings = ("-s", f"SITEMAPGEN_SEARCH_CONSOLE_ENDPOINT={api.url}", *IMPATIENT)
    return run("submit", output, *arguments, *settings, SITEMAPGEN_SEARCH_CONSOLE_TOKEN=token)


def test_nothing_is_sent_by_default(output: Path, api: Api) -> None:
    result = submit(output, api, "--sitemap", SITEMAP)
    assert result.code == 0, result.log
    assert result.out.splitlines() == [
        f"to submit for https://shop.example/: {SITEMAP}",
        f"PUT {api.url}{PATH.removeprefix('/v3')}",
        "access token: from SITEMAPGEN_SEARCH_CONSOLE_TOKEN, which is set",
        "nothing was sent; --send sends it",
    ]
    assert api.requests == []


def test_it_is_sent_with_the_token(output: Path, api: Api) -> None:
    result = submit(output, api, "--sitemap", SITEMAP, "--send")
    assert (result.code, result.log) == (0, "")
    assert result.out == f"{SITEMAP}: submitted for https://shop.example/ (HTTP 204)\n"
    ((method, path, headers, body),) = api.requests
    assert (method, path, body) == ("PUT", PATH, b"")
    assert headers["Authorization"] == f"Bearer {TOKEN}"
    assert headers["Content-Length"] == "0"


def test_the_address_is_that_of_the_crawl(serve: Serve, crawl: Crawler, api: Api) -> None:
    result = crawl(serve({"/": page()}).url, "base_url=https://maps.shop.example/x/")
    domain = "sc-domain:shop.example"
    sent = submit(result.output, api, "--property", domain, "--send")
    assert sent.out.startswith("https://maps.shop.example/x/sitemap.xml: submitted for"), sent.log
    assert api.requests[0][1].startswith(f"/v3/sites/{quote(domain, safe='')}/sitemaps/")


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (400, 5, "the request was not accepted; check the property"),
        (401, 5, "the access token is wrong or older than an hour; fetch a new one"),
        (403, 5, "the account of the token may not change this property"),
        (404, 5, "Search Console has no such property for this account; verify the site there"),
        (429, 6, "too many requests; the same command submits it later"),
        (500, 3, "nothing was submitted; the same command tries again"),
        (503, 3, "nothing was submitted; the same command tries again"),
        (302, 3, "nothing was submitted; the same command tries again"),
    ],
)
def test_what_is_not_accepted(output: Path, api: Api, status: int, code: int, words: str) -> None:
    location = {"Location": f"{api.url}/elsewhere"} if status == 302 else {}
    api.answers = [(status, location)]
    result = submit(output, api, "--sitemap", SITEMAP, "--send")
    assert result.code == code
    where = api.url.removesuffix("/v3")
    sentence = result.log.splitlines()[-1]  # a 429 is a warning as well
    assert f"ERROR {where}: HTTP {status}: {words}" in sentence
    assert TOKEN not in result.log + result.out
    assert len(api.requests) == 1  # the token follows no redirect, and nothing is tried again


def test_retry_after_is_the_time_to_come_back(output: Path, api: Api) -> None:
    api.answers = [(429, {"Retry-After": "3600"})]
    result = submit(output, api, "--sitemap", SITEMAP, "--send")
    assert " submits it after 20" in result.log


def test_no_answer(output: Path, api: Api) -> None:
    api.stop()
    result = submit(output, api, "--sitemap", SITEMAP, "--send")
    assert result.code == 3
    assert result.sentence.endswith("; nothing was submitted, the same command tries again")


@pytest.mark.parametrize(
    ("arguments", "token", "words"),
    [
        (["--send"], "", "--token-variable: SITEMAPGEN_SEARCH_CONSOLE_TOKEN is not set in the env"),
        (["--send"], "two words", "--token-variable: SITEMAPGEN_SEARCH_CONSOLE_TOKEN holds no acc"),
        (["--send", "--token-variable", "NO_SUCH"], TOKEN, "--token-variable: NO_SUCH is not set"),
        (["--property", "shop.example"], TOKEN, "--property: 'shop.example' is none; write https"),
        (["--property", "https://a.example/"], TOKEN, "--property: https://a.example/ has no http"),
        (["--property", "sc-domain:op.example"], TOKEN, "--property: sc-domain:op.example has no"),
        (["--sitemap", "here"], TOKEN, "--sitemap: 'here' is no http or https URL"),
        (["-s", "SITEMAPGEN_SEARCH_CONSOLE_ENDPOINT=http://api.example/"], TOKEN, "SITEMAPGEN_SEA"),
    ],
)
def test_bad_options(output: Path, api: Api, arguments: list[str], token: str, words: str) -> None:
    given = arguments if "--sitemap" in arguments else ["--sitemap", SITEMAP, *arguments]
    settings = ("-s", f"SITEMAPGEN_SEARCH_CONSOLE_ENDPOINT={api.url}")
    result = run("submit", output, *settings, *given, SITEMAPGEN_SEARCH_CONSOLE_TOKEN=token)
    assert result.code == 2
    assert result.sentence.startswith(f"ERROR {words}"), result.sentence
    assert api.requests == []


def test_no_sitemap(tmp_path: Path, api: Api) -> None:
    result = submit(tmp_path, api)
    assert result.code == 2
    assert result.sentence.endswith("no sitemap.xml in it; name an output directory")
