"""Text that a parser merges is not copied again and again, wherever it stands."""

from pathlib import Path

import pytest

from sitemapgen.core.document import merging
from sitemapgen.core.document.bombs import defuse_document
from sitemapgen.core.document.markup import parse_markup
from tests.helpers.crawls import rest

PEAK = Path("/proc/self/clear_refs")
pytestmark = pytest.mark.skipif(not PEAK.exists(), reason="Linux alone has the peak of memory")
MAX_MEGABYTES = 300  # of a document of 1 MB; more than 1 GB where nothing is done
VALUE = "a='bbbbbbbbbbbbbbbbbbbbbbbbbbb'"  # a short one is kept elsewhere
AROUND = {
    "body": "<p>y",
    "head": "<head> ",
    "after the body": "y</body></html>",
    "table": "<table>y",
    "row": "<table><tr>",
    "cell": "<table><tr><td>y",
    "table after a table": "<table></table></table><table>y",
    "table after a drawing": "<table><svg><td></svg>y",
    "row after a breakout": "<table><tr><td><svg><p></p></td>y",
    "row after a template": "<table><tr><td><template></template></td>y",
    "table in a cell": "<table><td><table></table></td>y",
    "columns": "<table><colgroup>",
    "caption": "<table><caption>y",
    "select": "<select>",
    "option": "<select><option>y",
    "drawing": "<svg>y",
    "template": "<template>y",
    "frames": "<frameset>",
    "form": "<form>y",
}
BETWEEN = (
    *(f"<{name} %s>" for name in sorted(merging.SOMETIMES_IGNORED)),
    *(f"<{name} %s></{name}>" for name in ("caption", "script", "style", "template", "svg")),
    *(
        *("</i %s>", "</p %s>", "</br %s>", "</table %s>", "</body %s>", "<!--%s-->", "<!%s>"),
        *("<?%s>", "</@%s>"),
    ),
    *("<input type=hidden %s>", "<image %s>", "<b></b %s>", "<td></td %s><tr %s>"),
)
SOME = ("body", "cell", "table after a drawing", "row after a breakout", "columns")


def repeated(around: str, between: str, text: str, size: int = 1_000_000) -> str:
    piece = text + between.replace("%s", VALUE)
    return around + piece * (size // len(piece))


def megabytes(page: str) -> float:
    """The most memory that parsing a page takes, beyond what there was before."""
    PEAK.write_text("5")  # the peak begins anew
    before = peak()
    parse_markup(page, scripting=True)
    return (peak() - before) / 1024


def peak() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


@pytest.mark.parametrize("around", [*SOME, *rest(*(each for each in AROUND if each not in SOME))])
def test_merged_text_takes_little_memory(around: str) -> None:
    """A third of what may be between two texts, another one at each place."""
    for between in BETWEEN[[*AROUND].index(around) % 3 :: 3]:
        page = repeated(AROUND[around], between, "x" * 40)
        assert megabytes(page) < MAX_MEGABYTES, page[:200]


@pytest.mark.slow
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("text", ["x", " ", "words " * 20])
def test_much_merged_text_takes_little_memory(around: str, text: str) -> None:
    for between in BETWEEN:
        page = repeated(AROUND[around], between, text, 4_000_000)
        assert megabytes(page) < 2 * MAX_MEGABYTES, page[:200]


def test_an_honest_table_stays_as_it_is() -> None:
    row = (
        "<tr class='a-row-of-the-table'>" + "<td class='a-cell-of-it'>some text</td>" * 5 + "</tr>"
    )
    table = f"<table>{row * 5_000}</table>"
    found = defuse_document(table).text
    assert found.replace(merging.SEPARATOR, "") == table
    assert merging.estimate_merging(table, scripting=True) == (False, True)


def test_sloppy_tables_keep_their_layout() -> None:
    row = "<tr class='a-row'><td class='a-cell'>some text</td>&nbsp;</tr>\n"
    table = f"<div class='main'><table>{row * 5_000}</table></div>"
    assert not merging.estimate_merging(table, scripting=True).is_in_tables
    assert "<div class='main'>" in defuse_document(table).text


def test_text_after_an_ignored_tag_is_read() -> None:
    page = repeated("<p id=first>", "</i %s>", "word ")
    markup = parse_markup(page, scripting=True)
    assert markup.tree.css_first("#first").text() == "word " * page.count("word")
    page = repeated("<p id=first>", "<td %s>", "word ")
    markup = parse_markup(page, scripting=True)
    assert markup.tree.css_first("#first").text() == "word " * page.count("word")
