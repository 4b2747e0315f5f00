"""The verdicts on URLs and the faults of dates: one row for each.

Everything that depends on the kind of a verdict is derived from its row: link ranks, coverage, the
report, the dashboard, SQL and the tables of the documentation. The rules that give verdicts:
``core/eligibility.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Literal, NamedTuple


class Stage(IntEnum):
    """The last step on the way into the sitemap that a URL has reached."""

    SEEN = 0
    """A link or a sitemap names it."""
    FETCHED = 1
    """It was requested."""
    ELIGIBLE = 2
    """It is a page that answers and may be indexed."""
    LISTED = 3
    """It is in the new sitemap."""


class Content(Enum):
    """Whether a URL has content, and whose."""

    NONE = "none"
    """It is not a page of the site."""
    UNREAD = "unread"
    """It may be a page, unread because of a limit of the crawl or a missing browser."""
    COPY = "copy"
    """It has the content of another URL."""
    OWN = "own"
    """It has content of its own."""


class Waste(NamedTuple):
    """Fault of a URL in the site's own sitemaps."""

    fault: str
    remedy: str
    """Both for ``core.words.inflect``."""
    severity: Literal["error", "warning"]
    why: str
    """One sentence: what it costs visitors, or search engines (``report/priorities.py``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Properties of a verdict."""

    label: str
    """Its name in reports, in the words of site owners."""
    meaning: str
    """Completes the sentence "The URL ..."."""
    detail: str
    """The meaning in full, with limits, arguments and evidence, in Markdown: for docs/."""
    remedy: str
    """How the owner, or the next crawl, can have such a page listed."""
    stage: Stage
    content: Content = Content.NONE
    tone: Literal["good", "neutral", "bad"] = "neutral"
    """Its colour in reports."""
    waste: Waste | None = None
    """None where a sitemap may list it, or where a limit of the crawl left it out."""
    missing_type: str = "other"
    """Its line in Table 2 of Schonfeld and Shivakumar (2009), as in ``analysis/coverage.py``."""
    may_recover: bool = False
    """Whether the cause may pass by itself: ``analysis/late_retry.py``."""
    may_be_original: bool = False
    """Whether a canonical that leads to it is valid."""


class FaultRow(NamedTuple):
    """Properties of a fault of a date."""

    meaning: str
    """Completes the sentence "The date ..."."""
    remedy: str
    """What the owner of the site can do."""


class Verdict(str, Enum):
    """The result for a URL: every URL ever seen has exactly one verdict.

    The same word stands in urls.csv, report.json, the log and the stats.
    """

    LISTED = "listed"
    ROBOTS_DISALLOWED = "robots_disallowed"
    EXCLUDED = "excluded"
    OUT_OF_SCOPE = "out_of_scope"
    TOO_DEEP = "too_deep"
    OVER_CAP = "over_cap"
    NOT_FETCHED = "not_fetched"
    HTTP_ERROR = "http_error"
    FETCH_ERROR = "fetch_error"
    NOT_HTML = "not_html"
    REDIRECT = "redirect"
    OFFSITE_REDIRECT = "offsite_redirect"
    SOFT_404 = "soft_404"
    LOGIN = "login"
    NOINDEX = "noindex"
    CANONICALISED = "canonicalised"
    DUPLICATE = "duplicate"
    VARIANT = "variant"
    VIEW = "view"
    TRAP = "trap"
    UNRENDERABLE = "unrenderable"

    @property
    def row(self) -> Row:
        """The properties of the verdict."""
        return ROWS[self]

    @property
    def code(self) -> int:
        """Number of the verdict in arrays: its position among all verdicts."""
        return list(Verdict).index(self)

    @staticmethod
    def of(code: int) -> Verdict:
        """Return the verdict with this code."""
        return list(Verdict)[code]


