"""``scrapy submit``: against a real server in the place of Search Console."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.crawls.commands import Result, run, urlset, write
from tests.helpers.crawls import IMPATIENT, Crawler
from tests.helpers.server import Answer, Serve, Server, page

TOKEN = "ya29.S3CRET-token_1"
SITEMAP = "https://shop.example/sitemap.xml"
PATH = f"/v3/sites/{quote('https://shop.example/', safe='')}/sitemaps/{quote(SITEMAP, safe='')}"


class Api(Server):
    """Answers requests with what is in ``answers``, then with 204."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, dict[str, str]]] = []
        super().__init__(
            lambda _: Answer("", *(self.answers.pop(0) if self.answers else (204, {})))
        )

    @property
    def base(self) -> str:
        return f"{self.url}v3"


@pytest.fixture
def api() -> Iterator[Api]:
    with Api() as server:
        yield server


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return write(tmp_path / "output", sitemap__xml=urlset("https://shop.example/"))


def submit(output: Path, api: Api, *arguments: str, token: str = TOKEN) -> Result:
    settings = ("-s", f"SITEMAPGEN_SEARCH_CONSOLE_ENDPOINT={api.base}", *IMPATIENT)
    return run("submit", output, *arguments, *settings, SITEMAPGEN_SEARCH_CONSOLE_TOKEN=token)


def test_nothing_is_sent_by_default(output: Path, api: Api) -> None:
    result = submit(output, api, "--sitemap", SITEMAP)
    assert result.code == 0, result.log
    assert result.out.splitlines() == [
        f"to submit for https://shop.example/: {SITEMAP}",
        f"PUT {api.base}{PATH.removeprefix('/v3')}",
        "access token: from SITEMAPGEN_SEARCH_CONSOLE_TOKEN, which is set",
        "nothing was sent; --send sends it",
    ]
    assert api.visits == []


def test_it_is_sent_with_the_token(output: Path, api: Api) -> None:
    result = submit(output, api, "--sitemap", SITEMAP, "--send")
    assert (result.code, result.log) == (0, "")
    assert result.out == f"{SITEMAP}: submitted for https://shop.example/ (HTTP 204)\n"
    (visit,) = api.visits
    assert (visit.method, visit.path, visit.body) == ("PUT", PATH, b"")
    assert visit.headers["Authorization"] == f"Bearer {TOKEN}"
    assert visit.headers["Content-Length"] == "0"


def test_the_address_is_that_of_the_crawl(serve: Serve, crawl: Crawler, api: Api) -> None:
    result = crawl(serve({"/": page()}).url, "base_url=https://maps.shop.example/x/")
    domain = "sc-domain:shop.example"
    sent = submit(result.output, api, "--property", domain, "--send")
    assert sent.out.startswith("https://maps.shop.example/x/sitemap.xml: submitted for"), sent.log
    assert api.visits[0].path.startswith(f"/v3/sites/{quote(domain, safe='')}/sitemaps/")


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
    location = {"Location": f"{api.base}/elsewhere"} if status == 302 else {}
    api.answers = [(status, location)]
    result = submit(output, api, "--sitemap", SITEMAP, "--send")
    assert result.code == code
    where = api.url.removesuffix("/")
    sentence = result.log.splitlines()[-1]  # a 429 is a warning as well
    assert f"ERROR {where}: HTTP {status}: {words}" in sentence
    assert TOKEN not in result.log + result.out
    assert len(api.visits) == 1  # the token follows no redirect, and nothing is tried again


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
    settings = ("-s", f"SITEMAPGEN_SEARCH_CONSOLE_ENDPOINT={api.base}")
    result = run("submit", output, *settings, *given, SITEMAPGEN_SEARCH_CONSOLE_TOKEN=token)
    assert result.code == 2
    assert result.sentence.startswith(f"ERROR {words}"), result.sentence
    assert api.visits == []


def test_no_sitemap(tmp_path: Path, api: Api) -> None:
    result = submit(tmp_path, api)
    assert result.code == 2
    assert result.sentence.endswith("no sitemap.xml in it; name an output directory")
