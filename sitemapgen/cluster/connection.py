"""Connections to the Redis of a cluster: its keys, its errors in one sentence, its clock.

Redis carries what is in flight and nothing else: the truth is in the store of the coordinator. One
database of Redis carries one crawl. The password is in no sentence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import redis
import redis.asyncio
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.exceptions import (
    AuthenticationError,
    NoPermissionError,
    OutOfMemoryError,
    RedisError,
    ResponseError,
)
from redis.retry import Retry

from sitemapgen.checks.browser import without_secrets
from sitemapgen.errors import CrawlError, Exit

SETTING = "SITEMAPGEN_CLUSTER"
COORDINATOR = "sitemapgen:coordinator"
"""The session of the coordinator; expires when its process has died."""
CRAWL = "sitemapgen:crawl"
"""What workers need of the crawl: ``description.py``."""
LEASES = "sitemapgen:leases"
"""Stream of jobs, with the consumer group ``GROUP``."""
RESULTS = "sitemapgen:results"
"""Stream of outcomes."""
ENDED = "sitemapgen:ended"
"""The session of the last crawl that has ended."""
WORKERS = "sitemapgen:workers"
"""Sorted set of the workers, by the time of their last sign of life."""
GROUP = "workers"
TYPES = {COORDINATOR: "string", CRAWL: "string", LEASES: "stream", RESULTS: "stream"} | {
    ENDED: "string",
    WORKERS: "zset",
}
"""The keys with their types."""

GLANCE = 0.5
"""Seconds between two looks whether a cancelled task has ended."""
OPTIONS: dict[str, Any] = {"socket_timeout": 10.0, "socket_connect_timeout": 10.0, "protocol": 2}
"""Of each connection; after these seconds Redis counts as unreachable."""
DEADLY = (AuthenticationError, NoPermissionError, OutOfMemoryError)
"""Errors that do not pass by themselves."""


class RedisServer(NamedTuple):
    """The Redis of a cluster."""

    url: str
    """With the password."""
    name: str
    """Scheme, host, port and database."""

    @classmethod
    def of(cls, url: str) -> RedisServer:
        """Check a URL. Raises CrawlError."""
        try:
            parts = urlsplit(url)
            is_sound = parts.scheme in ("redis", "rediss") and bool(parts.hostname)
            database = parts.path.strip("/") or "0"
            port = parts.port or 6379
            is_sound = is_sound and database.isascii() and database.isdecimal()
        except ValueError:
            is_sound = False
        if not is_sound:
            raise CrawlError(
                Exit.ARGUMENTS,
                f"{SETTING}: no URL of a Redis; write redis://host:6379/0, or rediss:// for TLS",
            )
        host = f"[{parts.hostname}]" if ":" in str(parts.hostname) else parts.hostname
        return cls(url, f"{parts.scheme}://{host}:{port}/{database}")

    @property
    def other_database(self) -> str:
        """The URL of another database, without the password."""
        start, _, database = self.name.rpartition("/")
        return f"{start}/{int(database) + 1}"

    def connect(self) -> redis.Redis:
        """Return a connection; commands are never repeated. Raises CrawlError."""
        with self.in_words():
            return redis.Redis.from_url(self.url, retry=Retry(NoBackoff(), 0), **OPTIONS)

    def connect_async(self) -> redis.asyncio.Redis:
        """Return a connection for the event loop; commands are never repeated."""
        retry = AsyncRetry(NoBackoff(), 0)
        return redis.asyncio.Redis.from_url(self.url, retry=retry, **OPTIONS)

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """Turn errors of Redis into a CrawlError with one sentence."""
        try:
            yield
        except RedisError as error:
            raise self.as_crawl_error(error) from error
        except (ValueError, TypeError) as error:  # options in the URL
            raise CrawlError(
                Exit.ARGUMENTS, f"{SETTING}: the options of {self.name} are invalid"
            ) from error

    def as_crawl_error(self, error: Exception) -> CrawlError:
        """Return an error of Redis with its remedy."""
        if str(error).startswith("WRONGTYPE"):
            return self.foreign_data_error()
        code = Exit.UNREACHABLE
        problem = (
            f"cannot be reached ({_describe_error(error)}); start Redis there, or correct the URL"
        )
        if isinstance(error, AuthenticationError):
            code = Exit.ARGUMENTS
            problem = "refuses the password; write redis://:password@host:6379/0"
        elif isinstance(error, NoPermissionError):
            code = Exit.ARGUMENTS
            problem = "refuses a command to this user; allow it on sitemapgen:*"
        elif isinstance(error, OutOfMemoryError):
            code = Exit.NO_SPACE
            problem = "is out of memory; raise its maxmemory, or use a Redis of its own"
        elif isinstance(error, ResponseError):
            problem = f"answers {_describe_error(error)}"
        return CrawlError(code, f"{SETTING}: {self.name} {problem}")

    def foreign_data_error(self, key: str = "sitemapgen:*") -> CrawlError:
        """Return the error for data of another program under a key."""
        return CrawlError(
            Exit.REFUSED,
            f"{SETTING}: {self.name} has data of another program under {key}; use another "
            f"database, such as {self.other_database}",
        )

    def check_types(self, client: redis.Redis) -> None:
        """Raise CrawlError for a key of ours with data of another program."""
        for key, kind in TYPES.items():
            if _decode_answer(client.type(key)) not in ("none", kind):
                raise self.foreign_data_error(key)


def is_deadly(error: Exception) -> bool:
    """Return whether an error of Redis does not pass by itself."""
    return isinstance(error, DEADLY) or str(error).startswith("WRONGTYPE")


class Clock:
    """The time of Redis, by which a worker reads pages, whatever its own clock shows."""

    def __init__(self) -> None:
        self._offset = 0.0

    def set(self, answer: Any) -> None:
        """Take the answer of the command TIME: seconds and microseconds."""
        seconds, microseconds = answer
        self._offset = int(seconds) + int(microseconds) / 1e6 - monotonic()

    def seconds(self) -> float:
        """Return the present time of Redis, in seconds since 1970."""
        return monotonic() + self._offset

    def now(self) -> datetime:
        """Return the present time of Redis."""
        return datetime.fromtimestamp(self.seconds(), timezone.utc)


async def first_result(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Run works beside each other until one ends, and end the others; raises its error."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await cancel_tasks(tasks)
    for task in done:
        task.result()


async def cancel_tasks(tasks: Collection[asyncio.Future[None]]) -> None:
    """Cancel tasks until they have ended: one that is just being timed out may drop the first."""
    pending = {task for task in tasks if not task.done()}
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=GLANCE)
    for task in tasks:
        if task.done() and not task.cancelled():
            task.exception()


def lock_owner(client: redis.Redis) -> str:
    """Return the session of the coordinator; empty without one."""
    return _decode_answer(client.get(COORDINATOR))


def _decode_answer(answer: Any) -> str:
    return answer.decode("ascii", "replace") if isinstance(answer, bytes) else ""


def _describe_error(error: Exception) -> str:
    text = str(error) or type(error).__name__
    return without_secrets(text.partition("\n")[0])[:200].rstrip(".")
