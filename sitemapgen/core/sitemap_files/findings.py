"""Rules for sitemaps by name, and the findings against them.

``schema.py`` and ``validate.py`` check single files, ``analysis/validity.py`` all files together.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum
from typing import NamedTuple

from sitemapgen.core.document.texts import line

ERROR, WARNING = "error", "warning"
EXAMPLES = 10
"""Findings kept for each rule; further ones are only counted."""

_MAX_SHOWN = 120


class Rule(Enum):
    """A rule: the severity of a breach, and its requirement.

    Errors break the protocol, its schema or its limits: search engines may refuse the file, or the
    entry. Warnings are accepted by search engines, but lower their trust.
    """

    UNREADABLE = (ERROR, "The file can be read, to its end.")
    NOT_A_SITEMAP = (ERROR, "The file is a urlset, an index, or a text file with URLs.")
    NOT_WELL_FORMED = (ERROR, "The file is well-formed XML.")
    ENCODING = (ERROR, "The file is UTF-8.")
    TOO_LARGE = (ERROR, "A file has at most 52,428,800 bytes, uncompressed.")
    TOO_MANY_ENTRIES = (ERROR, "A file has at most 50,000 entries.")
    NAMESPACE = (ERROR, "The namespace is http://www.sitemaps.org/schemas/sitemap/0.9.")
    ENTITIES = (ERROR, "The file declares and uses no entities of its own.")
    EMPTY = (ERROR, "A file has at least one entry.")
    UNEXPECTED_ELEMENT = (ERROR, "There are no elements but those of the schema.")
    ELEMENT_ORDER = (ERROR, "loc, lastmod, changefreq, priority, extensions: once, in this order.")
    STRAY_TEXT = (ERROR, "Text and attributes are only where the schema allows them.")
    NO_LOC = (ERROR, "Each entry has a loc.")
    LOC_NOT_ABSOLUTE = (ERROR, "A URL begins with http:// or https:// and a host.")
    LOC_LENGTH = (ERROR, "A URL has 12 to 2,048 characters.")
    LOC_CHARACTERS = (ERROR, "A URL has no spaces, no brackets, and no % without two digits.")
    LOCATION = (ERROR, "A sitemap that robots.txt does not name lists URLs below its directory.")
    OTHER_HOST = (ERROR, "All URLs are of one scheme and host, that of the sitemap.")
    LASTMOD_FORMAT = (ERROR, "lastmod is a day, or a day with a time to the second.")
    CHANGEFREQ_VALUE = (ERROR, "changefreq is one of seven words, in lower case.")
    PRIORITY_VALUE = (ERROR, "priority is a number from 0.0 to 1.0.")
    EXTENSION_NAMESPACE = (ERROR, "Images, videos, news and links are in their own namespaces.")
    EXTENSION_CONTENT = (ERROR, "Extensions have the elements and attributes of their schemas.")
    EXTENSION_VALUE = (ERROR, "Values in extensions follow their schemas and Google's pages.")
    CHILD_UNREADABLE = (ERROR, "Each file that an index lists can be read.")
    CHILD_HOST = (ERROR, "An index lists files of its own host.")
    NESTED_INDEX = (ERROR, "An index lists sitemaps, not indexes.")
    DUPLICATE_CHILD = (WARNING, "An index lists each file once.")
    DUPLICATE_URL = (WARNING, "A URL is listed once, in all files together.")
    LOC_FORM = (WARNING, "A URL is written in the form in which it is requested.")
    LASTMOD_FUTURE = (WARNING, "lastmod is not in the future.")
    LASTMOD_ZONE = (WARNING, "A lastmod with a time has a time zone.")
    LASTMOD_IDENTICAL = (WARNING, "Not all pages have the same lastmod.")
    NEWS_DATE = (WARNING, "News are of the last two days.")
    DOCTYPE = (WARNING, "The file has no document type.")
    UNKNOWN_NAMESPACE = (WARNING, "Elements are in a namespace that search engines support.")
    CROSS_SUBMIT = (WARNING, "Files are on the host whose URLs they list.")
    FEED = (WARNING, "The file is no feed; of one, only the URLs are checked.")

    @property
    def word(self) -> str:
        """Its name in output and documentation."""
        return self.name.lower()

    @property
    def severity(self) -> str:
        """``error`` or ``warning``."""
        return self.value[0]

    @property
    def wants(self) -> str:
        """The requirement of the rule, in one sentence."""
        return self.value[1]


class Finding(NamedTuple):
    """One breach of a rule."""

    rule: Rule
    file: str
    line: int
    """Counted from 1; 0 for the file as a whole."""
    sentence: str


class Findings:
    """Findings by rule: the number of each, and the first ``EXAMPLES`` of them."""

    def __init__(self) -> None:
        self.counts: Counter[Rule] = Counter()
        self._kept: dict[Rule, list[Finding]] = {}

    def add(self, rule: Rule, file: str, line: int, sentence: str) -> None:
        """Count a finding, and keep it if it is among the first of its rule."""
        self.counts[rule] += 1
        if self.counts[rule] <= EXAMPLES:
            self._kept.setdefault(rule, []).append(Finding(rule, file, line, sentence))

    def total(self, severity: str) -> int:
        """Return the number of findings with a severity, ``error`` or ``warning``."""
        return sum(count for rule, count in self.counts.items() if rule.severity == severity)

    def groups(self) -> list[tuple[Rule, int, list[Finding]]]:
        """Return (rule, number of findings, first findings) of each broken rule, errors first."""
        return [(rule, self.counts[rule], self._kept[rule]) for rule in Rule if self.counts[rule]]


def quote_text(text: str) -> str:
    """Quote the text of a file: one line, printable, short.

    >>> quote_text("a\\x1b[2Jb")
    '"a[2Jb"'
    """
    said = plain_line(text[:1_000])
    return f'"{said[:_MAX_SHOWN]}..."' if len(said) > _MAX_SHOWN else f'"{said}"'


def plain_line(text: str) -> str:
    """Return the text of a file as one line, safe for a terminal and a log."""
    return text if text.isprintable() else line(text)