REPETITION = "Search engines index one of the URLs, and may choose another one than you would."
"""Why duplicates are to be fixed."""
ROWS = {
    Verdict.LISTED: Row(
        label="indexable",
        meaning="is in the new sitemap",
        detail="is in the new sitemap",
        remedy="nothing is left to do",
        stage=Stage.LISTED,
        content=Content.OWN,
        tone="good",
        missing_type="missing_content",
        may_be_original=True,
    ),
    Verdict.ROBOTS_DISALLOWED: Row(
        label="blocked by robots.txt",
        meaning="is forbidden by robots.txt",
        detail="is forbidden by robots.txt; the evidence is the line",
        remedy="allow it in robots.txt",
        stage=Stage.SEEN,
        waste=Waste(
            "[is|are] forbidden by robots.txt",
            "take [it|them] out, or allow [it|them]",
            "error",
            "The sitemap asks for what robots.txt forbids: search engines do not read it.",
        ),
    ),
    Verdict.EXCLUDED: Row(
        label="excluded",
        meaning="was excluded by a pattern, or is no URL for a sitemap",
        detail="matches `exclude`, or no `include`, or is too short or too long for a sitemap",
        remedy="change include or exclude, the arguments or their settings",
        stage=Stage.SEEN,
        may_be_original=True,
    ),
    Verdict.OUT_OF_SCOPE: Row(
        label="out of scope",
        meaning="is outside the scope of the crawl",
        detail="is at another address of the host (scheme, port or spelling), or with `scope=path` "
        "outside the directory of the start URL",
        remedy="-a scope=origin, or a start URL further up",
        stage=Stage.SEEN,
        may_be_original=True,
    ),
    Verdict.TOO_DEEP: Row(
        label="too far from the start",
        meaning="is further from the start page than the crawl went",
        detail="is further from the start URL than `max_depth` "
        "(docs/reference/verdicts.md#what-was-not-looked-at)",
        remedy="-a max_depth=0 (no limit) or a larger number fetches them",
        stage=Stage.SEEN,
        content=Content.UNREAD,
        may_be_original=True,
    ),
    Verdict.OVER_CAP: Row(
        label="beyond max_pages",
        meaning="was not fetched: the crawl had reached its cap",
        detail="was not fetched, because `max_pages` (or `SITEMAPGEN_MAX_REQUESTS`) was reached "
        "(docs/reference/verdicts.md#what-was-not-looked-at)",
        remedy="-a max_pages=0 (no limit) or a larger number fetches them, and further crawls "
        "with the same arguments a part each",
        stage=Stage.SEEN,
        content=Content.UNREAD,
        may_be_original=True,
    ),
    Verdict.NOT_FETCHED: Row(
        label="not fetched",
        meaning="has only nofollow links, or comes after too many redirects",
        detail="has only nofollow links or links of soft 404s, comes after five redirects in a "
        "row, or is one of many files of which nothing could be learned "
        "(docs/explanation/listed.md#files)",
        remedy="link to it without nofollow, or name it in a sitemap; -a nofollow=ignore follows "
        "such links",
        stage=Stage.SEEN,
    ),
    Verdict.HTTP_ERROR: Row(
        label="error status",
        meaning="answers with an error status",
        detail="answers with another status than 200, and is no redirect",
        remedy="answer with status 200, or remove the links to it",
        stage=Stage.FETCHED,
        tone="bad",
        waste=Waste(
            "answer[s|] with an error",
            "take [it|them] out, or restore the page[|s]",
            "error",
            "Search engines follow the sitemap to pages that do not exist, and trust it less.",
        ),
        missing_type="errors",
        may_recover=True,
    ),
    Verdict.FETCH_ERROR: Row(
        label="no answer",
        meaning="gives no answer",
        detail="gives no answer, after retries, the last of them at the end of the crawl "
        "(docs/explanation/reliability.md#pages-that-fail-for-a-while)",
        remedy="find out why the server does not answer; the evidence names the error",
        stage=Stage.FETCHED,
        tone="bad",
        waste=Waste(
            "[does|do] not answer at all",
            "find out why",
            "error",
            "What does not answer cannot be indexed, and visitors do not see it either.",
        ),
        missing_type="errors",
        may_recover=True,
    ),
    Verdict.NOT_HTML: Row(
        label="not a page",
        meaning="is no HTML page",
        detail="is something else, by its Content-Type; or ends like a file, and others of its "
        "pattern are no pages (docs/explanation/listed.md#files): the evidence names the "
        "pattern and what was requested",
        remedy="nothing is left to do: a sitemap lists pages",
        stage=Stage.FETCHED,
        missing_type="not_pages",
    ),
    Verdict.REDIRECT: Row(
        label="redirect",
        meaning="redirects within the site",
        detail="redirects within the site, by status or by a refresh within 5 seconds; every hop "
        "is a row of its own",
        remedy="link to where it leads",
        stage=Stage.FETCHED,
        waste=Waste(
            "redirect[s|]",
            "list [its|their] target[|s] instead",
            "warning",
            "Search engines index the target of a redirect, after one more request.",
        ),
        missing_type="redirects",
    ),
    Verdict.OFFSITE_REDIRECT: Row(
        label="redirect to another site",
        meaning="redirects to another site",
        detail="redirects to another site, which is any other origin",
        remedy="nothing is left to do: the page is in the sitemap of the other site",
        stage=Stage.FETCHED,
        waste=Waste(
            "redirect[s|] to another site",
            "take [it|them] out",
            "warning",
            "Search engines index the other site's page, and not one of yours.",
        ),
        missing_type="redirects",
        may_be_original=True,
    ),
    Verdict.SOFT_404: Row(
        label="soft 404",
        meaning="answers 200, but shows what a missing page shows",
        detail="answers 200, but shows what a path that cannot exist shows; the evidence is that "
        "path",
        remedy="answer 404, or give the page content of its own",
        stage=Stage.FETCHED,
        tone="bad",
        waste=Waste(
            "show[s|] what a missing page shows, with status 200",
            "take [it|them] out, and answer 404",
            "error",
            "Search engines treat a page that only states an error as missing.",
        ),
        missing_type="errors",
    ),
    Verdict.LOGIN: Row(
        label="login form",
        meaning="is the login form that a page which needs a login leads to",
        detail="is a login form, with the address to return to in its URL "
        "(docs/explanation/listed.md#login-forms)",
        remedy="-a cookies=name=value reads what is behind it, as a visitor with a login",
        stage=Stage.FETCHED,
        waste=Waste(
            "[is|are] of a login form",
            "take [it|them] out",
            "error",
            "Searchers are led to a login form, and not to what it protects.",
        ),
        missing_type="not_pages",
    ),
    Verdict.NOINDEX: Row(
        label="noindex",
        meaning="forbids indexing",
        detail='forbids indexing, by `<meta name="robots">` or `X-Robots-Tag`, for all '
        "crawlers, Googlebot or this one",
        remedy="allow it to be indexed",
        stage=Stage.FETCHED,
        content=Content.OWN,
        waste=Waste(
            "forbid[s|] indexing",
            "take [it|them] out, or allow [it|them] to be indexed",
            "error",
            "The sitemap asks for what the page forbids: search engines do not index it.",
        ),
        missing_type="noindex",
    ),
    Verdict.CANONICALISED: Row(
        label="points to another URL",
        meaning="names another URL as its canonical one",
        detail="names another URL as its canonical one; that one is fetched as well",
        remedy="let it name itself as canonical, where it is a page of its own",
        stage=Stage.ELIGIBLE,
        content=Content.COPY,
        waste=Waste(
            "name[s|] another URL as canonical",
            "list [its|their] canonical URL[|s] instead",
            "warning",
            "The sitemap and the page name different URLs, so that neither is trusted fully.",
        ),
        missing_type="duplicates_other",
    ),
    Verdict.DUPLICATE: Row(
        label="duplicate",
        meaning="has the same content as another page",
        detail="has the same content as another page of the site, with `duplicates=near` also "
        "nearly the same; the evidence is the URL that is listed",
        remedy="-a duplicates=off lists them all",
        stage=Stage.ELIGIBLE,
        content=Content.COPY,
        waste=Waste(
            "repeat[s|] another page of the site",
            "list one URL for each page",
            "warning",
            REPETITION,
        ),
        missing_type="duplicates_other",
    ),
    Verdict.VARIANT: Row(
        label="variant of another URL",
        meaning="shows nothing that a shorter URL does not show",
        detail="shows nothing that the same URL without a parameter, or without a part of its "
        "path, does not show, such as a list in another order "
        "(docs/explanation/listed.md#variants), or is a combination of such parts, and was not "
        "requested; the evidence is the part, how many pages were compared, and the URL that "
        "stands for it",
        remedy="-a traps=report fetches and lists them all",
        stage=Stage.ELIGIBLE,
        content=Content.COPY,
        missing_type="duplicates_other",
        may_be_original=True,
    ),
    Verdict.VIEW: Row(
        label="list of other pages",
        meaning="shows only what other listed pages show",
        detail="shows nothing but what other listed pages show, and links to them "
        "(docs/explanation/listed.md#views), with `views=exclude`; the evidence is their number, "
        "and the one that it shows most of",
        remedy="-a views=list lists them all",
        stage=Stage.ELIGIBLE,
        content=Content.COPY,
        missing_type="view",
        may_be_original=True,
    ),
    Verdict.TRAP: Row(
        label="endless URLs",
        meaning="is one of endlessly many URLs without new content",
        detail="is one of endlessly many URLs without new content "
        "(docs/explanation/listed.md#endless-spaces), or of a kind that asks not to be "
        "listed and leads nowhere; the evidence names the pattern and what was seen of it",
        remedy="-a traps=report fetches them, within max_pages",
        stage=Stage.FETCHED,
        tone="bad",
        waste=Waste(
            "[is|are] among endlessly many without new content",
            "take [it|them] out",
            "warning",
            "Search engines spend their requests on URLs without new content.",
        ),
        missing_type="traps",
    ),
    Verdict.UNRENDERABLE: Row(
        label="empty without a browser",
        meaning="shows nothing without a browser, and none could show it",
        detail="shows nothing without a browser, and there was none, or it failed twice: the "
        "evidence names the cause; links in the server's document are followed",
        remedy="install a browser: playwright install chromium",
        stage=Stage.FETCHED,
        content=Content.UNREAD,
        tone="bad",
        missing_type="not_pages",
        may_recover=True,
    ),
}


