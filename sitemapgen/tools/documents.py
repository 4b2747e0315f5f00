"""Reading of a sitemap and the files that it lists, from disk or from the web."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from sitemapgen.core.eligibility import MAX_HOPS
from sitemapgen.core.sitemap_files.discover import Named
from sitemapgen.core.sitemap_files.read import MAX_BYTES
from sitemapgen.core.urls import parse, split
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.tools.command import is_url

if TYPE_CHECKING:
    from sitemapgen.tools.network import Network

_T = TypeVar("_T")


class UnreadableFile(Exception):
    """A file cannot be read; the message is the reason, in a few words."""


class Forbidden(UnreadableFile):
    """An index may not list this file."""


class LoadedSitemap(NamedTuple):
    """The content of a file."""

    name: str
    """Its path or URL."""
    body: bytes
    location: str
    """The URL that it is served from; empty if unknown."""
    is_cut: bool = False


class OnDisk:
    """A file on disk; the files of an index are expected next to it, by the names in their URLs."""

    exit_code = Exit.ARGUMENTS
    """The exit code if the file given by the user cannot be read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)
        """What the user has given."""

    async def read_entry(self) -> LoadedSitemap:
        """Read the file given by the user. Raises UnreadableFile."""
        return LoadedSitemap(str(self.path), _read_file(self.path), "")

    async def read_child(self, url: str) -> LoadedSitemap:
        """Read a file that an index lists. Raises UnreadableFile."""
        name = split(url).path.rpartition("/")[2]
        if name in ("", ".", ".."):
            raise UnreadableFile("its URL does not end with the name of a file")
        path = self.path.parent / name
        return LoadedSitemap(str(path), _read_file(path), url)

    async def named_sitemaps(self, origin: str) -> frozenset[str]:
        """Return the sitemaps that the robots.txt of an origin names."""
        return frozenset()


class OnWeb:
    """A URL, requested as politely as in a crawl; the methods are those of ``OnDisk``."""

    exit_code = Exit.UNREACHABLE

    def __init__(self, url: str, network: Network) -> None:
        self.url = self.name = url
        self.network = network
        self._named: Named | None = None

    async def read_entry(self) -> LoadedSitemap:
        named = await self.named_sitemaps(split(self.url).origin)
        self._named = Named(self.url, named, [self.url])
        return await self._read_url(self.url)

    async def read_child(self, url: str) -> LoadedSitemap:
        assert self._named is not None
        if refusal := self._named.refusal(url, self.url):
            raise Forbidden(refusal)
        return await self._read_url(url)

    async def named_sitemaps(self, origin: str) -> frozenset[str]:
        robots = await self.network.fetch_robots(f"{origin}/")
        parsed = (parse(value, f"{origin}/robots.txt") for value in robots.sitemaps)
        return frozenset(filter(None, parsed))

    async def _read_url(self, url: str) -> LoadedSitemap:
        # Imported here, as files on disk need no network.
        from sitemapgen.tools.network import NoAnswer  # noqa: PLC0415

        assert self._named is not None
        here = url
        for _ in range(MAX_HOPS + 1):
            try:
                answer = await self.network.get(here, MAX_BYTES)
            except NoAnswer as error:
                raise UnreadableFile(str(error)) from error
            if answer.status == 200:
                return LoadedSitemap(url, answer.body, here, answer.is_cut)
            if not answer.location:
                raise UnreadableFile(f"HTTP {answer.status}")
            if refusal := self._named.refusal(answer.location, here):
                raise UnreadableFile(f"HTTP {answer.status} to {answer.location[:200]}: {refusal}")
            here = answer.location
        raise UnreadableFile(f"after {MAX_HOPS} redirects in a row")


Documents: TypeAlias = "OnDisk | OnWeb"
"""A sitemap and the files that it lists."""


def read_with(
    targets: Sequence[str],
    settings: Mapping[str, Any],
    work: Callable[[list[Documents]], Coroutine[Any, Any, _T]],
) -> _T:
    """Do ``work`` with the documents of paths and URLs, in their order. Raises CrawlError."""
    if not any(map(is_url, targets)):
        return asyncio.run(work([OnDisk(Path(target)) for target in targets]))
    urls: dict[str, str] = {}
    for target in filter(is_url, targets):
        if (url := parse(target)) is None:
            raise CrawlError(Exit.ARGUMENTS, f"{target!r} is not an http or https URL")
        urls[target] = url
    from sitemapgen.download.egress import Egress  # noqa: PLC0415 - half a second for Twisted
    from sitemapgen.tools.network import run  # noqa: PLC0415

    def with_network(network: Network) -> Coroutine[Any, Any, _T]:
        return work(
            [
                OnWeb(urls[target], network) if target in urls else OnDisk(Path(target))
                for target in targets
            ]
        )

    first, *_ = named = list(urls.values())
    return run(settings, first, with_network, egress=Egress(named))


def _read_file(path: Path) -> bytes:
    """Read a file, up to one byte above the limit of the protocol. Raises UnreadableFile."""
    if path.is_dir():
        raise UnreadableFile("a directory; name a file in it")
    if path.exists() and not path.is_file():
        raise UnreadableFile("no regular file")  # a pipe would never end
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableFile((error.strerror or str(error)).lower()) from error
    except ValueError as error:
        raise UnreadableFile("no name that a file can have") from error
