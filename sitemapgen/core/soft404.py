"""Soft 404 detection: pages that answer 200 and say that there is no such page.

A soft 404 has the content of a path that cannot exist: the same title, the same words, nothing
more. Which paths those are: ``probes.py``. When in doubt the answer is no, since a page that is
taken for a soft 404 is lost, with its links.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from sitemapgen.core.document import html
from sitemapgen.core.document.markup import parse_markup
from sitemapgen.core.document.texts import squeeze
from sitemapgen.core.urls import split
from sitemapgen.items import Judgement, Page
from sitemapgen.verdicts import Content, Verdict, verdicts_where

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

THIN = 1_500
"""Characters of main text: with more, a page is complete, unless its title says that it is not."""
SHORT = 600
"""Characters of main text that are a message as a whole; in longer ones only headings are."""
MAX_HEADINGS = 30
"""Headings of a document that are looked at."""

_DOCUMENTS = frozenset(verdicts_where(lambda row: row.content in (Content.OWN, Content.COPY)))
_CONTENT_TAGS = frozenset(
    """
    audio canvas embed form iframe img input math object picture select svg table textarea video
    """.split()  # noqa: SIM905 - a word list, not code
)
_SCRIPT_TYPES = frozenset(
    {"", "module", "text/javascript", "application/javascript", "text/ecmascript", "text/babel"}
)
_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")
_SAYS_MISSING = re.compile(
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
"""What error pages say, in lower case. It only ever counts beside the same words on two pages."""
_ERROR_WORDS = frozenset(
    """
    404 410 error exist exists found gone missing oops sorry unavailable whoops
    encontrada encontrado erreur errore fehler fout gefunden gevonden hittades introuvable trouvée
    trovata znaleziono найдена ошибка
    """.split()  # noqa: SIM905 - a word list, not code
)
"""Words in the titles of error pages; enough to look closer, even at a page with much text."""
_ERROR_PATH = re.compile(r"404|error|not[-_]?found", re.IGNORECASE)


def is_document(page: Page) -> bool:
    """Return whether a URL answered 200 with HTML.

    What does not exist is a soft 404 whatever it says about indexing and its canonical URL.
    """
    return page.judgement.verdict in _DOCUMENTS


def is_suspect(page: Page) -> bool:
    """Return whether a page is worth a probe: little text, or a title as error pages have it."""
    return is_document(page) and (
        0 < len(page.excerpt) < THIN
        or not _ERROR_WORDS.isdisjoint(_WORD.findall(page.title.lower()))
    )


class Text(NamedTuple):
    """The beginning of a text, word by word."""

    words: tuple[str, ...]
    """Lower case, without punctuation."""
    is_cut: bool = False
    """There was more of it."""


def as_text(excerpt: str) -> Text:
    """Cut an excerpt into words; the last one of a cut excerpt may be half a word."""
    words = tuple(_WORD.findall(excerpt.casefold()))
    is_cut = len(excerpt) > html.EXCERPT_LENGTH - 8
    return Text(words[:-1], True) if is_cut else Text(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What an answer shows, in the terms in which two answers are compared."""

    title: Text
    text: Text
    """The main text."""
    own_text: Text
    """The main text without that of its links."""
    text_length: int
    contents: Counter[str]
    """How many images, forms, tables ... it holds."""
    message: str
    """Where an error page says so: title, headings, and its own text if that is all there is."""
    canonicals: tuple[str, ...]
    has_scripts: bool
    """It may be a shell that says nothing before they run."""

    @property
    def says_missing(self) -> bool:
        """Whether it says in words that there is no such page."""
        return _SAYS_MISSING.search(self.message.lower()) is not None


def read_document(body: bytes, content_type: str = "") -> Reading:
    """Read an HTML document; any bytes give a Reading, nothing raises."""
    document = html.parse(body, content_type)
    outline = _outline(html.decode(body, content_type)[0])
    own = html.parse(outline.source, "text/html; charset=utf-8").excerpt
    return Reading(
        title=as_text(document.title),
        text=as_text(document.excerpt),
        own_text=as_text(own),
        text_length=document.text_length,
        contents=outline.contents,
        message="\n".join(
            [document.title, own]
            if len(own) < SHORT
            else [document.title, *(heading for heading in outline.headings if heading in own)]
        ),
        canonicals=document.canonicals,
        has_scripts=outline.has_scripts,
    )


class _Outline(NamedTuple):
    """What a document is made of."""

    contents: Counter[str]
    headings: list[str]
    has_scripts: bool
    source: bytes
    """The document without its links, in UTF-8."""


