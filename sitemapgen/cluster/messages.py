"""Messages between coordinator and workers: plain values, packed by msgpack.

A message has a version, a maximum size and no types of Python's own, so that nothing in it is run.
The links of a page are URLs: each side judges them by the same rules.
"""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import msgpack

from sitemapgen import __version__
from sitemapgen.core.rendering.detect import Outline, RenderSignature, RenderVerdict
from sitemapgen.core.rendering.learn import ComparedReading as Before
from sitemapgen.core.rendering.learn import Gain
from sitemapgen.core.soft404 import Reading, Text
from sitemapgen.core.urls import LONGEST, literal_key
from sitemapgen.download.examining import Comparison, ResponseFindings
from sitemapgen.items import (
    READER_VERSION,
    Extensions,
    Judgement,
    Link,
    LinkLabel,
    News,
    Page,
    Sighting,
    Video,
)
from sitemapgen.verdicts import Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemapgen.core.links import LinkReader

FORMAT = 7
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


class MalformedMessage(ValueError):
    """A message is not one of these."""


class TooLarge(ValueError):
    """A message is larger than ``MAX_SIZE``."""


def pack(value: Any) -> bytes:
    """Pack plain values. Raises TooLarge."""
    try:
        packed: bytes = msgpack.packb(value, unicode_errors="surrogatepass")
    except ValueError as error:
        raise TooLarge(str(error)) from error
    if len(packed) > MAX_SIZE:
        raise TooLarge(f"{len(packed):,} bytes")
    if len(packed) < COMPRESSED:
        return PLAIN + packed
    return PACKED + zlib.compress(packed, 1)


def unpack(message: Any) -> Any:
    """Unpack plain values. Raises Malformed."""
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


class WorkerJob(NamedTuple):
    """What is handed out with a lease."""

    session: str
    """The process of the coordinator, until it has to connect again."""
    rules: int
    """Number of the rules by which links are judged: ``description.rules``."""
    number: int
    lease: tuple[Any, ...] | None
    """The fields of a ``store.frontier.Lease``; None for a probe in the browser."""
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
    seconds: float = 0.0
    """Seconds in the browser."""
    waiting: str = ""
    """A value of ``learn.Waiting``."""
    hindrance: str = ""
    bound: str = ""
    """Why a rendered page may lead further, in words."""
    status: int = 0
    headers: Mapping[bytes, tuple[bytes, ...]] = {}
    """Those that the coordinator needs."""
    flags: tuple[str, ...] = ()
    content: Any = None
    """``read``: packed findings; ``document``: the body; ``failed``: the exception."""


# Findings


def findings_to_values(found: ResponseFindings) -> tuple[Any, ...]:
    """Return findings as plain values."""
    outline, words, comparison = found.outline, found.words, found.comparison
    return (
        _page_to_values(found.page),
        outline and (*outline.signature, *outline.verdict, outline.likeness),
        words and _words_to_values(words),
        comparison and (comparison.gain, comparison.is_empty, sorted(comparison.added)),
        found.before,
    )


def findings_from_values(values: Any, reader: LinkReader, url: str, key: int) -> ResponseFindings:
    """Return the findings for a URL; raises ValueError, TypeError, KeyError for other values."""
    page, outline, words, comparison, before = values
    return ResponseFindings(
        page=_page_from_values(page, reader, url, key),
        outline=outline
        and Outline(RenderSignature(*outline[:2]), RenderVerdict(*outline[2:4]), outline[4]),
        words=words and _words_from_values(words),
        comparison=comparison
        and Comparison(Gain(*comparison[0]), comparison[1], frozenset(comparison[2])),
        before=before,
    )


def before_to_bytes(headers: Any, flags: list[str], before: Before) -> bytes:
    """Pack the raw document of a page that may be rendered."""
    return pack(
        (
            headers,
            flags,
            sorted(before.links),
            sorted(before.words),
            sorted(before.label_words),
            *(before.title, before.robots, before.noindex, before.canonical, before.length),
        )
    )


