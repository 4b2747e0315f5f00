"""Made pages, and their texts as a store has them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from sitemapgen.analysis.near_duplicates import Signature
from sitemapgen.analysis.shown import Text, within_parts
from sitemapgen.core.document.main_text import excerpt_of, parts_without_space
from sitemapgen.core.document.shingles import signature_of_parts, signed_media
from sitemapgen.core.url_forms import form_of

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def sentences(seed: str, count: int = 6) -> list[str]:
    """Sentences of a page, of eight words each, that no other seed has."""
    draw = random.Random(seed)
    return [
        " ".join("".join(draw.choices(LETTERS, k=draw.randint(3, 9))) for _ in range(8)) + "."
        for _ in range(count)
    ]


class Made(NamedTuple):
    """A page: the text of its nodes, the paths that it links to, and its images."""

    blocks: list[str]
    links: list[str]
    images: tuple[str, ...] = ()


class Nodes:
    """A made site as the rules see it: nodes are numbers of paths in alphabetical order."""

    def __init__(self, site: dict[str, Made]) -> None:
        self.paths = sorted(site)
        self.urls = [f"http://e.example{path}" for path in self.paths]
        forms = [form_of(url) for url in self.urls]
        self.groups = np.array([sorted(set(forms)).index(form) for form in forms], np.int32)
        self._site = site
        self._texts = texts(site)

    def links_of(self, node: int) -> list[int]:
        links = self._site[self.paths[node]].links
        return sorted({self.paths.index(link) for link in links if link in self._site} - {node})

    def text_of(self, node: int) -> Text:
        return self._texts[self.paths[node]]

    def of(self, paths: Iterable[str]) -> list[int]:
        return [self.paths.index(path) for path in sorted(paths)]


def texts(site: dict[str, Made]) -> dict[str, Text]:
    found = {}
    for path, made in site.items():
        main_text = "\0".join(made.blocks)
        dense, parts = parts_without_space(main_text)
        signed, unbroken = signature_of_parts(dense, parts, made.images)
        excerpt = excerpt_of(main_text)
        own = within_parts(signed, unbroken)
        media = Signature.of(signed or signed_media(made.images)).media
        found[path] = Text(own, own, excerpt, len(excerpt) < 2_000, media)
    return found
