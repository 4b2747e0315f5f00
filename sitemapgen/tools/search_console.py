"""Submission of a published sitemap to Google Search Console, with the user's own access token.

The protocol: ``core/search_console.py``. The token is read from the environment, and never appears
in a command line, a log or a file.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from sitemapgen.core import search_console as protocol
from sitemapgen.core.urls import is_private, parse, split
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish.file_names import ENTRY
from sitemapgen.store.opening import lend_store

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sitemapgen.tools.network import FetchedResponse, Network

ENDPOINT = "SITEMAPGEN_SEARCH_CONSOLE_ENDPOINT"
_TOKEN = re.compile(r"[\x21-\x7e]+")
_DOMAIN = re.compile(r"sc-domain:[a-z0-9-]+(\.[a-z0-9-]+)+")


def prepare_call(
    output: Path, settings: Mapping[str, Any], *, sitemap: str = "", owned: str = ""
) -> protocol.Call:
    """Return the request for the sitemap of an output directory; it is not sent.

    ``sitemap``: its URL, instead of that of the crawl; ``owned``: the property, instead of the
    site's own. Raises CrawlError.
    """
    if not (output / ENTRY).is_file():
        raise CrawlError(Exit.ARGUMENTS, f"{output}: no {ENTRY} in it; name an output directory")
    if sitemap:
        if (address := parse(sitemap)) is None:
            raise CrawlError(Exit.ARGUMENTS, f"--sitemap: {sitemap!r} is no http or https URL")
    else:
        store, run = lend_store(output)
        store.close()
        address = (run.options.base_url or f"{split(run.start).origin}/") + ENTRY
    owned = _parse_property(owned) if owned else protocol.default_property(address)
    if not protocol.is_within(address, owned):
        words = f"--property: {owned} has no {address}; name the property that the sitemap is in"
        raise CrawlError(Exit.ARGUMENTS, words)
    return protocol.submission_call(_endpoint_url(settings), owned, address)


def _parse_property(given: str) -> str:
    url = given if _DOMAIN.fullmatch(given) else parse(given)
    if url is None or not (url.startswith(protocol.DOMAIN) or url.endswith("/")):
        words = (
            f"--property: {given!r} is none; write https://example.com/ or sc-domain:example.com"
        )
        raise CrawlError(Exit.ARGUMENTS, words)
    return url


def _endpoint_url(settings: Mapping[str, Any]) -> str:
    url = parse(str(settings[ENDPOINT]))
    if url is None or not (url.startswith("https:") or is_private(url)):
        words = f"{ENDPOINT}: needs an https URL, since the access token is sent to it"
        raise CrawlError(Exit.ARGUMENTS, words)
    return url


def token_of(variable: str) -> str:
    """Return the access token in a variable of the environment. Raises CrawlError."""
    token = os.environ.get(variable, "").strip()
    if not token:
        words = f"--token-variable: {variable} is not set in the environment; export an OAuth "
        words += f"access token with the scope {protocol.SCOPE} in it"
        raise CrawlError(Exit.ARGUMENTS, words)
    if not _TOKEN.fullmatch(token):
        words = f"--token-variable: {variable} holds no access token; it has one word of ASCII"
        raise CrawlError(Exit.ARGUMENTS, words)
    return token


def send_call(call: protocol.Call, token: str, settings: Mapping[str, Any]) -> int:
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
        if answer.status not in protocol.ACCEPTED:
            raise refusal_error(call, answer)
        return answer.status

    return run(settings, call.sitemap, work, egress=Egress([call.sitemap], [call.url]))


def refusal_error(call: protocol.Call, answer: FetchedResponse) -> CrawlError:
    """Return the error for a response that is not an acceptance."""
    problem = f"{_origin_of(call)}: HTTP {answer.status}"
    if answer.status == protocol.TOO_MANY:
        words = f"{problem}: too many requests; the same command submits it {answer.when}"
        return CrawlError(Exit.INTERRUPTED, words)
    if answer.status in protocol.REFUSALS:
        return CrawlError(Exit.REFUSED, f"{problem}: {protocol.REFUSALS[answer.status]}")
    words = f"{problem}: nothing was submitted; the same command tries again"
    return CrawlError(Exit.UNREACHABLE, words)


def _origin_of(call: protocol.Call) -> str:
    return split(call.url).origin
