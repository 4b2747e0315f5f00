"""What keeping up costs and finds: a site that lives for 30 days, crawled once a day.

The pages are those of the PostgreSQL documentation; when they change, appear and
vanish is drawn once, with a seed, and known to the site alone. Its sections differ in how often
their pages change and in whose dates lie (``SECTIONS``). Time is virtual: nothing here looks at a
clock. A ``Crawler`` does one run of a day; the ones here crawl in memory by the rules of
``analysis.freshness``, and one that crawls ``LivingSite.body`` over HTTP may take their place.
"""

import re
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from sitemapgen.analysis.freshness.order import VisitFacts, choose_visits, visit_values
from sitemapgen.analysis.freshness.rates import Visits, estimate_rates
from sitemapgen.analysis.freshness.trust import (
    CHECKED_EVERY,
    FALSE_ALARMS,
    Pairs,
    Record,
    Trust,
    add_run,
    assess_sections,
    is_turn,
    tally_claims,
)
from sitemapgen.core.urls import key
from tests.helpers.shared import POSTGRESQL

HOST = "https://docs.example.com"
DAY = 86_400.0
BEGIN = 20_500 * DAY + 12 * 3600
"""The first run, at noon; the others follow day by day."""
LINK = re.compile(rb'<a [^>]*?href="([\w.-]+\.html)(?:#[^"]*)?"[^>]*>.*?</a>', re.DOTALL)
HEAD_LINK = re.compile(rb"<link [^>]*>")
SOURCES = ("sitemap", "last_modified")


class Section(NamedTuple):
    """How the pages of a section live, and what is said about it."""

    prefixes: str
    """Of file names; the last section has all others."""
    rate: float
    """Changes a day, at the mean."""
    last_modified: str = "honest"
    """Or ``touched``: a time of the last 24 hours, whatever happened."""
    sitemap: str = "honest"
    """Or ``frozen``: a wrong date, for ever the same; ``bare``: no dates; or ``absent``."""
    links_after: float = 0.0
    """Days from a page's first to the first link to it."""
    listed_after: float = 0.0
    """Days from then to its line in the sitemap."""


SECTIONS = {
    "reference": Section("sql app", 1 / 40, listed_after=3),
    "guide": Section(
        "functions tutorial ddl queries datatype", 1 / 8, "touched", "bare", links_after=2
    ),
    "catalogs": Section("catalog view infoschema", 1 / 15, sitemap="frozen"),
    "releases": Section("release spi contrib", 1 / 2000),
    "ticker": Section("ecpg", 4.0, sitemap="bare"),
    "other": Section("", 1 / 20, sitemap="absent"),
}
NAMES = list(SECTIONS)


