"""sitemap.html: all pages by section and title, for people; in their language; harmless."""

import re
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from sitemapgen.core.document.languages import LANGUAGES, RIGHT_TO_LEFT
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish import html_pages, other_formats
from sitemapgen.publish import html_pages as people
from sitemapgen.publish.files import Staging
from sitemapgen.publish.html_words import TABLE, words_of
from sitemapgen.store.results import TitledRow
from tests.helpers.people import Listed, write
from tests.helpers.tables import for_each

SITE = "https://example.com"
HOSTILE = "</script></style></title><img src=x onerror=alert(1)>\r\n\u202e\x1b'\"&"


def row(path: str, title: str = "", language: str = "") -> TitledRow:
    return TitledRow(SITE + path, title or f"Title of {path}", "", language=language)


def links(page: LexborHTMLParser) -> list[tuple[str, str | None]]:
    return [(link.text(), link.attributes["href"]) for link in page.css("main a")]


def headings(page: LexborHTMLParser) -> list[str]:
    return [heading.text() for heading in page.css("h2")]


def lang(page: LexborHTMLParser, selector: str = "html") -> str | None:
    return page.css_first(selector).attributes.get("lang")


# --- sections


def test_sections_and_titles(tmp_path: Path) -> None:
    listed = [row("/"), row("/b"), row("/docs/"), row("/docs/a/b"), row("/a%20b/c"), row("/eau/f")]
    (page,) = write(tmp_path, *listed).values()
    assert headings(page) == ["Start", "A b", "Title of /docs/", "Eau"]
    assert [title for title, _ in links(page)] == [
        f"Title of {path}" for path in ("/", "/b", "/a%20b/c", "/docs/", "/docs/a/b", "/eau/f")
    ]
    contents = [link.attributes["href"] for link in page.css("nav a")]
    assert contents == [f"sitemap.html#section-{number}" for number in (1, 2, 3, 4)]
    assert {f"section-{number}" for number in (1, 2, 3, 4)} == {
        section.id for section in page.css("section")
    }


@for_each(
    ("/my-posts/", "Our posts"),
    ("/my-posts", "Our posts"),
    ("/my-posts/index.php", "Our posts"),
    ("/my-posts/?page=2", "My posts"),
    ("/my-posts/index", "My posts"),
    ("/other", "My posts"),
)
def test_the_title_of_a_section_is_that_of_its_index_page(
    index: str, heading: str, tmp_path: Path
) -> None:
    pages = [row("/my-posts/1"), row("/my-posts/2"), row(index, "Our\nposts"), row("/")]
    (page,) = write(tmp_path, *pages).values()
    assert headings(page) == ["Start", heading]


def test_identifiers_are_no_headings(tmp_path: Path) -> None:
    products = [row(f"/p-{number}/shoe") for number in range(575, 580)]
    kinds = [row(f"/product-{number}/shoe") for number in range(10, 20)]
    titled = [
        row("/product-9/", "The red shoe"),
        row("/product-9/sizes"),
        row("/2024/may"),
        row("/part-2/a"),
    ]
    bare = [TitledRow(f"{SITE}/product-10/", "\n", "")]
    codes = [row(path) for path in ("/p/579/", "/p/580/", "/a7eeeddcaa54/x", "/x4-b/1", "/mp3s4/a")]
    (page,) = write(tmp_path, row("/"), *products, *kinds, *titled, *bare, *codes).values()
    assert headings(page) == ["Start", "2024", "Part 2", "Product", "The red shoe"]
    assert len(links(page)) == 26
    first, *_ = page.css("section")
    assert len(first.css("a")) == 12


def test_directories_of_one_page_are_no_sections(tmp_path: Path) -> None:
    """Many systems give each page a directory of its own."""
    pages = [row(f"/post-{number}/") for number in (1, 2, 10)]
    (page,) = write(tmp_path, *pages, row("/"), row("/docs/a")).values()
    assert headings(page) == ["Start", "Docs"]
    assert [url for _, url in links(page)] == [
        SITE + path for path in ("/", "/post-1/", "/post-2/", "/post-10/", "/docs/a")
    ]


