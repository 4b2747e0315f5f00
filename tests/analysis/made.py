"""Made pages, and their texts as a store has them."""

import random
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from sitemapgen.analysis.kinds.views import Layouts, ShownText, Views, elsewhere, within_parts
from sitemapgen.analysis.near_duplicates import TextSignature
from sitemapgen.core.document.main_text import (
    EXCERPT_LENGTH,
    encode,
    excerpt_of,
    parts_without_space,
)
from sitemapgen.core.document.shingles import signature_of_parts, signed_media
from sitemapgen.core.pagination import page_number
from sitemapgen.core.url_forms import form_of
from sitemapgen.core.urls import key
from tests.analysis import sites

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
        urls = [f"http://e.example{path}" for path in self.paths]
        forms = [form_of(url) for url in urls]
        self.forms = np.array([sorted(set(forms)).index(form) for form in forms], np.int32)
        self.draw = np.array([key(url) for url in urls])
        self.is_later = np.array([page_number(url) > 1 for url in urls])
        links = {path[1:]: [link[1:] for link in site[path].links if link in site] for path in site}
        self.measures = sites.site([path[1:] for path in self.paths], links=links).measure()
        self._site = site
        self._texts = {path: text_of(made) for path, made in site.items()}

    def links_of(self, node: int) -> list[int]:
        links = self._site[self.paths[node]].links
        return sorted({self.paths.index(link) for link in links if link in self._site} - {node})

    def texts_of(self, nodes: Iterable[int]) -> list[ShownText]:
        return [self._texts[self.paths[node]] for node in nodes]


def text_of(made: Made) -> ShownText:
    main_text = "\0".join(made.blocks)
    dense, parts = parts_without_space(encode(main_text))
    signed, unbroken = signature_of_parts(dense, parts, made.images)
    excerpt = excerpt_of(main_text)
    media, sampled = TextSignature.of(signed or signed_media(made.images))
    pieces = within_parts(signed, unbroken)
    return ShownText("", excerpt, len(excerpt) < EXCERPT_LENGTH, pieces, sampled, media)


class Found(NamedTuple):
    """A view of a made site."""

    pages: int
    example: str
    """The path of the page that it shows most of."""


def views(site: dict[str, Made]) -> dict[str, Found]:
    """The views of a site by path."""
    nodes = Nodes(site)
    every = nodes.texts_of(range(len(site)))
    candidates = elsewhere(
        ((node, text.pieces) for node, text in enumerate(every)),
        (text.sampled if len(text.sampled) else text.shingles for text in every),
    )
    found = Views(Layouts(nodes)).find(candidates.tolist())
    return {nodes.paths[view.node]: Found(view.pages, nodes.paths[view.example]) for view in found}


def examples(site: dict[str, Made]) -> dict[str, str]:
    """The example of each view by its path."""
    return {path: view.example for path, view in views(site).items()}