def before_from_bytes(packed: bytes) -> tuple[Any, list[str], Before]:
    """Return headers, flags and reading of a raw document. Raises Malformed, ValueError."""
    headers, flags, links, words, labels, *further = unpack(packed)
    title, robots, noindex, canonical, length = further
    before = Before(
        links=frozenset(links),
        words=frozenset(words),
        label_words=frozenset(labels),
        title=title,
        robots=robots,
        noindex=noindex,
        canonical=canonical,
        length=length,
    )
    return headers, list(flags), before


_APART = frozenset(
    {
        *("url", "key", "judgement", "links", "sightings", "extensions", "labels"),
        *("revisit", "validation", "is_carried", "failures"),
    }
)
"""Fields of a page that are no plain values, or are set by the coordinator."""
_PLAIN = tuple(each.name for each in fields(Page) if each.name not in _APART)


def _page_to_values(page: Page) -> tuple[Any, ...]:
    links = page.links
    return (
        _judgement_to_values(page.judgement),
        tuple(getattr(page, name) for name in _PLAIN),
        tuple(link.url for link in links),
        tuple(number for number, link in enumerate(links) if link.nofollow),
        tuple((number, link.linked) for number, link in enumerate(links) if link.linked),
        # A cut URL is judged by its whole length.
        tuple(
            (number, _judgement_to_values(link.refusal))
            for number, link in enumerate(links)
            if link.refusal and len(link.url) >= LONGEST
        ),
        page.sightings,
        page.extensions and _extensions_to_values(page.extensions),
        page.labels,
    )


def _page_from_values(values: Any, reader: LinkReader, url: str, key: int) -> Page:
    judgement, plain, urls, nofollow, linked, refusals, sightings, extensions, labels = values
    links = list(map(reader.known, urls))
    for number in nofollow:
        links[number] = replace(links[number], nofollow=True)
    for number, form in linked:
        links[number] = replace(links[number], linked=form, form=literal_key(form))
    for number, refusal in refusals:
        links[number] = _refused(links[number], _judgement_from_values(refusal))
    return Page(
        url=url,
        key=key,
        judgement=_judgement_from_values(judgement),
        links=tuple(links),
        sightings=tuple(map(Sighting._make, sightings)),
        extensions=extensions and _extensions_from_values(extensions),
        labels=None if labels is None else tuple(map(LinkLabel._make, labels)),
        **dict(zip(_PLAIN, plain, strict=True)),
    )


def _refused(link: Link, refusal: Judgement) -> Link:
    return replace(link, refusal=refusal, suspicion=None, file=None)


def _judgement_to_values(judgement: Judgement) -> tuple[str, ...]:
    verdict, evidence, other_url, reason = judgement
    return verdict.value, evidence, other_url, reason.value


def _judgement_from_values(values: Any) -> Judgement:
    verdict, evidence, other_url, reason = values
    return Judgement(Verdict(verdict), evidence, other_url, Reason(reason))


def _extensions_to_values(found: Extensions) -> tuple[Any, ...]:
    return tuple(found)


def _extensions_from_values(values: Any) -> Extensions:
    images, videos, news, alternates = values
    return Extensions(
        images=images,
        videos=tuple(map(Video._make, videos)),
        news=None if news is None else News._make(news),
        alternates=alternates,
    )


def _words_to_values(words: Reading) -> tuple[Any, ...]:
    return (
        *(words.title, words.text, words.own_text, words.text_length, dict(words.contents)),
        *(sorted(words.shown), sorted(words.own_shown), words.message, words.canonicals),
        words.has_scripts,
    )


def _words_from_values(values: Any) -> Reading:
    title, text, own, length, contents, shown, own_shown, message, canonicals, has = values
    return Reading(
        title=Text._make(title),
        text=Text._make(text),
        own_text=Text._make(own),
        text_length=length,
        contents=Counter(contents),
        shown=frozenset(shown),
        own_shown=frozenset(own_shown),
        message=message,
        canonicals=canonicals,
        has_scripts=has,
    )
