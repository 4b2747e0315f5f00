"""Sitemaps API of Google Search Console: the request that submits a sitemap, and its responses.

Source: https://developers.google.com/webmaster-tools/v1/sitemaps/submit.
``tools/search_console.py`` sends the request.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from sitemapgen.core.urls import hostname, split

ACCEPTED = frozenset({200, 204})
"""Statuses of success; the API answers with 204."""
TOO_MANY = 429
DOMAIN = "sc-domain:"
"""Before the domain of a property that has all hosts and schemes of a domain."""
TOKEN = "SITEMAPGEN_SEARCH_CONSOLE_TOKEN"  # noqa: S105 - the name of a variable
"""The variable of the environment that has the access token, unless another is named."""
SCOPE = "https://www.googleapis.com/auth/webmasters"
"""The OAuth scope that an access token needs."""

REFUSALS = {
    400: "the request was not accepted; check the property and the address of the sitemap",
    401: "the access token is wrong or older than an hour; fetch a new one, with the scope "
    f"{SCOPE}",
    403: "the account of the token may not change this property, or the API is off in its project; "
    "make the account an owner or a full user in Search Console, and switch the API on",
    404: "Search Console has no such property for this account; verify the site there, or name "
    f"another with --property, such as {DOMAIN}example.com",
}


class Call(NamedTuple):
    """One request: PUT without a body."""

    url: str
    sitemap: str
    property: str


def default_property(sitemap: str) -> str:
    """Return the URL-prefix property of a sitemap's site.

    >>> default_property("https://example.com/maps/sitemap.xml")
    'https://example.com/'
    """
    return f"{split(sitemap).origin}/"


def is_within(sitemap: str, owned: str) -> bool:
    """Return whether a property has a sitemap's URL.

    >>> is_within("https://www.example.com/sitemap.xml", "sc-domain:example.com")
    True
    >>> is_within("https://example.com/sitemap.xml", "https://example.com/shop/")
    False
    """
    if owned.startswith(DOMAIN):
        host, domain = hostname(sitemap), owned.removeprefix(DOMAIN)
        return host == domain or host.endswith(f".{domain}")
    return sitemap.startswith(owned)


def submission_call(endpoint: str, owned: str, sitemap: str) -> Call:
    """Return the request that submits a sitemap; ``endpoint`` is the root of the API.

    >>> submission_call("https://api.example", "https://e.example/", "https://e.example/a").url
    'https://api.example/sites/https%3A%2F%2Fe.example%2F/sitemaps/https%3A%2F%2Fe.example%2Fa'
    """
    where = f"sites/{quote(owned, safe='')}/sitemaps/{quote(sitemap, safe='')}"
    return Call(f"{endpoint.rstrip('/')}/{where}", sitemap, owned)
