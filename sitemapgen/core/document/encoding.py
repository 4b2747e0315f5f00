"""Character encoding of a document, determined as browsers do it; bytes -> text.

Sources: WHATWG HTML, "Determining the character encoding", and WHATWG Encoding, "Names and
labels". ``core/document/html.py`` parses the text.
"""

from __future__ import annotations

import re

PRESCAN_BYTES = 1024
"""Bytes that are searched for a declaration before parsing begins (WHATWG HTML)."""
LATE_BYTES = 65_536
"""Bytes that are searched for a declaration in a document that is not valid utf-8."""

# WHATWG Encoding, section 4.2: every encoding with its labels. Labels that differ only in letter
# case or in surrounding white space are the same.
_LABELS = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "ibm866": "866 cp866 csibm866 ibm866",
    "iso-8859-2": "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2"
    " iso_8859-2:1987 l2 latin2",
    "iso-8859-3": "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3"
    " iso_8859-3:1988 l3 latin3",
    "iso-8859-4": "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4"
    " iso_8859-4:1988 l4 latin4",
    "iso-8859-5": "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595"
    " iso_8859-5 iso_8859-5:1988",
    "iso-8859-6": "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6"
    " iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
    "iso-8859-7": "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7"
    " iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek",
    "iso-8859-8": "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138"
    " iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual",
    "iso-8859-8-i": "csiso88598i iso-8859-8-i logical",
    "iso-8859-10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso-8859-13": "iso-8859-13 iso8859-13 iso885913",
    "iso-8859-14": "iso-8859-14 iso8859-14 iso885914",
    "iso-8859-15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "iso-8859-16": "iso-8859-16",
    "koi8-r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8-u": "koi8-ru koi8-u",
    "macintosh": "csmacintosh mac macintosh x-mac-roman",
    "windows-874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    **{
        f"windows-{number}": f"cp{number} windows-{number} x-cp{number}"
        for number in (1250, 1251, 1253, 1255, 1256, 1257, 1258)
    },
    "windows-1252": "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100"
    " iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
    "windows-1254": "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9"
    " iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254",
    "x-mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gbk": "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk",
    "gb18030": "gb18030",
    "big5": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc-jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso-2022-jp": "csiso2022jp iso-2022-jp",
    "shift_jis": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "euc-kr": "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989"
    " ksc5601 ksc_5601 windows-949",
    "replacement": "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement",
    "utf-16be": "unicodefffe utf-16be",
    "utf-16le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
    "x-user-defined": "x-user-defined",
}
_ENCODINGS = {label: name for name, labels in _LABELS.items() for label in labels.split()}

CODECS = {
    "iso-8859-8-i": "iso-8859-8",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac_cyrillic",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
}
"""Python's codec where its name differs, or where it is closer to that of browsers."""
_DECODERS = {
    **CODECS,
    "gbk": "gb18030",
    "x-user-defined": "windows-1252",  # its upper half is private use: no text either way
}

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_XML_DECLARATION = re.compile(r"<\?xml[^>]*?encoding[\x00-\x20]*=[\x00-\x20]*([\"'])([^\"'>]*)\1")
# An unquoted label ends at a comma: proxies join two headers by one.
_CHARSET = re.compile(
    r"charset[\t\n\f\r ]*=[\t\n\f\r ]*"
    r"(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;,\"'][^\t\n\f\r ;,]*))",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"<(?:(!(?=--))|(meta)(?=[\t\n\f\r /])|/?[a-z][^\t\n\f\r >]*|([!/?]))", re.I)
_ATTRIBUTE = re.compile(
    r"[\t\n\f\r /]*"
    r"(?P<name>[^\t\n\f\r />][^\t\n\f\r />=]*)"
    r"(?:[\t\n\f\r ]*=[\t\n\f\r ]*"
    r"(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<unclosed>[\"'])|(?P<bare>[^\t\n\f\r >]*)))?"
)
_BEFORE_TAG_END = re.compile(r"[\t\n\f\r /]*")


