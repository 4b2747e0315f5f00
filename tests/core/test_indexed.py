"""Files of indexed URLs: which column is what, in whatever language."""

import pytest

from sitemapgen.core.indexed import IndexedUrl, TableFormat, Unusable, read_rows, recognise_format
from tests.helpers.tables import for_each

A, B = "https://example.com/a", "https://example.com/b"


@for_each(
    (f"{A}\n{B}\n", TableFormat("")),
    (f"URL\n{A}\n", TableFormat("")),
    (f'"{A}"\n"{B}"\n', TableFormat("")),
    (f"{A},x\n{B}\n", TableFormat("")),  # a comma in a URL
    (f"  {A}  \n", TableFormat("")),
    (f"# a comment\n{A}\n", TableFormat("")),
    (f"URL,Last crawled\n{A},2024-05-01\n{B},2024-05-02\n", TableFormat(",", 0)),
    (f"Top pages,Clicks,Impressions,CTR,Position\n{A},1,20,5%,3.4\n", TableFormat(",", 0, 1, 2)),
    (f"Seiten;Klicks;Impressionen\n{A};1;20\n{B};3;40\n", TableFormat(";", 0, 1, 2)),
    (f"n\tpage\tviews\tclicks\n1\t{A}\t20\t1\n2\t{B}\t40\t3\n", TableFormat("\t", 1, 3, 2)),
    (f"page,a,b\n{A},1,20\n{B},40,3\n", TableFormat(",", 0)),  # neither is always the larger
    (f"page,x\n{A},5\n", TableFormat(",", 0)),  # one number says nothing
    (f'page,clicks,shown\n{A},"1,200","34,567"\n', TableFormat(",", 0, 1, 2)),
    (f"{A};1.200;34.567\n", TableFormat(";", 0, 1, 2)),
    (f'{A},"x, y"\n{B},z\n', TableFormat(",", 0)),
)
def test_forms(text: str, form: TableFormat) -> None:
    assert recognise_format(text.splitlines(keepends=True)) == form


@for_each(
    ("", "is empty"),
    ("\n \n", "is empty"),
    ("Query,Clicks\nshoes,3\n", "has no column of http or https URLs"),
    ("example.com/a\n/b\n", "has no column of http or https URLs"),
    ("ftp://example.com/\n", "has no column of http or https URLs"),
)
def test_no_form(text: str, sentence: str) -> None:
    with pytest.raises(Unusable, match=sentence):
        recognise_format(text.splitlines(keepends=True))


def read(text: str) -> list[IndexedUrl | None]:
    lines = text.splitlines(keepends=True)
    return list(read_rows(lines, recognise_format(lines)))


def test_rows() -> None:
    assert read(f"URL\n{A}\n\nnonsense\n{B}\n") == [IndexedUrl(A, 0, 0), None, IndexedUrl(B, 0, 0)]
    assert read(f'page,clicks,shown\n{A},"1,200",34567\nTotal,9,99\n') == [
        IndexedUrl(A, 1_200, 34_567),
        None,
    ]
    assert read(f"{A};;5\n{B};1;7\n{A};2;8\n")[1:] == [IndexedUrl(B, 0, 0), IndexedUrl(A, 0, 0)]


def test_a_table_that_breaks_off_says_so() -> None:
    long = "x" * 200_000
    lines = [f"{A},1,2\n", f'{B},"{long}\n']
    with pytest.raises(Unusable, match="is not a readable table: field larger"):
        list(read_rows(lines, TableFormat(",", 0, 1, 2)))
