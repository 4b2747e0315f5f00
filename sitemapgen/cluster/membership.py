"""A worker's membership in a crawl: waiting for one, its description, its end."""

from __future__ import annotations

import logging
import os
import socket
from secrets import token_hex
from time import monotonic, sleep
from typing import TYPE_CHECKING

from redis.exceptions import RedisError

from sitemapgen.cluster.connection import CRAWL, Clock, RedisServer, is_deadly
from sitemapgen.cluster.description import read_description
from sitemapgen.errors import CrawlError, Exit

if TYPE_CHECKING:
    from sitemapgen.cluster.description import Description

logger = logging.getLogger(__name__)

GLANCE = 0.2
"""Seconds between two looks for a crawl."""


class Membership:
    """What a worker has of the crawl that it is part of."""

    def __init__(self, server: RedisServer, clock: Clock, description: Description) -> None:
        self.server = server
        self.clock = clock
        self.description = description
        self.name = f"{socket.gethostname()}-{os.getpid()}-{token_hex(3)}"
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
                return cls(server, clock, description)
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
