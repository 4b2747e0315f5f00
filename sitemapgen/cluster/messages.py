"""Messages between coordinator and workers: plain values, packed by msgpack.

A message has a version, a maximum size and no types of Python's own, so that nothing in it is run.
The links of a page are URLs: each side judges them by the same rules.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache, partial
from types import UnionType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, Union, get_args, get_origin
from typing import get_type_hints as hints_of

import msgpack
from scrapy.exceptions import DownloadFailedError, IgnoreRequest

from sitemapgen import __version__
from sitemapgen.core import soft404
from sitemapgen.core.document.pages import READER_VERSION, UNCHANGED
from sitemapgen.core.robots import RobotsRule
from sitemapgen.core.urls import LONGEST, literal_key
from sitemapgen.download.egress import PrivateAddress
from sitemapgen.download.examining import ResponseFindings
from sitemapgen.download.failures import (
    FAILURES,
    BrowserMissing,
    Failure,
    RemoteConnectionFailure,
    RemoteFailure,
    Unrendered,
    failure_of,
    is_bug,
)
from sitemapgen.download.terms import NOT_RENDERED, RenderOutcome
from sitemapgen.items import Judgement, Page
from sitemapgen.store.frontier import Lease
from sitemapgen.verdicts import Reason, Verdict

if TYPE_CHECKING:
    from sitemapgen.core.links import LinkReader

_T = TypeVar("_T")

FORMAT = 11
"""Version of the messages, to be raised when one of them changes."""
VERSION = (FORMAT, __version__, READER_VERSION)
"""What coordinator and workers must have in common."""
MAX_SIZE = 64 << 20
"""Maximum bytes of a message, before and after compression."""
COMPRESSED = 1_024
"""Bytes from which a message is compressed."""
PLAIN, PACKED = b"p", b"z"
"""First byte of a message."""
FIELD = b"m"
"""The only field of a stream's entries."""


NAMES = {
    **{each.__name__: each for each in (Lease, Mapping, Page, RobotsRule, Verdict)},
    **{"AbstractSet": AbstractSet, "soft404": soft404},
}
"""Names in the annotations of messages that their modules import for types alone."""


class MalformedMessage(ValueError):
    """A message is not one of these."""


class TooLarge(ValueError):
    """A message is larger than ``MAX_SIZE``."""


def pack(value: Any) -> bytes:
    """Pack plain values, tuples, dataclasses, enums and sets. Raises TooLarge."""
    try:
        packed: bytes = msgpack.packb(value, default=_plain_value, unicode_errors="surrogatepass")
    except ValueError as error:
        raise TooLarge(str(error)) from error
    if len(packed) > MAX_SIZE:
        raise TooLarge(f"{len(packed):,} bytes")
    if len(packed) < COMPRESSED:
        return PLAIN + packed
    return PACKED + zlib.compress(packed, 1)


def _plain_value(value: Any) -> Any:
    if is_dataclass(value):
        return [getattr(value, each.name) for each in fields(value)]
    if isinstance(value, AbstractSet):
        return sorted(value)
    raise TypeError(type(value).__name__)


def unpack(message: Any) -> Any:
    """Unpack plain values. Raises MalformedMessage."""
    try:
        kind, packed = message[:1], message[1:]
        if kind == PACKED:
            inflating = zlib.decompressobj()
            packed = inflating.decompress(packed, MAX_SIZE)
            if not inflating.eof:
                raise MalformedMessage("too large, or cut short")
        elif kind != PLAIN:
            raise MalformedMessage("not a message of sitemapgen")
        return msgpack.unpackb(
            packed, use_list=False, strict_map_key=False, unicode_errors="surrogatepass"
        )
    except (ValueError, TypeError, zlib.error, msgpack.UnpackException) as error:
        raise MalformedMessage(str(error)) from error


def read_as(kind: type[_T], message: Any) -> _T:
    """Unpack a value of a type. Raises MalformedMessage."""
    try:
        return restored(kind, unpack(message))
    except (TypeError, ValueError) as error:
        raise MalformedMessage(str(error)) from error


def restored(kind: type[_T], values: Any, **known: Any) -> _T:
    """Return a named tuple or dataclass from its plain values, but for those fields ``known``.

    Raises TypeError, ValueError.
    """
    names, restorers = _layout_of(kind)  # type: ignore[arg-type]  # types are hashable
    found = dict(zip(names, values, strict=True)) | known
    for name, restorer in restorers.items():
        if name not in known and found[name] is not None:
            found[name] = restorer(found[name])
    return kind(**found)


@cache
def _layout_of(kind: Any) -> tuple[tuple[str, ...], dict[str, Callable[[Any], Any]]]:
    """Return the fields of a type, and the functions that restore those that are not plain."""
    names = tuple(each.name for each in fields(kind)) if is_dataclass(kind) else kind._fields
    hints = hints_of(kind, localns=NAMES)
    return names, {name: found for name in names if (found := _restorer_of(hints[name]))}