class Reason(str, Enum):
    """Why a URL has its verdict, for programs; the evidence is for people.

    Those of listed URLs are counted under ``remarks`` in report.json.
    """

    NONE = ""
    SAME_CONTENT = "same_content"
    """It has the content of the other URL."""
    NEAR_DUPLICATE = "near_duplicate"
    """It has nearly the content of the other URL."""
    SHOWN_ELSEWHERE = "shown_elsewhere"
    """It shows only what other pages show; the other URL is the one it shows most of."""
    SHOWN_ABOVE = "shown_above"
    """Its kind shows nothing of its own beside such pages: ``analysis/kinds/renditions.py``."""
    SAME_AS_MOST = "same_as_most"
    """More than half of all pages have its content."""
    CANONICAL_BROKEN = "canonical_broken"
    CANONICAL_RETURNS = "canonical_returns"
    CANONICAL_CIRCLE = "canonical_circle"
    CANONICAL_DISAGREES = "canonical_disagrees"
    """Its canonical is ignored: ``analysis/canonicals.py``, ``Fate``."""
    CANONICAL_QUALIFIED = "canonical_qualified"
    """Its canonical is ignored, as it names a version for others: it has ``hreflang``, ``lang``,
    ``media`` or ``type``."""
    ROBOTS_UNSEPARATED = "robots_unseparated"
    """Its noindex is ignored, as no comma separates it from other directives."""
    POSTPONED = "postponed"
    """``max_pages`` left no visit for it."""
    NO_ANSWER = "no_answer"
    """It could not be read in this run, and stays listed for some runs."""
    INTERRUPTED = "interrupted"
    """The crawl was interrupted before it was requested."""
    PERMANENT = "permanent"
    """The request would fail again."""
    CRASHED = "crashed"
    """The process ended twice while it was read."""
    PASSWORD_FIELD = "password_field"  # noqa: S105 - a reason, no password
    """It has a password field; of pages alone, never in results."""
    REPEATED_TEXT = "repeated_text"
    """It has no link, and the short text of others, as errors have; of pages alone, never in
    results."""
    LOST = "lost"
    """An error in the crawler kept it from being read."""


