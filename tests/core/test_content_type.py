"""Content-Type headers, one or several: the combinations were given to Chromium."""

from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.core.document.encoding import decode_document
from sitemapgen.core.headers import content_type_of, media_type_of
from tests.helpers.tables import for_each

KOI8 = "text/html; charset=koi8-r"


@for_each(
    ([], "", "windows-1252"),
    ([KOI8], "text/html", "koi8-r"),
    (["text/plain", "text/html"], "text/html", "windows-1252"),
    (["text/html", "text/plain"], "text/plain", "windows-1252"),
    ([KOI8, "text/html"], "text/html", "koi8-r"),
    ([KOI8, "TEXT/HTML"], "text/html", "koi8-r"),
    ([KOI8, "nonsense"], "text/html", "koi8-r"),
    ([KOI8, "*/*"], "text/html", "koi8-r"),
    ([KOI8, ""], "text/html", "koi8-r"),
    (["nonsense", KOI8], "text/html", "koi8-r"),
    ([KOI8, "text/html; charset=windows-1251"], "text/html", "windows-1251"),
    ([KOI8, "text/html; charset=unknown"], "text/html", "windows-1252"),
    ([KOI8, "application/xhtml+xml"], "application/xhtml+xml", "windows-1252"),
    (["text/plain; charset=koi8-r", "text/html"], "text/html", "windows-1252"),
    # Joined by a proxy; a comma within quotes joins nothing.
    (["text/html;charset=koi8-r, text/html"], "text/html", "koi8-r"),
    (['text/html; x=", text/plain"; charset=koi8-r'], "text/html", "koi8-r"),
    (['text/html; x="\\", text/plain"; charset=koi8-r'], "text/html", "koi8-r"),
    (['text/html; charset=koi8-r; x="', "text/plain"], "text/html", "koi8-r"),
    (["text/html garbage"], "text/html", "windows-1252"),
    (["text/plain", "text/html garbage"], "text/html", "windows-1252"),
    (["nonsense", "more"], "nonsense", "windows-1252"),
)
def test_what_all_headers_state(values: list[str], media_type: str, encoding: str) -> None:
    content_type = content_type_of(values)
    assert media_type_of(content_type) == media_type
    assert decode_document(b"\xff", content_type)[1] == encoding


@given(st.lists(st.text(alphabet='ab/;,="\\ *', max_size=40), max_size=3))
def test_nothing_raises(values: list[str]) -> None:
    media_type_of(content_type_of(values))