class LivingSite:
    """Pages by number, in URL order; times are seconds since 1970."""

    def __init__(
        self,
        root: Path = POSTGRESQL,
        *,
        days: int = 30,
        seed: int = 1,
        sections: dict[str, Section] = SECTIONS,
    ) -> None:
        """``sections``: other rates and dates of the sections in ``SECTIONS``."""
        self.sections = list(sections.values())
        self.files = sorted(root.glob("*.html"), key=lambda file: _path(file.name))
        self.paths = [_path(file.name) for file in self.files]
        self.keys = np.array([key(HOST + path) for path in self.paths], np.int64)
        self.section = np.array([NAMES.index(path.split("/")[1]) for path in self.paths])
        number = {file.name: page for page, file in enumerate(self.files)}
        self.links = [
            np.array(sorted({number[n] for n in _targets(f.read_bytes()) if n in number}), np.int64)
            for f in self.files
        ]
        rng = np.random.default_rng(seed)
        pages, end = len(self.files), BEGIN + days * DAY
        mean = np.array([section.rate for section in self.sections])[self.section]
        self.rate = mean * rng.gamma(2.0, 0.5, pages)
        self.start = number["index.html"]
        is_new = (rng.random(pages) < 0.06) & (np.arange(pages) != self.start)
        self.born = np.where(is_new, BEGIN + DAY * rng.uniform(0, days - 5, pages), -np.inf)
        is_gone = (rng.random(pages) < 0.02) & ~is_new & (np.arange(pages) != self.start)
        self.gone = np.where(is_gone, BEGIN + DAY * rng.uniform(1, days, pages), np.inf)
        later = np.array([[each.links_after, each.listed_after] for each in self.sections])
        self.linked_from, self.listed_from = self.born + DAY * later[self.section].T
        is_absent = np.array([each.sitemap == "absent" for each in self.sections])
        self.listed_from[is_absent[self.section]] = np.inf
        self.true_rate = self.rate + [
            np.count_nonzero(is_new[links]) / days for links in self.links
        ]
        # A page changes by itself, and where a link to a new page appears on it.
        self.changes = []
        for page in range(pages):
            count = rng.poisson(self.rate[page] * (end - BEGIN) / DAY)
            own = rng.uniform(BEGIN, end, count)
            new = self.linked_from[self.links[page]]
            last = BEGIN - DAY * min(rng.exponential(1 / self.rate[page]), 5000)
            times = np.concatenate([[last], own, new[(new > BEGIN) & (new < end)]])
            born = self.born[page]
            self.changes.append(np.unique(np.floor([*times[times > born], max(born, last)])))

    def version(self, page: int, now: float) -> int:
        """How often the main text of a page has changed."""
        return int(np.searchsorted(self.changes[page], now, "right"))

    def last_change(self, page: int, now: float) -> float:
        return float(self.changes[page][self.version(page, now) - 1])

    def next_change(self, page: int, now: float) -> float:
        """Infinite if it does not change any more."""
        version = self.version(page, now)
        return float([*self.changes[page], np.inf][version])

    def is_alive(self, now: float) -> np.ndarray:
        return (self.born <= now) & (now < self.gone)

    def last_modified(self, page: int, now: float) -> float:
        """The header."""
        if self.sections[self.section[page]].last_modified == "touched":
            touched = now // DAY * DAY + self.keys[page] % 86_400
            return float(touched if touched < now - 100 else touched - DAY)
        return self.last_change(page, now)

    def sitemap(self, now: float) -> dict[int, float]:
        """What the sitemap lists, and its lastmod; NaN for none."""
        listed = np.flatnonzero(self.is_alive(now) & (self.listed_from <= now))
        return {page: self._sitemap_date(page, now) for page in listed.tolist()}

    def _sitemap_date(self, page: int, now: float) -> float:
        kind = self.sections[self.section[page]].sitemap
        if kind == "bare":
            return float("nan")
        if kind == "frozen":
            return float(self.changes[page][0]) - 100 * DAY
        return self.last_change(page, now)

    def shown_links(self, page: int, now: float) -> np.ndarray:
        links = self.links[page]
        return links[self.linked_from[links] <= now]

    def body(self, page: int, now: float) -> bytes:
        """The document: the file without the links that are not there yet, and its version."""
        shown = {self.files[target].name for target in self.shown_links(page, now)}

        def link(match: re.Match[bytes]) -> bytes:
            name = match[1].decode()
            return match[0].replace(match[1], _path(name).encode(), 1) if name in shown else b""

        text = HEAD_LINK.sub(b"", LINK.sub(link, self.files[page].read_bytes()))
        edition = b"<p>Edition %d of this page.</p></body>" % self.version(page, now)
        return text.replace(b"</body>", edition)

    @cached_property
    def sizes(self) -> list[int]:
        """The bytes of each document, near enough."""
        return [file.stat().st_size for file in self.files]


def _path(name: str) -> str:
    prefix = re.split("[-.]", name)[0]
    for section, each in SECTIONS.items():
        if prefix in each.prefixes.split():
            return f"/{section}/{name}"
    return f"/{NAMES[-1]}/{name}"


@lru_cache(maxsize=4096)
def _targets(document: bytes) -> frozenset[str]:
    return frozenset(match[1].decode() for match in LINK.finditer(document))


# --- crawling


Pair = tuple[int, float, float, float, bool, float]
"""The columns of ``Pairs``."""


class Run(NamedTuple):
    """What one run did."""

    requests: int
    body_bytes: int
    visited: np.ndarray
    """Pages that it asked for; 304 tells that one is as it was."""
    lastmod: np.ndarray
    """What it publishes of each page; NaN for none, and for what is not listed."""
    distrusted: frozenset[tuple[str, str]]
    """(source, section) pairs that were found to lie."""