def verdicts_where(condition: Callable[[Row], bool]) -> tuple[Verdict, ...]:
    """Return the verdicts whose row meets a condition, in their order.

    >>> [verdict.value for verdict in verdicts_where(lambda row: row.content is Content.COPY)]
    ['canonicalised', 'duplicate', 'variant', 'view']
    """
    return tuple(verdict for verdict in Verdict if condition(verdict.row))


DOCUMENTS = verdicts_where(lambda row: row.content in (Content.OWN, Content.COPY))
"""Verdicts of documents of the site, whatever their indexing and canonical URL."""


class DateFault(str, Enum):
    """Why a date of last change is not published.

    The same word stands in report.json and in the evidence of dates. Rules: ``core/lastmod.py``;
    from ``SHARED`` on ``analysis/lastmod.py``.
    """

    UNREADABLE = "unreadable"
    ANCIENT = "ancient"
    FUTURE = "future"
    CLOCK = "clock"
    SHARED = "shared"
    DISPROVED = "disproved"
    DISTRUSTED = "distrusted"

    @property
    def row(self) -> FaultRow:
        """The properties of the fault."""
        return FAULT_ROWS[self]

    @property
    def code(self) -> int:
        """Negative number of the fault, in arrays whose dates are positive."""
        return CODES[self]

    @staticmethod
    def of(code: int) -> DateFault:
        """Return the fault with this code."""
        return FAULTS[~code]


FAULTS = tuple(DateFault)
"""The faults in their order: looked up for each date of a site."""
CODES = {fault: ~place for place, fault in enumerate(FAULTS)}
"""Code of each fault."""
_REAL_CHANGE = "leave it out, or write the time of the last real change of the page"
FAULT_ROWS = {
    DateFault.UNREADABLE: FaultRow(
        "cannot be read as a date", "write it as a W3C datetime, such as 2026-01-31"
    ),
    DateFault.ANCIENT: FaultRow("is before 1990", "leave out dates that are not known"),
    DateFault.FUTURE: FaultRow("is in the future", "set the clock and the time zone of the server"),
    DateFault.CLOCK: FaultRow("is the time of the answer itself", _REAL_CHANGE),
    DateFault.SHARED: FaultRow("is the same on most pages of its section", _REAL_CHANGE),
    DateFault.DISPROVED: FaultRow("is not what two visits of the page saw", _REAL_CHANGE),
    DateFault.DISTRUSTED: FaultRow("is of a source that was wrong about other pages", _REAL_CHANGE),
}
