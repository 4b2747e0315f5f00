"""Submission of a published sitemap to Google Search Console, with the user's own access token.

Source: https://developers.google.com/webmaster-tools/v1/sitemaps/submit. The token is read from the
environment, and never appears in a command line, a log or a file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from sitemapgen.core.urls import hostname, is_private, parse, split
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish.file_names import ENTRY, public_directory
from sitemapgen.store.opening import lend_store

if TYPE_CHECKING:
    from sitemapgen.tools.network import FetchedResponse, Network

ENDPOINT = "SITEMAPGEN_SEARCH_CONSOLE_ENDPOINT"
ACCEPTED = frozenset({200, 204})
"""Statuses of success; the API answers with 204."""
DOMAIN = "sc-domain:"
"""Before the domain of a property that has all hosts and schemes of a domain."""
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
_TOKEN = re.compile(r"[\x21-\x7e]+")
_DOMAIN = re.compile(r"sc-domain:[a-z0-9-]+(\.[a-z0-9-]+)+")


class Call(NamedTuple):
    """One request: PUT without a body."""

    url: str
    sitemap: str
    property: str


def prepare_call(
    output: Path, settings: Mapping[str, Any], *, sitemap: str = "", owned: str = ""
) -> Call:
    """Return the request for the sitemap of an output directory; it is not sent.

    ``sitemap``: its URL, instead of that of the crawl; ``owned``: the property, instead of the
    URL-prefix property of the site. Raises CrawlError.
    """
    if not (output / ENTRY).is_file():
        raise CrawlError(Exit.ARGUMENTS, f"{output}: no {ENTRY} in it; name an output directory")
    if sitemap:
        if (address := parse(sitemap)) is None:
            raise CrawlError(Exit.ARGUMENTS, f"--sitemap: {sitemap!r} is no http or https URL")
    else:
        store, run = lend_store(output)
        store.close()
        address = public_directory(run.options.base_url, run.start) + ENTRY
    owned = _parse_property(owned) if owned else f"{split(address).origin}/"
    if not is_within(address, owned):
        words = f"--property: {owned} has no {address}; name the property that the sitemap is in"
        raise CrawlError(Exit.ARGUMENTS, words)
    where = f"sites/{quote(owned, safe='')}/sitemaps/{quote(address, safe='')}"
    endpoint = parse(str(settings[ENDPOINT]))
    if endpoint is None or not (endpoint.startswith("https:") or is_private(endpoint)):
        words = f"{ENDPOINT}: needs an https URL, since the access token is sent to it"
        raise CrawlError(Exit.ARGUMENTS, words)
    return Call(f"{endpoint.rstrip('/')}/{where}", address, owned)


def _parse_property(given: str) -> str:
    url = given if _DOMAIN.fullmatch(given) else parse(given)
    if url is None or not (url.startswith(DOMAIN) or url.endswith("/")):
        words = (
            f"--property: {given!r} is none; write https://example.com/ or sc-domain:example.com"
        )
        raise CrawlError(Exit.ARGUMENTS, words)
    return url


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


def token_of(variable: str) -> str:
    """Return the access token in a variable of the environment. Raises CrawlError."""
    token = os.environ.get(variable, "").strip()
    if not token:
        words = f"--token-variable: {variable} is not set in the environment; export an OAuth "
        words += f"access token with the scope {SCOPE} in it"
        raise CrawlError(Exit.ARGUMENTS, words)
    if not _TOKEN.fullmatch(token):
        words = f"--token-variable: {variable} holds no access token; it has one word of ASCII"
        raise CrawlError(Exit.ARGUMENTS, words)
    return token


def send_call(call: Call, token: str, settings: Mapping[str, Any]) -> int:
    """Send the request; return the status of its acceptance. Raises CrawlError."""
    from sitemapgen.download.egress import Egress  # noqa: PLC0415 - a dry run needs no network
    from sitemapgen.tools.network import NoAnswer, run  # noqa: PLC0415

    async def work(network: Network) -> int:
        try:
            answer = await network.put(call.url, {"Authorization": f"Bearer {token}"})
        except NoAnswer as error:
            words = (
                f"{_origin_of(call)}: {error}; nothing was submitted, the same command tries again"
            )
            raise CrawlError(Exit.UNREACHABLE, words) from error
        if answer.status not in ACCEPTED:
            raise refusal_error(call, answer)
        return answer.status

    return run(settings, call.sitemap, work, egress=Egress([call.sitemap], [call.url]))


def refusal_error(call: Call, answer: FetchedResponse) -> CrawlError:
    """Return the error for a response that is not an acceptance."""
    problem = f"{_origin_of(call)}: HTTP {answer.status}"
    if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
        words = f"{problem}: too many requests; the same command submits it {answer.when}"
        return CrawlError(Exit.INTERRUPTED, words)
    if answer.status in REFUSALS:
        return CrawlError(Exit.REFUSED, f"{problem}: {REFUSALS[answer.status]}")
    words = f"{problem}: nothing was submitted; the same command tries again"
    return CrawlError(Exit.UNREACHABLE, words)


def _origin_of(call: Call) -> str:
    return split(call.url).origin
