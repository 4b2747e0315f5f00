"""Soft 404 detection: error pages that are served with status 200.

A soft 404 has the content of a path that cannot exist (``probes.py``): the same title, the same
words, nothing more. In doubt a page is not a soft 404, since a wrong verdict loses the page and its
links.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from sitemapgen.core.document import html
from sitemapgen.core.document.main_text import EXCERPT_LENGTH
from sitemapgen.core.document.markup import parse_markup, read_source
from sitemapgen.core.document.media import DRAWINGS, backgrounds, drawing_geometry, media_sources
from sitemapgen.core.document.scripted import is_executable
from sitemapgen.core.document.texts import squeeze
from sitemapgen.core.urls import split
from sitemapgen.items import Judgement, Page
from sitemapgen.verdicts import DOCUMENTS, Verdict

THIN = 1_500
"""Characters of main text from which a page is probed only if its title has an error word."""
SHORT = 600
"""Characters of main text below which all of it may be an error message; else only headings."""
MAX_HEADINGS = 30
"""Headings of a document that are read."""

_CONTENT_TAGS = frozenset(
    """
    audio canvas embed form iframe img input math object picture select svg table textarea video
    """.split()  # noqa: SIM905 - a word list, not code
)
_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")
_ERROR_MESSAGE = re.compile(
    r"""
    \b404\b | \b40(?:4|8|10)\s+error\b | \bnot\ found\b | (?:\bnot|n\Wt)\ exist | \bno\ such\b
    | \b(?:can|could)(?:\s?not|n\Wt|\Wt)\ (?:be\ )?(?:find|found|locate) | \bno\ longer\b
    | \bnothing\ (?:here|found|to\ see) | \bnot\ (?:here|available)\b | \bunavailable\b
    | \bis\ (?:gone|missing)\b | \bmissing\ page\b | \binvalid\ (?:page|url|address|link)
    | \b(?:page|url|link|site)\s+(?:error|missing)\b | \b(?:oops|whoops|uh[\ -]oh|sorry)\b
    | nicht\ (?:mehr\ )?(?:gefunden|vorhanden|verfügbar) | existiert\ nicht | gibt\ es\ nicht
    | introuvable | non\ trouvé | n\Wexiste\ (?:pas|plus) | n\Wa\ pas\ été\ trouvé
    | no\ (?:se\ )?(?:ha\ )?(?:sido\ )?encontr | no\ existe | não\ (?:foi\ )?encontrad | não\ existe
    | non\ (?:è\ stat[oa]\ )?trovat | non\ esiste | niet\ (?:worden\ )?gevonden | bestaat\ niet
    | nie\ (?:została\ )?znalezion | nie\ istnieje | nenalezen | neexistuje | nenájden
    | hitta(?:de)?s\ inte | finns\ inte | (?:ble\ |blev\ )?ikke\ fun[dn]et | finnes\ ikke
    | findes\ ikke | ei\ löyty | bulunamad | nem\ található | nu\ (?:a\ fost|există|s-a)
    | не\ найден | не\ существует | не\ знайден | не\ існує | δεν\ (?:βρέθηκε|υπάρχει)
    | 未找到 | 找不到 | 不存在 | 見つかりません | 存在しません | 찾을\ 수\ 없 | 존재하지
    | غير\ موجود | לא\ נמצא | không\ tìm\ thấy | không\ tồn\ tại | tidak\ ditemukan | ไม่พบ
    """,
    re.VERBOSE,
)
"""Phrases of error pages, in lower case; they only count together with equal words on two pages."""
_ERROR_WORDS = frozenset(
    """
    404 410 error exist exists found gone missing oops sorry unavailable whoops
    encontrada encontrado erreur errore fehler fout gefunden gevonden hittades introuvable trouvée
    trovata znaleziono найдена ошибка
    """.split()  # noqa: SIM905 - a word list, not code
)
"""Words in the titles of error pages; one is enough to probe a page, even if it has much text."""
_ERROR_PATH = re.compile(r"404|error|not[-_]?found", re.IGNORECASE)


def is_document(page: Page) -> bool:
    """Return whether a URL answered 200 with HTML, whatever its indexing and canonical URL."""
    return page.judgement.verdict in DOCUMENTS


def needs_probe(page: Page) -> bool:
    """Return whether a page is worth a probe: it has little text, or an error word in its title."""
    return is_document(page) and (
        0 < len(page.excerpt) < THIN
        or not _ERROR_WORDS.isdisjoint(_WORD.findall(page.title.lower()))
    )


class Text(NamedTuple):
    """Words at the beginning of a text."""

    words: tuple[str, ...]
    """Lower case, without punctuation."""
    is_cut: bool = False
    """Whether the text continues."""


def as_text(excerpt: str) -> Text:
    """Split an excerpt into words, without the last one of a cut excerpt, which may be partial."""
    words = tuple(_WORD.findall(excerpt.casefold()))
    is_cut = len(excerpt) > EXCERPT_LENGTH - 8
    return Text(words[:-1], True) if is_cut else Text(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Content of a response, as far as two responses are compared."""

    title: Text
    text: Text
    """The main text."""
    own_text: Text
    """The main text without that of its links."""
    text_length: int
    contents: Counter[str]
    """Number of images, forms, tables and the like, by tag."""
    shown: frozenset[str]
    """Its images, players and drawings."""
    own_shown: frozenset[str]
    """Those that are not links."""
    message: str
    """Parts that may hold an error message: title, and its own text, if long only its headings."""
    canonicals: tuple[str, ...]
    has_scripts: bool
    """Whether it may be a shell that is empty before scripts run."""

    @property
    def is_error_message(self) -> bool:
        """Whether its words state that the page does not exist."""
        return _ERROR_MESSAGE.search(self.message.lower()) is not None