def _outline(text: str) -> _Outline:
    """Read the elements of a document; its tree, large as it may be, is gone afterwards."""
    tree = parse_markup(text, scripting=False).tree
    contents: Counter[str] = Counter()
    has_scripts = False
    for node in tree.root.traverse() if tree.root else ():
        tag = node.tag
        if tag in _CONTENT_TAGS:
            contents[tag] += 1
        elif tag == "script":
            kind = (node.attributes.get("type") or "").strip().lower()
            has_scripts = has_scripts or kind in _SCRIPT_TYPES
    for link in tree.css("a"):
        link.decompose()
    headings = [squeeze(node.text(separator=" ")) for node in tree.css("h1, h2")[:MAX_HEADINGS]]
    return _Outline(contents, headings, has_scripts, (tree.html or "").encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """How a site answers a path that cannot exist, as far as that proves anything."""

    probe: str
    """The URL that was asked for."""
    answered_by: str
    """The URL that answered it: another one after a redirect."""
    reading: Reading
    says_missing: bool
    """It says so in words; otherwise only a page with exactly its words is like it."""

    def fits(self, reading: Reading, url: str) -> bool:
        """Return whether a page says what the probe's answer says, and shows nothing more.

        Both may name their own URL. Where the answer is an error message, numbers (dates, request
        ids) and the text of links (what to try instead) may differ.
        """
        probe = self.reading
        if any(count > probe.contents[tag] for tag, count in reading.contents.items()):
            return False
        if probe.text.is_cut and not _is_similar(probe.text_length, reading.text_length):
            return False
        if self.says_missing:
            return self._alike(probe.title, reading.title, url) and self._alike(
                probe.own_text, reading.own_text, url
            )
        # The page of a directory may well be what the server has for everything below it.
        is_above = self.probe.startswith(url.partition("?")[0].rstrip("/") + "/")
        return (
            not is_above
            and self._alike(probe.title, reading.title, url)
            and self._alike(probe.text, reading.text, url)
        )

    def _alike(self, probe: Text, page: Text, url: str) -> bool:
        named = _words_of(self.probe)
        pattern = _with_gaps(probe.words, named, _name(self.probe))
        words: Sequence[str] = page.words
        if self.says_missing:
            pattern = [word for word in pattern if word is None or not _DIGIT.search(word)]
            words = [word for word in words if not _DIGIT.search(word)]
        return _matches(pattern, words, named | _words_of(url), probe.is_cut and page.is_cut)


def signature(
    reading: Reading, *, probe: str, answered_by: str, start: tuple[str, str, str] | None
) -> Signature | None:
    """Read what a probe's answer proves; None when nothing. ``start``: URL, title and excerpt.

    Nothing, if it answers as the start page does (its shell or its home page serves every path),
    or without a word of error: after a redirect (to a login, a list), under another's canonical
    URL, with scripts that may say more, or as an empty frame of links.
    """
    name = _name(probe)
    # Its name holds a word that error pages have, and some of them repeat it.
    message = re.sub(r"\W*".join(name), "", reading.message.lower())
    start_words = ""
    if start is not None:
        url, title, excerpt = start
        start_words = f"{title}\n{excerpt}".lower()
        same = (reading.title.words, reading.text) == (as_text(title).words, as_text(excerpt))
        if answered_by == url or same:
            return None
    said = {found[0] for found in _SAYS_MISSING.finditer(message)}
    says_so = any(phrase not in start_words for phrase in said)
    is_moved = not _words_of(answered_by).issuperset(name)
    if not says_so and (
        (is_moved and not _ERROR_PATH.search(split(answered_by).path))
        or reading.has_scripts
        or any(name[-1] not in canonical for canonical in reading.canonicals)
        or not set(reading.own_text.words) - _words_of(probe)
    ):
        return None
    return Signature(probe=probe, answered_by=answered_by, reading=reading, says_missing=says_so)


def as_soft_404(page: Page, probe: str) -> Page:
    """The page with its verdict; its links stay on record, and are not followed."""
    return replace(
        page,
        judgement=Judgement(
            Verdict.SOFT_404, f"answers like {probe}, which cannot exist", other_url=probe
        ),
        links=tuple(replace(link, nofollow=True) for link in page.links),
    )


def _words_of(url: str) -> frozenset[str]:
    """The words with which a page can name its own URL."""
    return frozenset(_WORD.findall(f"{url} {unquote(url)}".casefold()))


def _name(probe: str) -> list[str]:
    """The words of the name that only a probe has; the first and the last are nowhere else."""
    _, path, _ = split(probe)
    return _WORD.findall(path.rpartition("/")[2].partition(".")[0])


def _with_gaps(
    words: Sequence[str], named: Collection[str], name: Sequence[str]
) -> list[str | None]:
    """Put None for each place where a text names the URL: runs of its words around its name."""
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


def _matches(
    pattern: Sequence[str | None], words: Sequence[str], fillers: Collection[str], is_cut: bool
) -> bool:
    """Return whether words are those of a pattern, with any number of fillers in its gaps.

    All places that can be reached are kept, so that no text makes it slow.
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


def _is_similar(one: int, two: int) -> bool:
    """Return whether two lengths differ by a tenth at the most."""
    return abs(one - two) * 10 <= max(one, two)
