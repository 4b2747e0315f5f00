"""Crawls whose browsers run elsewhere: several endpoints, of which some are down."""

from collections.abc import Callable

import pytest

from tests.helpers.browser import QUICK, app, links, needs_browser, nothing_is_left
from tests.helpers.crawls import Crawler, assert_one_sentence
from tests.helpers.endpoints import RemoteBrowser
from tests.helpers.keyed import KEYED
from tests.helpers.server import Answer, Serve, Server, page

pytestmark = pytest.mark.full
__all__ = ["nothing_is_left"]


def settings(setting: str, *urls: str) -> tuple[str, ...]:
    return (
        *(*QUICK, "-s", f"{setting}={','.join(urls)}"),
        *("-s", "SITEMAPGEN_RENDERING_DEADLINE=60", "-s", "LOG_LEVEL=DEBUG"),
    )


class Chain:
    """A site whose pages link to the next one until both browsers have rendered some.

    The browser that renders /harmful first is killed by it, and started again.
    """

    def __init__(self, server: Server, pair: dict[str, RemoteBrowser]) -> None:
        self.server = server
        self.pair = pair
        self.victim = ""
        self.length = 0
        """Number of pages in the chain; 0 while it has no end."""
        self.are_doomed = False

    def __call__(self, path: str) -> Answer | None:
        agent = self.server.visits[-1].headers.get("User-Agent", "")
        name = next((name for name in self.pair if name in agent), "")
        if path == "/":
            return app(links("/harmful"))
        if path == "/harmful":
            return app("fetch('/harm').then(() => {" + links("/chain-1") + "});")
        if path == "/harm":
            self._harm(name)
            return page()
        if not path.startswith("/chain-"):
            return None
        number = int(path.removeprefix("/chain-"))
        if name == self.victim and not self.length:
            self.length = number
        return app(links("/" if number == self.length else f"/chain-{number + 1}"))

    def _harm(self, name: str) -> None:
        if self.are_doomed:
            for browser in self.pair.values():
                browser.kill()
        elif not self.victim:
            self.victim = name
            self.pair[name].kill()
            self.pair[name].start()


@needs_browser
@pytest.mark.slow
def test_a_browser_of_two_is_killed_and_started_again(
    serve: Serve, crawl: Crawler, remote_browser: Callable[[str], RemoteBrowser]
) -> None:
    """Then both are killed for good, and what was published stays."""
    pair = {name: remote_browser(name) for name in ("north", "south")}
    server = serve({})
    server.site = site = Chain(server, pair)
    given = settings("PLAYWRIGHT_CDP_URL", *(browser.url for browser in pair.values()))
    result = crawl.published(server.url, settings=given)
    assert site.victim
    assert site.length
    assert "S3CRET" not in result.log
    listed = result.sitemap
    assert len(listed) == 2 + site.length, result.log
    assert result.report["rendering"]["failed"] == 0
    victim = pair[site.victim].authority
    sentence = f" WARNING A browser is left out for now: http://{victim} "
    assert result.log.count(sentence) == 1, result.log
    assert f"http://{victim} renders pages again" in result.log
    counts = result.log.partition("Rendered pages by endpoint: ")[2].splitlines()[0]
    found = [int(part.rpartition(" ")[2]) for part in counts.split(", ")]
    assert sum(found) == result.report["rendering"]["pages"]
    assert all(found)

    site.are_doomed = True
    result = crawl(server.url, settings=given)
    assert_one_sentence(result, 1, "the browser ended, and does not start again: http://127.0.0.1:")
    assert result.sitemap == listed
    assert "S3CRET" not in result.log


@needs_browser
def test_scrapy_playwright_connects_to_the_first(
    serve: Serve, crawl: Crawler, remote_browser: Callable[[str], RemoteBrowser]
) -> None:
    pair = [remote_browser(name) for name in ("north", "south")]
    pair[1].kill()
    server = serve({"/": app(links("/a")), "/a": page()})
    given = settings("PLAYWRIGHT_CDP_URL", *(browser.url for browser in pair))
    result = crawl(server.url, "render=never", settings=(*given, *KEYED))
    assert result.sitemap == [server.url, f"{server.url}a"], result.log
    assert "S3CRET" not in result.log


def test_settings_that_are_not_for_rendered_pages(serve: Serve, crawl: Crawler) -> None:
    server = serve({"/": page()})
    result = crawl(server.url, settings=settings("PLAYWRIGHT_BROWSER_TYPE", "firefox"))
    assert_one_sentence(result, 2, "PLAYWRIGHT_BROWSER_TYPE: 'firefox', but pages are rendered in")
    assert not server.visits
    result = crawl.published(server.url, settings=settings("PLAYWRIGHT_MAX_CONTEXTS", "2"))
    assert 'PLAYWRIGHT_MAX_CONTEXTS: for requests with meta["playwright"] only' in result.log


def test_an_endpoint_that_is_none(serve: Serve, crawl: Crawler) -> None:
    server = serve({"/": page()})
    result = crawl(server.url, settings=settings("PLAYWRIGHT_CDP_URL", "http://one", "tcp://two"))
    assert_one_sentence(result, 2, "PLAYWRIGHT_CDP_URL: 'tcp://two' is no endpoint; write URLs")
    assert not server.visits
