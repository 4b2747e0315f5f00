"""Whatever is made of the dictionary of nasty tokens: no reader raises, none takes its time.

The inputs follow from a seed, which is printed: 20,000 of them in each run, and behind ``slow`` a
million for each kind of reader. ``HOSTILE_SEED`` sets another seed.
"""

import gzip
import os
import random
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from tests.helpers.cost import usual_seconds
from tests.hostile.readers import BODIES, OPENINGS, TEXTS
from tests.hostile.tokens import (
    CONTROLS,
    DATES,
    ENTITIES,
    HEADERS,
    MARKUP,
    NUMBERS,
    ROBOTS,
    TOKENS,
    URL_PARTS,
    XML,
)

SEED = int(os.environ.get("HOSTILE_SEED", "2026"))
FEW, MANY = 2_500, 1_000_000
SECONDS, SECONDS_PER_KB = 0.05, 0.03
"""CPU that an input may take: so much, and so much for each 1,000 bytes of UTF-8."""


class Kind(NamedTuple):
    """One kind of input: what reads it, and of what it is made."""

    read: Callable[[str], object]
    tokens: tuple[str, ...]
    openings: tuple[str, ...] = ("",)


def every(*names: str) -> Callable[[str], object]:
    def read(text: str) -> None:
        for name in names:
            TEXTS[name](text)

    return read


def body(name: str) -> Callable[[str], object]:
    """A reader of bodies: UTF-8, with some of the bytes damaged, and packed or not."""

    def read(text: str) -> None:
        raw = text.encode("utf-8", "surrogatepass")
        damage = len(raw) % 16
        if damage == 1:
            raw = raw.replace(b"\xc3", b"\xff")
        elif damage == 2:
            raw = b"\xff\xfe" + text.encode("utf-16-le", "surrogatepass")
        elif damage == 3:
            raw = gzip.compress(raw, 1)
        elif damage == 4:
            raw = gzip.compress(raw, 1)[: len(raw) // 2 + 12]
        elif damage == 5:
            raw = raw[: len(raw) * 2 // 3]
        BODIES[name](raw)

    return read


KINDS = {
    "robots.txt": Kind(
        body("robots.txt"),
        (*ROBOTS, *ROBOTS, *URL_PARTS, *NUMBERS, *CONTROLS),
        OPENINGS["robots.txt"],
    ),
    "sitemaps": Kind(
        body("sitemap"),
        (*XML, *XML, *XML, *ENTITIES[-20:], *URL_PARTS, *CONTROLS, *DATES, *NUMBERS),
        OPENINGS["sitemap"],
    ),
    "validate": Kind(
        body("validate"), (*XML, *XML, *ENTITIES[-20:], *URL_PARTS, *DATES), OPENINGS["validate"]
    ),
    "encodings": Kind(
        body("encoding"), (*MARKUP, *HEADERS, *CONTROLS, *ENTITIES[-20:]), OPENINGS["encoding"]
    ),
    "URLs": Kind(every("URLs", "URLs in other encodings"), (*URL_PARTS, *CONTROLS, *NUMBERS[:12])),
    "forms of URLs": Kind(
        every("forms of URLs", "patterns of URLs"), (*URL_PARTS, *NUMBERS, *DATES[:5])
    ),
    "headers": Kind(
        every("Link", "X-Robots-Tag", "Content-Type", "Refresh", "Retry-After"),
        (*HEADERS, *HEADERS, *DATES, *NUMBERS, *CONTROLS, *URL_PARTS[:20]),
    ),
    "dates and fields": Kind(
        every("dates", "fields of sitemaps", "languages", "lines", "tables"),
        (*DATES, *DATES, *NUMBERS, *CONTROLS, *HEADERS[:12]),
    ),
}


def inputs(kind: Kind, name: str, count: int) -> Iterator[str]:
    """Texts of one token up to some hundred; a few with one token again and again."""
    source = random.Random(f"{SEED} {name}")
    for number in range(count):
        opening = source.choice(kind.openings)
        if number % 100 == 99:
            token = source.choice(TOKENS)
            yield opening + token * source.randint(2, max(3, 8_000 // len(token)))
        else:
            size = source.randint(1, 200 if number % 50 == 49 else 12)
            yield opening + "".join(source.choices(kind.tokens, k=size))


def sweep(name: str, count: int) -> None:
    kind = KINDS[name]
    total_size, slowest, began = 0, (0.0, 0), time.thread_time()
    for text in inputs(kind, name, count):
        size = len(text.encode("utf-8", "surrogatepass"))
        total_size += size
        seconds = spent(kind, text, name)
        allowed = SECONDS + SECONDS_PER_KB * size / 1_000
        if seconds > allowed:  # another process may have had the caches: look again
            seconds = min(spent(kind, text, name) for _ in range(3))
            allowed = usual_seconds(allowed)
        assert seconds <= allowed, f"seed {SEED}, {name}: {seconds:.3f} s for {text[:400]!r}"
        slowest = max(slowest, (seconds, size))
    total = time.thread_time() - began
    print(
        f"seed {SEED}, {name}: {count:,} inputs, {total_size / 1e6:.1f} MB, {total:.1f} s of CPU, "
        f"{1e6 * total / total_size:.2f} ms/kB; "
        f"the slowest {1_000 * slowest[0]:.1f} ms for {slowest[1]:,} bytes"
    )


def spent(kind: Kind, text: str, name: str) -> float:
    began = time.thread_time()
    try:
        kind.read(text)
    except Exception as error:
        raise AssertionError(f"seed {SEED}, {name}: {error!r} for {text[:400]!r}") from error
    return time.thread_time() - began


@pytest.mark.parametrize("name", KINDS)
def test_a_few_thousand(name: str) -> None:
    sweep(name, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_a_million(name: str) -> None:
    sweep(name, MANY)