def read_document(body: bytes, content_type: str = "") -> Reading:
    """Read an HTML document; any bytes give a Reading, nothing raises."""
    source = read_source(body, content_type)
    document = html.parse_document(body, source=source)
    tree = parse_markup(source.text, scripting=False).tree
    contents: Counter[str] = Counter()
    has_scripts = False
    for node in tree.root.traverse() if tree.root else ():
        tag = node.tag
        if tag in _CONTENT_TAGS:
            contents[tag] += 1
        elif tag == "script":
            has_scripts = has_scripts or is_executable(node)
    shown = frozenset(_shown_media(tree))
    for link in tree.css("a"):
        link.decompose()
    own_shown = frozenset(_shown_media(tree))
    headings = [squeeze(node.text(separator=" ")) for node in tree.css("h1, h2")[:MAX_HEADINGS]]
    own = html.excerpt_of_rest(tree, source.text)
    message = [own] if len(own) < SHORT else [each for each in headings if each in own]
    return Reading(
        title=as_text(document.title),
        text=as_text(document.excerpt),
        own_text=as_text(own),
        text_length=document.text_length,
        contents=contents,
        shown=shown,
        own_shown=own_shown,
        message="\n".join([document.title, *message]),
        canonicals=document.canonicals,
        has_scripts=has_scripts,
    )


