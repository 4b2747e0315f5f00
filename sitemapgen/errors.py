"""Exit codes of all commands, and the error that carries one with its sentence."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of all commands; the table in docs/explanation/reliability.md is of these."""

    PUBLISHED = 0
    """Published, or rightly left as it was."""
    ERROR = 1
    """An error in the crawler; the log has the traceback. Where it cost single pages, or the
    browser, the sitemap is published anyway, and pages that were listed before stay so."""
    ARGUMENTS = 2
    """Bad arguments or settings, files that are not there, a start URL that redirects to another
    site, or a `layout` that needs more than the 50,000 files of an index."""
    UNREACHABLE = 3
    """The site is unreachable: no answer, an error status, or no robots.txt to go by; or a sitemap,
    an IndexNow key file, the IndexNow service, Search Console or the Redis of a cluster is."""
    NOTHING = 4
    """Nothing to list; the log has the number of URLs by verdict."""
    REFUSED = 5
    """Refused: the new sitemap would lose too much, or all pages lead to one that asks for a cookie
    or a login, and stands in `refused/`; or another crawl uses the output or the Redis, or one of
    them holds something else: another site, another scope, a damaged state, data of another
    program; or a worker has another version than its crawl; or IndexNow or Search Console does not
    accept a submission."""
    INTERRUPTED = 6
    """Interrupted by a signal, by an outage of the site or of the Redis of a cluster, by a lack of
    workers, or by the site's Visit-time; the state is kept, and the same command continues."""
    NO_SPACE = 7
    """No space, or no permission, to write the output; or its state was removed during the
    crawl; or the Redis of a cluster is out of memory."""
    CONDITION = 8
    """A condition of `scrapy report --fail-on` is met."""
    INVALID = 9
    """`scrapy validate` found errors in a sitemap."""
    DIFFERENT = 10
    """`scrapy diff --exit-code` found differences."""
    FAILURES = 11
    """`scrapy fleet`, or `sitemapgen crawl --all`, is done, and at least one site has another
    outcome than published."""


A_BUG = "a bug; the log has the traceback"
"""The sentence for ``Exit.ERROR``."""


class CrawlError(Exception):
    """A crawl cannot continue; the sentence states the problem and its remedy."""

    def __init__(self, exit_code: Exit, sentence: str) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code
        self.sentence = sentence
