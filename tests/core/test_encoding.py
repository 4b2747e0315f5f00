"""Which character encoding a document is in: browsers' order of evidence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.core.document.encoding import (
    LATE_BYTES,
    PRESCAN_BYTES,
    decode_document,
    prescan_encoding,
)
from tests.helpers.tables import for_each

LATIN = "<p>café</p>".encode("latin-1")
UTF8 = "<p>café</p>".encode()
META_1251 = b"<meta charset=windows-1251>"


@for_each(
    # A byte order mark beats the header, the header beats the document.
    (b"\xef\xbb\xbf" + META_1251, "text/html; charset=latin1", "utf-8"),
    (b"\xff\xfe" + "<p>x".encode("utf-16le"), "text/html; charset=latin1", "utf-16le"),
    (b"\xfe\xff" + "<p>x".encode("utf-16be"), "", "utf-16be"),
    (META_1251, "text/html; charset=ISO-8859-2", "iso-8859-2"),
    (META_1251, "text/html", "windows-1251"),
    (META_1251, "text/html; charset=bogus", "windows-1251"),
    # How headers spell it.
    (b"", 'text/html; Charset="EUC-JP"', "euc-jp"),
    (b"", "text/html;charset = 'gb2312' ; x=y", "gbk"),
    (b"", "text/html; charset=koi8-r, text/html", "koi8-r"),
    (b"", "text/html; charset=utf-16", "utf-16le"),
    (b"", 'text/html; charset="latin1', "utf-8"),
    # Nothing declared: utf-8 if the bytes are that, else windows-1252.
    (UTF8, "", "utf-8"),
    (b"<p>plain", "", "utf-8"),
    (b"", "", "utf-8"),
    (LATIN, "", "windows-1252"),
    # A declaration is believed even where the bytes look like utf-8.
    (b"<meta charset=latin1>" + UTF8, "", "windows-1252"),
    # ASCII markup cannot be in these.
    (b"<meta charset=utf-16le>", "", "utf-8"),
    (b"<meta charset=x-user-defined>", "", "windows-1252"),
    # XML declarations count where no <meta> does.
    (b'<?xml version="1.0" encoding="koi8-r"?><p>', "", "koi8-r"),
    (b'<?xml version="1.0" encoding="koi8-r"?>' + META_1251, "", "windows-1251"),
    ("<?xml ".encode("utf-16le"), "", "utf-16le"),
    ("<?xml ".encode("utf-16be"), "", "utf-16be"),
)
def test_order_of_evidence(body: bytes, content_type: str, encoding: str) -> None:
    assert decode_document(body, content_type)[1] == encoding


@for_each(
    (b"<META\nCHARSET = ' KOI8-R '>", "koi8-r"),
    (b"<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>", "koi8-r"),
    (b"<meta content='text/html; charset=koi8-r'>", ""),
    (b"<meta http-equiv=refresh content='text/html; charset=koi8-r'>", ""),
    (b"<meta charset=bogus><meta charset=koi8-r>", "koi8-r"),
    (b"<meta charset=koi8-r charset=big5>", "koi8-r"),
    (b"<metal charset=koi8-r>", ""),
    (b"<!-- <meta charset=big5> --><meta charset=koi8-r>", "koi8-r"),
    (b"<!--><meta charset=koi8-r>", "koi8-r"),
    (b"<!-- <meta charset=koi8-r>", ""),
    (b"<a title='<meta charset=big5>'><meta charset=koi8-r>", "koi8-r"),
    (b"<!doctype html><?php ?></p ><meta charset=koi8-r>", "koi8-r"),
    (b"< meta charset=koi8-r>", ""),
    (b"<meta charset=koi8-r", ""),
    (b"<meta charset='koi8-r>", ""),
    (b"<a title='><meta charset=koi8-r>", ""),
    (b"<meta / charset=koi8-r />", "koi8-r"),
)
def test_prescan(body: bytes, encoding: str) -> None:
    assert prescan_encoding(body) == encoding


def test_only_the_first_1024_bytes_are_prescanned() -> None:
    padding = b" " * (PRESCAN_BYTES - len(META_1251))
    assert prescan_encoding(padding + META_1251) == "windows-1251"
    assert prescan_encoding(padding + b" " + META_1251) == ""


@for_each(
    (PRESCAN_BYTES, "привет".encode("cp1251"), "windows-1251"),
    (PRESCAN_BYTES, "привет".encode(), "utf-8"),  # the bytes are better evidence
    (LATE_BYTES, "привет".encode("cp1251"), "windows-1252"),
)
def test_a_late_declaration_is_asked_when_the_bytes_are_not_utf8(
    padding: int, text: bytes, encoding: str
) -> None:
    assert decode_document(b" " * padding + META_1251 + text)[1] == encoding


@for_each(
    ("iso-8859-1", b"\x80 5", "\u20ac 5"),
    ("gb2312", "\u9555".encode("gb18030"), "\u9555"),
    ("shift_jis", "\u2460".encode("cp932"), "\u2460"),
    ("euc-kr", "\ub620".encode("cp949"), "\ub620"),
    ("big5", "\u5605".encode("big5hkscs"), "\u5605"),
    ("tis-620", "\u0e01".encode("cp874"), "\u0e01"),
    ("logical", "\u05d0".encode("iso-8859-8"), "\u05d0"),
    ("x-mac-ukrainian", "\u0434".encode("mac_cyrillic"), "\u0434"),
    ("utf-8", b"a\xffb", "a\ufffdb"),
    ("hz-gb-2312", b"~{<script>~}", "\ufffd"),
    ("utf-7", b"+ADw-script+AD4-", "+ADw-script+AD4-"),
)
def test_labels_mean_what_browsers_take_them_for(label: str, body: bytes, text: str) -> None:
    assert decode_document(body, f"text/html; charset={label}")[0] == text


def test_the_mark_is_not_part_of_the_text() -> None:
    assert decode_document(b"\xef\xbb\xbfx")[0] == "x"
    assert decode_document(b"\xff\xfex\x00")[0] == "x"


@pytest.mark.full
@given(st.binary(), st.text())
def test_nothing_raises_and_everything_can_be_encoded(body: bytes, content_type: str) -> None:
    decode_document(body, content_type)[0].encode()


@given(
    st.lists(
        st.sampled_from(
            [
                *(b"<", b"meta", b" ", b"charset", b"=", b"'"),
                b'"',
                *(b"-->", b"/", b"<!--", b">", b"koi8-r", b"content", b"http-equiv", b"?"),
            ]
        )
    )
)
def test_any_soup_of_declarations_ends(pieces: list[bytes]) -> None:
    assert prescan_encoding(b"".join(pieces)) in ("", "koi8-r")
