"""The section ``priorities``: what to fix, as sentences with counts, the most important first.

First what makes the figures doubtful; then, by severity, what the site's sitemaps have wrong or
lack, what visitors find broken, and what only costs. ``GROUNDS`` has why each matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sitemapgen.analysis.canonicals import MANY_SHARE
from sitemapgen.core.words import clauses, counted, inflect
from sitemapgen.report.sections.not_looked_at import STOPPING, in_a_sentence
from sitemapgen.report.sections.on_page import PAGE_FAULTS
from sitemapgen.report.sections.pages import blank_in_words
from sitemapgen.report.sections.walls import wall_in_words
from sitemapgen.verdicts import REPETITION, Reason, Verdict

SEVERITIES = ("error", "warning", "notice")
"""Pages are lost or found broken; they are found worse than they could be; only effort is lost."""


class Ground(NamedTuple):
    """Why something is to be fixed."""

    severity: str
    """One of ``SEVERITIES``."""
    why: str
    """One sentence: what it costs visitors, or search engines."""


_UNSEEN = "What was not looked at may be pages that belong in the sitemap."

ERRORS = {
    "unfinished": "The figures are about a part of the site only.",
    "empty_start": "Search engines begin at the start page, and find no other page from there.",
    "wall": "Search engines send no cookies, and find nothing but the page to which all redirect.",
    "blank": "Visitors and search engines get pages without any content.",
    "shared_canonical": "Search engines drop pages that name another URL as their canonical one.",
    "no_sitemap": "Without a sitemap search engines find new and changed pages later, or not at "
    "all.",
    "sitemap_errors": "Search engines ignore what they cannot read in a sitemap.",
    "wrong_dates_in_sitemap": "Search engines ignore all dates of a sitemap once they have been "
    "wrong.",
    "missing_from_sitemap": "Search engines find these pages later than they could, and their "
    "changes too.",
    "broken_links": "Visitors who follow these links see an error, and leave.",
    "hash_routes": "Search engines ignore what follows a #, and index one page instead of all "
    "views.",
    "robots_unseparated": "Search engines index pages that are meant to stay out of their results.",
}
WARNINGS = {
    "shared_parameter": "Search engines find each page again under a URL of each session.",
    "offsite_canonicals": "Search engines list the pages of the other site instead.",
    "repeated": "Visitors and search engines may get an error in place of these pages.",
    "not_looked_at_max_depth": _UNSEEN,
    "not_looked_at_interact": _UNSEEN,
    "not_looked_at_nofollow": _UNSEEN,
    "not_looked_at_links": _UNSEEN,
    "invalid_in_sitemap": "Search engines ignore values that break the protocol, or the entries "
    "with them.",
    "offsite_in_sitemap": "Search engines ignore entries for a site that the sitemap may not "
    "speak for.",
    "other_addresses": "Search engines may index both addresses, and what is linked to is in no "
    "sitemap.",
    "broken_external_links": "Visitors who follow these links see an error, and trust the page "
    "less.",
    "orphans": "Visitors do not find these pages, and search engines take them for unimportant.",
    "named_alone": "Visitors do not find these pages, and search engines may not, either.",
    "indexed_left_out": "Searchers are led to pages that do not work, or that repeat others.",
    "indexed_not_seen": "Searchers find pages that the site itself does not lead to.",
    "scripted": "Search engines that run no JavaScript see nothing there; those that do see it "
    "later.",
    "by_scripts_alone": "No search engine scrolls or presses buttons; those that run JavaScript "
    "follow other links of scripts, and later than those of the server.",
    "missing_titles": "Search engines make up a title, and visitors do not find the page among "
    "tabs.",
    "repeated_titles": "Searchers do not see which of the pages answers their question.",
    "missing_h1s": "Visitors and search engines do not see at the first look what a page is about.",
    "redirect_chains": "Each redirect makes visitors wait, and search engines give up on long "
    "chains.",
    "slow_kinds": "Visitors leave while they wait, and search engines read fewer pages a day.",
    "duplicates": REPETITION,
    "traps": "Search engines spend their requests there, and come to real pages less often.",
    "hreflang": "Searchers may be shown a page in a language that is not theirs.",
}
NOTICES = {
    "logins": "What is behind the login is not known to search engines either.",
    "not_looked_at_trap": _UNSEEN,
    "not_looked_at_files": _UNSEEN,
    "long_titles": "Search engines cut off the end, or write another title.",
    "missing_descriptions": "Search engines show some sentence of the page below its title.",
    "repeated_descriptions": "Search engines ignore descriptions that are not about the page "
    "itself.",
    "long_descriptions": "Search engines cut off the end.",
    "repeated_h1s": "Visitors do not see which of the pages they are on.",
    "linked_redirects": "Each redirect makes visitors wait for one more request.",
    "slow_pages": "Visitors leave while they wait.",
    "large_pages": "Large pages are slow on phones, and cost visitors their data.",
    "deep_pages": "Visitors rarely go that far, and search engines come there less often.",
    "repeated_in_sitemap": "Repeated entries make a sitemap larger, and no better.",
    "near_duplicates": "Pages that hardly differ compete with each other in search results.",
    "few_wrong_dates": "Search engines ignore all dates of a sitemap once they have been wrong.",
    "distrusted_lastmods": "Search engines ignore the dates of a site whose dates have been wrong.",
    "dead_ends": "Visitors have to go back, and links pass nothing on from there.",
}
GROUNDS = {
    **{name: Ground("error", why) for name, why in ERRORS.items()},
    **{name: Ground("warning", why) for name, why in WARNINGS.items()},
    **{name: Ground("notice", why) for name, why in NOTICES.items()},
    **{fault.id: Ground(fault.severity, fault.why) for fault in PAGE_FAULTS},
    **{
        f"{each.value}_in_sitemap": Ground(waste.severity, waste.why)
        for each in Verdict
        if (waste := each.row.waste)
    },
}
"""The ground of each ``priorities.Fix``, by its id."""


Facts = dict[str, Any]

LISTED: Facts = {"verdict": ["listed"]}
LINKS = "{links:,} link[links:|s] of the site lead[links:s|] to {count:,} "
OF_SITEMAP = "{count:,} of your sitemap's {urls:,} URL[urls:|s] "


class Fix(NamedTuple):
    """One thing to fix."""

    id: str
    where: str
    """Field of the report with the details."""
    facts: Mapping[str, Any]
    """The ``count``, and what else the sentence needs."""
    sentence: str
    """Filled in by ``core.words.inflect``; ``{first}`` is the first of the examples."""
    filter: Mapping[str, Any] | None = None
    """Column of urls.csv -> values of the rows concerned; None if no rows are."""

    def row(self) -> Facts:
        """Return the row of report.json."""
        first = ""
        if examples := self.facts.get("examples"):
            first = f", first {examples[0] if isinstance(examples[0], str) else examples[0]['url']}"
        return {
            "id": self.id,
            "count": self.facts["count"],
            "sentence": inflect(self.sentence, **{"first": first, **self.facts}),
            "filter": self.filter,
            "where": self.where,
            **GROUNDS[self.id]._asdict(),
        }


def list_fixes(report: Facts) -> list[Facts]:
    """Return everything to fix by severity: in each the doubts, then the largest counts first."""
    faults = (
        *(_fix_wasted, _fix_missing, _fix_broken, _fix_scripted, _fix_redirects, _fix_repetition),
        *(_fix_metadata, _fix_titles, _on_page, _fix_speed),
    )
    found = [fix for faults_in in faults for fix in faults_in(report)]
    found.sort(key=lambda fix: (-fix.facts["count"], fix.id))
    rows = [fix.row() for fix in (*_fix_doubts(report), *found) if fix.facts["count"]]
    return sorted(rows, key=lambda row: SEVERITIES.index(row["severity"]))


def _fix_doubts(report: Facts) -> Iterator[Fix]:
    left = sum(report["verdicts"][name] for name in ("over_cap", "not_fetched"))
    described = (
        ("unfinished", "unfinished", max(left, 1), report["unfinished"] or ""),
        ("empty_start", "rendering", 1, report["rendering"]["empty_start"]),
        ("wall", "wall", 1, wall_in_words(report["wall"])),
        ("blank", "blank", report["blank"]["count"], blank_in_words(report["blank"])),
    )
    for name, where, count, words in described:
        if words:
            yield Fix(name, where, {"count": count, "words": words.removesuffix(".")}, "{words}.")
    yield from _fix_shared(report)
    for row in report["not_looked_at"]:
        if row["cause"] not in STOPPING:
            facts = {"count": row["urls"], "words": in_a_sentence(row)}
            yield Fix(f"not_looked_at_{row['cause']}", "not_looked_at", facts, "{words}")
    if report["coverage"]["coverage"]["why"] == "the site has no sitemap":
        pages = report["listed"]
        its_pages = f" with its {counted(pages, 'page')}" if pages else ""
        sentence = f"The site has no sitemap: publish one{its_pages}."
        facts = {"count": max(pages, 1)}
        yield Fix("no_sitemap", "table_1", facts, sentence, LISTED if pages else None)
    if faulty := [file for file in report["sitemaps"] if file["error"]]:
        sentence = "{count:,} sitemap file[ has|s have] errors; {url}: {error}."
        yield Fix("sitemap_errors", "sitemaps", {**faulty[0], "count": len(faulty)}, sentence)


def _fix_shared(report: Facts) -> Iterator[Fix]:
    """Yield what many pages share, by which they are hardly read as they are meant."""
    yield Fix(
        "repeated",
        "repeated",
        report["repeated"],
        "{count:,} page[ has|s have] no link, and the same short text as others{first}: an error, "
        "or a wall against robots, may have answered 200 there; compare with a browser.",
    )
    if shared := report["shared_canonical"]:
        yield Fix(
            "shared_canonical",
            "shared_canonical",
            {**shared, "count": shared["pages"]},
            "{count:,} page[|s] with {titles:,} different title[titles:|s] name {url} as their "
            "canonical URL{first}, and are left out for that: if they are pages of their own, "
            "correct the template, as search engines may drop them, too.",
            {"verdict": ["canonicalised"], "canonical": [shared["url"]]},
        )
    if (offsite := report["offsite_canonicals"])["count"] >= MANY_SHARE:
        yield Fix(
            "offsite_canonicals",
            "offsite_canonicals",
            offsite,
            "{count:,} page[|s] name a canonical URL of another site, {origin}{first}, and are "
            "left out for that: if they are pages of this site, have them name themselves.",
        )
    if parameter := report["shared_parameter"]:
        yield Fix(
            "shared_parameter",
            "shared_parameter",
            parameter,
            "{count:,} listed URL[|s] have the parameter {parameter}: if it is the session of a "
            "visitor, have the server keep it in a cookie, as search engines get other URLs with "
            "each session.",
        )
    yield Fix(
        "logins",
        "logins",
        report["logins"],
        "{count:,} URL[ needs|s need] a login{first}: -a cookies=name=value reads [it|them] as a "
        "visitor with a login.",
    )


def _fix_wasted(report: Facts) -> Iterator[Fix]:
    wasted = report["wasted"]
    counts = {row["verdict"]: row["count"] for row in wasted["verdicts"]}
    for verdict in Verdict:
        if waste := verdict.row.waste:
            facts = {"count": counts.get(verdict.value, 0), "urls": wasted["urls"]}
            sentence = f"{OF_SITEMAP}{waste.fault}: {waste.remedy}."
            columns = {"verdict": [verdict.value], "in_sitemap": [1]}
            yield Fix(f"{verdict.value}_in_sitemap", "wasted", facts, sentence, columns)
    yield _fix_invalid(report["invalid_values"])
    yield Fix(
        "offsite_in_sitemap",
        "wasted",
        {
            "count": wasted["offsite"]["entries"],
            "of": wasted["offsite"]["of"],
            "every": report["table_1"]["urls"],
        },
        "{count:,} of the {every:,} [every:entry|entries] of your sitemap [is|are] of {of}: list "
        "URLs of this site.",
    )


def _fix_invalid(rules: list[Facts]) -> Fix:
    named = clauses(*((rule["count"], f"{rule['rule']} {rule['count']:,}") for rule in rules))
    examples = [example for rule in rules for example in rule["examples"]]
    first = "; of {url}, {sentence}".format(**examples[0]) if examples else ""
    return Fix(
        "invalid_in_sitemap",
        "sitemaps",
        {"count": sum(rule["count"] for rule in rules), "named": named, "first": first},
        "{count:,} value[|s] in your sitemap break[s|] the protocol ({named}{first}): correct "
        "[it|them].",
    )


def _fix_missing(report: Facts) -> Iterator[Fix]:
    urls, pages, headline = report["wasted"]["urls"], report["missing"]["pages"], report["headline"]
    if urls:
        lacking = 0 if headline["part"] is None else headline["whole"] - headline["part"]
        others = (
            ("{count:,} further view[ shows|s show] only what other pages show", pages["views"]),
            (
                "{count:,} further [is|are] nearly the same as another page",
                lacking and lacking - pages["count"] - pages["views"],
            ),
        )
        further = "; ".join(inflect(words, count) for words, count in others if count)
        besides = f" ({further})" if further else ""
        yield Fix(
            "missing_from_sitemap",
            "missing",
            {"count": pages["count"], "listed": report["listed"], "besides": besides},
            "{count:,} of the site's {listed:,} page[listed:|s] that belong[listed:s|] in a "
            "sitemap [is|are] not in yours: add [it|them]{besides}.",
            {**LISTED, "in_sitemap": [0], "view": [0], "duplicate_of": [""]},
        )
    orphans = report["orphans"]
    doubt = ", unless URLs that were not looked at do" if orphans["at_most"] else ""
    yield Fix(
        "orphans",
        "orphans",
        {"count": orphans["listed"], "urls": urls, "doubt": doubt},
        f"{OF_SITEMAP}[is a page|are pages] to which no link leads{{doubt}}: link to [it|them], or "
        "visitors will not find [it|them].",
        {**LISTED, "in_sitemap": [1], "reached": [0]},
    )
    yield Fix(
        "named_alone",
        "sources",
        {"count": report["sources"]["named_alone"]},
        "{count:,} page[ is|s are] named by a feed, or by the system behind the site, and neither "
        "linked nor in a sitemap: link to [it|them].",
    )
    index = report["indexed"]
    if index and not index["error"]:
        count = sum(number for name, number in index["verdicts"].items() if name != "listed")
        yield Fix(
            "indexed_left_out",
            "indexed",
            {"count": count},
            "{count:,} URL[|s] in the search engine's index [does|do] not belong there: redirect, "
            "remove or repair [it|them].",
        )
        yield Fix(
            "indexed_not_seen",
            "indexed",
            {"count": index["not_seen"]["count"]},
            "{count:,} URL[|s] in the search engine's index [is|are] neither linked to nor in a "
            "sitemap: link to what still exists, and let the others answer 404 or 410.",
        )


def _fix_broken(report: Facts) -> Iterator[Fix]:
    broken, other = report["broken_links"], report["other_addresses"]
    sentence = LINKS + "URL[|s] that [does|do] not work: repair the links, or bring the pages back."
    columns = {"verdict": sorted(broken["verdicts"]), "in_degree": [">0"]}
    yield Fix("broken_links", "broken_links", broken, sentence, columns)
    named = ", first {url} ({evidence})"
    first = named.format(**other["examples"][0]) if other["examples"] else ""
    sentence = LINKS + "URL[|s] of another address of this site{first}: link to this one."
    columns = {"verdict": ["out_of_scope"], "evidence": other["addresses"], "in_degree": [">0"]}
    facts = {**other, "first": first}
    yield Fix("other_addresses", "other_addresses", facts, sentence, columns)
    yield Fix(
        "broken_external_links",
        "external",
        report["external"]["broken"],
        "{links:,} link[links:|s] lead[links:s|] to {count:,} URL[|s] of other sites that "
        "[does|do] not work{first}: remove the links, or correct them.",
    )
    documents = [trap for trap in report["traps"] if trap["kind"] == "hash_route"]
    yield Fix(
        "hash_routes",
        "traps",
        {
            "count": sum(trap["urls"] for trap in documents),
            "pages": len(documents),
            "examples": documents[0]["examples"] if documents else [],
        },
        "{count:,} [link leads to a view|links lead to views] behind # of {pages:,} page[pages:|s]"
        "{first}: give each view a URL of its own (the History API of browsers), and answer it on "
        "the server.",
    )


def _fix_scripted(report: Facts) -> Iterator[Fix]:
    needed = report["rendering"]["needed"]
    count, text = needed["count"], needed["without_text"]
    lacks = "lack[s|] content" if text < count else "[is|are] nearly empty"
    most = f", {text:,} of them nearly all" if 0 < text < count else ""
    yield Fix(
        "scripted",
        "rendering",
        needed,
        f"{{count:,}} page[|s] {lacks} without JavaScript{most}{{first}}: have the server send "
        "[its|their] content.",
        {**LISTED, "rendered": [1]},
    )
    yield Fix(
        "by_scripts_alone",
        "rendering",
        report["rendering"]["by_scripts_alone"],
        "{count:,} page[|s] to which only scripts lead{first}: search engines that run no "
        "JavaScript find [it|them] by your sitemap alone; have the server send links to [it|them].",
    )


def _fix_titles(report: Facts) -> Iterator[Fix]:
    found = report["titles"]
    for field, words, column, none in (
        ("title", "title", "title_length", 0),
        ("description", "meta description", "description_length", 0),
        ("h1", "h1", "h1", ""),
    ):
        sentence = f"{words}: write one that fits [its|their] content."
        sentence = f"{{count:,}} listed page[ has|s have] no {sentence}"
        columns = {**LISTED, column: [none]}
        yield Fix(f"missing_{field}s", "titles", found[f"missing_{field}s"], sentence, columns)
        repeated = found[f"repeated_{field}s"]
        same = f"[groups:have the same {words}|share {{groups:,}} {words}s]"
        sentence = f"{{count:,}} pages {same}: give each page its own."
        facts = {"count": repeated["count"], "groups": repeated["groups"]}
        columns = {f"same_{field}": [">0"]}
        yield Fix(f"repeated_{field}s", "titles", facts, sentence, columns)
    for field, words, column, unit in (
        ("title", "title", "title_pixels", "pixels in Google's results, as approximated"),
        ("description", "meta description", "description_length", "characters"),
    ):
        limit = found["limits"][field]
        sentence = (
            f"{{count:,}} listed page[ has|s have] a {words} of more than {limit} {unit}: put the "
            "important words first, and shorten [it|them]."
        )
        columns = {**LISTED, column: [f">{limit}"]}
        yield Fix(f"long_{field}s", "titles", found[f"long_{field}s"], sentence, columns)


def _on_page(report: Facts) -> Iterator[Fix]:
    for fault in PAGE_FAULTS:
        sentence = f"{{count:,}} listed page[ has|s have] {fault.what}: {fault.remedy}."
        columns = {**LISTED, fault.column: [fault.fits]}
        yield Fix(fault.id, "on_page", report["on_page"][fault.id], sentence, columns)


def _fix_speed(report: Facts) -> Iterator[Fix]:
    speed, deep = report["speed"], report["deep"]
    kinds, slow, limits = speed["kinds"], speed["slow"], speed["limits"]
    first = ", first {kind} ({pages:,} pages, {median} s)".format(**kinds[0]) if kinds else ""
    yield Fix(
        "slow_kinds",
        "speed",
        {"count": speed["slow_kinds"]["pages"], "kinds": len(kinds), "first": first},
        "{count:,} pages of {kinds:,} kind[kinds:|s] take a second or more, by the median{first}: "
        "look at what the server does for them, or keep them in a cache.",
        # files have no title
        {"kind": [kind["kind"] for kind in kinds], "status": [200], "title_length": [">-1"]},
    )
    slowest = slow["examples"][0]["seconds"] if slow["examples"] else 0
    yield Fix(
        "slow_pages",
        "speed",
        slow,
        f"{{count:,}} page[ takes|s take] {limits['slow']:g} s or more to the last byte, "
        f"{slowest} s at most: look at what the server does for [it|them].",
        {"seconds": [">0"]},
    )
    yield Fix(
        "large_pages",
        "speed",
        speed["large"],
        f"{{count:,}} page[ has|s have] {limits['bytes']:,} bytes or more, as sent: compress "
        "[it|them], and take out what [it does|they do] not need.",
        {"bytes": [f">{limits['bytes'] - 1}"]},
    )
    yield Fix(
        "deep_pages",
        "depth",
        deep,
        "{count:,} page[ is|s are] more than {limit} clicks from the start page: link to "
        "[it|them] from pages nearer to it.",
        {**LISTED, "reached": [1], "depth": [f">{deep['limit']}"]},
    )


def _fix_redirects(report: Facts) -> Iterator[Fix]:
    redirects = report["redirects"]
    circles = sum(row["count"] for row in redirects["hops"] if row["hops"] == 0)
    some = f", {circles:,} of them in a circle without an end" if circles else ""
    yield Fix(
        "redirect_chains",
        "redirects",
        {"count": sum(row["count"] for row in redirects["hops"] if row["hops"] != 1)},
        f"{{count:,}} redirect[|s] lead[s|] to another redirect{some}: redirect to the last URL at "
        "once.",
        {"redirect_hops": [0, ">1"]},
    )
    facts = {"count": redirects["linked"], "links": redirects["links"]}
    sentence = LINKS + "redirect[|s]: link to where [it leads|they lead]."
    yield Fix("linked_redirects", "redirects", facts, sentence, {"redirect_links": [">0"]})


def _fix_repetition(report: Facts) -> Iterator[Fix]:
    repeated = {**report["wasted"]["repeated"], "urls": report["wasted"]["urls"]}
    exact, near = report["duplicates"]["exact"], report["duplicates"]["near"]
    yield Fix(
        "repeated_in_sitemap",
        "wasted",
        repeated,
        f"{OF_SITEMAP}[is|are] listed more than once, {{entries:,}} time[entries:|s] in all: once "
        "is enough.",
    )
    yield Fix(
        "duplicates",
        "duplicates",
        exact,
        "{count:,} page[ has|s have] the same content as another one: redirect to one URL, or name "
        "it as canonical.",
        {"similarity": [1]},
    )
    # shown to be endless, and not useful: the first page is always new
    traps = [trap for trap in report["traps"] if trap["is_endless"] and trap["useful"] <= 1]
    evidence = ["{kind} {pattern}: {reason}".format(**trap) for trap in traps]
    yield Fix(
        "traps",
        "traps",
        {"count": sum(trap["urls"] for trap in traps), "patterns": len(traps)},
        "Endless URLs without new content, {count:,} URL[|s] of {patterns:,} pattern[patterns:|s]: "
        "keep crawlers out with robots.txt or nofollow.",
        {"verdict": ["trap"], "evidence": evidence},
    )
    sentence = (
        "{count:,} page[ has|s have] nearly the same content as another one: check whether both "
        "are needed."
    )
    columns = {**LISTED, "similarity": ["<1"]}
    yield Fix("near_duplicates", "duplicates", near, sentence, columns)


def _fix_metadata(report: Facts) -> Iterator[Fix]:
    of_sitemap = report["distrusted_lastmods"].get("sitemap", {})
    count = sum(of_sitemap.values())
    dates = report["sitemap_dates"] if "shared" in of_sitemap else []
    such = f", such as {dates[0]['lastmod']}," if dates else ""
    field, facts = "distrusted_lastmods", {"count": count, "such": such}
    name = "wrong_dates_in_sitemap" if count * 2 >= report["listed"] else "few_wrong_dates"
    sentence = (
        "{count:,} date[|s] of your sitemap{such} [does|do] not follow [its page|changes]: leave "
        "[it|them] out, or write the time of the last real change."
    )
    yield Fix(name, field, facts, sentence, {"sitemap_date_fault": [*of_sitemap]})
    facts = {"count": report["pages_with_wrong_dates"]}
    sentence = (
        "{count:,} page[ has|s have] dates that do not follow changes: leave them out, or write "
        "the time of the last real change."
    )
    yield Fix("distrusted_lastmods", field, facts, sentence, {"page_date_faults": [">0"]})
    yield Fix(
        "robots_unseparated",
        "remarks",
        {"count": report["remarks"].get(Reason.ROBOTS_UNSEPARATED.value, 0)},
        "{count:,} page[ has|s have] a noindex that search engines ignore, as no comma separates "
        "it from other directives, and [is|are] listed: write noindex, nofollow.",
    )
    hreflang = report["hreflang"]
    one_way, left_out = hreflang["one_way"], hreflang["left_out"]
    pages = f"on {counted(one_way, 'page')} with versions in other languages"
    unlisted = f"on {counted(left_out, 'page')} a version is not in the sitemap"
    missing = f"{pages} the return link is missing"
    words = clauses((one_way, missing), (left_out, unlisted), joint=", and ")
    sentence = f"{words[:1].upper()}{words[1:]}: add the links, or take the hreflang out."
    facts = {"count": hreflang["faulty"]}
    yield Fix("hreflang", "hreflang", facts, sentence, {"hreflang_faults": [">0"]})
    sentence = "{count:,} page[|s] lead[s|] nowhere: link from [it|them] to other pages."
    yield Fix("dead_ends", "dead_ends", report["dead_ends"], sentence, {"dead_end": [1]})