class Crawler(Protocol):
    """Something that runs once a day."""

    first_link: np.ndarray
    """When each page was first seen by links, and by the sitemap; NaN for never."""
    first_sitemap: np.ndarray

    def run(self, site: LivingSite, now: float, number: int) -> Run: ...


class MemoryCrawler:
    """Crawls without HTTP; what it decides is decided by ``analysis.freshness``."""

    def __init__(
        self,
        pages: int,
        *,
        budget: int | None = None,
        policy: str = "ours",
        conditional: bool = True,
    ) -> None:
        """``policy``: ours; uniform; true_rates."""
        self.budget, self.policy, self.conditional = budget, policy, conditional
        self.first_link = np.full(pages, np.nan)
        self.first_sitemap = np.full(pages, np.nan)
        self.visited_at = np.full(pages, -np.inf)
        self.version = np.zeros(pages, np.int64)
        self.is_gone = np.zeros(pages, np.bool_)
        self.said = np.full((len(SOURCES), pages), np.nan)
        """What each source said at the last visit."""
        self.changed_at = np.full(pages, np.nan)
        """The visit that last saw a change, and the one before it."""
        self.unchanged_at = np.full(pages, np.nan)
        self.records = [[Record()] * len(SECTIONS) for _ in SOURCES]
        self.small = [Record() for _ in SOURCES]
        self.lastmod = np.full(pages, np.nan)
        """What is published of each page, and by which source; -1 for the visit that saw it."""
        self.by = np.full(pages, -1)
        self.is_disproved = np.zeros((len(SOURCES), pages), np.bool_)
        """Whether a date has moved though the page is as it was."""
        self.visits: list[tuple[int, float, bool, float]] = []

    def trust(self) -> list[list[Trust]]:
        return [assess_sections(records, small) for records, small in zip(self.records, self.small)]

    def run(self, site: LivingSite, now: float, number: int) -> Run:
        trust = self.trust()
        listed = site.sitemap(now)
        _first(self.first_sitemap, np.array([*listed], np.int64), now)
        _first(self.first_link, np.array([site.start]), now)
        says = np.full(len(site.files), np.nan)
        says[[*listed]] = [*listed.values()]
        is_sparing = np.array([each.is_sparing for each in trust[0]])[site.section]
        has_moved = says != self.said[0]
        is_silent = is_sparing & ~has_moved & np.isfinite(self.visited_at)
        is_due = is_silent & is_turn(site.keys, number)
        queue, done, size = self._choose(site, now, says, trust, is_silent, is_due), [], 0
        budget = self.budget if number else None
        pairs: list[Pair] = []
        sources: list[int] = []
        seen = set(queue)
        for page in queue:  # grows by the new pages that its pages link to
            if budget is not None and len(done) >= budget:
                break
            done.append(page)
            if not site.is_alive(now)[page]:
                self.is_gone[page] = True
                continue
            version = site.version(page, now)
            is_first = not np.isfinite(self.visited_at[page])
            if not self.conditional or is_first or version != self.version[page]:
                size += site.sizes[page]
                links = site.shown_links(page, now)
                new = links[np.isnan(self.first_link[links])]
                _first(self.first_link, new, now)
                unseen = [target for target in new.tolist() if target not in seen]
                queue += unseen
                seen.update(unseen)
            dates = (says[page], site.last_modified(page, now))
            changed = version != self.version[page]
            since = np.nan
            for source, date in enumerate(dates):
                before = self.said[source, page]
                if not is_first and not np.isnan(date) and not np.isnan(before):
                    weight = CHECKED_EVERY if is_due[page] else 1.0
                    section = int(site.section[page])
                    pairs.append((section, self.visited_at[page], before, date, changed, weight))
                    sources.append(source)
                    told = date > self.visited_at[page]
                    if changed or date != before:
                        self.is_disproved[source, page] = told and not changed
                    if changed and told and trust[source][section].is_trusted:
                        since = (now - date) / DAY
            if not is_first:
                days = (now - self.visited_at[page]) / DAY
                self.visits.append((page, days, changed, since))
            if changed and not is_first:
                self.changed_at[page], self.unchanged_at[page] = now, self.visited_at[page]
            self.said[:, page] = dates
            self.version[page], self.visited_at[page] = version, now
        self._learn(pairs, np.array(sources, np.int64))
        lastmod = self._publish(site, now)
        distrusted = frozenset(
            (source, name)
            for source, row, records in zip(SOURCES, self.trust(), self.records)
            for name, each, record in zip(NAMES, row, records)
            if any(record) and not each.is_trusted
        )
        requests = len(done) + 2  # robots.txt and the sitemap
        size += 120 * len(listed)
        return Run(requests, size, np.array(done, np.int64), lastmod, distrusted)

    def _choose(
        self,
        site: LivingSite,
        now: float,
        says: np.ndarray,
        trust: list[list[Trust]],
        is_silent: np.ndarray,
        is_due: np.ndarray,
    ) -> list[int]:
        """The pages known before the run that it may visit, the best first."""
        is_known = ~np.isnan(np.fmin(self.first_link, self.first_sitemap)) & ~self.is_gone
        pages = np.flatnonzero(is_known)
        if self.budget is None:
            if self.policy == "ours":
                pages = np.flatnonzero(is_known & (~is_silent | is_due))
            return pages.tolist()
        age = np.where(np.isfinite(self.visited_at), (now - self.visited_at) / DAY, np.inf)
        if self.policy == "uniform":
            return pages[np.argsort(-age[pages], kind="stable")].tolist()
        zeros = np.zeros(len(age))
        recall, precision, is_checked = zeros, zeros, zeros.astype(np.bool_)
        if self.policy == "ours":
            of_sitemap = trust[0]
            recall = np.where(is_silent, np.array([t.recall for t in of_sitemap])[site.section], 0)
            moved = ~is_silent & ~np.isnan(says) & ~np.isnan(self.said[0]) & (says != self.said[0])
            credit = np.array([t.precision if t.is_trusted else 0 for t in of_sitemap])
            precision = np.where(moved, credit[site.section], 0)
            is_checked = is_due
        rate = site.true_rate if self.policy == "true_rates" else self.rates(site)
        values = visit_values(VisitFacts(rate, age, zeros + 1, recall, precision), 1.0)
        return pages[choose_visits(values[pages], is_checked[pages], len(pages))].tolist()

    def rates(self, site: LivingSite) -> np.ndarray:
        columns = np.array(self.visits).reshape(-1, 4).T
        page, days, changed, since = columns
        known = Visits(page.astype(np.int64), days, changed.astype(np.bool_), since)
        return estimate_rates(known, site.section)

    def _learn(self, pairs: list[Pair], sources: np.ndarray) -> None:
        table = np.array(pairs, np.float64).reshape(-1, 6)
        for source in range(len(SOURCES)):
            section, before, said, says, changed, weight = table[sources == source].T
            times = (column.astype(np.int64) for column in (section, before, said, says))
            now = tally_claims(Pairs(*times, changed.astype(np.bool_), weight), len(SECTIONS))
            self.records[source], self.small[source] = add_run(
                self.records[source], now, self.small[source]
            )

    def _publish(self, site: LivingSite, now: float) -> np.ndarray:
        """Date a change that was seen by a trusted source that tells it, else by the visit.

        What has not changed keeps its date, as in ``analysis.lastmod.Dates``.
        """
        trust = self.trust()
        is_changed = self.changed_at == now
        is_kept = ~np.isnan(self.lastmod) & ~is_changed & ~self._is_withdrawn(site, trust)
        is_open = np.isfinite(self.visited_at) & ~is_kept
        self.lastmod[is_open] = np.where(is_changed, self.changed_at, np.nan)[is_open]
        self.by[is_open] = -1
        for source in (1, 0):  # the sitemap is trusted more
            said = self.said[source]
            is_trusted = np.array([each.is_trusted for each in trust[source]])[site.section]
            tells = (said > self.unchanged_at) | ~is_changed
            chosen = is_open & is_trusted & tells & ~self.is_disproved[source] & ~np.isnan(said)
            self.lastmod[chosen], self.by[chosen] = said[chosen], source
        is_listed = np.isfinite(self.visited_at) & ~self.is_gone
        return np.where(is_listed, self.lastmod, np.nan)

    def _is_withdrawn(self, site: LivingSite, trust: list[list[Trust]]) -> np.ndarray:
        found = np.zeros(len(site.files), np.bool_)
        for source, row in enumerate(trust):
            is_lost = np.array([not each.is_trusted for each in row])[site.section]
            is_lost &= self.by == source
            is_alarming = np.array([each.reason == FALSE_ALARMS for each in row])[site.section]
            found |= is_lost & is_alarming & self.is_disproved[source]
            for other, said in zip(trust, self.said):
                is_proved = np.array([each.is_proved for each in other])[site.section]
                found |= is_lost & is_proved & (said > self.lastmod)
        return found


