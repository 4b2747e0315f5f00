"""Remedies for crawls that end without a sitemap: sentences that follow the error.

They advise; nothing is decided by them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sitemapgen.core.urls import split
from sitemapgen.core.words import largest_first
from sitemapgen.verdicts import Verdict

REFUSED = "the connection was refused"
NO_NAME = "the host name does not resolve"
NO_TLS = "TLS failed: the certificate or the handshake was not accepted"
NOT_TLS = "what answers there does not speak TLS"
LATE = "no complete answer in time"
CLOSED = "the connection was closed without an answer"
"""Some of the descriptions of failed requests; the others: ``download/failures.py``."""
NO_HTTPS = frozenset({REFUSED, LATE, CLOSED})
"""Failures of a site that may have no https: its port is closed, or a firewall drops what it
gets, or its server closes the connection after a TLS handshake."""
FIRST_COOKIE = "if the site needs a cookie first, -a cookies=name=value"
"""For a start page that redirects in a circle, or like most pages to one that asks for a cookie."""
ROBOTS = "for a site of your own, -a robots_unreachable=allow"
REFUSAL = (
    "it refuses crawlers: allow this one by its User-Agent or address, or give another "
    "-a user_agent= on a site of your own"
)
MISSING = "there is no page at this URL: open the site in a browser, and give the address it shows"
FAILING = "the server fails: look at its error log, and try again when a browser shows the page"
START: Mapping[int, str] = {
    400: "if this port speaks https, write https:// in the URL",
    401: "does it need a login? -a auth=user:password",
    403: REFUSAL,
    404: MISSING,
    407: "the proxy needs a login, -a proxy=http://user:password@host:port",
    410: MISSING,
    429: "it refuses that many requests; try later, or with the profile polite",
    502: "the application behind the web server does not answer: see that it runs",
    503: "it is overloaded, or in maintenance: try later",
    504: "the application behind the web server does not answer in time: see that it runs",
}
"""By status of a start page that cannot be fetched; of others ``for_start``."""
LIKE_OTHERS = (Verdict.TRAP, Verdict.VARIANT)
"""Verdicts on URLs that were left out for what others of their kind are."""
NOTHING: Mapping[str, str] = {
    Verdict.ROBOTS_DISALLOWED: "its robots.txt keeps all crawlers out, those of search engines "
    "too; on a site of your own, -a robots=ignore",
    Verdict.NOINDEX: "its pages have noindex, as before a launch: search engines list none either; "
    "remove it",
    Verdict.CANONICALISED: "its pages name others as canonical, as a staging copy names the live "
    "site: crawl that, or correct the canonicals",
    Verdict.EXCLUDED: "include, exclude or scope leave everything out",
    Verdict.UNRENDERABLE: "its pages are empty without a browser: playwright install chromium",
}
"""By verdict of more than half of the URLs but ``LIKE_OTHERS``, where nothing is listed."""
LOGGED_IN = "with the cookies of a browser that is logged in, -a cookies=name=value"
LOGIN = re.compile(r"(?:^|[/._-])(?:log-?in|sign-?in|signon|sso|oauth2?|saml2?)(?:$|[/._-])", re.I)
"""Of the path of a URL, with ``-`` for ``_``."""


def for_start(status: int) -> str:
    """Return the remedy for a start page, or a robots.txt, with an error status.

    >>> for_start(401)
    '; does it need a login? -a auth=user:password'
    >>> for_start(521) == f"; {FAILING}", for_start(451) == f"; if a browser shows it, {REFUSAL}"
    (True, True)
    """
    others = FAILING if status >= 500 else f"if a browser shows it, {REFUSAL}"
    return f"; {START.get(status, others)}"


def for_failure(words: str, origin: str) -> str:
    """Return the remedy for a failed first request; empty if there is none.

    >>> for_failure("the connection was refused", "https://example.com")
    '; if the site has no https, -a url=http://example.com'
    """
    if words.startswith(NO_TLS):
        return "; for a certificate of your own, -a verify_tls=false"
    scheme, _, host = origin.partition("://")
    if scheme == "https" and words == NOT_TLS:
        return f"; -a url=http://{host}"
    if scheme == "https" and words in NO_HTTPS:
        return f"; if the site has no https, -a url=http://{host}"
    if scheme == "http" and words == CLOSED:
        return f"; if the port speaks https, -a url=https://{host}"
    if words == REFUSED:
        return "; see that its server runs, and listens at this port"
    if words == NO_NAME:
        return "; see that the name is spelt right, and that this machine reaches a name server"
    return ""


def for_nothing(counts: Mapping[str, int], start: str) -> str:
    """Return why nothing is listed, with the remedy if there is one.

    ``counts``: URLs by verdict. ``start``: the start URL after redirects.

    >>> for_nothing({"excluded": 9, "redirect": 1}, "https://example.com/")
    'excluded 9, redirect 1; include, exclude or scope leave everything out'
    >>> for_nothing({"trap": 1_049, "noindex": 777}, "https://example.com/").partition("; ")[2][:22]
    'its pages have noindex'
    >>> for_nothing({"noindex": 1, "redirect": 1}, "https://example.com/login").partition(";")[0]
    'the start page leads to a login, https://example.com/login'
    """
    if is_login(start):
        return f"the start page leads to a login, {start}; {LOGGED_IN}"
    pages = {verdict: count for verdict, count in counts.items() if verdict not in LIKE_OTHERS}
    verdict = max(pages, key=pages.__getitem__, default="")
    is_most = verdict in NOTHING and pages[verdict] * 2 > sum(pages.values())
    return largest_first(counts) + (f"; {NOTHING[verdict]}" if is_most else "")


def is_login(url: str) -> bool:
    """Return whether a URL looks like that of a login form.

    >>> is_login("https://example.com/users/sign_in"), is_login("https://example.com/blogging")
    (True, False)
    """
    return bool(LOGIN.search(split(url).path.replace("_", "-")))
