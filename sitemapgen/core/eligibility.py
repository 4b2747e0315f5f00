"""Eligibility for the sitemap: one verdict a URL, with its evidence.

Before a URL enters the frontier: ``admit``. After its answer: ``judge``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time, timezone
from typing import TYPE_CHECKING

from sitemapgen.core.lastmod import http_date, iso_date
from sitemapgen.core.urls import MAX_LENGTH, Patterns, Site, split
from sitemapgen.items import Judgement
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sitemapgen.core.robots import Robots

AGENTS = frozenset({"sitemapgen", "googlebot"})
"""Directives addressed to these count, besides those addressed to everyone."""

HTML = frozenset({"text/html", "application/xhtml+xml"})

LISTED = Judgement(Verdict.LISTED, "")
REFRESH_SECONDS = 5
"""A refresh to another page that comes so soon is a redirect (Google, "Redirects and Google
Search": an instant one is a permanent redirect, a delayed one a temporary redirect). Readers have
time to read a page that waits longer."""
MAX_EVIDENCE = 200
"""Characters of a directive that are kept."""
MIN_LENGTH = 12
"""Characters of a <loc> that the official XSD accepts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of a site, as they are before its pages are fetched."""

    site: Site
    robots: Robots
    include: Patterns
    exclude: Patterns


def admit(url: str, rules: Rules) -> Judgement | None:
    """Judge a normalised URL by itself: None when it may be fetched.

    The order is that of the questions a site owner would ask: is it mine, did I leave it out,
    did I forbid it? What its path ends in is no reason: ``file_hints.py``.
    """
    site = rules.site
    if not site.owns(url):
        return Judgement(Verdict.OUT_OF_SCOPE, f"another origin than {site.origin}")
    path = split(url).path
    if not path.startswith(site.directory):
        return Judgement(Verdict.OUT_OF_SCOPE, f"outside {site.directory}")
    if pattern := rules.exclude.match(url):
        return Judgement(Verdict.EXCLUDED, f"exclude={pattern}")
    if rules.include and not rules.include.match(url):
        return Judgement(Verdict.EXCLUDED, f"matches no include={','.join(rules.include.patterns)}")
    if not MIN_LENGTH <= len(url) <= MAX_LENGTH:
        return Judgement(Verdict.EXCLUDED, f"{len(url)} characters; a sitemap takes 12 to 2,048")
    if line := rules.robots.refusal(url):
        return Judgement(Verdict.ROBOTS_DISALLOWED, line)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseFacts:
    """What a URL answered, as far as its verdict depends on it."""

    url: str
    status: int
    media_type: str
    """Lower case, without parameters; empty when the server named none."""
    location: str = ""
    """Where it redirects to, normalised; empty when nowhere."""
    refresh: str = ""
    """Where a refresh leads that counts as a redirect, normalised; empty when nowhere."""
    canonical: str = ""
    """The one canonical URL it names, normalised; empty when none. Whether it is believed is
    decided when the whole site is known: ``analysis/canonicals.py``."""
    noindex: str = ""
    """The directive that forbids indexing, as ``robots_directives`` words it."""


def judge(answer: ResponseFacts, site: Site) -> Judgement:
    """Judge a URL by its answer."""
    if 300 <= answer.status < 400 and answer.location:
        return _redirect(f"{answer.status}", answer.location, site)
    if answer.status != 200:
        return Judgement(Verdict.HTTP_ERROR, f"HTTP {answer.status}")
    if answer.media_type not in HTML:
        return Judgement(Verdict.NOT_HTML, answer.media_type or "no Content-Type, no HTML")
    if answer.refresh and answer.refresh != answer.url:
        return _redirect("refresh", answer.refresh, site)
    if answer.noindex:
        return Judgement(Verdict.NOINDEX, answer.noindex)
    if answer.canonical and answer.canonical != answer.url:
        evidence = f"canonical is {answer.canonical}"
        return Judgement(Verdict.CANONICALISED, evidence, answer.canonical)
    return LISTED


def _redirect(how: str, target: str, site: Site) -> Judgement:
    verdict = Verdict.REDIRECT if site.owns(target) else Verdict.OFFSITE_REDIRECT
    return Judgement(verdict, f"{how} to {target}", target)


@dataclass(frozen=True, slots=True, kw_only=True)
class Directives:
    """What a page and its headers ask of crawlers."""

    noindex: str = ""
    """The directive that forbids indexing, as it stands on the page; empty when none does."""
    nofollow: bool = False
    expires: bool = False
    """They name a date, and say something else after it."""


_AGENT = re.compile(r"\s*([a-z][\w-]*)\s*:")
_WITH_VALUES = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)
# RFC 822 and RFC 850 write a comma after the weekday, which says nothing; others separate.
_WEEKDAY = re.compile(r"\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\s*,(?=\s*[0-9])")


def robots_directives(
    metas: Iterable[tuple[str, str]],
    headers: Sequence[str],
    now: datetime,
    agents: frozenset[str] = AGENTS,
) -> Directives:
    """Combine <meta name=robots> (name, content) pairs and X-Robots-Tag values.

    Directives for everyone and for our agents add up, the most restrictive wins; ``none`` is
    ``noindex, nofollow``; ``unavailable_after`` counts once it has passed. Source: Google's
    "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications".
    """
    noindex, nofollow, expires = "", False, False
    sources = [
        (f'<meta name="{name}" content="{content.strip()}">', _parts(content))
        for name, content in metas
        if name == "robots" or name in agents
    ]
    sources += [(f"X-Robots-Tag: {value.strip()}", _for_us(value, agents)) for value in headers]
    for evidence, directives in sources:
        for directive in directives:
            if directive in ("noindex", "none") or _is_unavailable(directive, now):
                noindex = noindex or " ".join(evidence.split())[:MAX_EVIDENCE]
            nofollow = nofollow or directive in ("nofollow", "none")
            expires = expires or directive.startswith("unavailable_after")
    return Directives(noindex=noindex, nofollow=nofollow, expires=expires)


def _parts(content: str) -> list[str]:
    return [part.strip() for part in _WEEKDAY.sub("", content.lower()).split(",")]


def _for_us(value: str, agents: frozenset[str]) -> list[str]:
    """The directives of one X-Robots-Tag value that are not addressed to other crawlers.

    An agent's name holds for what follows it, up to the next name: ``a: noindex, b: nofollow``.
    """
    mine, listening = [], True
    for part in _parts(value):
        directive = part
        match = _AGENT.match(part)
        if match and match[1] not in _WITH_VALUES:
            listening, directive = match[1] in agents, part[match.end() :].strip()
        if listening:
            mine.append(directive)
    return mine


def _is_unavailable(directive: str, now: datetime) -> bool:
    """Return whether ``unavailable_after`` has passed: RFC 822, RFC 850 or ISO 8601."""
    name, _, value = directive.partition(":")
    if name.rstrip() != "unavailable_after":
        return False
    moment = iso_date(value) or http_date(value)
    if moment is None:
        return False
    if not isinstance(moment, datetime):
        moment = datetime.combine(moment, time.min, timezone.utc)
    return moment <= now