def _shown_media(tree: LexborHTMLParser) -> Iterator[str]:
    """Yield the images, players and drawings of a document."""
    for node in tree.root.traverse() if tree.root else ():
        tag, attributes = node.tag, node.attributes
        if tag == "path":
            yield attributes.get("d") or ""
        elif tag in DRAWINGS:
            yield drawing_geometry(attributes)
        elif tag in _CONTENT_TAGS or tag == "source":
            yield from media_sources(attributes)
        elif tag not in ("script", "link"):
            yield from backgrounds(attributes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Soft404Signature:
    """Response of a site to a path that cannot exist, if it can prove a soft 404."""

    probe: str
    """The requested URL."""
    answered_by: str
    """The URL of the final response: another one after a redirect."""
    reading: Reading
    is_error_message: bool
    """Whether its words are an error message; otherwise only a page with exactly its words fits."""

    def fits(self, reading: Reading, url: str) -> bool:
        """Return whether a page has the words of the probe's response, and shows nothing more.

        Both may name their own URL. If the response is an error message, numbers (dates, request
        ids) and links, with their text and images (suggestions), may differ.
        """
        probe = self.reading
        if any(count > probe.contents[tag] for tag, count in reading.contents.items()):
            return False
        own, theirs = reading.shown, probe.shown
        if self.is_error_message:
            own, theirs = reading.own_shown, probe.own_shown
        if not own <= theirs:  # the pages of a gallery, which shows some picture for any name
            return False
        lengths = probe.text_length, reading.text_length
        if probe.text.is_cut and (max(lengths) - min(lengths)) * 10 > max(lengths):
            return False
        if not self._is_alike(probe.title, reading.title, url):
            return False
        if self.is_error_message:
            return self._is_alike(probe.own_text, reading.own_text, url)
        # The page of a directory may be the server's response for every path below it.
        is_above = self.probe.startswith(url.partition("?")[0].rstrip("/") + "/")
        return not is_above and self._is_alike(probe.text, reading.text, url)

    def _is_alike(self, probe: Text, page: Text, url: str) -> bool:
        named = _words_of(self.probe)
        pattern = _with_gaps(probe.words, named, _words_of_name(self.probe))
        words: Sequence[str] = page.words
        if self.is_error_message:
            pattern = [word for word in pattern if word is None or not _DIGIT.search(word)]
            words = [word for word in words if not _DIGIT.search(word)]
        return _matches_pattern(
            pattern, words, named | _words_of(url), probe.is_cut and page.is_cut
        )


def probe_signature(
    reading: Reading, *, probe: str, answered_by: str, start: tuple[str, str, str] | None
) -> Soft404Signature | None:
    """Return the signature of a probe's response; None if it proves nothing.

    ``start``: URL, title and excerpt of the start page. Nothing is proved if the response equals
    the start page (its shell or its home page serves every path), or if it has no error message
    and is a redirect (to a login, a list), has the canonical URL of another page, has scripts that
    may add content, or is an empty frame of links.
    """
    name = _words_of_name(probe)
    # The probe's name contains an error word, and some error pages repeat the name.
    message = re.sub(r"\W*".join(name), "", reading.message.lower())
    start_words = ""
    if start is not None:
        url, title, excerpt = start
        start_words = f"{title}\n{excerpt}".lower()
        same = (reading.title.words, reading.text) == (as_text(title).words, as_text(excerpt))
        if answered_by == url or same:
            return None
    phrases = {found[0] for found in _ERROR_MESSAGE.finditer(message)}
    is_error = any(phrase not in start_words for phrase in phrases)
    is_moved = not _words_of(answered_by).issuperset(name)
    if not is_error and (
        (is_moved and not _ERROR_PATH.search(split(answered_by).path))
        or reading.has_scripts
        or any(name[-1] not in canonical for canonical in reading.canonicals)
        or not set(reading.own_text.words) - _words_of(probe)
    ):
        return None
    return Soft404Signature(
        probe=probe, answered_by=answered_by, reading=reading, is_error_message=is_error
    )


def as_soft_404(page: Page, probe: str) -> Page:
    """Return the page with the verdict soft 404; its links stay on record but are not followed."""
    evidence = f"answers like {probe}, which cannot exist"
    links = tuple(replace(link, nofollow=True) for link in page.links)
    return replace(page, judgement=Judgement(Verdict.SOFT_404, evidence, probe), links=links)


def _words_of(url: str) -> frozenset[str]:
    """Return the words with which a page can name its own URL."""
    return frozenset(_WORD.findall(f"{url} {unquote(url)}".casefold()))


def _words_of_name(probe: str) -> list[str]:
    """Return the words of a probe's unique name; the first and the last occur nowhere else."""
    _, path, _ = split(probe)
    return _WORD.findall(path.rpartition("/")[2].partition(".")[0])


def _with_gaps(
    words: Sequence[str], named: Collection[str], name: Sequence[str]
) -> list[str | None]:
    """Replace each mention of the URL, a run of its words around the probe's name, by None."""
    pattern: list[str | None] = []
    run: list[str] = []
    for word in (*words, ""):
        if word in named:
            run.append(word)
            continue
        pattern += [None] if name[0] in run or name[-1] in run else run
        pattern.append(word)
        run = []
    return pattern[:-1]


def _matches_pattern(
    pattern: Sequence[str | None], words: Sequence[str], fillers: Collection[str], is_cut: bool
) -> bool:
    """Return whether words match a pattern, with any number of fillers in its gaps.

    All reachable positions are tracked at once, so that the time is bounded for any text.
    """
    places = {0}
    for part in pattern:
        reached: set[int] = set()
        for start in places:
            place = start
            if part is not None:
                if place < len(words) and words[place] == part:
                    reached.add(place + 1)
                continue
            while place not in reached:
                reached.add(place)
                if place < len(words) and words[place] in fillers:
                    place += 1
        places = reached
        if is_cut and len(words) in places:
            return True
        if not places:
            return False
    return is_cut or len(words) in places
