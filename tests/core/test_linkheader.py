"""RFC 8288: the links that HTTP headers name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.core.headers import HeaderLink, decode_uri, read_links
from tests.helpers.cost import at_most
from tests.helpers.tables import for_each


def canonicals(*values: str) -> list[str]:
    return [link.href for link in read_links(values) if "canonical" in link.rel]


@for_each(
    (['<https://e.example/a>; rel="canonical"'], ["https://e.example/a"]),
    (["</a>;rel=canonical"], ["/a"]),
    (["</a> ; REL = CANONICAL"], ["/a"]),
    (['</a>; rel="shortlink canonical"'], ["/a"]),
    (['</a>; rel="canonicals"'], []),
    # Several links, in one header and in several.
    (["</a>; rel=canonical, </b>; rel=canonical"], ["/a", "/b"]),
    (["</a>; rel=canonical", "</b>; rel=next"], ["/a"]),
    (["</a>; rel=next, </b>; rel=canonical"], ["/b"]),
    # Commas and semicolons that separate nothing.
    (['</a,b;c>; title="x, <y>; rel=next"; rel=canonical'], ["/a,b;c"]),
    ([r'</a>; title="\", <b>; rel=next"; rel=canonical'], ["/a"]),
    ([",,, </a>; rel=canonical ,"], ["/a"]),
    (["</a>; rel=next; title*=UTF-8''x%2C; rel=canonical"], []),  # the first rel counts
    (["</a>; title*=UTF-8''x%2C; rel=canonical"], ["/a"]),
    (['</a>; rel=canonical; anchor="/other"'], []),  # a link from somewhere else
    # Malformed: it costs none of the others.
    (["nonsense, </a>; rel=canonical"], ["/a"]),
    (["</a rel=canonical, </b>; rel=canonical"], ["/b"]),
    (['</a>; rel="canonical'], []),
    (["</a> rel=canonical, </b>; rel=canonical"], ["/b"]),
    (["<>; rel=canonical"], [""]),
    ([""], []),
    ([], []),
)
def test_links(values: list[str], expected: list[str]) -> None:
    assert canonicals(*values) == expected


def test_languages() -> None:
    (link,) = read_links(['</DE>; rel="Alternate"; hreflang=De-AT'])
    assert link == HeaderLink("/DE", frozenset({"alternate"}), "de-at", "hreflang")


def test_text_is_utf_8_where_it_can_be() -> None:
    assert decode_uri("/ä".encode().decode("latin-1")) == "/ä"
    assert decode_uri("/ä") == "/ä"  # one byte of Latin-1
    assert decode_uri("/漢") == "/漢"  # came from no header


@given(st.lists(st.text(alphabet="<>;,=\"\\ abrelcnoi*'", max_size=60)))
def test_nothing_raises(values: list[str]) -> None:
    list(read_links(values))


@pytest.mark.alone
@pytest.mark.parametrize(
    "value",
    ["<" * 50_000, "<a>;" * 20_000, '"' * 50_001, '<a>; a="' + "\\" * 50_000, " " * 50_000 + "x"],
)
def test_hostile_headers_take_no_time(value: str) -> None:
    with at_most(2):
        list(read_links([value]))
