"""The section ``not_looked_at``: known URLs that limits of the crawl left unfetched.

URLs that arguments leave out (``include``, ``exclude``, ``scope``) or the site does not offer
(robots.txt, single links with nofollow, files that are no HTML) do not count. Where all links of a
listed page are nofollow, what they lead to may be the whole site, and counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sitemapgen.core.document.html import MAX_LINKS
from sitemapgen.core.words import agree, counted
from sitemapgen.items import Judgement
from sitemapgen.report.dataset import EXAMPLES
from sitemapgen.store import Store
from sitemapgen.store.results import Unfetched
from sitemapgen.verdicts import Reason, Verdict

NAMED = 3
"""Maximum number of examples in a line of the log."""


class Cause(NamedTuple):
    """A cause that left URLs unfetched."""

    verdict: Verdict
    words: str
    """The cause in words; ``{evidence}`` is replaced by that of its URLs."""
    remedy: str


CAUSES = {
    "interrupted": Cause(
        Verdict.NOT_FETCHED, "The crawl was interrupted", "the same command continues it"
    ),
    "max_pages": Cause(Verdict.OVER_CAP, "Stopped by {evidence}", Verdict.OVER_CAP.row.remedy),
    "max_depth": Cause(Verdict.TOO_DEEP, "{evidence}", Verdict.TOO_DEEP.row.remedy),
    "trap": Cause(
        Verdict.TRAP,
        "Endless URLs, or of kinds that ask not to be listed",
        Verdict.TRAP.row.remedy,
    ),
}
"""Causes by their names in report.json: first those that stop a crawl, then the others."""
STOPPING = ("interrupted", "max_pages")

LINKS = {
    "cause": "links",
    "reason": f"Links beyond the first {MAX_LINKS:,} of a page",
    "remedy": "-a sitemaps=URL with a sitemap that names where they lead fetches it",
}
NOFOLLOW = {
    "cause": "nofollow",
    "reason": "Only pages lead there all of whose links are nofollow",
    "remedy": "-a nofollow=ignore fetches them",
}
INTERACT = {
    "cause": "interact",
    "remedy": "-a sitemaps=URL with a sitemap that names what they lead to fetches it",
}
FILES = {
    "cause": "files",
    "reason": "Ends like a file, and no response shows what it is",
    "remedy": "-a sitemaps=URL with a sitemap that names them fetches them",
}


def not_looked_at(
    store: Store,
    interrupted: Judgement | None,
    files: Mapping[str, Any],
    overriding: Mapping[str, str],
) -> list[dict[str, Any]]:
    """Count the URLs that each cause left unfetched, with the shortest of them as examples.

    ``interrupted``: the judgement of URLs that an interrupted crawl has still to fetch; None for
    other crawls. ``files``: the section of that name, whose examples are patterns. The examples of
    ``links`` are the pages with too many of them. ``overriding``: ``RunOptions.overriding``.
    """
    rows = []
    for name, cause in CAUSES.items():
        is_interruption = name == "interrupted"
        if is_interruption and not interrupted:
            continue
        why = interrupted.reason if interrupted and is_interruption else Reason.NONE
        found = store.results.count_unfetched(cause.verdict, EXAMPLES, why)
        if found.urls or is_interruption:  # also without waiting URLs: links may be unread
            rows.append(_cause_row(name, cause, found, overriding))
    unreached = store.results.count_unreached(EXAMPLES)
    reason = f"Scrolling, buttons and views may show more than was read: {unreached.evidence}"
    for facts, found in (
        (NOFOLLOW, store.results.count_unfollowed(EXAMPLES)),
        (LINKS, store.results.unread_links(EXAMPLES)),
        ({**INTERACT, "reason": reason}, unreached),
    ):
        if found.urls:
            rows.append({**facts, "urls": found.urls, "examples": found.examples})
    if urls := files["not_looked_at"]:
        rows.append({**FILES, "urls": urls, "examples": files["examples"][:EXAMPLES]})
    return rows


def _cause_row(
    name: str, cause: Cause, found: Unfetched, overriding: Mapping[str, str]
) -> dict[str, Any]:
    words = cause.words.format(evidence=found.evidence)
    remedy = cause.remedy
    setting = overriding.get(name)
    if found.evidence.startswith("SITEMAPGEN_"):
        setting = found.evidence.partition("=")[0]
    if setting:
        remedy = remedy.replace(f"-a {name}=", f"-s {setting}=")
    return {
        "cause": name,
        "reason": words[:1].upper() + words[1:],
        "urls": found.urls,
        "examples": found.examples,
        "remedy": remedy,
    }


def in_words(rows: list[Mapping[str, Any]]) -> Iterator[str]:
    """Describe each cause in one line, the rows being those of report.json.

    >>> row = {"reason": "Deeper than max_depth=1", "urls": 2, "examples": ["http://e.example/"]}
    >>> next(in_words([{**row, "cause": "too_deep", "remedy": "-a max_depth=0 helps"}]))
    'Deeper than max_depth=1: 2 URLs were not fetched (http://e.example/ ...); -a max_depth=0 helps'
    """
    for row in rows:
        named = row["examples"][:NAMED]
        more = ["..."] if row["urls"] > len(named) else []
        shown = f" ({' '.join(named + more)})" if named else ""
        left = f": {_describe_amount(row, 'fetched')}{shown}" if row["urls"] else ""
        yield f"{row['reason']}{left}; {row['remedy']}"


def in_a_sentence(row: Mapping[str, Any]) -> str:
    """Describe one cause that did not stop the crawl, with its remedy."""
    amount = _describe_amount(row, "looked at")
    if row["cause"] != INTERACT["cause"]:
        they_link = agree(row["urls"], "it links", "they link")
        amount = f"{amount}, and what {they_link} to is not known"
    return f"{row['reason']}: {amount}; {row['remedy']}."


def _describe_amount(row: Mapping[str, Any], participle: str) -> str:
    if row["cause"] == INTERACT["cause"]:
        return counted(row["urls"], "page")
    return f"{counted(row['urls'], 'URL was', 'URLs were')} not {participle}"


def count_urls(rows: list[Mapping[str, Any]], *causes: str) -> int:
    """Sum up the URLs of these causes; without any, of all."""
    return sum(row["urls"] for row in rows if not causes or row["cause"] in causes)