def _restorer_of(hint: Any) -> Any:
    """Return the function that restores values of a type; None for plain ones."""
    kind, parts = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, UnionType):
        return next(filter(None, map(_restorer_of, parts)), None)
    if kind is tuple:
        each = _restorer_of(parts[0])
        return each and (lambda values: tuple(map(each, values)))
    if kind is AbstractSet:
        return frozenset
    if kind in (frozenset, Counter) or (isinstance(kind, type) and issubclass(kind, Enum)):
        return kind
    return partial(restored, kind) if is_dataclass(kind) or hasattr(kind, "_fields") else None


class WorkerJob(NamedTuple):
    """What is handed out with a lease."""

    session: str
    """The process of the coordinator, until it has to connect again."""
    rules: int
    """Number of the rules by which links are judged: ``description.rules``."""
    number: int
    lease: Lease | None
    """None for a probe in the browser."""
    url: str
    rendering: str = ""
    """Why the page is rendered; empty if it is fetched."""
    is_patient: bool = True
    before: bytes = b""
    """``ResponseFindings.before`` of the page."""


class JobOutcome(NamedTuple):
    """The response for a job, or its failure."""

    session: str
    number: int
    kind: str
    """``read``, ``document`` (of a probe), ``failed`` or ``returned`` (by a worker that ends)."""
    stats: Mapping[str, float]
    """Stats that the worker has counted since its last outcome."""
    latency: float | None
    """Seconds from the request to the headers; None if there was no request."""
    transfer: tuple[float, int] | None = None
    """``terms.TRANSFER``; None if there was no complete response."""
    rendered: RenderOutcome = NOT_RENDERED
    status: int = 0
    headers: Mapping[bytes, tuple[bytes, ...]] = {}
    """Those that the coordinator needs."""
    flags: tuple[str, ...] = ()
    content: Any = None
    """``read``: packed findings; ``document``: the body; ``failed``: the exception."""


# Findings


def findings_to_values(found: ResponseFindings) -> tuple[Any, ...]:
    """Return findings as what can be packed, without what links are judged to be."""
    links, comparison = found.page.links, found.comparison
    return (
        found._replace(
            page=replace(found.page, links=()),
            comparison=comparison and comparison._replace(sent=UNCHANGED),
        ),
        [link.url for link in links],
        [number for number, link in enumerate(links) if link.nofollow],
        [(number, link.linked) for number, link in enumerate(links) if link.linked],
        # A cut URL is judged by its whole length.
        [
            (number, link.refusal)
            for number, link in enumerate(links)
            if link.refusal and len(link.url) >= LONGEST
        ],
    )


def findings_from_values(values: Any, reader: LinkReader) -> ResponseFindings:
    """Return findings; raises ValueError, TypeError, KeyError for other values."""
    plain, urls, nofollow, linked, refusals = values
    links = list(map(reader.known, urls))
    for number in nofollow:
        links[number] = replace(links[number], nofollow=True)
    for number, url in linked:
        links[number] = replace(links[number], linked=url, literal_key=literal_key(url))
    for number, refusal in refusals:
        judgement = restored(Judgement, refusal)
        links[number] = replace(links[number], refusal=judgement, suspicion=None, file=None)
    page = restored(Page, plain[0], links=tuple(links))
    return restored(ResponseFindings, plain, page=page)


KINDS: dict[str, type[Exception]] = {
    kind.__name__: kind
    for kind in (
        *(FAILURES.keys() - {UnicodeDecodeError}),  # that one takes more than a message
        *(DownloadFailedError, PrivateAddress, Unrendered, BrowserMissing, IgnoreRequest),
    )
}
"""Exceptions that are raised as they were."""


def exception_to_values(error: Exception) -> tuple[Any, ...]:
    """Return a failure as plain values."""
    name = type(error).__name__
    is_known = KINDS.get(name) is type(error)
    words, reason = failure_of(error)
    return (
        name if is_known else "",
        str(error),
        words,
        reason.value,
        is_bug(error),
        isinstance(error, OSError) or _is_of_a_connection(error),
    )


def exception_from_values(values: Any) -> Exception:
    """Return the exception of a failure."""
    name, message, words, reason, has_bug, is_retried = values
    if name:
        return KINDS[name](message)
    failure = Failure(words, Reason(reason))
    if has_bug:
        return RemoteFailure(failure, is_bug=True)
    return RemoteConnectionFailure(failure) if is_retried else RemoteFailure(failure)


def _is_of_a_connection(error: Exception) -> bool:
    """Return whether a failure of Twisted is one of those that Scrapy retries."""
    from twisted.internet import error as kinds  # noqa: PLC0415 - after Scrapy's reactor

    return isinstance(error, (kinds.ConnectionDone, kinds.ConnectError, kinds.ConnectionLost))
