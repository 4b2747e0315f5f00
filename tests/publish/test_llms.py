"""llms.txt: title, summary, sections and links, for Markdown and for the readers of the format."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from sitemapgen.core.document.texts import line
from sitemapgen.publish import llms, other_formats
from sitemapgen.publish.files import Staging
from sitemapgen.store.results import DescribedRow
from tests.helpers.people import Described
from tests.helpers.tables import for_each

SITE = "https://example.com"
HOSTILE = "[x](https://evil.example) </b> `a`\r\n## *B*\u202e &lt; \\"


def row(path: str, title: str = "", description: str = "", depth: int | None = 1) -> DescribedRow:
    return DescribedRow(SITE + path, title or f"Title of {path}", description, depth)


def written(directory: Path, *rows: DescribedRow, title: str = "Example") -> str:
    """``title`` is one line, as ``other_formats.py`` has it."""
    with Staging(directory, 1) as staging:
        llms.write_llms_txt(Described(*rows), staging, f"{SITE}/", title, f"{SITE}/")
        staging.commit()
    return (directory / llms.NAME).read_text("utf-8")


def parsed(text: str) -> dict[str, list[tuple[str, str, str]]]:
    """Read a file as llms_txt 0.0.7, the reader of llmstxt.org, does (``miniparse.py``)."""
    link = r"-\s*\[(?P<title>[^\]]+)\]\((?P<url>[^\)]+)\)(?::\s*(?P<desc>.*))?"
    start, *rest = re.split(r"^##\s*(.*?$)", text, flags=re.MULTILINE)
    head = r"^#\s*(?P<title>.+?$)\n+(?:^>\s*(?P<summary>.+?$)$)?\n+(?P<info>.*)"
    assert re.search(head, start.strip(), re.MULTILINE | re.DOTALL)
    found: dict[str, list[tuple[str, str, str]]] = {}
    for name, lines in list(pairwise(rest))[::2]:
        assert name not in found
        matches = [re.search(link, each) for each in re.split(r"\n+", lines.strip())]
        found[name] = [(m["title"], m["url"], m["desc"] or "") for m in matches if m]
        assert len(found[name]) == len(matches)
    return found


def test_the_file(tmp_path: Path) -> None:
    text = written(
        tmp_path,
        row("/", "Home", "All about lamps.", 0),
        row("/about", "About", "", 1),
        row("/blog/", "The blog", "What is new", 1),
        row("/blog/10", "Ten", "The tenth", 2),
        row("/blog/9", "Nine", "", 2),
    )
    assert text == (
        "# Example\n\n> All about lamps.\n\n5 pages, found by a crawl with sitemapgen.\n\n"
        f"## Start\n\n- [Home]({SITE}/): All about lamps.\n- [About]({SITE}/about)\n\n"
        f"## The blog\n\n- [The blog]({SITE}/blog/): What is new\n- [Nine]({SITE}/blog/9)\n"
        f"- [Ten]({SITE}/blog/10): The tenth\n"
    )
    assert list(parsed(text)) == ["Start", "The blog"]
    assert other_formats.is_ours(tmp_path / llms.NAME)


def test_a_site_without_sections_has_one_list(tmp_path: Path) -> None:
    text = written(tmp_path, row("/", "Home", "", 0))
    assert text.endswith(f"\n## Pages\n\n- [Home]({SITE}/)\n")
    assert ">" not in text


def test_texts_of_a_site_stay_texts(tmp_path: Path) -> None:
    text = written(
        tmp_path, row("/", HOSTILE, HOSTILE, 0), row("/a", "# x"), title=line(f"{HOSTILE} #")
    )
    assert "\u202e" not in text
    lines = text.splitlines()
    assert lines[0].startswith(r"# \[x\](https://evil.example) \</b> \`a\` ## \*B\* \&lt; \\")
    assert lines[0].endswith(r" \#")
    assert lines[2].startswith(r"> \[x\]")
    assert [each for each in lines if each.startswith("#")] == [lines[0], "## Pages"]
    ((title, url, description), _) = parsed(text)["Pages"]
    assert title == r"&#91;x&#93;(https://evil.example) \</b> \`a\` ## \*B\* \&lt; \\"
    assert (url, description[:5]) == (f"{SITE}/", r"\[x\]")


@for_each(("- a", r"> \- a"), ("1. May", r"> 1\. May"), ("# a", r"> \# a"), ("> a", r"> \> a"))
def test_a_summary_is_a_paragraph(summary: str, quoted: str, tmp_path: Path) -> None:
    assert written(tmp_path, row("/", "Home", summary, 0)).splitlines()[2] == quoted


def test_titles_that_are_empty_or_long_or_of_another_direction(tmp_path: Path) -> None:
    rows = [row("/a", "\u200f\x1b"), row("/b", "word " * 200), row("/c", "\u202bכותרת (א)\u202c")]
    (empty, long, hebrew) = parsed(written(tmp_path, *rows))["Pages"]
    assert empty[0] == f"{SITE}/a"
    assert len(long[0]) <= 300
    assert long[0].endswith("word…")
    assert hebrew[0] == "כותרת (א)"


def test_round_brackets_in_a_url_do_not_end_the_link(tmp_path: Path) -> None:
    (found,) = parsed(written(tmp_path, row("/c_(language)", "C")))["Pages"]
    assert found[1] == f"{SITE}/c_%28language%29"


def test_no_two_sections_have_one_heading(tmp_path: Path) -> None:
    """Readers have the sections by their headings, and ``Optional`` is one they may leave out."""
    paths = [f"/{name}/{page}" for name in ("news", "News", "optional", "start") for page in "ab"]
    sections = parsed(written(tmp_path, *map(row, paths), row("/")))
    assert list(sections) == [
        *("Start", "News", "News (/news/)", "Optional (/optional/)", "Start (/start/)")
    ]
    assert sum(map(len, sections.values())) == 9


def test_a_large_site_has_the_pages_nearest_to_its_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llms, "PAGES", 3)
    rows = [row("/", depth=0), row("/a", depth=2), row("/b/", depth=1), row("/b/z", depth=1)]
    text = written(tmp_path, *rows, row("/c/1", depth=None), row("/c/2", depth=3))
    sections = parsed(text)
    assert "6 pages, found by a crawl" in text
    assert {url.removeprefix(SITE) for links in sections.values() for _, url, _ in links} == {
        *("/", "/b/", "/b/z", "/sitemap.xml")
    }
    assert sections["Optional"] == [
        ("Sitemap", f"{SITE}/sitemap.xml", "all 6 pages, without titles")
    ]
    assert other_formats.describe_cuts([llms.NAME], 6) == [
        "llms.txt: has 3 of 6 listed pages, those nearest to the start page; the sitemap has all"
    ]
    assert not other_formats.describe_cuts([llms.NAME], 3)
    assert not other_formats.describe_cuts(["sitemap.xml"], 6)


def test_the_mark_is_found_after_the_longest_head(tmp_path: Path) -> None:
    written(tmp_path, row("/", "x", "😀" * 5_000, 0), title="😀" * 300)
    assert other_formats.is_ours(tmp_path / llms.NAME)
    (tmp_path / llms.NAME).write_text("# A file of the owner's\n")
    assert not other_formats.is_ours(tmp_path / llms.NAME)
