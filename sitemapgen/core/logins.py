"""Login forms: URLs that have the address to return to in them, and show the same for any of it.

``/members/3`` redirects to ``/login?next=/members/3``, so a site with 1,000 pages for members has
1,000 URLs of one login form. The samples are requested by ``frontier/phases.py``. In doubt a URL is
a page: a front controller (``/index.php?path=/topic/3``) may have a login box on each of its pages.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from binascii import Error
from collections.abc import Collection, Iterator
from enum import Enum
from itertools import filterfalse
from typing import NamedTuple
from urllib.parse import unquote

from sitemapgen.core import remedies
from sitemapgen.core.urls import split
from sitemapgen.core.words import counted
from sitemapgen.items import Judgement
from sitemapgen.verdicts import Verdict

SAMPLES = 3
"""Fetched URLs of a form that decide on the others."""
MAX_ASKED = 2 * SAMPLES
"""Fetched URLs, errors and redirects included, after which a form without a decision is left."""
FEW_BOXES = 3
"""Number of other pages with a password field that any site may have: login, registration."""
BOX_SHARE = 20
"""Divisor of the documents of a site: more pages with a password field have a login box."""
MAX_WORD = 32
"""Maximum characters of a value that separates forms, such as ``mode=login``."""

_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_STARTS = ("/", "http://", "https://")


class LoginForm(NamedTuple):
    """What the URLs of one login form have in common."""

    origin: str
    path: str
    """All of the path, or with an empty ``slot`` what precedes the address to return to."""
    slot: str
    """Name of the parameter with the address; empty if it is the end of the path."""
    others: tuple[tuple[str, str], ...]
    """The other parameters, sorted; the value is empty if it is no word and may vary."""

    def address(self, url: str) -> str | None:
        """Return the address to return to in a URL of this form; None for other URLs.

        >>> LoginForm("https://e.example", "/login", "next", ()).address(
        ...     "https://e.example/login?next=%2Fmembers%2F3"
        ... )
        'members/3'
        """
        origin, path, query = split(url)
        if origin != self.origin:
            return None
        parameters = _split_query(query)
        if not self.slot:
            before, _, address = unquote(path)[len(self.path) :].partition("/")
            has_form = unquote(path).startswith(self.path) and not before and address
            return address if has_form and _other_parameters(parameters) == self.others else None
        values = [value for name, value in parameters if name == self.slot]
        others = _other_parameters(parameters, self.slot)
        if path != self.path or len(values) != 1 or others != self.others:
            return None
        return _plain_address(_decode_value(values[0]), origin)


class LoginUrl(NamedTuple):
    """A URL of a form, and what was found there."""

    key: int
    url: str
    is_waiting: bool
    """Whether it may be requested, and was not."""
    is_document: bool
    """Whether it was fetched, and is a document."""
    has_password: bool
    text: str
    """Title and beginning of the text of a document."""


class LoginStep(Enum):
    """Step for the URLs of a form."""

    ASK = "ask"
    """Some are requested as samples."""
    LEAVE_OUT = "leave out"
    """All are one login form."""
    NOTHING = "nothing"
    """They are URLs like others."""


def login_form(url: str, source: str) -> LoginForm | None:
    """Return the form of a URL that has the address of a page in it; None if it has not.

    The address may be the value of a parameter, with or without its origin and its first slash,
    percent-encoded or in Base64, or the end of the path.

    >>> login_form("https://e.example/login?next=/members/3&t=1f", "https://e.example/members/3")
    LoginForm(origin='https://e.example', path='/login', slot='next', others=(('t', ''),))
    >>> login_form("https://e.example/forum/topic/3", "https://e.example/topic/3").path
    '/forum'
    """
    origin, path, query = split(url)
    of_source, of_path, of_query = split(source)
    if of_source != origin:
        return None
    address = _plain_address(f"{of_path}?{of_query}" if of_query else of_path, origin)
    parameters = _split_query(query)
    ends = (address, address.partition("&")[0])
    for name, value in parameters:
        if value and _plain_address(_decode_value(value), origin) in ends:
            return LoginForm(origin, path, name, _other_parameters(parameters, name))
    before, found, after = unquote(path).rstrip("/").rpartition(f"/{address}")
    if address and before and found and not after:
        return LoginForm(origin, before.rstrip("/"), "", _other_parameters(parameters))
    return None


def form_with_address(url: str) -> LoginForm | None:
    """Return the form of a URL with a parameter that is an address; None if it has none.

    >>> form_with_address("https://e.example/login?next=%2Ftopic%2F3").slot
    'next'
    """
    origin, path, query = split(url)
    parameters = _split_query(query)
    for name, value in parameters:
        if _decode_value(value).startswith(_STARTS):
            return LoginForm(origin, path, name, _other_parameters(parameters, name))
    return None


def decide_step(
    urls: Collection[LoginUrl], boxes: int, documents: int
) -> tuple[LoginStep, list[LoginUrl]]:
    """Decide on the URLs of one form; return those concerned.

    ``boxes``: number of other documents of the site with a password field, of ``documents``. They
    are a login form if each fetched one asks for a password, and their words are the same, numbers
    and those of their URLs aside. Three prove that for the others; fewer count if none is left.
    """
    if boxes > FEW_BOXES and boxes * BOX_SHARE > documents:
        return LoginStep.NOTHING, []
    found = [each for each in urls if each.is_document]
    is_one = have_one_text([(each.url, each.text) for each in found])
    if not is_one or not all(each.has_password for each in found):
        return LoginStep.NOTHING, []
    waiting = sorted(
        (each for each in urls if each.is_waiting), key=lambda each: (len(each.url), each.url)
    )
    if len(found) < SAMPLES and waiting:
        asked = sum(not each.is_waiting for each in urls)
        some = waiting[: min(SAMPLES - len(found), MAX_ASKED - asked)]
        return (LoginStep.ASK, some) if some else (LoginStep.NOTHING, [])
    # By itself, without others to compare it with.
    is_plain = all("?" in each.url or remedies.is_login(each.url) for each in found)
    if not found or (len(found) < SAMPLES and not is_plain):
        return LoginStep.NOTHING, []
    return LoginStep.LEAVE_OUT, [*found, *waiting]


def have_one_text(pages: Collection[tuple[str, str]]) -> bool:
    """Return whether (URL, text) pages have the same words, numbers and those of their URLs aside.

    >>> have_one_text([("https://e.example/in?to=a", "Go to a"), ("https://e.example/in", "Go")])
    True
    """
    named = frozenset(word for url, _ in pages for word in _split_words(unquote(url)))
    words = ([*filterfalse(_DIGIT.search, _split_words(text))] for _, text in pages)
    return len({tuple(word for word in each if word not in named) for each in words}) <= 1


def login_verdicts(urls: Collection[LoginUrl]) -> Iterator[tuple[int, Judgement]]:
    """Yield the key and the verdict of each URL that ``decide_step`` leaves out."""
    found = [each for each in urls if each.is_document]
    first = min(each.url for each in found)
    of_form = f"as {counted(len(found), 'URL')} of this form that asked for a password"
    like_others = f"{of_form}, first {first}"
    for each in urls:
        evidence = like_others
        if each.is_document:
            evidence = "asks for a password, whatever the address to return to"
        yield each.key, Judgement(Verdict.LOGIN, evidence)


def _split_words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _split_query(query: str) -> list[tuple[str, str]]:
    parts = (part.partition("=") for part in query.split("&") if part)
    return [(name, value) for name, _, value in parts]


def _other_parameters(
    parameters: Collection[tuple[str, str]], slot: str | None = None
) -> tuple[tuple[str, str], ...]:
    """Return the parameters but ``slot``, sorted, each without a value that is no word."""
    others = (
        (name, value if value.isalpha() and len(value) <= MAX_WORD else "")
        for name, value in parameters
        if name != slot
    )
    return tuple(sorted(others))


def _plain_address(address: str, origin: str) -> str:
    """Return an address, which may be encoded twice, without origin and outer slashes."""
    return unquote(unquote(address)).removeprefix(origin).strip("/")


def _decode_value(value: str) -> str:
    """Decode the value of a parameter, also from Base64 if that is an address."""
    plain = unquote(unquote(value))
    if _BASE64.fullmatch(plain):
        try:
            padded = plain.replace("+", "-").replace("/", "_") + "=" * (-len(plain) % 4)
            text = urlsafe_b64decode(padded).decode()
        except (Error, UnicodeDecodeError):
            return plain
        if text.startswith(_STARTS):
            return text
    return plain
