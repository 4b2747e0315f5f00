"""sitemap.html: all pages by section and title, for people; harmless, bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from selectolax.lexbor import LexborHTMLParser

from sitemapgen.publish import html_pages as people
from sitemapgen.publish.files import Staging
from sitemapgen.store.results import TitledRow

if TYPE_CHECKING:
    from pathlib import Path

SITE = "https://example.com"
HOSTILE = "</script></style></title><img src=x onerror=alert(1)>\r\n\u202e\x1b'\"&"


def row(path: str, title: str = "") -> TitledRow:
    return TitledRow(SITE + path, title or f"Title of {path}", "")


def write(directory: Path, *listed: TitledRow) -> dict[str, LexborHTMLParser]:
    rows = sorted(listed)
    with Staging(directory, 1) as staging:
        names = people.write(lambda: rows, staging, "Example")
        staging.commit(last=names[0])
    return {name: LexborHTMLParser((directory / name).read_bytes()) for name in names}


def links(page: LexborHTMLParser) -> list[tuple[str, str | None]]:
    return [(link.text(), link.attributes["href"]) for link in page.css("main a")]


def headings(page: LexborHTMLParser) -> list[str]:
    return [heading.text() for heading in page.css("h2")]


def test_sections_and_titles(tmp_path: Path) -> None:
    listed = [row("/"), row("/b"), row("/docs/"), row("/docs/a/b"), row("/a%20b/c"), row("/e/f")]
    (page,) = write(tmp_path, *listed).values()
    assert headings(page) == ["Start", "a b", "docs", "e"]
    assert [title for title, _ in links(page)] == [
        f"Title of {path}" for path in ("/", "/b", "/a%20b/c", "/docs/", "/docs/a/b", "/e/f")
    ]
    contents = [link.attributes["href"] for link in page.css("nav a")]
    assert contents == [f"sitemap.html#section-{number}" for number in (1, 2, 3, 4)]
    assert {f"section-{number}" for number in (1, 2, 3, 4)} == {
        section.id for section in page.css("section")
    }


def test_a_site_without_sections_has_no_contents(tmp_path: Path) -> None:
    (page,) = write(tmp_path, row("/"), row("/a")).values()
    assert headings(page) == []
    assert page.css("nav") == []


def test_a_page_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "LINKS", 4)
    listed = [row(f"/{section}/{n}") for section in "abc" for n in range(3)]
    pages = write(tmp_path, *listed)
    assert list(pages) == ["sitemap.html", "sitemap-2.html", "sitemap-3.html"]
    assert [headings(page) for page in pages.values()] == [
        ["a", "b"],
        ["b (continued)", "c"],
        ["c (continued)"],
    ]
    shown = [url for page in pages.values() for _, url in links(page)]
    assert shown == [entry.url for entry in sorted(listed)]
    for page in pages.values():
        for link in page.css("nav[aria-label=Sections] a"):
            name, _, anchor = (link.attributes["href"] or "").partition("#")
            first = pages[name].css_first(f"#{anchor} h2")
            assert first.text() == link.text()  # where the section begins
        own = page.css_first("[aria-current]").text()
        others = [link.attributes["href"] for link in page.css("footer a")]
        assert others == [name for n, name in enumerate(pages, 1) if str(n) != own]


def test_too_many_sections_are_none_in_the_contents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "MAX_CONTENTS", 2)
    (page,) = write(tmp_path, row("/a/1"), row("/b/1"), row("/c/1")).values()
    assert page.css("nav") == []
    assert headings(page) == ["a", "b", "c"]


def test_texts_of_a_site_stay_texts(tmp_path: Path) -> None:
    path = "/%3Cscript%3Ealert(1)%3C/script%3E/x"
    (page,) = write(tmp_path, row("/", HOSTILE), row(path, HOSTILE)).values()
    assert page.css("script, img, [onerror]") == []
    assert links(page)[0][0] == "</script></style></title><img src=x onerror=alert(1)> '\"&"
    assert headings(page)[1] == "<script>alert(1)<"  # the slash ended the directory
    source = (tmp_path / "sitemap.html").read_text("utf-8")
    assert "\u202e" not in source
    assert "default-src 'none'" in source


def test_nothing_is_held(tmp_path: Path) -> None:
    """Rows are asked for anew each time, and read one by one."""
    asked = []

    def rows() -> list[TitledRow]:
        asked.append(True)
        return [row("/"), row("/a/b")]

    with Staging(tmp_path, 1) as staging:
        people.write(rows, staging, "Example")
    assert len(asked) == 3
