"""Normal form of URLs, their keys, and whether they belong to the site.

URLs are parsed as WHATWG defines (ada-url), so that the crawler and a browser agree on every
origin. ``eligibility.py`` decides what may be fetched; ``links.py`` reads links.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple
from urllib.parse import quote

import ada_url

from sitemapgen.core.addresses import is_public
from sitemapgen.core.document.encoding import CODECS

MAX_LENGTH = 2_048
"""Maximum characters of a sitemap URL (sitemaps.org, "must be less than 2,048 characters")."""

LONGEST = MAX_LENGTH + 1
"""Characters kept of a URL: one more than MAX_LENGTH, so that a cut URL still is too long."""

TRACKING = frozenset(
    """
    __hsfp __hssc __hstc _ga _gl _hsenc _hsmi _kx _openstat cjevent dclid dm_i ef_id epik fbclid
    gad_source gbraid gclid gclsrc hsctatracking igsh igshid irclickid li_fat_id mc_cid mc_eid
    mkt_tok ml_subscriber ml_subscriber_hash msclkid oly_anon_id oly_enc_id piwik_campaign
    piwik_keyword pk_campaign pk_cid pk_content pk_keyword pk_kwd pk_medium pk_source rb_clickid
    s_kwcid sc_cid srsltid ttclid twclid vero_conv vero_id wbraid wickedid yclid ysclid
    """.split()  # noqa: SIM905 - a word list, not code
)
"""Query parameters that advertising and mail systems append, in lower case."""

TRACKING_PREFIXES = ("utm_", "hsa_", "mtm_")

PERHAPS_TRACKING = frozenset({"ref"})
"""Query parameters that track if their value has no digit, as a word; else that of a house."""

SESSIONS = frozenset(
    {"aspsessionid", "cfid", "cftoken", "jsessionid", "oscsid", "phpsessid", "xtcsid", "zenid"}
)
"""Query parameters with a session id, in lower case."""

PERHAPS_SESSIONS = frozenset(
    {"s", "sess", "sess_id", "sessid", "session", "session_id", "sessionid", "sid"}
)
"""Query parameters that have a session id if their value looks like one; else one of a talk."""

NOT_PAGES = frozenset(
    """
    3gp 7z aac ai aif aiff apk asf asx atom au avi avif bin bmp bz2 cab css csv dat deb dmg doc
    docm docx dot dotx drw dxf eot eps epub exe flac flv gif gz heic ico ics img iso jar jfif
    jpeg jpg js json key kml kmz lz m3u8 m4a m4v map mid midi mjs mkv mng mobi mov mp3 mp4 mpeg
    mpg msi numbers odg odp ods odt ogg ogv otf pages pct pdf pkg png pot potx pps ppsx ppt pptm
    pptx ps psd psp qt ra ram rar rdf rm rpm rss rtf svg svgz swf sxc sxi sxw tar tgz tif tiff
    torrent ts tsv ttf txt vcf vob wasm wav weba webm webmanifest webp wma wmv woff woff2 xls
    xlsm xlsx xml xz yaml yml z zip zst
    """.split()  # noqa: SIM905 - a word list, not code
)
"""File extensions that HTML pages rarely have, in lower case (``file_hints.py``)."""

DEFAULT_PORTS = {"http": "80", "https": "443"}

_SAFE = "!$&'()*+,;=:@/?%"
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_NOT_NORMAL = re.compile(r"%|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?]")
# All but the escapes that stay: in upper case, and not of an unreserved character.
_ESCAPE = re.compile(
    r"%(?!(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF]))([0-9A-Fa-f]{2})?"
)
# WHATWG Encoding, "get an output encoding".
_ENCODERS = {
    **CODECS,
    **dict.fromkeys(("replacement", "utf-16be", "utf-16le"), "utf-8"),
    "x-user-defined": "ascii",
}
_SAFE_TRAIL = "!$()*+,/:=?@"  # bytes of characters of several, which are not encoded in a query
_PLAIN_PATH = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+/?")
"""A path that is in its normal form: with an origin, no parser has to look at it."""
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_BYTES = re.compile(r"[\x80-\xff]+")
_UNFILLED = re.compile(r"\{\{.*\}\}|\$\{.*\}|\{%-?\s.*%\}|<%.*%>", re.DOTALL)
"""A variable of a template; braces of a name that is served (``%7B%7Bname%7D%7D``) are escaped."""
_SLASHES = re.compile(r"(?<!:)/{2,}")  # not those of a URL in the path
_SESSION_VALUE = re.compile(r"(?=[^0-9]*[0-9])[0-9A-Za-z,-]{16,}")
_SESSION_IN_PATH = re.compile(
    r";(?:jsessionid|phpsessid|sessionid|sid)=[^/;]*|/\((?:[A-Z]\([^()/]*\))+\)(?=/|$)",
    re.IGNORECASE,
)
_PATH_PARAMETER = re.compile(r"[/;]([a-z_][\w.-]*)[:=]([^/;:=]+)(?=[/;]|$)")
_NAME_SEPARATOR = re.compile(r"[/,+;]|%2[bBcC]")
_EXTENSION = re.compile(r"\.([A-Za-z0-9]{1,11})$")


class Parts(NamedTuple):
    """Parts of a normalised URL: ``origin + path + ("?" + query)``."""

    origin: str
    path: str
    query: str


@lru_cache(maxsize=1_024)  # many rules look at the same URL
def split(url: str) -> Parts:
    """Split a normalised URL into its parts.

    >>> split("https://example.com/a/b?c=d")
    Parts(origin='https://example.com', path='/a/b', query='c=d')
    """
    start = url.index("/", url.index("://") + 3)
    path, _, query = url[start:].partition("?")
    return Parts(url[:start], path, query)


@lru_cache(maxsize=1_024)
def split_parameters(url: str) -> Parts:
    """Split a normalised URL into its parts, with the parameters of its path in the query.

    Those are segments with a name (RFC 3986 section 3.3), as CakePHP writes them. A name with a
    capital is that of a namespace, as in ``/wiki/File:Bee``.

    >>> split_parameters("https://example.com/list/sort:age/page:2/?view=all")
    Parts(origin='https://example.com', path='/list/', query='sort=age&page=2&view=all')
    """
    origin, path, query = split(url)
    parameters = _PATH_PARAMETER.findall(path) if ":" in path or "=" in path else ()
    if parameters:
        path = _PATH_PARAMETER.sub("", path) or "/"
        query = "&".join(filter(None, [*map("=".join, parameters), query]))
    return Parts(origin, path, query)


def with_parameters(url: str, values: Mapping[str, str]) -> str:
    """Return a normalised URL with other values of some of its parameters, in its path or query.

    Those whose value is empty are left out.

    >>> with_parameters("https://example.com/shop?color=red&size=l&color=blue", {"color": ""})
    'https://example.com/shop?size=l'
    >>> with_parameters("https://a.test/list/sort:age/page:2/?view=all", {"view": "", "sort": "id"})
    'https://a.test/list/sort:id/page:2/'
    """
    origin, path, query = split(url)

    def changed(name: str, part: str, old: str) -> str:
        new = values.get(name)
        return part if new is None else part.removesuffix(old) + new if new else ""

    if split_parameters(url).path != path:
        path = _PATH_PARAMETER.sub(lambda each: changed(each[1], each[0], each[2]), path) or "/"
    separator = "&" if "&" in query else ";"
    parts = ((*part.partition("=")[::2], part) for part in re.split("[&;]", query))
    query = separator.join(filter(None, (changed(name, part, old) for name, old, part in parts)))
    return f"{origin}{path}{'?' if query else ''}{query}"


def directory(url: str) -> str:
    """Return the part of a normalised URL against which relative references are resolved.

    >>> directory("https://example.com/a/b.html?c/d")
    'https://example.com/a/'
    """
    origin, path, _ = split(url)
    return origin + path[: path.rindex("/") + 1]


def spellings(url: str) -> tuple[str, str]:
    """Return a URL whose path has no slash at its end, without one and with one.

    >>> spellings("https://example.com/parts?sort=name")
    ('https://example.com/parts?sort=name', 'https://example.com/parts/?sort=name')
    """
    path, mark, query = url.partition("?")
    return url, f"{path}/{mark}{query}"


def path_names(path: str) -> list[str]:
    """Return the names in a path: its segments, which a comma, plus sign or semicolon divides.

    >>> path_names("/lamps/red+large/")
    ['lamps', 'red', 'large']
    """
    return [name for name in _NAME_SEPARATOR.split(path) if name]


def first_segment(url: str) -> str:
    """Return the first directory of a normalised URL's path; empty for pages in the root.

    >>> first_segment("https://example.com/docs/a/b"), first_segment("https://example.com/docs?a/b")
    ('docs', '')
    """
    segments = url.partition("?")[0].split("/", 4)
    return segments[3] if len(segments) > 4 else ""


def key(url: str) -> int:
    """Return the 64-bit signed hash that identifies a normalised URL, also as a primary key.

    URLs that differ only in the order of their query parameters have the same.

    >>> key("https://example.com/?b=2&a=1") == key("https://example.com/?a=1&b=2")
    True
    """
    if "&" in url:
        path, _, query = url.partition("?")
        parts = sorted(filter(None, query.split("&")), key=lambda part: part.partition("=")[0])
        url = f"{path}?{'&'.join(parts)}" if parts else path
    return literal_key(url)


def literal_key(url: str) -> int:
    """Return the 64-bit signed hash of a URL as it is written."""
    digest = blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def parse(
    href: str, base: str | None = None, encoding: str = "utf-8", *, merge_slashes: bool = True
) -> str | None:
    """Resolve an http(s) URL as a browser does, and normalise it; None if it is not one.

    Lower-case scheme and host, IDNA, no default port, no dot segments, no userinfo,
    no fragment, with ``merge_slashes`` also single slashes in the path, percent-encoding in one
    form (RFC 3986 section 6.2.2: upper-case hex, unreserved characters plain, everything else that
    RFC 3986 does not allow encoded).
    ``encoding`` is the document's: browsers encode the query of a link in it (WHATWG URL,
    "percent-encode after encoding").
    """
    try:
        if encoding != "utf-8" and not href.isascii():
            href = _encode_query(href, encoding)
        absolute = ada_url.join_url(base, href) if base else ada_url.normalize_url(href)
    except ValueError:
        return None
    url = _normal_form(absolute)
    return with_single_slashes(url) if merge_slashes and url else url


def with_single_slashes(url: str) -> str:
    """Merge the slashes in the path of a normalised URL, but for those of a URL in it.

    >>> with_single_slashes("https://example.com//web//https://example.org/?a=b//c")
    'https://example.com/web/https://example.org/?a=b//c'
    """
    if url.find("//", 8) < 0:
        return url
    origin, path, query = split(url)
    path = _SLASHES.sub("/", path)
    return f"{origin}{path}?{query}" if query else origin + path


def _normal_form(absolute: str) -> str | None:
    """Normalise a URL that the parser returned, already absolute and ASCII."""
    scheme, separator, rest = absolute.partition("#")[0].partition("://")
    if not separator or scheme not in ("http", "https"):
        return None
    authority, _, tail = rest.partition("/")
    authority = authority.rpartition("@")[2]
    if not authority:
        return None
    path, mark, query = tail.partition("?")
    path = "/" + path
    if _NOT_NORMAL.search(path):
        path = _percent_encode(path)
    if mark and query and _NOT_NORMAL.search(query):
        query = _percent_encode(query)
    return f"{scheme}://{authority}{path}?{query}" if query else f"{scheme}://{authority}{path}"


def _percent_encode(text: str) -> str:
    return quote(_ESCAPE.sub(_one_escape, text), safe=_SAFE)


def _one_escape(match: re.Match[str]) -> str:
    if match[1] is None:
        return "%25"
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _encode_query(href: str, encoding: str) -> str:
    head, mark, tail = href.partition("?")
    query, fragment_mark, fragment = tail.partition("#")
    if not mark or "#" in head:
        return href
    codec = _ENCODERS.get(encoding, encoding)
    try:
        "".encode(codec)
    except LookupError:
        return href
    # Characters that the encoding lacks become character references first.
    encoded = _NOT_ASCII.sub(
        lambda match: quote(match[0].encode(codec, "xmlcharrefreplace"), safe=_SAFE_TRAIL), query
    )
    return head + mark + encoded + fragment_mark + fragment


def escape_bytes(uri: str) -> str:
    """Percent-encode the bytes beyond ASCII in a URI of a header, given as Latin-1, as they are.

    So do browsers with a Location, whatever its encoding.

    >>> escape_bytes("/caf\xe9"), escape_bytes("/caf\xc3\xa9")
    ('/caf%E9', '/caf%C3%A9')
    """
    return _BYTES.sub(lambda match: quote(match[0].encode("latin-1")), uri)


def extension(path: str) -> str:
    """Return the file extension of a path, in lower case without its dot; empty without one.

    >>> extension("/files/Report.PDF")
    'pdf'
    """
    match = _EXTENSION.search(path)
    return match[1].lower() if match else ""


def strip_tracking(query: str) -> str:
    """Remove tracking parameters; the others stay as they are.

    >>> strip_tracking("b=2&utm_source=x&a=1")
    'b=2&a=1'
    """
    kept = [part for part in query.split("&") if not _is_tracking(*part.partition("=")[::2])]
    return "&".join(kept) if any(kept) else ""


def _is_tracking(name: str, value: str) -> bool:
    """Return whether a query parameter only serves to track visitors."""
    name = name.lower()
    if name in PERHAPS_TRACKING:
        return not any(map(str.isdigit, value))
    return name in TRACKING or name.startswith(TRACKING_PREFIXES)


def without_session(url: str) -> tuple[str, str]:
    """Remove session ids from a normalised URL; return (URL, name of the last one or empty).

    >>> without_session("https://example.com/a;jsessionid=1A?b=2&PHPSESSID=7f")
    ('https://example.com/a?b=2', 'PHPSESSID=')
    """
    origin, path, query = split(url)
    name = ""
    if found := _SESSION_IN_PATH.search(path):
        name = found[0].partition("=")[0] + "=" if "=" in found[0] else "/(S())"
        # Without them, segments may be empty or dots: "/;sid=1/a", "/..;sid=1/a".
        rest = parse(f"{origin}{_SESSION_IN_PATH.sub('', path) or '/'}")
        path = split(rest).path if rest else path
    kept = []
    for part in query.split("&"):
        key, _, value = part.partition("=")
        lower = key.lower()
        is_session = lower in SESSIONS or lower.startswith("aspsessionid")
        if is_session or (lower in PERHAPS_SESSIONS and _SESSION_VALUE.fullmatch(value)):
            name = f"{key}="
        else:
            kept.append(part)
    query = "&".join(kept)
    return (f"{origin}{path}?{query}" if query else origin + path), name


class Patterns:
    """Comma-separated ``*`` patterns, such as ``/admin/*, *.pdf, /tag/*``.

    Each is matched against the whole URL, its path, and its path and query.
    """

    def __init__(self, patterns: str) -> None:
        self.patterns = tuple(part.strip() for part in patterns.split(",") if part.strip())

    def __bool__(self) -> bool:
        return bool(self.patterns)

    def match(self, url: str) -> str | None:
        """Return the first pattern that matches a normalised URL, or None."""
        _, path, query = split(url)
        texts = (path, url, f"{path}?{query}") if query else (path, url)
        for pattern in self.patterns:
            if any(matches(pattern, text) for text in texts):
                return pattern
        return None


def matches(pattern: str, text: str) -> bool:
    """Match the whole ``text`` against a pattern in which ``*`` is any text, in linear time.

    >>> matches("/a/*.pdf", "/a/b/c.pdf"), matches("/a*a", "/a")
    (True, False)
    """
    first, *others = pattern.split("*")
    if not others:
        return text == first
    *middle, last = others
    position, end = len(first), len(text) - len(last)
    if position > end or not (text.startswith(first) and text.endswith(last)):
        return False
    for part in middle:  # the earliest match of a part leaves the most text for the next ones
        position = text.find(part, position, end)
        if position < 0:
            return False
        position += len(part)
    return True


class Resolved(NamedTuple):
    """A resolved link."""

    url: str | None
    """Its normal form by the rules of the site; None if it is no http(s) URL."""
    session: str = ""
    """Name of the session id that was removed; empty for none."""
    linked: str = ""
    """The URL with all slashes of its path, if some were merged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The crawled site, and the rules for writing its URLs."""

    origin: str
    """Scheme, host and port: ``https://example.com``."""
    directory: str = "/"
    """Prefix of the paths in scope; ends with a slash."""
    query: str = "strip_tracking"
    """``strip_tracking``, ``keep`` or ``drop``."""
    trailing_slash: str = "keep"
    """``keep`` or ``strip``."""
    merge_www: bool = False
    """Whether URLs with and without ``www.`` are rewritten to the origin's host."""
    merge_slashes: bool = True
    """Whether several slashes in a path are one."""

    def resolve(self, href: str, base: str | None = None, encoding: str = "utf-8") -> str | None:
        """Return the normal form of a link by this site's rules; None if it is no http(s) URL."""
        return self.resolve_link(href, base, encoding).url

    def resolve_link(self, href: str, base: str | None = None, encoding: str = "utf-8") -> Resolved:
        """Resolve a link. With ``query="keep"`` session ids are kept, too.

        ``base``: normalised.
        """
        url: str | None
        session = ""
        if base and _PLAIN_PATH.fullmatch(href):
            url = split(base).origin + href
        else:
            url = parse(href, base, encoding, merge_slashes=False)
        if url is None:
            return Resolved(None)
        if self.query != "keep" and ("?" in url or ";" in url or "/(" in url):
            url, session = without_session(url)
        if "?" in url or self.merge_www or self.trailing_slash == "strip":
            url = self._rewrite_url(url)
        if self.merge_slashes and (merged := with_single_slashes(url)) != url:
            return Resolved(merged, session, url)
        return Resolved(url, session)

    def _rewrite_url(self, url: str) -> str:
        origin, path, query = split(url)
        if self.merge_www and origin != self.origin and bare(origin) == bare(self.origin):
            origin = self.origin
        if self.trailing_slash == "strip" and origin == self.origin:
            path = path.rstrip("/") or "/"
        if query and self.query != "keep":
            query = strip_tracking(query) if self.query == "strip_tracking" else ""
        return f"{origin}{path}?{query}" if query else origin + path

    def owns(self, url: str) -> bool:
        """Return whether a normalised URL has this site's origin."""
        return url.startswith(self.origin) and url[len(self.origin)] == "/"


class Resolver(NamedTuple):
    """Resolves the hrefs of one document by the rules of a site."""

    site: Site
    document: str
    """The URL of the document."""
    base: str
    """The base URL, normalised."""
    encoding: str = "utf-8"
    """WHATWG name, lower case."""

    @property
    def of_headers(self) -> Resolver:
        """The resolver of the response's headers, for which a ``<base>`` does not count."""
        return Resolver(self.site, self.document, self.document)

    def link(self, href: str) -> Resolved:
        """Resolve an href: ``Site.resolve_link``; one that no template has filled in is no URL."""
        if _UNFILLED.search(href):
            return Resolved(None)
        return self.site.resolve_link(href, self.base, self.encoding)

    def url(self, href: str) -> str:
        """Return the normal form of an href, cut after LONGEST; empty if it is no http(s) URL."""
        return (self.link(href).url or "")[:LONGEST]

    def target(self, href: str) -> str:
        """Return what ``url`` does; where an href names the document itself, its URL as it is."""
        link = self.link(href)
        return self.document if link.linked == self.document else (link.url or "")[:LONGEST]


def base_of(document: str, href: str) -> str:
    """Return the base URL of a document by its URL and its ``<base href>``; empty for none."""
    return (parse(href, document) if href else None) or document


def bare(origin: str) -> str:
    """Return an origin without the ``www.`` of its host.

    >>> bare("https://www.example.com:8443")
    'https://example.com:8443'
    """
    scheme, _, authority = origin.partition("://")
    return f"{scheme}://{authority.removeprefix('www.')}"


def is_same_site(url: str, other: str) -> bool:
    """Return whether the origins of two URLs differ at most by scheme and ``www.``.

    With equal schemes the ports have to agree; with different schemes they may differ.
    """
    one, two = split(url).origin, split(other).origin
    if one.partition("://")[0] == two.partition("://")[0]:
        return bare(one) == bare(two)
    return hostname(url).removeprefix("www.") == hostname(other).removeprefix("www.")


def other_address(url: str, origin: str) -> str:
    """Describe how a URL of the host of ``origin`` differs from it; empty for URLs of other hosts.

    >>> other_address("http://example.com/a", "https://example.com")
    'http of this host'
    >>> other_address("https://example.com.:8443/", "https://example.com")
    'port 8443 of the host with a trailing dot'
    """
    hosts = hostname(url), hostname(f"{origin}/")
    if len({host.removesuffix(".").removeprefix("www.") for host in hosts}) > 1:
        return ""
    scheme, port = _scheme_and_port(split(url).origin)
    own_scheme, own_port = _scheme_and_port(origin)
    differences = [scheme] if scheme != own_scheme else []
    if port != own_port and (port or not differences):
        differences.append(f"port {port or DEFAULT_PORTS[scheme]}")
    spellings = [
        f"{'with' if has else 'without'} {mark}"
        for mark, (has, its_own_has) in (
            ("www", [host.startswith("www.") for host in hosts]),
            ("a trailing dot", [host.endswith(".") for host in hosts]),
        )
        if has != its_own_has
    ]
    host = f"the host {' and '.join(spellings)}" if spellings else "this host"
    return f"{' and '.join(differences)} of {host}" if differences else host


def owner_in_words(urls: Iterable[str], origin: str) -> str:
    """Return whose URLs these are, none of which has ``origin``.

    >>> owner_in_words(["http://example.com/", "https://other.example/"], "https://example.com")
    'another site or another address of this one (http of this host)'
    """
    addresses = {other_address(url, origin) for url in urls}
    named = ", ".join(sorted(filter(None, addresses)))
    if not named:
        return "another site"
    if "" in addresses:
        return f"another site or another address of this one ({named})"
    return f"another address of this site ({named})"


def _scheme_and_port(origin: str) -> tuple[str, str]:
    """Return the scheme of an origin, and its port; empty for the scheme's own port."""
    scheme, _, authority = origin.partition("://")
    _, colon, port = authority.rpartition(":")
    return scheme, port if colon and port.isdigit() else ""


def authority(url: str) -> str:
    """Return the host of a normalised URL, with its port unless that is the scheme's own.

    >>> authority("http://example.com:8000/a")
    'example.com:8000'
    """
    return split(url).origin.partition("://")[2]


def hostname(url: str) -> str:
    """Return the host of a normalised URL without its port; IPv6 addresses keep their brackets.

    >>> hostname("http://[::1]:8000/")
    '[::1]'
    """
    port = _scheme_and_port(split(url).origin)[1]
    return authority(url).removesuffix(f":{port}") if port else authority(url)


def is_private(url: str) -> bool:
    """Return whether the host of a normalised URL is this machine or in a private network.

    Private hosts are localhost, names of local networks (RFC 6761, RFC 6762, ICANN's
    ``.internal``), and IP addresses that are not public. The addresses of other names are checked
    when a connection is made: ``download/egress.py``.
    """
    host = hostname(url).rstrip(".")
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return True
    try:
        return not is_public(ipaddress.ip_address(host.strip("[]")))
    except ValueError:
        return False