def _first(times: np.ndarray, pages: np.ndarray, now: float) -> None:
    times[pages[np.isnan(times[pages])]] = now


# --- measuring


class Life(NamedTuple):
    """What a crawler did in all its runs; one element a run, the first one apart."""

    requests: list[int]
    body_bytes: list[int]
    found: list[int]
    """Pages that it found changed."""
    changed: list[int]
    """Pages that had changed since the run before."""
    freshness: list[float]
    """Share of pages, over the day after the run, of which its copy is the page's."""
    precision: list[float]
    """Share of the published lastmods that are right to the run in which the page changed."""
    recall: list[float]
    """Share of the listed pages that have such a lastmod."""
    spared: list[float]
    """Share of the pages whose sitemap is honest that were not asked for."""
    distrusted: list[frozenset[tuple[str, str]]]


def live(site: LivingSite, crawler: Crawler, days: int) -> Life:
    """Let a crawler run once a day and compare what it knows with what happened."""
    pages = len(site.files)
    at = np.full(pages, -np.inf)
    seen = np.zeros(pages, np.int64)
    stale_from = np.full(pages, -np.inf)
    spans: list[list[float]] = [[] for _ in range(pages)]
    life = Life(*([] for _ in Life._fields))
    honest = np.array([each.sitemap == "honest" for each in SECTIONS.values()])[site.section]
    for number in range(days):
        now = BEGIN + number * DAY
        run = crawler.run(site, now, number)
        alive = site.is_alive(now)
        changed = [
            p
            for p in np.flatnonzero(alive)
            if np.isfinite(at[p]) and site.version(p, now) != site.version(p, now - DAY)
        ]
        found = 0
        for page in run.visited[alive[run.visited]].tolist():
            version = site.version(page, now)
            found += bool(seen[page]) and version != seen[page]
            seen[page], at[page], stale_from[page] = version, now, site.next_change(page, now)
            spans[page].append(now)
        right = published = listed = 0
        for page in np.flatnonzero(np.isfinite(at) & alive).tolist():
            listed += 1
            date = run.lastmod[page]
            if not np.isnan(date):
                published += 1
                right += _is_right(date, site.last_change(page, at[page]), spans[page])
        fresh = np.clip((stale_from - now) / DAY, 0, 1)[alive]
        for name, figure in zip(
            Life._fields,
            (
                run.requests,
                run.body_bytes,
                found,
                len(changed),
                float(fresh.mean()),
                right / max(published, 1),
                right / max(listed, 1),
                1 - float(np.isin(np.flatnonzero(honest & alive), run.visited).mean()),
                run.distrusted,
            ),
        ):
            getattr(life, name).append(figure)
    return life


