"""Egress policy of a crawl: which IP addresses it may connect to.

Only public ones (``core/addresses.py``), unless the crawl starts at a private one. Callers check
the very address that they connect to: ``http_handler.py`` for Scrapy, ``browser/proxy.py`` for
Chromium.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import Any

from scrapy.exceptions import IgnoreRequest
from twisted.internet.interfaces import IResolutionReceiver
from zope.interface import implementer

from sitemapgen.core.addresses import MOVED, REFUSAL, is_public
from sitemapgen.core.urls import hostname, is_private


class PrivateAddress(IgnoreRequest):
    """A connection was refused; the message is the reason. A retry would be refused as well."""


class Egress:
    """The addresses that one crawl may connect to.

    If all start URLs are at private addresses, as on an intranet, all addresses are open. A host
    that the user names may be at private addresses as well. It counts as private or public for the
    whole crawl, as at the first look-up, so that DNS rebinding has no effect.
    """

    def __init__(self, starts: Sequence[str], named: Iterable[str] = ()) -> None:
        """``starts`` and ``named``: normalised URLs given by the user."""
        self._starts = tuple(map(_host_of, starts))
        self._is_private: dict[str, bool | None] = {
            _host_of(url): None for url in (*named, *starts)
        }
        self.is_unrestricted = all(map(is_private, starts))
        """Whether all start URLs are private by their text alone, so that nothing is checked."""
        self.is_open = self.is_unrestricted
        """Whether private addresses are open to all hosts; final after ``resolve_hosts``."""
        self._is_settled = self.is_unrestricted

    async def resolve_hosts(self) -> None:
        """Resolve the start hosts, once, before the first connection."""
        if self._is_settled:
            return
        for host in self._starts:
            if self._is_private[host] is None:
                addresses = await _resolve_host(host)
                if addresses and self._is_private[host] is None:
                    self._is_private[host] = not any(map(_is_public, addresses))
        found = [self._is_private[host] for host in self._starts]
        if not self._is_settled and None not in found:
            self.is_open, self._is_settled = all(found), True

    def adopt_findings(self, is_open: bool, hosts: Mapping[str, bool]) -> None:
        """Apply what another machine has found: a worker opens no address that it keeps shut."""
        self._is_private.update(hosts)
        self.is_open = self.is_unrestricted or is_open
        self._is_settled = True

    def found(self) -> tuple[bool, dict[str, bool]]:
        """Return whether private addresses are open, and which named hosts are private."""
        hosts = {host: found for host, found in self._is_private.items() if found is not None}
        return self.is_open and self._is_settled, hosts

    def address_refusal(self, host: str, address: str) -> str:
        """Return why a connection to a host at an address is refused; empty if it is allowed.

        ``host``: lower case, without brackets. Raises ValueError for an invalid address.
        """
        is_private_now = not _is_public(address)
        if host not in self._is_private:
            return REFUSAL if is_private_now and not self.is_open else ""
        if self._is_private[host] is None:
            self._is_private[host] = is_private_now
        return "" if self._is_private[host] is is_private_now else MOVED

    def refusal_behind_proxy(self, url: str) -> str:
        """Return why a normalised URL may not be requested from a proxy; empty if it may.

        The proxy resolves the host, so only the text of the URL is checked.
        """
        is_named = _host_of(url) in self._is_private
        return REFUSAL if is_private(url) and not (self.is_open or is_named) else ""


def _host_of(url: str) -> str:
    return hostname(url).strip("[]")


def _is_public(address: str) -> bool:
    return is_public(ip_address(address))


async def _resolve_host(host: str) -> list[str]:
    """Return the addresses of a host, by TWISTED_DNS_RESOLVER; none if it does not resolve."""
    with suppress(ValueError):
        return [str(ip_address(host))]
    from twisted.internet import reactor  # noqa: PLC0415 - it must not be installed before Scrapy's

    receiver = _Receiver()
    resolver: Any = reactor.nameResolver
    resolver.resolveHostName(receiver, host)
    return await receiver.addresses


@implementer(IResolutionReceiver)
class _Receiver:
    """Collects the addresses of one resolution."""

    def __init__(self) -> None:
        self.addresses: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()
        self._found: list[str] = []

    def resolutionBegan(self, _: Any) -> None:  # noqa: N802 - Twisted's name
        """Do nothing, as a resolution is never cancelled."""

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        """Add one address."""
        self._found.append(address.host)

    def resolutionComplete(self) -> None:  # noqa: N802
        """Set the addresses as the result."""
        self.addresses.set_result(self._found)
