"""Sites of one server that wait for a job: in the order of their lines, of a host one at a time."""

from __future__ import annotations

from collections import Counter, deque
from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemapgen.tools.fleet.sites import FleetSite


class WaitingSites:
    """A queue of which each step takes logarithmic time, however many sites share a host."""

    def __init__(self, sites: Iterable[FleetSite], busy: Iterable[str]) -> None:
        """``busy``: the hosts of jobs under way."""
        self._busy = Counter(busy)
        self._sites: dict[str, deque[FleetSite]] = {}
        self._free: list[tuple[int, str]] = []
        """Heap of the hosts without a job that have sites, each with the line of its first one."""
        self._length = 0
        for site in sites:
            self._sites.setdefault(site.host, deque()).append(site)
            self._length += 1
        for host in self._sites:
            self._offer_host(host)

    def __len__(self) -> int:
        return self._length

    @property
    def jobs(self) -> int:
        """The number of jobs that occupy their hosts."""
        return self._busy.total()

    def take_next(self) -> FleetSite | None:
        """Take the first site whose host is free, and occupy that; None if there is none."""
        if not self._free:
            return None
        _, host = heappop(self._free)
        self._busy[host] += 1
        self._length -= 1
        return self._sites[host].popleft()

    def release_host(self, host: str) -> None:
        """Free a host, whose job is over."""
        self._busy[host] -= 1
        if not self._busy[host]:
            del self._busy[host]
            self._offer_host(host)

    def put_back(self, site: FleetSite) -> None:
        """Let a site wait again; it is the first one of its host."""
        sites = self._sites.setdefault(site.host, deque())
        sites.appendleft(site)
        self._length += 1
        if len(sites) == 1:
            self._offer_host(site.host)

    def _offer_host(self, host: str) -> None:
        if self._sites.get(host) and host not in self._busy:
            heappush(self._free, (self._sites[host][0].line, host))
