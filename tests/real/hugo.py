"""Hugo from Debian, a site in three languages with its alternates; the ideal set from its files.

Must: every page that Hugo wrote, lists and their numbered pages included. Not: its aliases, which
are redirects (``/posts/page/1/``).
"""

import functools
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.real.processes import lacking, run
from tests.real.repository import NOUNS, VERBS
from tests.real.system import Site, System

LANGUAGES = ("en", "de", "fr")
POSTS = 45
CONFIG = """baseURL = "{url}"
title = "The workshop"
defaultContentLanguage = "en"
paginate = 10
[taxonomies]
tag = "tags"
[languages.en]
languageName = "English"
weight = 1
[languages.de]
languageName = "Deutsch"
weight = 2
[languages.fr]
languageName = "Français"
weight = 3
"""
BASE = """<!doctype html><html lang="{{ .Language.Lang }}"><head><meta charset="utf-8">
<title>{{ .Title }} | {{ .Site.Title }}</title>
{{ if .IsPage }}<link rel="canonical" href="{{ .Permalink }}">{{ end }}
{{ range .AllTranslations }}
<link rel="alternate" hreflang="{{ .Language.Lang }}" href="{{ .Permalink }}">
{{ end }}</head><body><nav><a href="{{ "/" | relLangURL }}">Home</a>
<a href="{{ "posts/" | relLangURL }}">Posts</a> <a href="{{ "tags/" | relLangURL }}">Tags</a>
{{ range .Translations }}<a href="{{ .Permalink }}">{{ .Language.LanguageName }}</a> {{ end }}</nav>
<main>{{ block "main" . }}{{ end }}</main></body></html>"""
SINGLE = """{{ define "main" }}<h1>{{ .Title }}</h1>{{ .Content }}
{{ range .GetTerms "tags" }}<a href="{{ .RelPermalink }}">{{ .Title }}</a> {{ end }}{{ end }}"""
VIEWS = r"/((de|fr)/)?(posts/|tags/([^/]+/)?)?(page/\d+/)?"
"""Lists of posts; they have titles alone, and are too short to be recognised."""
LIST = """{{ define "main" }}<h1>{{ .Title }}</h1>{{ range .Paginator.Pages }}
<p><a href="{{ .RelPermalink }}">{{ .Title }}</a></p>{{ end }}
{{ template "_internal/pagination.html" . }}{{ end }}"""


def write(directory: Path, url: str) -> None:
    """Write the sources: posts in English, two thirds of them translated."""
    layouts = directory / "layouts" / "_default"
    layouts.mkdir(parents=True)
    (directory / "config.toml").write_text(CONFIG.format(url=url), "utf-8")
    for name, text in (("baseof", BASE), ("single", SINGLE), ("list", LIST)):
        (layouts / f"{name}.html").write_text(text, "utf-8")
    (directory / "content" / "posts").mkdir(parents=True)
    for number in range(POSTS):
        for language in LANGUAGES if number % 3 else LANGUAGES[:1]:
            chance = random.Random(f"{number} {language}")
            title = f"{chance.choice(NOUNS).title()} {language.upper()}-{100 + number}"
            body = " ".join(chance.choices(NOUNS + VERBS, k=40))
            tags = sorted(set(chance.choices(NOUNS, k=2)))
            head = f"---\ntitle: {title}\ndate: 2024-01-{1 + number % 28:02d}\ntags: {tags}\n---\n"
            file = directory / "content" / "posts" / f"item-{number}.{language}.md"
            file.write_text(f"{head}{body}\n", "utf-8")


def ideal(public: Path) -> frozenset[str]:
    """Paths of the pages that Hugo wrote, aliases left out."""
    pages = set()
    for file in public.rglob("index.html"):
        if 'http-equiv="refresh"' not in file.read_text("utf-8"):
            parent = file.parent.relative_to(public).as_posix()
            pages.add("/" if parent == "." else f"/{parent}/")
    return frozenset(pages)


@contextmanager
def files(directory: Path, port: int) -> Iterator[None]:
    """Serve files until the end of the context."""

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    handler = functools.partial(Handler, directory=str(directory))
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def serve(directory: Path, port: int) -> Iterator[Site]:
    """A site of 45 posts, 30 of them in three languages."""
    url = f"http://127.0.0.1:{port}/"
    write(directory, url)
    run(["hugo", "--quiet", "--source", directory], directory / "log")
    public = directory / "public"
    (public / "sitemap.xml").unlink()  # links alone must do
    with files(public, port):
        yield Site(start=url, ideal=ideal(public), views=VIEWS)


SYSTEM = System(name="hugo", serve=serve, lacks=lambda: lacking("hugo"))
