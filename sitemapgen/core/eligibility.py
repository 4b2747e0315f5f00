"""Does this URL belong in the sitemap? One verdict, and what it rests on.

Before a URL enters the frontier: ``admit``. After its answer: ``judge``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from sitemapgen.core.urls import MAX_LENGTH, NOT_PAGES, Patterns, Site, extension, split
from sitemapgen.items import Judgement, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sitemapgen.core.robots import Robots

AGENTS = frozenset({"sitemapgen", "googlebot"})
"""Directives addressed to these count, besides those addressed to everyone."""

HTML = frozenset({"text/html", "application/xhtml+xml"})

LISTED = Judgement(Verdict.LISTED, "")
MIN_LENGTH = 12
"""Characters of a <loc> that the official XSD accepts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Everything that is known about a site before its pages are fetched."""

    site: Site
    robots: Robots
    include: Patterns
    exclude: Patterns


def admit(url: str, rules: Rules) -> Judgement | None:
    """Judge a normalised URL by itself: None when it may be fetched.

    The order is that of the questions a site owner would ask: is it mine, did I leave it out,
    did I forbid it, can it be a page at all?
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
    if (suffix := extension(path)) in NOT_PAGES:
        return Judgement(Verdict.NOT_HTML, f"file extension .{suffix}")
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a URL answered, as far as its verdict depends on it."""

    url: str
    status: int
    media_type: str
    """Lower case, without parameters; empty when the server named none."""
    location: str = ""
    """Where it redirects to, normalised; empty when nowhere."""
    canonical: str = ""
    """The canonical URL it names, normalised; empty when none."""
    noindex: str = ""
    """The directive that forbids indexing, as ``robots_directives`` words it."""


def judge(answer: Answer, site: Site) -> Judgement:
    """Judge a URL by its answer."""
    if 300 <= answer.status < 400 and answer.location:
        inside = site.owns(answer.location)
        return Judgement(
            Verdict.REDIRECT if inside else Verdict.OFFSITE_REDIRECT,
            f"{answer.status} to {answer.location}",
        )
    if answer.status != 200:
        return Judgement(Verdict.HTTP_ERROR, f"HTTP {answer.status}")
    if answer.media_type not in HTML:
        return Judgement(Verdict.NOT_HTML, answer.media_type or "no Content-Type, no HTML")
    if answer.noindex:
        return Judgement(Verdict.NOINDEX, answer.noindex)
    if answer.canonical and answer.canonical != answer.url:
        return Judgement(Verdict.CANONICALISED, f"canonical is {answer.canonical}")
    return LISTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Directives:
    """What a page and its headers ask of crawlers."""

    noindex: str = ""
    """The directive that forbids indexing, as it stands on the page; empty when none does."""
    nofollow: bool = False


_AGENT = re.compile(r"\s*([A-Za-z][\w-]*)\s*:(.*)", re.DOTALL)
_RULES_WITH_VALUES = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)


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
    noindex, nofollow = "", False
    sources = [
        (f'<meta name="{name}" content="{content.strip()}">', content)
        for name, content in metas
        if name == "robots" or name in agents
    ]
    sources += [(f"X-Robots-Tag: {value.strip()}", _for_us(value, agents)) for value in headers]
    for evidence, content in sources:
        tokens = {token.strip() for token in content.lower().split(",")}
        if tokens & {"noindex", "none"} or _is_unavailable(content, now):
            noindex = noindex or " ".join(evidence.split())
        nofollow = nofollow or bool(tokens & {"nofollow", "none"})
    return Directives(noindex=noindex, nofollow=nofollow)


def _for_us(value: str, agents: frozenset[str]) -> str:
    """The directives of one X-Robots-Tag value that are not addressed to somebody else.

    An agent's name holds for what follows it, up to the next name: ``a: noindex, b: nofollow``.
    """
    mine, listening = [], True
    for part in value.split(","):
        directive = part
        match = _AGENT.fullmatch(part)
        if match and match[1].lower() not in _RULES_WITH_VALUES:
            listening, directive = match[1].lower() in agents, match[2]
        if listening:
            mine.append(directive)
    return ",".join(mine)


def _is_unavailable(content: str, now: datetime) -> bool:
    _, found, value = content.lower().partition("unavailable_after:")
    if not found:
        return False
    try:
        moment = datetime.fromisoformat(value.strip().replace("z", "+00:00"))
    except ValueError:
        try:
            moment = parsedate_to_datetime(value.strip())
        except ValueError:
            return False
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return moment <= now
