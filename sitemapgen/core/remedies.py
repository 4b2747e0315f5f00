"""Remedies for crawls that end without a sitemap: sentences that follow the error.

They advise; nothing is decided by them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemapgen.core.urls import split
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

REFUSED = "the connection was refused"
NO_TLS = "TLS failed: the certificate or the handshake was not accepted"
"""Two of the descriptions of failed requests; the others: ``download/failures.py``."""
CIRCLE = "if it needs a cookie first, -a cookies=name=value"
"""For a start page that redirects in a circle."""
ROBOTS = "for a site of your own, -a robots_unreachable=allow"
START: Mapping[int | None, str] = {
    401: "does it need a login? -a auth=user:password",
    403: "it refuses crawlers: allow this one by its User-Agent or address, or give another "
    "-a user_agent= on a site of your own",
    407: "the proxy needs a login, -a proxy=http://user:password@host:port",
    429: "it refuses that many requests; try later, or with the profile polite",
}
"""By status of a start page that cannot be fetched."""
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
"""By verdict of more than half of the URLs, where nothing is listed."""
LOGIN = re.compile(r"(?:^|[/._-])(?:log-?in|sign-?in|signon|sso|oauth2?|saml2?)(?:$|[/._-])", re.I)
"""Of the path of a URL, with ``-`` for ``_``."""


def for_start(status: int | None) -> str:
    """Return the remedy for a start page with an error status; empty if there is none.

    >>> for_start(401)
    '; does it need a login? -a auth=user:password'
    """
    return f"; {START[status]}" if status in START else ""


def for_failure(words: str, origin: str) -> str:
    """Return the remedy for a failed first request; empty if there is none.

    >>> for_failure("the connection was refused", "https://example.com")
    '; if the site has no https, -a url=http://example.com'
    """
    if words.startswith(NO_TLS):
        return "; for a certificate of your own, -a verify_tls=false"
    scheme, _, host = origin.partition("://")
    if words.startswith(REFUSED) and scheme == "https":
        return f"; if the site has no https, -a url=http://{host}"
    return ""


def for_nothing(counts: Mapping[str, int]) -> str:
    """Return the remedy where nothing is listed, by verdict; empty if there is none.

    >>> for_nothing({"excluded": 9, "redirect": 1})
    '; include, exclude or scope leave everything out'
    """
    verdict, count = max(counts.items(), key=lambda item: item[1], default=("", 0))
    if verdict not in NOTHING or count * 2 <= sum(counts.values()):
        return ""
    return f"; {NOTHING[verdict]}"


def is_login(url: str) -> bool:
    """Return whether a URL looks like that of a login form.

    >>> is_login("https://example.com/users/sign_in"), is_login("https://example.com/blogging")
    (True, False)
    """
    return bool(LOGIN.search(split(url).path.replace("_", "-")))
