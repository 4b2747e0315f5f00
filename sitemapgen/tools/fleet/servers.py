"""The Scrapyd servers of a fleet, and which host is crawled by which of them.

A host stays with its server, which has the state of its sites. One without a server yet is given
one by rendezvous hashing (Thaler and Ravishankar 1998): a lost list of assignments comes out the
same from the same servers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from urllib.parse import unquote, urlsplit

from sitemapgen.core.urls import parse
from sitemapgen.errors import CrawlError, Exit

DEFAULT = "default"
"""Name of the target of scrapy.cfg that is ``[deploy]`` without a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrapydServer:
    """A Scrapyd server, and the project on it."""

    url: str
    """With a slash at its end, without user and password; the server's name in the state."""
    project: str
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)


def choose_servers(
    wanted: Iterable[str], targets: Mapping[str, Mapping[str, str]], project: str
) -> list[ScrapydServer]:
    """Return the servers for names of targets, and for URLs. Raises CrawlError.

    ``targets``: the sections of scrapy.cfg as ``scrapyd-deploy`` reads them, by name.
    ``project`` is that of servers given by a URL.
    """
    servers = {}
    for name in wanted:
        if "/" not in name and name not in targets:
            known = ", ".join(targets) or "no targets"
            sentence = f"--server: {name!r} is no URL and no target; scrapy.cfg has {known}"
            raise CrawlError(Exit.ARGUMENTS, sentence)
        target = targets.get(name, {"url": name})
        server = _target_server(name, target, target.get("project") or project)
        servers[server.url] = server
    return list(servers.values())


def target_sections(config: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """Return the targets of a scrapy.cfg; those with a name inherit from ``[deploy]``."""
    base = dict(config["deploy"]) if "deploy" in config else {}
    targets = {DEFAULT: base} if base else {}
    for section in config:
        if section.startswith("deploy:"):
            targets[section.partition(":")[2]] = {**base, **config[section]}
    return targets


def server_address(text: str) -> str:
    """Return the URL of a server in one form, without user and password. Raises CrawlError."""
    parts = urlsplit(text.strip())
    url = parse(parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl())
    if url is None or "?" in url:
        shown = text.rpartition("@")[2]
        sentence = f"{shown!r}: not the URL of a Scrapyd server; write http://localhost:6800/"
        raise CrawlError(Exit.ARGUMENTS, sentence)
    return url if url.endswith("/") else f"{url}/"


def _target_server(name: str, target: Mapping[str, str], project: str) -> ScrapydServer:
    if not target.get("url"):
        raise CrawlError(Exit.ARGUMENTS, f"scrapy.cfg: the target {name} has no url; add it")
    userinfo = urlsplit(target["url"].strip()).netloc.rpartition("@")[0]
    user, _, password = map(unquote, userinfo.partition(":"))
    return ScrapydServer(
        url=server_address(target["url"]),
        project=project,
        user=target.get("username") or user,
        password=target.get("password") or password,
    )


def rendezvous(host: str, servers: Collection[str]) -> str:
    """Return the server with the highest hash of both; a further server takes its share evenly.

    >>> rendezvous("example.com", ["http://a/", "http://b/"])
    'http://a/'
    """

    def score(server: str) -> bytes:
        return blake2b(f"{host}\n{server}".encode(), digest_size=8).digest()

    return max(servers, key=lambda server: (score(server), server))


def assign_hosts(
    hosts: Iterable[str],
    assigned: Mapping[str, str],
    servers: Collection[str],
    gone: Collection[str],
) -> dict[str, str]:
    """Return the server of each host: the one it has, unless that is ``gone``, else a new one.

    Raises CrawlError if the server of a host is neither given nor gone.
    """
    result = {}
    absent: dict[str, int] = {}
    for host in hosts:
        server = assigned.get(host, "")
        if server and server not in servers and server not in gone:
            absent[server] = absent.get(server, 0) + 1
        result[host] = server if server in servers else rendezvous(host, servers)
    for server, count in absent.items():
        raise CrawlError(
            Exit.ARGUMENTS,
            f"{server} has the state of {count:,} of the hosts, and is not among the servers; name "
            f"it as well (--server {server}), or, if it will never be back, give --gone {server}: "
            "they are then crawled anew on the others",
        )
    return result
