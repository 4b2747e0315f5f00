"""Eligibility for the sitemap: one verdict per URL, with its evidence.

``admit_url`` judges a URL before it enters the frontier, ``judge_response`` by its response.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timezone

from sitemapgen.core.document.texts import line
from sitemapgen.core.lastmod import http_date, iso_date
from sitemapgen.core.robots import AGENTS, Robots
from sitemapgen.core.urls import MAX_LENGTH, Patterns, Site, key, other_address, split
from sitemapgen.items import Judgement
from sitemapgen.verdicts import Reason, Verdict

HTML = frozenset({"text/html", "application/xhtml+xml"})

GONE = (404, 410)
"""Statuses of URLs without a page."""
LISTED = Judgement(Verdict.LISTED, "")
MAX_HOPS = 5
"""Maximum number of redirects followed in a row."""
REFRESH_SECONDS = 5
"""Maximum delay in seconds of a refresh that counts as a redirect (Google, "Redirects and Google
Search": an instant one is a permanent redirect, a delayed one a temporary redirect). A page with a
longer delay can be read before it."""
MAX_EVIDENCE = 200
"""Characters kept of a directive."""
MIN_LENGTH = 12
"""Minimum characters of a <loc> in the official XSD."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Rules by which URLs of a site are judged before they are fetched."""

    site: Site
    robots: Robots
    include: Patterns
    exclude: Patterns
    ignores_nofollow: bool = False
    """Whether links with nofollow are followed as any others."""


def admit_url(url: str, rules: Rules) -> Judgement | None:
    """Judge a normalised URL by itself; None if it may be fetched.

    The order is: scope of the site, the user's patterns, length, robots.txt. The extension of its
    path is no reason to refuse it (``file_hints.py``).
    """
    site = rules.site
    if not site.owns(url):
        how = other_address(url, site.origin) or f"another origin than {site.origin}"
        return Judgement(Verdict.OUT_OF_SCOPE, how)
    path = split(url).path
    if not path.startswith(site.directory):
        return Judgement(Verdict.OUT_OF_SCOPE, f"outside {site.directory}")
    if rules.exclude and (pattern := rules.exclude.match(url)):
        return Judgement(Verdict.EXCLUDED, f"exclude={pattern}")
    if rules.include and not rules.include.match(url):
        return Judgement(Verdict.EXCLUDED, f"matches no include={','.join(rules.include.patterns)}")
    if not MIN_LENGTH <= len(url) <= MAX_LENGTH:
        return Judgement(Verdict.EXCLUDED, f"{len(url)} characters; a sitemap takes 12 to 2,048")
    if rule := rules.robots.refusal(url):
        return Judgement(Verdict.ROBOTS_DISALLOWED, rule)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseFacts:
    """Facts of a URL's response on which its verdict depends."""

    url: str
    status: int
    media_type: str
    """Lower case, without parameters; empty if the server named none."""
    location: str = ""
    """Normalised target of a redirect; empty without one."""
    refresh: str = ""
    """Normalised target of a refresh that counts as a redirect; empty without one."""
    canonical: str = ""
    """The normalised canonical URL, if there is exactly one; else empty. ``analysis/canonicals.py``
    decides at the end of the crawl whether to trust it."""
    noindex: str = ""
    """The directive that forbids indexing, in the words of ``robots_directives``."""
    unseparated: str = ""
    """``Directives.unseparated``."""
    qualified: tuple[str, str] | None = None
    """A canonical URL of another page that does not count, and the attribute for which."""


def judge_response(answer: ResponseFacts, site: Site) -> Judgement:
    """Judge a URL by its response."""
    if 300 <= answer.status < 400 and answer.location:
        return _judge_redirect(f"{answer.status}", answer.location, site)
    if answer.status != 200:
        return Judgement(Verdict.HTTP_ERROR, f"HTTP {answer.status}")
    if answer.media_type not in HTML:
        return Judgement(Verdict.NOT_HTML, line(answer.media_type) or "no Content-Type, no HTML")
    if answer.refresh and answer.refresh != answer.url:
        return _judge_redirect("refresh", answer.refresh, site)
    if answer.noindex:
        return Judgement(Verdict.NOINDEX, answer.noindex)
    if answer.canonical not in ("", answer.url) and key(answer.canonical) != key(answer.url):
        evidence = f"canonical is {answer.canonical}"
        return Judgement(Verdict.CANONICALISED, evidence, answer.canonical)
    if answer.unseparated:
        evidence = f"{answer.unseparated} ignored: only commas separate directives"
        return Judgement(Verdict.LISTED, evidence, reason=Reason.ROBOTS_UNSEPARATED)
    if answer.qualified:
        evidence = f"canonical {answer.qualified[0]} ignored: it has {answer.qualified[1]}"
        return Judgement(Verdict.LISTED, evidence, reason=Reason.CANONICAL_QUALIFIED)
    return LISTED


def _judge_redirect(how: str, target: str, site: Site) -> Judgement:
    verdict = Verdict.REDIRECT if site.owns(target) else Verdict.OFFSITE_REDIRECT
    return Judgement(verdict, f"{how} to {target}", target)


@dataclass(frozen=True, slots=True, kw_only=True)
class Directives:
    """Directives for crawlers of a page and its headers."""

    noindex: str = ""
    """The directive that forbids indexing, as written; empty if none does."""
    nofollow: bool = False
    unseparated: str = ""
    """A noindex that is not separated from other directives by a comma, and does not count, as
    written; empty if there is none."""
    expires: bool = False
    """Whether there is an ``unavailable_after``, by which the directives change in time."""


_AGENT = re.compile(r"\s*([a-z][\w-]*)\s*:")
_WITH_VALUES = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)
_NO_INDEX = frozenset({"noindex", "none"})
_DIRECTIVES = _NO_INDEX | frozenset(
    """
    all follow index indexifembedded noarchive nocache nofollow noimageindex nosnippet notranslate
    """.split()  # noqa: SIM905 - a word list, not code
)
_BETWEEN = re.compile(r"[^a-z]+")
# RFC 822 and RFC 850 write a comma after the weekday; all other commas separate directives.
_WEEKDAY = re.compile(r"\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\s*,(?=\s*[0-9])")