def _is_right(date: float, truth: float, visits: list[float]) -> bool:
    """Whether a date is in the same span between two visits as the change; to the second before
    the first."""
    span, true_span = np.searchsorted(visits, [date, truth], "left")
    return bool(date == truth if not true_span else span == true_span)


def best_freshness(rate: np.ndarray, visits_a_day: float) -> float:
    """What no schedule can exceed that knows every rate but no change: Cho and Garcia-Molina 2003.

    All pages are visited when that is worth the same price; the price is that at which the visits
    add up.
    """
    low, high = 0.0, float((1 / rate).max())
    for _ in range(100):
        price = (low + high) / 2
        short, long = np.full(len(rate), 1e-9), np.full(len(rate), 1e9)
        for _ in range(100):
            age = np.sqrt(short * long)
            is_worth = (1 - (1 + rate * age) * np.exp(-rate * age)) / rate >= price
            short, long = np.where(is_worth, short, age), np.where(is_worth, age, long)
        is_ever = 1 / rate > price
        often = np.where(is_ever, 1 / long, 0)
        low, high = (price, high) if often.sum() > visits_a_day else (low, price)
    often = np.maximum(often, 1e-12)
    return float(np.mean(often / rate * -np.expm1(-rate / often)))


def mean(figures: list[float]) -> float:
    return round(sum(figures) / len(figures), 3)
