"""Tag soup from a seed, to each reader of a page: ``python -m tests.hostile.soup SEED COUNT FILE``.

In a process of its own, since what is looked for is a parser that takes its process down. FILE
holds the seed that is being read; what fails is printed with its seed.
"""

import random
import sys
import time
import traceback
from collections.abc import Callable
from html.entities import html5
from pathlib import Path
from typing import BinaryIO

from sitemapgen.core import soft404
from sitemapgen.core.document import html
from sitemapgen.core.document.markup import LONGER_THAN_THEIR_NAMES
from sitemapgen.core.rendering import detect as rendering
from tests.helpers.cost import usual_seconds
from tests.hostile import growth

UTF_8 = "text/html; charset=utf-8"
URL = "https://example.com/"
SECONDS_PER_KB = 0.02
"""CPU of all readers together; ordinary pages take a hundredth of it."""
LEAST_SECONDS = 0.2

TAGS = """
    a b i p div span table tr td th tbody thead caption colgroup col select option optgroup button
    selectedcontent template svg math mi ms annotation-xml foreignObject desc title script style
    noscript textarea iframe noembed noframes xmp plaintext frameset frame body head html form input
    li dd dt ul dl h1 h2 nobr marquee object ruby rb rt rp font center pre image img br area base
    link meta details dialog main nav aside footer article section time turbo-frame x-y video
""".split()  # noqa: SIM905 - a word list
OFTEN_OPEN = ("div", "b", "p", "x", "ul", "table")
ATTRIBUTES = """
    href src class id style hidden aria-hidden lang rel=canonical rel=next hreflang content name
    property http-equiv=refresh type=application/ld+json shadowrootmode=open datetime itemprop color
    xlink:href encoding=text/html selected data-src hx-get hx-trigger=load = ' " < / é ==
""".split()  # noqa: SIM905 - a word list
ENTITIES = [f"&{name}" for name in html5]
LONG = [*LONGER_THAN_THEIR_NAMES]
PIECES = [
    *("\x00", "\r", "\r\n", "\t", " ", "<", "</", ">", "/>", "<!", "<!--", "-->", "--!>", "<!-->"),
    *("<![CDATA[", "]]>", "<?", "<!doctype html>", "<!DOCTYPE PUBLIC ''", '"', "'", "=", "&", "&#"),
    *(
        "&#x",
        "&#0;",
        "&#x110000;",
        "&#128;",
        "\ufeff",
        "\ufffd",
        "\U0001f600",
        "é",
        "漢字",
        "x" * 50,
    ),
    *("0;url=/x", "1" * 30, "lorem ipsum dolor. ", "<a href=/x>", "Loading", "</p>", "</br>"),
    *("<!--$?-->", "<!--/$-->", '<template id="B:0">'),
    *('<template id="P:1">', '<p hidden id="S:0">'),
    *('<script>$RC("B:0","S:0")</script>', '<script>$RS("S:1","P:1")</script>', "</script>"),
    '<script type="application/ld+json">{"dateModified":"2020-01-01"}</script>',
    "<template shadowrootmode=open>",
]


def make(seed: int) -> str:
    """One document of up to some 60 pieces; every hundredth has a piece some thousand times."""
    source = random.Random(seed)
    tags = source.sample(TAGS, source.randint(1, 12))
    pieces = [_piece(source, tags) for _ in range(source.choice((3, 10, 30, 60)))]
    if seed % 100 == 0:
        piece = source.choice((*LONG, source.choice(ENTITIES), source.choice(PIECES)))
        pieces.append(piece * source.choice((1_000, 4_093, 5_000)))
    return "".join(pieces)


def repeated(seed: int) -> Callable[[int], str]:
    """Documents of a given length that repeat a few pieces, after some others."""
    source = random.Random(seed)
    tags = [*source.sample(TAGS, source.randint(1, 5)), source.choice(OFTEN_OPEN)]
    token = "".join(_piece(source, tags) for _ in range(source.choice((1, 2, 3, 4, 6))))
    before = "".join(_piece(source, tags) for _ in range(source.choice((0, 0, 1, 2))))
    return growth.repeated(token, before)


def _piece(source: random.Random, tags: list[str]) -> str:
    kind = source.random()
    if kind < 0.5:
        attributes = ""
        while source.random() < 0.4:
            quote = source.choice(("", "'", '"'))
            value = source.choice((source.choice(ENTITIES), source.choice(PIECES), *LONG, "/p?q=1"))
            attributes += f" {source.choice(ATTRIBUTES)}={quote}{value}{quote}"
        return f"<{source.choice(tags)}{attributes}{source.choice('>>>> ')}"
    if kind < 0.7:
        return f"</{source.choice(tags)}>"
    if kind < 0.8:
        return source.choice((source.choice(ENTITIES), *LONG))
    return source.choice(PIECES)


def read(text: str) -> None:
    """Give a document to every reader."""
    body = text.encode()
    html.parse_document(body, UTF_8, url=URL, options=html.ReadOptions(sketch=True, labels=True))
    rendering.judge_classic(rendering.read_raw(b"<script src=x></script>" + body, UTF_8))
    if len(text) % 4 == 0:
        soft404.read_document(body, UTF_8)


def run(first: int, count: int, trace: Path) -> str:
    """Read ``count`` documents from the seed ``first`` on; what went wrong, or nothing."""
    with trace.open("wb", buffering=0) as file:
        return next(filter(None, (_try(seed, file) for seed in range(first, first + count))), "")


def _try(seed: int, trace: BinaryIO) -> str:
    trace.seek(0)
    trace.write(b"%12d" % seed)
    text = make(seed)
    began = time.process_time()
    try:
        read(text)
    except Exception:  # noqa: BLE001 - whatever it is, it is the finding
        return f"seed {seed}: {traceback.format_exc()}"
    seconds = time.process_time() - began
    allowed = max(LEAST_SECONDS, SECONDS_PER_KB * len(text) / 1_000)
    if seconds > allowed and seconds > usual_seconds(allowed):
        return f"seed {seed}: {seconds:.1f} s of CPU for {len(text)} characters"
    return ""


if __name__ == "__main__":
    if found := run(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])):
        print(found)
        sys.exit(1)