def robots_directives(
    metas: Iterable[tuple[str, str]],
    headers: Sequence[str],
    now: datetime,
    agents: frozenset[str] = AGENTS,
) -> Directives:
    """Combine <meta name=robots> (name, content) pairs and X-Robots-Tag values.

    Directives for all crawlers and for ``agents`` add up, the most restrictive wins; ``none`` is
    ``noindex, nofollow``; ``unavailable_after`` counts once it has passed. Directives without a
    comma between them do not count. Source: Google's "Robots meta tag, data-nosnippet, and
    X-Robots-Tag specifications".
    """
    noindex, nofollow, unseparated, expires = "", False, "", False
    sources = [
        (f'<meta name="{name}" content="{content.strip()}">', _split_directives(content))
        for name, content in metas
        if name == "robots" or name in agents
    ]
    sources += [(f"X-Robots-Tag: {value.strip()}", _for_us(value, agents)) for value in headers]
    for evidence, directives in sources:
        for directive in directives:
            if directive in _NO_INDEX or _is_unavailable(directive, now):
                noindex = noindex or line(evidence)[:MAX_EVIDENCE]
            elif "noindex" in directive or "none" in directive:  # several, or with punctuation
                words = set(filter(None, _BETWEEN.split(directive)))
                if words <= _DIRECTIVES and not words.isdisjoint(_NO_INDEX):
                    unseparated = unseparated or line(evidence)[:MAX_EVIDENCE]
            nofollow = nofollow or directive in ("nofollow", "none")
            expires = expires or directive.startswith("unavailable_after")
    return Directives(noindex=noindex, nofollow=nofollow, unseparated=unseparated, expires=expires)


def _split_directives(content: str) -> list[str]:
    return [part.strip() for part in _WEEKDAY.sub("", content.lower()).split(",")]


def _for_us(value: str, agents: frozenset[str]) -> list[str]:
    """Return the directives of one X-Robots-Tag value that are not for other crawlers only.

    A crawler's name applies to all directives up to the next name: ``a: noindex, b: nofollow``.
    """
    mine, is_for_us = [], True
    for part in _split_directives(value):
        directive = part
        match = _AGENT.match(part)
        if match and match[1] not in _WITH_VALUES:
            is_for_us, directive = match[1] in agents, part[match.end() :].strip()
        if is_for_us:
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
