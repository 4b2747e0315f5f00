"""The context of a crawl, and its host."""

import pytest
from scrapy.utils.test import get_crawler

from sitemapgen.context import CrawlContext, Host, context_of
from sitemapgen.core.robots import Robots
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.params import Params
from sitemapgen.verdicts import Verdict


class Recording(Host):
    """A host that keeps the errors for which its crawl ends."""

    def __init__(self) -> None:
        self.args = Params(url="https://example.com/", render="never")
        self.errors: list[CrawlError] = []

    def end(self, error: CrawlError) -> None:
        self.errors.append(error)


def test_components_get_the_context_that_the_host_made() -> None:
    crawler = get_crawler()
    context = CrawlContext(crawler, Recording())
    assert context_of(crawler) is context


def test_other_spiders_have_one_that_restricts_and_publishes_nothing() -> None:
    crawler = get_crawler()
    context = context_of(crawler)
    assert context_of(crawler) is context
    assert context.host.egress.is_unrestricted
    assert (context.is_open, context.host.publishes, context.host.cluster) == (False, False, None)


def test_what_comes_later_is_not_there_before() -> None:
    context = CrawlContext(get_crawler(), Recording())
    for name in ("crawl", "link_reader", "rules"):
        with pytest.raises(AssertionError):
            getattr(context, name)
    context.enter("https://example.com/", Robots())
    assert context.is_entered
    assert context.start_link("https://example.com/a").refusal is None
    assert context.link_reader.link("https://example.org/").refusal.verdict is Verdict.OUT_OF_SCOPE


def test_a_crawl_ends_for_its_first_error() -> None:
    host = Recording()
    context = CrawlContext(get_crawler(), host)
    first, second = CrawlError(Exit.NO_SPACE, "full"), CrawlError(Exit.ERROR, "a bug")
    context.abort(first)
    context.abort(second)
    assert (context.error, host.errors) == (first, [first])
