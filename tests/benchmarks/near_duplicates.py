"""How well are near-duplicates told from pages that only look like them? On a labelled set.

    python -m tests.benchmarks.near_duplicates

The set is made of real documentation by known edits: the pages of ``NEAR`` are one page under two
URLs, those of ``DISTINCT`` are two. Prints, by threshold, precision and recall of the text alone
and of the whole rule; and by kind of edit, how many pairs are called near.
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from sitemapgen.analysis.near_duplicates import (
    PageExcerpt,
    TextSignature,
    estimate_similarity,
    fills_a_form,
    is_numbered,
    names_itself,
    shows_the_same,
)
from sitemapgen.core.document import html
from sitemapgen.core.document.main_text import join_text, without_space
from sitemapgen.core.document.markup import parse_markup
from sitemapgen.core.document.shingles import SHINGLE

SITES = (
    "/usr/share/doc/postgresql-doc-15/html",
    "/usr/share/doc/python3.11/html",
)
HOST = "https://docs.example.org/"
NAVIGATION = ".navheader, .navfooter, .related, .sphinxsidebar, .mobile-nav, .footer"
SECTIONS = "section, div.sect1, div.sect2, div.refsect1, div.refsect2"
PARAGRAPH = re.compile(r"(<p>)(.{80,}?)(</p>)", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
THRESHOLDS = (0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)


class Document(NamedTuple):
    """A page as it is served."""

    url: str
    markup: str


class Case(NamedTuple):
    """Two pages, and whether they are one."""

    kind: str
    is_near: bool
    one: Document
    other: Document


class Library:
    """Real pages to make cases of."""

    def __init__(self, directory: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.directory = directory
        paths = sorted(directory.rglob("*.html"))
        self.random.shuffle(paths)
        self.paths = [path for path in paths if 4_000 < path.stat().st_size < 300_000]

    def pages(self) -> Iterator[Document]:
        for path in self.paths:
            yield self.page(path)

    @cache  # noqa: B019 - a few hundred pages of one run
    def page(self, path: Path) -> Document:
        name = path.relative_to(self.directory).as_posix()
        return Document(HOST + name, path.read_text("utf-8", "replace"))

    def another(self, document: Document) -> Document:
        while True:
            found = self.page(self.random.choice(self.paths))
            if found != document:
                return found

    @cache  # noqa: B019
    def paragraphs(self) -> list[str]:
        pages = (self.page(path).markup for path in self.paths[:200])
        return [found[2] for markup in pages for found in PARAGRAPH.finditer(markup)]


Maker = Callable[[Document, Library], "Document | tuple[Document, Document] | None"]

# --- one page under two URLs


def parameters(page: Document, library: Library) -> Document:
    return Document(f"{page.url}?sort=up&view={library.random.randrange(99)}", page.markup)


def print_view(page: Document, library: Library) -> Document | None:
    tree = LexborHTMLParser(page.markup)
    found = tree.css(NAVIGATION)
    for node in found:
        node.decompose()
    return Document(page.url + "?print=1", tree.html or "") if found else None


def swapped_navigation(page: Document, library: Library) -> Document | None:
    """The navigation of another page of the site, and a menu that the page did not have."""
    tree, other = (LexborHTMLParser(each.markup) for each in (page, library.another(page)))
    places, navigation = tree.css(NAVIGATION), [node.html or "" for node in other.css(NAVIGATION)]
    for number, node in enumerate(places):
        node.replace_with(f"@@{number}@@")
    markup = tree.html or ""
    for number in range(len(places)):
        markup = markup.replace(
            f"@@{number}@@", navigation[number] if number < len(navigation) else ""
        )
    items = "".join(
        f'<li><a href="/{word}">{word}</a></li>'
        for word in library.random.sample(sorted(set(words(page.markup))), 20)
    )
    menu = f'<div class="menu"><ul>{items}</ul></div>'
    return (
        Document(
            page.url.replace(HOST, HOST + "m/"), re.sub(r"(<body[^>]*>)", rf"\1{menu}", markup)
        )
        if places
        else None
    )


def paragraphs(count: int, *, least: int) -> Maker:
    """Change half of the words of some paragraphs."""

    def change(page: Document, library: Library) -> Document | None:
        found = list(PARAGRAPH.finditer(page.markup))
        if len(found) < least:
            return None
        markup = page.markup
        for place in sorted(library.random.sample(found, count), key=lambda each: -each.start()):
            own, foreign = (
                TAG.sub(" ", text).split()
                for text in (place[2], library.random.choice(library.paragraphs()))
            )
            half = len(own) // 2
            text = " ".join([*own[:half], *(foreign * 9)[: len(own) - half]])
            markup = markup[: place.start(2)] + text + markup[place.end(2) :]
        return Document(page.url + "?rev=2", markup)

    return change


def counter(page: Document, library: Library) -> tuple[Document, Document]:
    one, other = (
        f'<div class="bottom">Generated on {library.random.randrange(1, 29)} {month} 2024, '
        f"{library.random.randrange(10, 24)}:{library.random.randrange(10, 60)}. "
        f"Page views: {library.random.randrange(10_000):,}</div></body>"
        for month in library.random.sample(["January", "March", "May", "July"], 2)
    )
    return (
        Document(page.url, page.markup.replace("</body>", one)),
        Document(page.url + "?ref=start", page.markup.replace("</body>", other)),
    )


# --- two pages


def same_boilerplate(page: Document, library: Library) -> Document:
    return library.another(page)


def same_boilerplate_and_title(page: Document, library: Library) -> tuple[Document, Document]:
    one, other = (
        Document(
            each.url,
            re.sub(
                r"<title>.*?</title>", "<title>Documentation</title>", each.markup, flags=re.DOTALL
            ),
        )
        for each in (page, library.another(page))
    )
    return one, other


def one_section(least: float, most: float) -> Maker:
    """One section, of so large a share of the page, is that of another page; the title stays."""

    def change(page: Document, library: Library) -> Document | None:
        tree, other = (LexborHTMLParser(each.markup) for each in (page, library.another(page)))
        whole = len(tree.body.text()) if tree.body else 0
        parts = [
            node
            for node in tree.css(SECTIONS)
            if least < len(node.text()) / whole <= most and not node.css("h1")
        ]
        if not parts:
            return None
        part = library.random.choice(parts)
        size = len(part.text())
        foreign = min(
            other.css(SECTIONS), key=lambda node: abs(len(node.text()) - size), default=None
        )
        if foreign is None or abs(len(foreign.text()) - size) > size / 2:
            return None
        part.replace_with("@@")
        return Document(
            page.url.replace(".html", "-2.html"),
            (tree.html or "").replace("@@", foreign.html or "", 1),
        )

    return change


def template(kind: str) -> Maker:
    """Two products: the same long description, another name or number."""

    def make(page: Document, library: Library) -> tuple[Document, Document]:
        some = library.random
        description = "".join(
            f"<p>{text}</p>" for text in some.sample(library.paragraphs(), some.randrange(4, 12))
        )
        names = some.sample(sorted(set(words(page.markup))), 2)
        numbers = some.sample(range(1_000, 9_999), 2)
        made = []
        for name, number in zip(names, numbers):
            title, heading, slug, said = "Our shop", "Product details", f"item?id={number}", name
            if kind == "title":
                title, heading, slug = f"{name} - Our shop", name, f"item/{name}"
            elif kind == "heading":
                heading = name
            elif kind == "text and url":
                slug = f"item/{name}"
            elif kind == "number":
                said = f"Article no. {number}"
            made.append(
                Document(
                    HOST + slug,
                    f"<html lang=en><title>{title}</title><body><h1>{heading}</h1><b>{said}</b>"
                    f"{description}<p>Order now: {said}</p></body></html>",
                )
            )
        return made[0], made[1]

    return make


def numbered(page: Document, library: Library) -> tuple[Document, Document]:
    """Two pages of a list under the same long introduction."""
    some = library.random
    head = "".join(
        f"<p>{text}</p>" for text in some.sample(library.paragraphs(), some.randrange(4, 12))
    )
    one, other = (
        Document(
            f"{HOST}list?page={number}",
            f"<html lang=en><title>All articles</title><body><h1>All articles</h1>{head}<ul>"
            + "".join(
                f"<li><a href=/{word}>{word}</a>" for word in some.sample(words(page.markup), 10)
            )
            + f"</ul><p>Page {number} of 9</p></body></html>",
        )
        for number in some.sample(range(2, 9), 2)
    )
    return one, other


def version(page: Document, library: Library) -> tuple[Document, Document] | None:
    """The same chapter of the handbooks of two versions, with a changed paragraph."""
    changed = paragraphs(1, least=5)(page, library)
    if not isinstance(changed, Document):
        return None
    one, other = (
        Document(
            each.url.split("?")[0].replace(HOST, f"{HOST}{number}/"),
            re.sub(r"(<body[^>]*>)", rf"\1<div>Documentation, version {number}</div>", each.markup),
        )
        for number, each in ((14, page), (15, changed))
    )
    return one, other


def releases(page: Document, library: Library) -> Document | None:
    """Two entries of the real version history, under one title."""
    if not re.search(r"/(release-|whatsnew/[23])", page.url):
        return None
    others = [path for path in library.paths if re.search(r"/(release-|whatsnew/[23])", str(path))]
    other = library.page(library.random.choice(others))
    title = re.search(r"<title>.*?</title>", page.markup, re.DOTALL)
    if other == page or title is None:
        return None
    return Document(
        other.url, re.sub(r"<title>.*?</title>", lambda _: title[0], other.markup, flags=re.DOTALL)
    )


NEAR: dict[str, Maker] = {
    "URL parameters only": parameters,
    "print view": print_view,
    "swapped navigation": swapped_navigation,
    "1 changed paragraph": paragraphs(1, least=5),
    "3 changed paragraphs": paragraphs(3, least=15),
    "10 changed paragraphs": paragraphs(10, least=50),
    "date and counter at the end": counter,
}
DISTINCT: dict[str, Maker] = {
    "same boilerplate": same_boilerplate,
    "same boilerplate and title": same_boilerplate_and_title,
    "another section, 10 to 25 %": one_section(0.10, 0.25),
    "another section, 25 to 50 %": one_section(0.25, 0.50),
    "version history": releases,
    "version of a handbook": version,
    "template: another title": template("title"),
    "template: another heading": template("heading"),
    "template: a name, in the URL too": template("text and url"),
    "template: a number, in the URL too": template("number"),
    "template: a name, nowhere else": template("text"),
    "numbered page of a list": numbered,
}


def words(markup: str) -> list[str]:
    return re.findall(r"[a-z]{5,}", TAG.sub(" ", markup.partition("<body")[2]).lower())


def cases(each: int, sites: Sequence[str] = SITES, seed: int = 1) -> Iterator[Case]:
    """Make so many cases of each kind from each site."""
    for site in sites:
        for kinds, is_near in ((NEAR, True), (DISTINCT, False)):
            for kind, make in kinds.items():
                library = Library(Path(site), seed)
                made = 0
                for page in library.pages():
                    if len(words(page.markup)) < 100:
                        continue
                    result = make(page, library)
                    if isinstance(result, Document):
                        result = (page, result)
                    if result is not None:
                        yield Case(kind, is_near, *result)
                        made += 1
                    if made == each:
                        break


class Read(NamedTuple):
    """A case as the crawler sees it."""

    kind: str
    is_near: bool
    similarity: float
    """0 when one of the pages has too little text."""
    exact: float
    """The share of common shingles, of all of them."""
    objections: frozenset[str]
    """What says that they are two pages, though their texts were the same."""


def read(case: Case) -> Read:
    """Read both pages as the crawler does, and judge them as if they were a site."""
    one, other = (
        html.parse_document(each.markup.encode(), "text/html; charset=utf-8") for each in case[2:]
    )
    if not one.signature or not other.signature:
        return Read(case.kind, case.is_near, 0.0, 0.0, frozenset({"little text"}))
    signatures = [TextSignature.of(each.signature) for each in (one, other)]
    texts = PageExcerpt(case.one.url, one.excerpt), PageExcerpt(case.other.url, other.excerpt)
    objections = {
        "title, heading or language": one.subject is None or one.subject != other.subject,
        "images": not shows_the_same(*signatures),
        "names itself": names_itself(*texts),
        "form": fills_a_form(*texts),
        "numbered": any(is_numbered(each.url) for each in texts),
    }
    all_of_one, all_of_other = (_all_shingles(each.markup) for each in case[2:])
    return Read(
        case.kind,
        case.is_near,
        estimate_similarity(*signatures),
        len(all_of_one & all_of_other) / len(all_of_one | all_of_other),
        frozenset(name for name, objects in objections.items() if objects),
    )


def _all_shingles(markup: str) -> set[bytes]:
    """Every shingle of the main text, found without the code that is measured."""
    body = parse_markup(markup, scripting=True).tree
    reader = html._Reader()
    if body.root:
        reader.read(body.root)
    text = without_space(join_text(body.body, [], reader.noise))
    return {text[at : at + SHINGLE] for at in range(len(text) - SHINGLE + 1)}


class Measured(NamedTuple):
    """How good it is to call pairs near."""

    precision: float
    recall: float


def measure(pairs: Sequence[Read], threshold: float, *, text_alone: bool = False) -> Measured:
    called = [each for each in pairs if is_called(each, threshold, text_alone=text_alone)]
    right = sum(each.is_near for each in called)
    return Measured(right / max(len(called), 1), right / sum(each.is_near for each in pairs))


def is_called(pair: Read, threshold: float, *, text_alone: bool = False) -> bool:
    return pair.similarity >= threshold and (text_alone or not pair.objections)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--each", type=int, default=50, help="pairs of each kind from each site")
    pairs = [read(case) for case in cases(parser.parse_args().each)]
    print("| threshold | text alone: precision | recall | the rule: precision | recall |")
    print("|---|---|---|---|---|")
    for threshold in THRESHOLDS:
        columns = (measure(pairs, threshold, text_alone=alone) for alone in (True, False))
        numbers = (f"{number:.3f}" for column in columns for number in column)
        print("|", " | ".join((str(threshold), *numbers)), "|")
    print("\n| kind | pairs | similar by 0.85 | called near at", *THRESHOLDS, "| objections |")
    print("|---|---|---|---|---|")
    for kind in (*NEAR, *DISTINCT):
        some = [each for each in pairs if each.kind == kind]
        called = [sum(is_called(each, threshold) for each in some) for threshold in THRESHOLDS]
        similar = sum(each.similarity >= 0.85 for each in some)
        objections = Counter(name for each in some for name in each.objections)
        print("|", kind, "|", len(some), "|", similar, "|", *called, "|", dict(objections), "|")
    errors = [each.similarity - each.exact for each in pairs if each.exact > 0.5]
    error = (sum(each**2 for each in errors) / len(errors)) ** 0.5
    print(f"\nerror of the estimate where more than half is common: {error:.3f}")


if __name__ == "__main__":
    main()
