"""The section ``priorities``: what to fix, as sentences with counts, the most important first.

First what makes the figures doubtful; then, by severity, what the site's sitemaps have wrong or
lack, what visitors find broken, and what only costs. Why each matters: ``severity.py``.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sitemapgen.core.words import agree, clauses, counted
from sitemapgen.report.sections.not_looked_at import STOPPING, in_a_sentence
from sitemapgen.report.sections.on_page import PAGE_FAULTS
from sitemapgen.report.sections.pages import (
    blank_in_words,
    logins_in_words,
    shared_canonical_in_words,
)
from sitemapgen.report.severity import GROUNDS, SEVERITIES
from sitemapgen.verdicts import Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Report = dict[str, Any]

IN_SITEMAP: dict[str, Any] = {"in_sitemap": [1]}


@dataclass(frozen=True, slots=True)
class Fix:
    """One thing to fix."""

    id: str
    count: int
    sentence: str
    filter: Mapping[str, Any] | None
    """Column of urls.csv -> values of the rows concerned; None if no rows are."""
    where: str
    """Field of the report with the details."""


def priorities(report: Report) -> list[dict[str, Any]]:
    """Return everything to fix by severity: in each the doubts, then the largest counts first."""
    faults = (
        *(_wasted, _missing, _broken, _scripted, _redirects, _repetition, _metadata, _titles),
        *(_on_page, _speed),
    )
    found = [fix for faults_in in faults for fix in faults_in(report)]
    found.sort(key=lambda fix: (-fix.count, fix.id))
    return [
        {**asdict(fix), **GROUNDS[fix.id]._asdict()}
        for fix in sorted((*_doubts(report), *found), key=_gravest)
        if fix.count
    ]


def _gravest(fix: Fix) -> int:
    return SEVERITIES.index(GROUNDS[fix.id].severity)


def _doubts(report: Report) -> Iterator[Fix]:
    if report["unfinished"]:
        left = sum(report["verdicts"][name] for name in ("over_cap", "not_fetched"))
        yield Fix("unfinished", max(left, 1), report["unfinished"], None, "unfinished")
    if empty := report["rendering"]["empty_start"]:
        yield Fix("empty_start", 1, f"{empty}.", None, "rendering")
    if words := blank_in_words(report["blank"]):
        yield Fix("blank", report["blank"]["count"], f"{words}.", None, "blank")
    if words := shared_canonical_in_words(shared := report["shared_canonical"]):
        columns = {"verdict": ["canonicalised"]}
        yield Fix("shared_canonical", shared["pages"], f"{words}.", columns, "shared_canonical")
    if words := logins_in_words(report["logins"]):
        yield Fix("logins", report["logins"]["count"], f"{words}.", None, "logins")
    for row in report["not_looked_at"]:
        if row["cause"] not in STOPPING:
            name, sentence = f"not_looked_at_{row['cause']}", in_a_sentence(row)
            yield Fix(name, row["urls"], sentence, None, "not_looked_at")
    why = report["coverage"]["coverage"]["why"]
    pages = report["listed"]
    if why == "the site has no sitemap":
        its_pages = f" with its {counted(pages, 'page')}" if pages else ""
        sentence = f"The site has no sitemap: publish one{its_pages}."
        yield Fix("no_sitemap", max(pages, 1), sentence, {"verdict": ["listed"]}, "table_1")
    faulty = [file for file in report["sitemaps"] if file["error"]]
    if faulty:
        count, first = len(faulty), faulty[0]
        sentence = (
            f"{counted(count, 'sitemap file')} {agree(count, 'has', 'have')} errors; "
            f"{first['url']}: {first['error']}."
        )
        yield Fix("sitemap_errors", count, sentence, None, "sitemaps")


def _wasted(report: Report) -> Iterator[Fix]:
    wasted = report["wasted"]
    total = wasted["urls"]
    counts = {row["verdict"]: row["count"] for row in wasted["verdicts"]}
    for verdict in Verdict:
        if (waste := verdict.row.waste) is None:
            continue
        count = counts.get(verdict.value, 0)
        fault, remedy = (_inflected(words, count) for words in waste)
        columns = {"verdict": [verdict.value], **IN_SITEMAP}
        sentence = f"{_of_sitemap(count, total)} {fault}: {remedy}."
        yield Fix(f"{verdict.value}_in_sitemap", count, sentence, columns, "wasted")
    yield _invalid(report["invalid_values"])
    entries = wasted["offsite"]["entries"]
    every = report["table_1"]["urls"]
    sentence = (
        f"{entries:,} of the {counted(every, 'entry', 'entries')} of your sitemap "
        f"{agree(entries, 'is', 'are')} of {wasted['offsite']['of']}, and search engines ignore "
        "such entries: list URLs of this site."
    )
    yield Fix("offsite_in_sitemap", entries, sentence, None, "wasted")


def _invalid(rules: list[dict[str, Any]]) -> Fix:
    count = sum(rule["count"] for rule in rules)
    named = clauses(*((rule["count"], f"{rule['rule']} {rule['count']:,}") for rule in rules))
    examples = [example for rule in rules for example in rule["examples"]]
    first = f"; of {examples[0]['url']}, {examples[0]['sentence']}" if examples else ""
    values = counted(count, "value in your sitemap breaks", "values in your sitemap break")
    sentence = f"{values} the protocol ({named}{first}): correct {agree(count, 'it', 'them')}."
    return Fix("invalid_in_sitemap", count, sentence, None, "sitemaps")


def _missing(report: Report) -> Iterator[Fix]:
    pages = report["missing"]["pages"]
    if report["wasted"]["urls"]:
        count, views = pages["count"], pages["views"]
        show = agree(views, "view shows", "views show")
        besides = f" ({views:,} further {show} only what other pages show)" if views else ""
        sentence = (
            f"{count:,} of the site's {counted(report['listed'], 'page')} that "
            f"{agree(report['listed'], 'belongs', 'belong')} in a sitemap "
            f"{agree(count, 'is', 'are')} not in yours: add {agree(count, 'it', 'them')}{besides}."
        )
        columns = {"verdict": ["listed"], "in_sitemap": [0], "view": [0]}
        yield Fix("missing_from_sitemap", count, sentence, columns, "missing")
    orphans = report["orphans"]
    count = orphans["listed"]
    doubt = ", unless URLs that were not looked at do" if orphans["at_most"] else ""
    sentence = (
        f"{_of_sitemap(count, report['wasted']['urls'])} {agree(count, 'is a page', 'are pages')} "
        f"to which no link leads{doubt}: link to {agree(count, 'it', 'them')}, or visitors will "
        f"not find {agree(count, 'it', 'them')}."
    )
    columns = {"verdict": ["listed"], "in_sitemap": [1], "reached": [0]}
    yield Fix("orphans", count, sentence, columns, "orphans")
    count = report["sources"]["named_alone"]
    sentence = (
        f"{counted(count, 'page is', 'pages are')} named by a feed, or by the system behind the "
        f"site, and neither linked nor in a sitemap: link to {agree(count, 'it', 'them')}."
    )
    yield Fix("named_alone", count, sentence, None, "sources")
    index = report["indexed"]
    if index and not index["error"]:
        count = sum(number for name, number in index["verdicts"].items() if name != "listed")
        sentence = (
            f"{counted(count, 'URL')} in the search engine's index "
            f"{agree(count, 'does', 'do')} not belong there: redirect, remove or repair "
            f"{agree(count, 'it', 'them')}."
        )
        yield Fix("indexed_left_out", count, sentence, None, "indexed")
        count = index["not_seen"]["count"]
        sentence = (
            f"{counted(count, 'URL')} in the search engine's index "
            f"{agree(count, 'is', 'are')} neither linked to nor in a sitemap: link to what still "
            "exists, and let the others answer 404 or 410."
        )
        yield Fix("indexed_not_seen", count, sentence, None, "indexed")


def _broken(report: Report) -> Iterator[Fix]:
    broken = report["broken_links"]
    count, links = broken["count"], broken["links"]
    sentence = (
        f"{counted(links, 'link')} of the site {agree(links, 'leads', 'lead')} to "
        f"{counted(count, 'URL')} that {agree(count, 'does', 'do')} not work: repair the links, or "
        "bring the pages back."
    )
    verdicts = {"verdict": sorted(broken["verdicts"])}
    yield Fix("broken_links", count, sentence, verdicts, "broken_links")
    other = report["other_addresses"]
    count, links = other["count"], other["links"]
    named = ", first {url} ({evidence})"
    first = named.format(**other["examples"][0]) if other["examples"] else ""
    sentence = (
        f"{counted(links, 'link')} of the site {agree(links, 'leads', 'lead')} to "
        f"{counted(count, 'URL')} of another address of this site{first}: link to this one."
    )
    yield Fix("other_addresses", count, sentence, {"verdict": ["out_of_scope"]}, "other_addresses")
    broken = report["external"]["broken"]
    count, links = broken["count"], broken["links"]
    first = f", first {broken['examples'][0]['url']}" if broken["examples"] else ""
    sentence = (
        f"{counted(links, 'link')} {agree(links, 'leads', 'lead')} to {counted(count, 'URL')} of "
        f"other sites that {agree(count, 'does', 'do')} not work{first}: remove the links, or "
        "correct them."
    )
    yield Fix("broken_external_links", count, sentence, None, "external")
    documents = [trap for trap in report["traps"] if trap["kind"] == "hash_route"]
    links = sum(trap["urls"] for trap in documents)
    first = f", first {documents[0]['examples'][0]}" if documents else ""
    sentence = (
        f"{counted(links, 'link leads to a view', 'links lead to views')} behind # of "
        f"{counted(len(documents), 'page')}{first}: give each view a URL of its own (the History "
        "API of browsers), and answer it on the server."
    )
    yield Fix("hash_routes", links, sentence, None, "traps")


def _scripted(report: Report) -> Iterator[Fix]:
    needed = report["rendering"]["needed"]
    count, text = needed["count"], needed["without_text"]
    lacks = counted(count, "page is nearly empty", "pages are nearly empty")
    if text < count:
        lacks = counted(count, "page lacks content", "pages lack content")
    most = f", {text:,} of them nearly all" if 0 < text < count else ""
    first = f", first {needed['examples'][0]['url']}" if needed["examples"] else ""
    sentence = (
        f"{lacks} without JavaScript{most}{first}: have the server send "
        f"{agree(count, 'its', 'their')} content."
    )
    yield Fix("scripted", count, sentence, {"verdict": ["listed"], "rendered": [1]}, "rendering")
    alone = report["rendering"]["by_scripts_alone"]
    first = f", first {alone['examples'][0]['url']}" if alone["examples"] else ""
    sentence = (
        f"{counted(alone['count'], 'page')} to which only scripts lead{first}: search engines find "
        f"{agree(alone['count'], 'it', 'them')} by your sitemap alone; link to "
        f"{agree(alone['count'], 'it', 'them')}."
    )
    yield Fix("by_scripts_alone", alone["count"], sentence, None, "rendering")


def _titles(report: Report) -> Iterator[Fix]:
    found = report["titles"]
    for field, words, column, none in (
        ("title", "title", "title_length", 0),
        ("description", "meta description", "description_length", 0),
        ("h1", "h1", "h1", ""),
    ):
        count = found[f"missing_{field}s"]["count"]
        sentence = (
            f"{counted(count, 'listed page has', 'listed pages have')} no {words}: write one that "
            f"fits {agree(count, 'its', 'their')} content."
        )
        columns: dict[str, Any] = {"verdict": ["listed"], column: [none]}
        yield Fix(f"missing_{field}s", count, sentence, columns, "titles")
        repeated = found[f"repeated_{field}s"]
        count = repeated["count"]
        same = f"one of {counted(repeated['groups'], words)}, each on several pages"
        if repeated["groups"] == 1:
            same = f"the same {words}"
        sentence = f"{counted(count, 'page has', 'pages have')} {same}: give each page its own."
        texts = [row["text"] for row in repeated["examples"] if row["text"]]
        columns = {"verdict": ["listed"], field: texts}
        is_whole = len(texts) == repeated["groups"]
        yield Fix(f"repeated_{field}s", count, sentence, columns if is_whole else None, "titles")
    for field, words, column, unit in (
        ("title", "title", "title_pixels", "pixels in Google's results, as approximated"),
        ("description", "meta description", "description_length", "characters"),
    ):
        count, limit = found[f"long_{field}s"]["count"], found["limits"][field]
        sentence = (
            f"{counted(count, 'listed page has', 'listed pages have')} a {words} of more than "
            f"{limit} {unit}: put the important words first, and shorten "
            f"{agree(count, 'it', 'them')}."
        )
        columns = {"verdict": ["listed"], column: [f">{limit}"]}
        yield Fix(f"long_{field}s", count, sentence, columns, "titles")


def _on_page(report: Report) -> Iterator[Fix]:
    for fault in PAGE_FAULTS:
        found = report["on_page"][fault.id]
        count, what = found["count"], fault.what.format(total=f"{found['total']:,}")
        remedy = _inflected(fault.remedy, count)
        sentence = f"{counted(count, 'listed page has', 'listed pages have')} {what}: {remedy}."
        columns = {"verdict": ["listed"], fault.column: [fault.fits]}
        yield Fix(fault.id, count, sentence, columns, "on_page")


def _speed(report: Report) -> Iterator[Fix]:
    speed, deep = report["speed"], report["deep"]
    slow = speed["kinds"]
    count = speed["slow_kinds"]["count"]
    first = ", first {kind} ({pages:,} pages, {median} s)".format(**slow[0]) if slow else ""
    sentence = (
        f"{counted(count, 'kind')} of pages {agree(count, 'takes', 'take')} a second or more, by "
        f"the median{first}: look at what the server does for "
        f"{agree(count, 'it', 'them')}, or keep the pages in a cache."
    )
    columns = {"kind": [kind["kind"] for kind in slow]}
    yield Fix("slow_kinds", count, sentence, columns, "speed")
    count = speed["slow"]["count"]
    slowest, limit = [page["seconds"] for page in speed["slow"]["examples"][:1]], speed["limits"]
    sentence = (
        f"{counted(count, 'page takes', 'pages take')} {limit['slow']:g} s or more to the last "
        f"byte, {slowest[0] if slowest else 0} s at most: look at what the server does for "
        f"{agree(count, 'it', 'them')}."
    )
    yield Fix("slow_pages", count, sentence, None, "speed")
    count, limit = speed["large"]["count"], speed["limits"]["bytes"]
    sentence = (
        f"{counted(count, 'page has', 'pages have')} {limit:,} bytes or more, as sent: compress "
        f"{agree(count, 'it', 'them')}, and take out what {agree(count, 'it does', 'they do')} not "
        "need."
    )
    yield Fix("large_pages", count, sentence, None, "speed")
    count, limit = deep["count"], deep["limit"]
    sentence = (
        f"{counted(count, 'page is', 'pages are')} more than {limit} clicks from the start page: "
        f"link to {agree(count, 'it', 'them')} from pages nearer to it."
    )
    columns = {"verdict": ["listed"], "reached": [1], "depth": [f">{limit}"]}
    yield Fix("deep_pages", count, sentence, columns, "depth")


def _redirects(report: Report) -> Iterator[Fix]:
    redirects = report["redirects"]
    long = sum(row["count"] for row in redirects["hops"] if row["hops"] != 1)
    circles = sum(row["count"] for row in redirects["hops"] if row["hops"] == 0)
    some = f", {circles:,} of them in a circle without an end" if circles else ""
    sentence = (
        f"{counted(long, 'redirect')} {agree(long, 'leads', 'lead')} to another redirect{some}: "
        "redirect to the last URL at once."
    )
    columns = {"verdict": ["offsite_redirect", "redirect"]}
    yield Fix("redirect_chains", long, sentence, columns, "redirects")
    count, links = redirects["linked"], redirects["links"]
    sentence = (
        f"{counted(links, 'link')} of the site {agree(links, 'leads', 'lead')} to "
        f"{counted(count, 'redirect')}: link to where {agree(count, 'it leads', 'they lead')}."
    )
    yield Fix("linked_redirects", count, sentence, columns, "redirects")


def _repetition(report: Report) -> Iterator[Fix]:
    repeated, total = report["wasted"]["repeated"], report["wasted"]["urls"]
    count = repeated["count"]
    sentence = (
        f"{_of_sitemap(count, total)} {agree(count, 'is', 'are')} listed more than once, "
        f"{counted(repeated['entries'], 'time')} in all: once is enough."
    )
    yield Fix("repeated_in_sitemap", count, sentence, None, "wasted")
    exact, near = report["duplicates"]["exact"], report["duplicates"]["near"]
    count = exact["count"]
    sentence = (
        f"{counted(count, 'page')} {agree(count, 'has', 'have')} the same content as another one: "
        "redirect to one URL, or name it as canonical."
    )
    yield Fix("duplicates", count, sentence, {"verdict": ["duplicate"]}, "duplicates")
    traps = [trap for trap in report["traps"] if _may_be_shut(trap)]
    count = sum(trap["urls"] for trap in traps)
    sentence = (
        f"Endless URLs without new content, {counted(count, 'URL')} of "
        f"{counted(len(traps), 'pattern')}: keep crawlers out with robots.txt or nofollow."
    )
    yield Fix("traps", count, sentence, {"verdict": ["trap"]}, "traps")
    count = near["count"]
    sentence = (
        f"{counted(count, 'page')} {agree(count, 'has', 'have')} nearly the same content as "
        "another one: check whether both are needed."
    )
    yield Fix("near_duplicates", count, sentence, None, "duplicates")


def _may_be_shut(trap: Mapping[str, Any]) -> bool:
    """Return whether a pattern was shown to be endless, and none of its pages was useful."""
    return bool(trap["is_endless"]) and trap["useful"] <= 1  # the first page is always new


def _metadata(report: Report) -> Iterator[Fix]:
    faults = report["distrusted_lastmods"]
    total = sum(sum(by_fault.values()) for by_fault in faults.values())
    count = sum(faults.get("sitemap", {}).values())
    if count * 2 < report["listed"]:
        count = 0
    dates = report["sitemap_dates"] if "shared" in faults.get("sitemap", {}) else []
    such = f", such as {dates[0]['lastmod']}," if dates else ""
    sentence = f"{counted(count, 'date')} of your sitemap{such}{_not_followed(count)}"
    yield Fix("wrong_dates_in_sitemap", count, sentence, None, "distrusted_lastmods")
    count = total - count
    sentence = f"{counted(count, 'date')} of pages{_not_followed(count)}"
    yield Fix("distrusted_lastmods", count, sentence, None, "distrusted_lastmods")
    count = report["remarks"].get(Reason.ROBOTS_UNSEPARATED.value, 0)
    sentence = (
        f"{counted(count, 'page has', 'pages have')} a noindex that search engines ignore, as no "
        f"comma separates it from other directives, and {agree(count, 'is', 'are')} listed: write "
        "noindex, nofollow."
    )
    yield Fix("robots_unseparated", count, sentence, None, "remarks")
    one_way, left_out = report["hreflang"]["one_way"], report["hreflang"]["left_out"]
    faults = clauses(
        (
            one_way,
            f"on {counted(one_way, 'page')} with versions in other languages the return link is "
            "missing",
        ),
        (left_out, f"on {counted(left_out, 'page')} a version is not in the sitemap"),
        joint=", and ",
    )
    sentence = f"{faults[:1].upper()}{faults[1:]}: add the links, or take the hreflang out."
    yield Fix("hreflang", one_way + left_out, sentence, None, "hreflang")
    count = report["dead_ends"]["count"]
    sentence = (
        f"{counted(count, 'page')} {agree(count, 'leads', 'lead')} nowhere: link from "
        f"{agree(count, 'it', 'them')} to other pages."
    )
    yield Fix("dead_ends", count, sentence, None, "dead_ends")


def _not_followed(count: int) -> str:
    return (
        f" {agree(count, 'does', 'do')} not follow {agree(count, 'its page', 'changes')}: leave "
        f"{agree(count, 'it', 'them')} out, or write the time of the last real change."
    )


def _of_sitemap(count: int, total: int) -> str:
    return f"{count:,} of your sitemap's {counted(total, 'URL')}"


def _inflected(text: str, count: int) -> str:
    """Put a template of ``verdicts.Waste`` into singular or plural."""
    one = count == 1
    return text.format(
        s="s" if one else "",
        do="does" if one else "do",
        are="is" if one else "are",
        them="it" if one else "them",
        their="its" if one else "their",
        targets="target" if one else "targets",
        pages="page" if one else "pages",
        urls="URL" if one else "URLs",
    )