def test_natural_order(tmp_path: Path) -> None:
    paths = ["/part2/1", "/part2/b", "/part10/x", "/Part1/x", "/b10", "/b9?p=10", "/b9?p=9", "/B1"]
    paths += ["/%C3%89cole/1", "/ecran/1", "/eau/1", "/b00000000000000000000000000000000000011"]
    (page,) = write(tmp_path, *map(row, paths)).values()
    assert headings(page) == ["Start", "Eau", "École", "Ecran", "Part1", "Part2", "Part10"]
    root = [url.removeprefix(SITE) for _, url in links(page) if url][:5]
    assert root == ["/B1", "/b9?p=9", "/b9?p=10", "/b10", f"/b{11:038}"]


def test_a_site_without_sections_has_no_contents(tmp_path: Path) -> None:
    (page,) = write(tmp_path, row("/"), row("/a")).values()
    assert headings(page) == []
    assert page.css("nav") == []


def test_a_page_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "LINKS", 4)
    listed = [row(f"/{section}/{n}") for section in ("aa", "bb", "cc") for n in range(3)]
    pages = write(tmp_path, *listed)
    assert list(pages) == ["sitemap.html", "sitemap-2.html", "sitemap-3.html"]
    assert [headings(page) for page in pages.values()] == [
        ["Aa", "Bb"],
        ["Bb (continued)", "Cc"],
        ["Cc (continued)"],
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
    (page,) = write(tmp_path, row("/aa/1"), row("/bb/1"), row("/cc/1")).values()
    assert page.css("nav") == []
    assert headings(page) == ["Aa", "Bb", "Cc"]


def test_texts_of_a_site_stay_texts(tmp_path: Path) -> None:
    path = "/%3Cscript%3Ealert(a)%3C/script%3E/x"
    (page,) = write(tmp_path, row("/", HOSTILE), row(path, HOSTILE)).values()
    assert page.css("script, img, [onerror]") == []
    assert links(page)[0][0] == "</script></style></title><img src=x onerror=alert(1)> '\"&"
    assert headings(page)[1] == "<script>alert(a)<"  # the slash ended the directory
    source = (tmp_path / "sitemap.html").read_text("utf-8")
    assert "\u202e" not in source
    assert "default-src 'none'" in source


def test_nothing_is_held(tmp_path: Path) -> None:
    """Rows are asked for anew each time, and read one by one."""
    listed = Listed(row("/"), row("/a/b"))
    with Staging(tmp_path, 1) as staging:
        people.write_pages(listed, staging, "Example", None)
    assert listed.asked == 3


# --- languages


@for_each(
    (["de-AT", "de-DE", "de-DE", "en"], "de-DE", "ltr", "Seiten: 4"),
    (["ar", "ar", "", ""], "ar", "rtl", "الصفحات: 4"),
    (["zh-TW"], "zh-TW", "ltr", "頁面: 1"),
    (["no"], "no", "ltr", "Sider: 1"),
    (["ur"], "ur", "rtl", "Pages: 1"),
    (["", "<script>", 'en" onclick="x'], "en", "ltr", "Pages: 3"),
)
def test_the_language_of_the_site(
    languages: list[str], code: str, direction: str, pages: str, tmp_path: Path
) -> None:
    listed = [row(f"/{n}", language=language) for n, language in enumerate(languages)]
    (page,) = write(tmp_path, *listed).values()
    html = page.css_first("html")
    assert (lang(page), html.attributes["dir"]) == (code, direction)
    assert page.css_first("header p").text() == pages
    words = words_of(code)
    assert page.css_first("title").text() == f"{words.sitemap}: Example"
    assert lang(page, "header p") == (None if words.language == code else words.language)


def test_a_page_in_another_language_is_marked(tmp_path: Path) -> None:
    pages = [row("/a", language="de"), row("/b", language="de"), row("/c", language="fr-CA")]
    (page,) = write(tmp_path, *pages, row("/d")).values()
    assert [each.attributes.get("lang") for each in page.css("main bdi")] == [
        None,
        None,
        "fr-CA",
        None,
    ]


def test_the_table_of_words_is_complete() -> None:
    assert len(TABLE) > 30
    for words in TABLE.values():
        assert all(words), words
        assert words.language.partition("-")[0] in LANGUAGES
    assert {"ar", "fa", "he"} <= RIGHT_TO_LEFT & TABLE.keys()


# --- a template of the user's

MINE = """<!doctype html>
<title>{{ title }}: {{ total|number }}</title>
{% for section in sections %}{% for entry in section.entries %}
<a href="{{ entry.url }}" title="{{ entry.title }}">{{ entry.title }}</a>
{% endfor %}{% endfor %}
<p>{{ words.pages }} {{ language }} {{ direction }} {{ own }} {{ names|length }} {{ csp|length }}
{{ contents|length }} {{ css|length }}</p>
"""


def template(directory: Path, text: str) -> Path:
    path = directory / "mine.jinja"
    path.write_text(text, "utf-8")
    return path


def test_a_template_of_the_users(tmp_path: Path) -> None:
    mine = template(tmp_path, MINE)
    (page,) = write(tmp_path / "out", row("/", HOSTILE), template=mine).values()
    assert page.css_first("title").text() == "Example: 1"
    assert page.css("script, img, [onerror]") == []
    assert page.css_first("a").attributes["title"] == page.css_first("a").text()
    assert other_formats.is_ours(tmp_path / "out" / "sitemap.html")  # and goes when it is stale


def test_a_template_may_include_others_beside_it(tmp_path: Path) -> None:
    (tmp_path / "part.jinja").write_text("<b>{{ title }}</b>")
    mine = template(tmp_path, '{% include "part.jinja" %}')
    (page,) = write(tmp_path / "out", row("/"), template=mine).values()
    assert page.css_first("b").text() == "Example"


@for_each(
    ("a\n{% for x in y %}", "mine.jinja, line 2: Unexpected end of template."),
    ("a\n\n{{ title", "mine.jinja, line 3: unexpected end of template"),
    ("{% frobnicate %}", "mine.jinja, line 1: Encountered unknown tag 'frobnicate'."),
    ("{{ title|shout }}", "mine.jinja, line 1: No filter named 'shout'."),
)
def test_a_template_with_a_fault_is_refused_at_once(text: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(CrawlError) as caught:
        html_pages.check_template(template(tmp_path, text))
    assert caught.value.exit_code is Exit.ARGUMENTS
    assert caught.value.sentence.startswith(f"SITEMAPGEN_HTML_TEMPLATE: {tmp_path}/{fault}")
    assert caught.value.sentence.endswith("; correct it, or leave SITEMAPGEN_HTML_TEMPLATE empty")


def test_no_template_and_no_text_are_refused_at_once(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "no", "no such file or directory"), (tmp_path, "is a directory")):
        with pytest.raises(CrawlError, match=f"{path}: cannot be read: {why}"):
            html_pages.check_template(path)
    mine = tmp_path / "mine"
    mine.write_bytes(b"\xff\xfe")
    with pytest.raises(CrawlError, match="is not UTF-8"):
        html_pages.check_template(mine)


@for_each(
    ("a\n{{ nothing }}", "mine.jinja, line 2: 'nothing' is undefined"),
    ("{{ title.no }}", "mine.jinja, line 1: 'str object' has no attribute 'no'"),
    ("\n\n{{ 1 // 0 }}", "mine.jinja, line 3: integer division or modulo by zero"),
    ('{% include "no.jinja" %}', "mine.jinja, line 1: 'no.jinja' not found"),
    ('{% include "bad.jinja" %}', "bad.jinja, line 2: Encountered unknown tag 'x'."),
    ('{% include "fails.jinja" %}', "fails.jinja, line 2: 'nothing' is undefined"),
)
def test_a_template_that_fails_changes_nothing(text: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "bad.jinja").write_text("\n{% x %}")
    (tmp_path / "fails.jinja").write_text("\n{{ nothing }}")
    write(tmp_path / "out", row("/"))
    before = (tmp_path / "out" / "sitemap.html").read_bytes()
    with pytest.raises(CrawlError) as caught:
        write(tmp_path / "out", row("/b"), template=template(tmp_path, text))
    found = caught.value.sentence
    assert re.match(rf"SITEMAPGEN_HTML_TEMPLATE: {tmp_path}/{re.escape(fault)}", found), found
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["sitemap.html"]
    assert (tmp_path / "out" / "sitemap.html").read_bytes() == before
