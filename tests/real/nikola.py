"""Nikola from PyPI, a blog in three languages with archives by month; the ideal set from its files.

Must: posts in each language that they were translated into, lists with their numbered pages, tags,
archives by year and month. Posts that were not translated stand under each language with the
same text: one of the three must be listed. Not: its redirects.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.real.hugo import files
from tests.real.processes import environment, install, lacking, run
from tests.real.repository import NOUNS, VERBS
from tests.real.system import Site, System

PACKAGES = ("nikola>=8.3,<9", "jinja2>=3,<4")
NIKOLA = environment("nikola") / "bin" / "nikola"
LANGUAGES = ("en", "de", "es")
POSTS = 60
CONFIG = """
SITE_URL = "{url}"
BLOG_TITLE = "The workshop"
TRANSLATIONS = {{"en": "", "de": "./de", "es": "./es"}}
NAVIGATION_LINKS = {{
    language: ((f"{{path[1:]}}/archive.html", "Archive"), (f"{{path[1:]}}/categories/", "Tags"))
    for language, path in TRANSLATIONS.items()
}}
NAVIGATION_ALT_LINKS = {{language: () for language in TRANSLATIONS}}
CREATE_MONTHLY_ARCHIVE = CREATE_ARCHIVE_NAVIGATION = True
SHOW_SOURCELINK = COPY_SOURCES = False
"""


def write(directory: Path) -> None:
    """Write the sources: posts in English, half of them translated."""
    for number in range(POSTS):
        for language in LANGUAGES if number % 2 else LANGUAGES[:1]:
            chance = random.Random(f"{number} {language}")
            name = f"item-{number}" + (f".{language}" if language != "en" else "")
            title = f"{chance.choice(NOUNS).title()} {language.upper()}-{100 + number}"
            body = " ".join(chance.choices(NOUNS + VERBS, k=40))
            tags = ", ".join(sorted(set(random.Random(number).choices(NOUNS, k=2))))
            day = f"{2022 + number % 2}-{1 + number % 12:02d}-{1 + number % 28:02d}"
            head = (
                f".. title: {title}\n.. slug: item-{number}\n"
                f".. date: {day} 12:00:00 UTC\n.. tags: {tags}\n"
            )
            (directory / "posts" / f"{name}.rst").write_text(f"{head}\n{body}\n", "utf-8")


def ideal(output: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Paths of the pages that Nikola wrote, and of the posts that have no translation."""
    pages, copies = set(), set()
    for file in output.rglob("*.html"):
        if 'http-equiv="refresh"' in file.read_text("utf-8"):
            continue
        path = "/" + file.relative_to(output).as_posix().removesuffix("index.html")
        number = path.rstrip("/").rpartition("/item-")[2]
        is_copy = number.isdigit() and not int(number) % 2 and not path.startswith("/posts/")
        (copies if is_copy else pages).add(path)
    return frozenset(pages), frozenset(copies)


@contextmanager
def serve(directory: Path, port: int) -> Iterator[Site]:
    """A blog of 60 posts, 30 of them in three languages."""
    url, log = f"http://127.0.0.1:{port}/", directory.parent / "nikola.log"
    run([NIKOLA, "init", "--quiet", directory], log)
    with (directory / "conf.py").open("a", encoding="utf-8") as file:
        file.write(CONFIG.format(url=url))
    write(directory)
    run([NIKOLA, "build"], log, cwd=directory)
    output = directory / "output"
    for file in {*output.rglob("*.xml"), *output.rglob("galleries/*"), *output.rglob("listings/*")}:
        file.unlink()  # links alone must do, and none leads to these examples
    pages, copies = ideal(output)
    also = {"a post under a language that it is not in": "|".join(sorted(copies))}
    with files(output, port):
        yield Site(start=url, ideal=pages, also=also)


SYSTEM = System(
    name="nikola",
    serve=serve,
    lacks=lambda: lacking(NIKOLA),
    install=lambda: install("nikola", *PACKAGES),
)
