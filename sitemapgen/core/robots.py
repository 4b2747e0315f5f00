"""robots.txt parser: what may be fetched from an origin, how often and when.

The groups are parsed here, because Protego lets an unknown line end one (RFC 9309 section 2.2.4)
and does not support ``User-agent: foo/1.2``; Protego matches URLs, and parses rates and times.
``download/robots.py`` fetches and caches the file, and decides about a site without a response.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import time
from typing import NamedTuple
from urllib.parse import quote

from protego import Protego

from sitemapgen.core.document.texts import line

AGENTS = frozenset({"sitemapgen", "googlebot"})
"""Crawlers whose directives in pages and headers count, besides those for all crawlers."""

MAX_BYTES = 512_000
"""Bytes read of a file, up to the last whole line (RFC 9309 section 2.5: at least 500 KiB)."""

MAX_URL = 20_000
"""Maximum characters of a URL that is matched: each rule takes time in proportion to its length."""

SEARCH_ENGINES = ("Googlebot", "Bingbot")
"""Product tokens of search engines that read sitemaps."""
_MAX_EVIDENCE = 200
_YEAR = 31_536_000  # seconds: the longest delay; a larger number may not fit a float

_FIELDS = {
    "user-agent": "user-agent",
    "useragent": "user-agent",
    "user agent": "user-agent",
    "allow": "allow",
    # The misspellings are those that Google's parser and Protego accept.
    **dict.fromkeys(
        ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"
    ),
    "crawl-delay": "crawl-delay",
    "crawl delay": "crawl-delay",
    "request-rate": "request-rate",
    "request rate": "request-rate",
    "visit-time": "visit-time",
    "visit time": "visit-time",
    "sitemap": "sitemap",
    "sitemaps": "sitemap",
    "site-map": "sitemap",
}

_LINE_END = re.compile(r"\r\n|\r|\n")
# Characters that end a line for Protego (or in a log) but not in robots.txt.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")
_PRODUCT_TOKEN = re.compile(r"[a-z0-9_-]*")


class RobotsRule(NamedTuple):
    """An Allow or Disallow line."""

    allow: bool
    pattern: str
    evidence: str


class _Delay(NamedTuple):
    """Seconds between two requests, at all times or within a window of the day (UTC)."""

    seconds: float
    window: tuple[time, time] | None = None


class _VisitTime(NamedTuple):
    """A window of the day (UTC) in which a site allows requests."""

    window: tuple[time, time]
    evidence: str


class _Group:
    """Consecutive User-agent lines and the rules that follow them."""

    def __init__(self) -> None:
        self.agents: set[str] = set()
        self.rules: list[RobotsRule] = []
        self.delays: list[_Delay] = []
        self.visit_times: list[_VisitTime] = []
        self.is_open = True
        """Whether a further User-agent line still belongs to the group."""


def _groups_of(groups: list[_Group], token: str) -> list[_Group]:
    """Return all groups that name an agent, else those of "*" (RFC 9309 section 2.2.1)."""
    ours = [group for group in groups if token in group.agents]
    return ours or [group for group in groups if "*" in group.agents]


def _rules_of(groups: list[_Group], token: str) -> list[RobotsRule]:
    return [rule for group in _groups_of(groups, token) for rule in group.rules]


class Robots:
    """The rules of one robots.txt that apply to one user agent."""

    def __init__(
        self,
        rules: Iterable[RobotsRule] = (),
        *,
        sitemaps: Iterable[str] = (),
        delays: Iterable[_Delay] = (),
        visit_times: Iterable[_VisitTime] = (),
        ruled_apart: Iterable[str] = (),
    ) -> None:
        self.rules = rules = tuple(rules)
        """The Allow and Disallow lines in file order."""
        self.sitemaps = tuple(dict.fromkeys(sitemaps))
        """Distinct raw values of the Sitemap lines in file order; some are relative."""
        self.visit_times = tuple(visit_times)
        """Windows in which requests are allowed; empty if they always are."""
        self.ruled_apart = tuple(ruled_apart)
        """The ``SEARCH_ENGINES`` for which other URLs are allowed or disallowed."""
        self._delays = tuple(delay for delay in delays if delay.seconds > 0)
        self._protego = _build_protego(rules)
        self._disallow = sorted(
            (rule for rule in rules if not rule.allow), key=lambda rule: -len(rule.pattern)
        )
        self._halves: dict[tuple[int, int], Protego] = {}

    def refusal(self, url: str) -> str | None:
        """Return the line that forbids ``url``, a normalised absolute URL; None if it is allowed.

        The longest match decides, Allow wins a tie, /robots.txt itself is always allowed
        (RFC 9309 section 2.2.2). A URL longer than ``MAX_URL`` is refused where there are rules.

        >>> parse_robots(b"User-agent: *\\nDisallow: /private/").refusal("https://example.com/private/")
        'robots.txt line 2: Disallow: /private/'
        """
        if not self._disallow:
            return None
        if len(url) > MAX_URL:
            return f"a URL of {len(url):,} characters is not matched against robots.txt"
        if self._protego.can_fetch(url, "*"):
            return None
        return self._longest_match(url).evidence

    @property
    def disallowed(self) -> list[str]:
        """The patterns of the Disallow lines: ``*`` matches any text, ``$`` the end."""
        return [rule.pattern for rule in self._disallow]

    @property
    def is_slow(self) -> bool:
        """Whether the file requires a delay between requests, at least at some time of the day."""
        return bool(self._delays)

    def delay(self, now: time) -> float:
        """Return the delay in seconds between two requests at a time of the day (UTC), 0 for none.

        The longest of all Crawl-delay and Request-rate lines counts.

        >>> parse_robots(b"User-agent: *\\nCrawl-delay: 2\\nRequest-rate: 1/5").delay(...)
        5.0
        """
        return max(
            (
                delay.seconds
                for delay in self._delays
                if delay.window is None or _is_within(now, delay.window)
            ),
            default=0.0,
        )

    def closed(self, now: time) -> str | None:
        """Return why nothing may be fetched at a time of the day (UTC), and until when; else None.

        >>> from datetime import time
        >>> parse_robots(b"User-agent: *\\nVisit-time: 0600-0845").closed(time(10, 30))
        'robots.txt line 2: Visit-time: 0600-0845; it is 10:30 UTC, come back at 06:00 UTC'
        """
        if not self.visit_times or any(_is_within(now, visit.window) for visit in self.visit_times):
            return None
        # The window that opens next: later today, else tomorrow's first.
        following = min(self.visit_times, key=lambda visit: (visit.window[0] <= now, visit.window))
        return (
            f"{following.evidence}; it is {now:%H:%M} UTC, "
            f"come back at {following.window[0]:%H:%M} UTC"
        )

    def _longest_match(self, url: str) -> RobotsRule:
        """Find the Disallow rule that decided, which Protego does not return, by bisection.

        It is the first of the Disallow rules, sorted longest first, that matches ``url``.
        """
        low, high = 0, len(self._disallow)
        while high - low > 1:
            middle = (low + high) // 2
            half = self._halves.get((low, middle))
            if half is None:
                half = self._halves[low, middle] = _build_protego(self._disallow[low:middle])
            if half.can_fetch(url, "*"):
                low = middle
            else:
                high = middle
        return self._disallow[low]


def parse_robots(body: bytes, user_agent: str = "sitemapgen") -> Robots:
    """Parse a robots.txt for ``user_agent``, a product token or a header that starts with one.

    Unknown lines are ignored (RFC 9309 section 2.3.1.5).
    """
    sitemaps: list[str] = []
    # Only Allow and Disallow end the User-agent lines of a group of rules (RFC 9309 section 2.2.4);
    # a delay applies only to the agents that are named directly above it.
    groups: list[_Group] = []
    timed: list[_Group] = []
    for number, written in enumerate(_LINE_END.split(_decode_body(body)), 1):
        text = written.partition("#")[0].strip()
        field, value = _split_directive(text)
        if field == "sitemap":
            sitemaps += [value] if value else []
        elif field == "user-agent":
            for each in (groups, timed):
                if not each or not each[-1].is_open:
                    each.append(_Group())
                each[-1].agents.add(_product_token(value))
        elif not field or not groups:
            continue  # a rule before the first User-agent line belongs to no group
        else:
            timed[-1].is_open = False
            evidence = f"robots.txt line {number}: {line(text)}"[:_MAX_EVIDENCE]
            if field == "crawl-delay":
                with suppress(ValueError):
                    if math.isfinite(seconds := float(value)):
                        timed[-1].delays.append(_Delay(seconds))
            elif field == "request-rate":
                timed[-1].delays += _parse_request_rate(value)
            elif field == "visit-time":
                visit = Protego.parse(f"User-agent: *\nVisit-time: {value}").visit_time("*")
                if visit:
                    window = (visit.start_time, visit.end_time)
                    timed[-1].visit_times.append(_VisitTime(window, evidence))
            elif field in ("allow", "disallow"):
                groups[-1].is_open = False
                if value:
                    groups[-1].rules.append(RobotsRule(field == "allow", value, evidence))
    token = _product_token(user_agent) or "*"
    rules = _rules_of(groups, token)
    patterns = {each[:2] for each in rules}
    return Robots(
        rules,
        sitemaps=sitemaps,
        delays=(delay for group in _groups_of(timed, token) for delay in group.delays),
        visit_times=(visit for group in _groups_of(timed, token) for visit in group.visit_times),
        ruled_apart=(
            name
            for name in SEARCH_ENGINES
            if {each[:2] for each in _rules_of(groups, name.lower())} != patterns
        ),
    )


def from_response(status: int | None, body: bytes, user_agent: str = "sitemapgen") -> Robots | None:
    """Return the rules by the final HTTP status, None for no response; None if unreachable.

    RFC 9309 section 2.3.1: the file of a success is parsed. An unreachable server (5xx, no
    response, and 429, which asks for fewer requests) must not be crawled until it responds.
    Everything else is a site without rules: 4xx, endless redirects, undefined status codes.
    """
    if status is None or status == 429 or 500 <= status <= 599:
        return None
    if 200 <= status <= 206:  # the successes of RFC 9110 section 15.3
        return parse_robots(body, user_agent)
    return Robots()


def _decode_body(body: bytes) -> str:
    head = body[:MAX_BYTES]
    is_utf16 = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = head.decode("utf-16" if is_utf16 else "utf-8", "replace")
    if len(body) > MAX_BYTES:
        text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1]
    text = text.lstrip("\ufeff\ufffd")  # a byte order mark, whole or damaged
    return _CONTROL.sub(lambda match: quote(match[0]), text)


def _split_directive(text: str) -> tuple[str, str]:
    """Split a line into field and value; both are empty if it is not a directive.

    As at Google, the colon may be missing if the line is just two words: ``Disallow /x``.
    """
    name, colon, value = text.partition(":")
    field = _FIELDS.get(name.rstrip().lower())
    if colon and field:
        return field, value.strip()
    words = text.split(maxsplit=2)
    if len(words) == 2 and words[0].lower() in _FIELDS:
        return _FIELDS[words[0].lower()], words[1]
    return "", ""


def _product_token(value: str) -> str:
    """Return the product token by which groups are found, in lower case.

    >>> _product_token("Foo/1.2 (+https://example.com/)"), _product_token("* # all")
    ('foo', '*')
    """
    if value == "*" or value.startswith("* "):
        return "*"
    match = _PRODUCT_TOKEN.match(value.strip().lower())
    return match[0] if match else ""


def _parse_request_rate(value: str) -> list[_Delay]:
    """Return a Request-rate (``1/5``, ``30/1m 0600-0845``) in a list; empty if it is malformed.

    Source: "An Extended Standard for Robot Exclusion" (Connor, 1996), as Protego reads it.
    """
    rate = Protego.parse(f"User-agent: *\nRequest-rate: {value}").request_rate("*")
    if rate is None:
        return []
    window = (rate.start_time, rate.end_time) if rate.start_time and rate.end_time else None
    return [_Delay(min(rate.seconds, _YEAR) / rate.requests, window)]


def _is_within(now: time, window: tuple[time, time]) -> bool:
    """Return whether a time is in a window, which may span midnight; equal ends mean all day."""
    start, end = window
    if start < end:
        return start <= now < end
    return now >= start or now < end


def _build_protego(rules: Iterable[RobotsRule]) -> Protego:
    lines = (f"{'Allow' if rule.allow else 'Disallow'}: {rule.pattern}" for rule in rules)
    return Protego.parse("\n".join(("User-agent: *", *lines)))