def decode_document(body: bytes, content_type: str = "") -> tuple[str, str]:
    """Turn the bytes of a document into (text, WHATWG encoding name in lower case).

    In browsers' order: byte order mark, the charset of ``content_type`` (the HTTP header), a
    declaration in the first 1,024 bytes. Then, where browsers guess: utf-8 if the bytes are valid
    utf-8 (hardly any other text is), else a declaration further down, else windows-1252.
    Bytes that are invalid in the encoding become U+FFFD; nothing raises.

    >>> decode_document(b'<meta charset="latin1">caf\\xe9')
    ('<meta charset="latin1">café', 'windows-1252')
    """
    for bom, encoding in _BOMS:
        if body.startswith(bom):
            return body[len(bom) :].decode(encoding, "replace"), encoding
    declared = _charset_in(content_type) or prescan_encoding(body)
    if declared:
        return _decode_as(declared, body), declared
    try:
        return body.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        # WHATWG "changing the encoding while parsing": browsers start over at a late <meta>.
        late = prescan_encoding(body, LATE_BYTES) or "windows-1252"
        return _decode_as(late, body), late


def prescan_encoding(body: bytes, limit: int = PRESCAN_BYTES) -> str:
    """Return the encoding that the first ``limit`` bytes declare; empty if they declare none.

    WHATWG HTML, "prescan a byte stream to determine its encoding": ``<meta>`` outside comments
    and attribute values, else an XML declaration.
    """
    if body.startswith(b"<\x00?\x00x\x00"):
        return "utf-16le"
    if body.startswith(b"\x00<\x00?\x00x"):
        return "utf-16be"
    head = body[:limit].decode("latin-1")
    position = 0
    while found := _MARKUP.search(head, position):
        comment, meta, bogus = found.groups()
        attributes: dict[str, str] = {}
        if comment or bogus:
            end = head.find("-->" if comment else ">", found.end())
        else:
            attributes, end = _read_attributes(head, found.end())
        if end < 0:  # cut off in the middle: the rest cannot be trusted
            break
        encoding = ""
        if meta and "charset" in attributes:
            encoding = _encoding_of_label(attributes["charset"])
        elif meta and attributes.get("http-equiv", "").lower() == "content-type":
            encoding = _charset_in(attributes.get("content", ""))
        if encoding:
            return _not_utf16(encoding)
        position = end + 1
    declaration = _XML_DECLARATION.match(head)
    return _not_utf16(_encoding_of_label(declaration[2])) if declaration else ""


def _read_attributes(head: str, position: int) -> tuple[dict[str, str], int]:
    """Read a tag's attributes from ``position``: (name -> value, index of ``>`` or -1)."""
    attributes: dict[str, str] = {}
    while found := _ATTRIBUTE.match(head, position):
        if found["unclosed"]:
            return attributes, -1
        value = found["double"] or found["single"] or found["bare"] or ""
        attributes.setdefault(found["name"].lower(), value)
        position = found.end()
    rest = _BEFORE_TAG_END.match(head, position)
    position = rest.end() if rest else position
    return attributes, position if head[position : position + 1] == ">" else -1


def _not_utf16(encoding: str) -> str:
    """Correct encodings that are impossible for ASCII markup (WHATWG prescan, ``charset``)."""
    if encoding in ("utf-16be", "utf-16le"):
        return "utf-8"
    return "windows-1252" if encoding == "x-user-defined" else encoding


def _charset_in(content_type: str) -> str:
    """Return the encoding of a ``text/html; charset=...`` value; empty if none or unknown."""
    found = _CHARSET.search(content_type)
    return _encoding_of_label(found[1] or found[2] or found[3] or "") if found else ""


def _encoding_of_label(label: str) -> str:
    return _ENCODINGS.get(label.strip("\t\n\f\r ").lower(), "")


def _decode_as(encoding: str, body: bytes) -> str:
    if encoding == "replacement":  # encodings that hide markup from filters are not decoded at all
        return "\ufffd" if body else ""
    return body.decode(_DECODERS.get(encoding, encoding), "replace")
