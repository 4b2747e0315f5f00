"""Whole texts of pages: the archive of Markdown files, and JSON Lines."""

import io
import json
import re
from zipfile import ZipFile

from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.core.urls import parse
from sitemapgen.publish import texts
from sitemapgen.publish.texts import name_of
from sitemapgen.store.results import PageText
from tests.helpers.tables import for_each

SITE = "https://example.com"
PAGES = [
    PageText(f"{SITE}/", 'Home: "it\'s" \u202ehere\n', "2026-01-02", "de_at", "# Home\n"),
    PageText(f"{SITE}/blog/", "", "", "", ""),
    PageText(f"{SITE}/blog/a?b=%2e", "A", "", "no code", "Ünï\u2028code\n"),
]


def archived(pages: list[PageText]) -> bytes:
    file = io.BytesIO()
    texts.write_archive(pages, file)
    return file.getvalue()


def test_the_archive() -> None:
    with ZipFile(io.BytesIO(archived(PAGES))) as archive:
        assert archive.testzip() is None
        index, blog, page = archive.namelist()
        assert (index, blog) == ("index.md", "blog/index.md")
        assert re.fullmatch(r"blog/a-b-[0-9a-f]{12}\.md", page)
        assert archive.read(index).decode() == (
            f'---\nurl: "{SITE}/"\ntitle: "Home: \\"it\'s\\" here"\nlastmod: "2026-01-02"\n'
            'lang: "de-AT"\n---\n\n# Home\n'
        )
        assert archive.read(page).decode().endswith('lang: ""\n---\n\nÜnï\u2028code\n')


def test_the_same_texts_are_the_same_bytes() -> None:
    assert archived(PAGES) == archived(PAGES)
    assert archived(PAGES).endswith(texts.COMMENT)


def test_the_lines() -> None:
    file = io.BytesIO()
    texts.write_lines(PAGES, file)
    assert file.getvalue().startswith(texts.BEGINNING)
    rows = [json.loads(row) for row in file.getvalue().splitlines()]
    assert [row["url"] for row in rows] == [page.url for page in PAGES]
    assert rows[0] == {
        "url": f"{SITE}/",
        "title": 'Home: "it\'s" here',
        "lastmod": "2026-01-02",
        "lang": "de-AT",
        "text": "# Home\n",
    }
    assert (rows[1]["title"], rows[1]["lastmod"], rows[1]["lang"], rows[1]["text"]) == (
        *(None, None, None),
        "",
    )


@for_each(
    ("/", "index"),
    ("/a", "a"),
    ("/a/", "a/index"),
    ("/a/b-2_c.html", "a/b-2_c.html"),
    ("/a/index", "a/index-!"),
    ("/con", "con-!"),
    ("/com1.txt/x", "com1-txt/x-!"),
    ("/A/", "a-!"),
    ("/a./b", "a/b-!"),
    ("/.git/config", "git/config-!"),
    ("/%2e%2e%2fetc/passwd", "etc/passwd-!"),
    ("/..%5Cx", "x-!"),
    ("/%00", "!"),
    ("/a//b", "a/b-!"),
    ("/a?b=c/d", "a-b-c/d-!"),
    ("/%D0%B1", "!"),
    ("/" + "x" * 200, "x" * 150 + "-!"),
)
def test_names_in_the_archive(path: str, name: str) -> None:
    pattern = re.escape(name).replace("!", "[0-9a-f]{12}")
    assert re.fullmatch(rf"{pattern}\.md", name_of(SITE + path)), name_of(SITE + path)


@given(st.text(max_size=80), st.text(max_size=20))
def test_names_are_harmless_whatever_the_url(path: str, query: str) -> None:
    url = parse(f"{SITE}/{path}?{query}" if query else f"{SITE}/{path}")
    if url is None:
        return
    name = name_of(url)
    assert re.fullmatch(r"(?:[a-z0-9_][a-z0-9_.-]*/)*[a-z0-9_][a-z0-9_.-]*\.md", name)
    assert not any(step in ("", ".", "..") or step.endswith(".") for step in name.split("/"))


def test_no_two_urls_share_a_name() -> None:
    paths = ["/a", "/a/", "/A", "/a?", "/a?b", "/a/?b", "/a/index", "/a/Index", "/a-b", "/%61-b?"]
    urls = {parse(SITE + path) or "" for path in paths}
    assert len({name_of(url) for url in urls}) == len(urls)
