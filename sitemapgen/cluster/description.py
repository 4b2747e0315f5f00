"""Description of a crawl, by which workers fetch, render and read as the coordinator would.

It has no credentials: a worker takes them from its own arguments, environment and settings.
``Membership`` waits for a crawl, and has its description.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping
from secrets import token_hex
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple

from redis.exceptions import RedisError

from sitemapgen.cluster.connection import CRAWL, Clock, RedisServer, is_deadly
from sitemapgen.cluster.messages import VERSION, MalformedMessage, restored, unpack
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.params import ACCESS, Params

if TYPE_CHECKING:
    from sitemapgen.context import CrawlContext
    from sitemapgen.core.robots import RobotsRule

logger = logging.getLogger(__name__)

ARGUMENTS = (
    *("url", "scope", "include", "exclude", "query", "trailing_slash", "www", "slashes"),
    *("nofollow", "robots", "render", "interact", "extensions", "formats", "verify_tls"),
)
"""Arguments that determine how pages are fetched and read; none is secret."""
SETTINGS = (
    *("USER_AGENT", "SITEMAPGEN_FROM", "COMPRESSION_ENABLED", "DOWNLOAD_TIMEOUT"),
    *("DOWNLOAD_MAXSIZE", "DOWNLOAD_FAIL_ON_DATALOSS", "DOWNLOAD_VERIFY_CERTIFICATES"),
)
RENDERING = "SITEMAPGEN_RENDERING_"
"""Prefix of further settings that are sent."""
LOCAL = frozenset({"SITEMAPGEN_RENDERING_TABS"})
"""Settings with that prefix that each worker has for itself."""
NEEDED_ACCESS = tuple(name for name in ACCESS if name != "proxy")
"""Credentials that change what pages show; how a worker reaches the site is its own matter."""


class Description(NamedTuple):
    """What a worker needs of a crawl."""

    version: tuple[Any, ...]
    session: str
    rules: int
    """Number of these rules in the session."""
    seconds: float
    """Seconds without a sign of life after which a worker counts as dead."""
    arguments: Mapping[str, Any]
    settings: Mapping[str, Any]
    access: tuple[str, ...]
    """Names of the credentials that the coordinator was given."""
    url: str
    """The URL whose origin is crawled."""
    robots: tuple[RobotsRule, ...]
    egress: tuple[bool, Mapping[str, bool]]
    """``Egress.found``."""

    @property
    def frame(self) -> tuple[Any, ...]:
        """What cannot change while a worker is part of the crawl."""
        return (self.version, self.arguments, self.settings, self.access)


def describe_crawl(context: CrawlContext, session: str, rules: int, seconds: float) -> Description:
    """Describe a crawl that has entered its origin."""
    args, settings = context.host.args, context.crawler.settings
    names = [*SETTINGS, *(name for name in settings if str(name).startswith(RENDERING))]
    return Description(
        version=VERSION,
        session=session,
        rules=rules,
        seconds=seconds,
        arguments=args.model_dump(mode="json", include=set(ARGUMENTS)),
        settings={
            name: settings[name]
            for name in sorted(set(names) - LOCAL)
            if isinstance(settings[name], (str, int, float, bool))
        },
        access=given_access(args),
        url=f"{context.host.home}/",
        robots=tuple(context.rules.robots.rules),
        egress=context.host.egress.found(),
    )


def read_description(packed: Any, server: RedisServer) -> Description | None:
    """Return what Redis has; None for nothing. Raises CrawlError, also for another version."""
    if packed is None:
        return None
    try:
        values = unpack(packed)
        if not isinstance(values, tuple) or not values or not isinstance(values[0], tuple):
            raise MalformedMessage("no description of a crawl")
        if values[0] == VERSION:
            return restored(Description, values)
    except (TypeError, ValueError) as error:
        raise server.foreign_data_error(CRAWL) from error
    theirs, ours = ((each[1] if len(each) > 1 else "?") for each in (values[0], VERSION))
    detail = "" if theirs != ours else " (another state of the source)"
    raise CrawlError(
        Exit.REFUSED,
        f"the crawl at {server.name} is one of sitemapgen {theirs}, this worker is {ours}{detail}; "
        "install the same version on all machines",
    )


def given_access(args: Params) -> tuple[str, ...]:
    """Return the names of the credentials that were given."""
    return tuple(name for name in NEEDED_ACCESS if getattr(args, name).get_secret_value())


def check_access(needed: tuple[str, ...], given: tuple[str, ...]) -> None:
    """Raise CrawlError where a worker has other credentials than the coordinator."""
    for name in NEEDED_ACCESS:
        if (name in needed) != (name in given):
            variable = f"SITEMAPGEN_{name.upper()}"
            remedy = (
                f"set {variable} in its environment"
                if name in needed
                else f"unset {variable}, or leave -a {name}= out"
            )
            has = "and this worker has none" if name in needed else "but this worker does"
            verb = "sends" if name in needed else "sends no"
            raise CrawlError(Exit.ARGUMENTS, f"the crawl {verb} {name}, {has}; {remedy}")


GLANCE = 0.2
"""Seconds between two looks for a crawl."""


class Membership(NamedTuple):
    """What a worker has of the crawl that it is part of."""

    server: RedisServer
    clock: Clock
    description: Description
    name: str
    """Name of the consumer."""

    @classmethod
    def begin(cls, url: str, give_up: float) -> Membership:
        """Wait up to ``give_up`` seconds for a crawl. Raises CrawlError."""
        server, clock = RedisServer.of(url), Clock()
        began, has_logged = monotonic(), False
        while True:
            try:
                with server.in_words(), server.connect() as client:
                    server.check_types(client)
                    clock.set(client.execute_command("TIME"))
                    description = read_description(client.get(CRAWL), server)
            except CrawlError as error:
                cause = error.__cause__
                is_passing = has_logged and isinstance(cause, RedisError) and not is_deadly(cause)
                if not is_passing:
                    raise
                description = None
            if description is not None:
                name = f"{socket.gethostname()}-{os.getpid()}-{token_hex(3)}"
                return cls(server, clock, description, name)
            if not has_logged:
                has_logged = True
                logger.info("Waiting for a crawl at %(redis)s", {"redis": server.name})
            if monotonic() - began > give_up:
                sentence = f"no crawl at {server.name} for {give_up:.0f} s; start one there first"
                raise CrawlError(Exit.UNREACHABLE, sentence)
            try:
                sleep(GLANCE)
            except KeyboardInterrupt:
                raise CrawlError(Exit.INTERRUPTED, "interrupted before a crawl began") from None
