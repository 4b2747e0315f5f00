"""What ``refresh=due`` saves on the living site, and whether its promise is kept.

The site is that of ``living_site``, crawled once a virtual day: in memory, by the
rules of ``analysis.freshness``; or by ``scrapy crawl sitemap``. ``QUIET`` are the
same pages with other rates and without dates. Whether a page is outdated is known to the site
alone.
"""

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sitemapgen.analysis.freshness import due
from sitemapgen.analysis.freshness.visits import VISIT, past_visits
from tests.benchmarks.living_crawl import RealCrawler, some_of
from tests.benchmarks.living_site import (
    BEGIN,
    DAY,
    NAMES,
    SECTIONS,
    Crawler,
    LivingSite,
    MemoryCrawler,
    Run,
    Section,
)

NEVER = 1 << 62
QUIET = {
    name: Section(SECTIONS[name].prefixes, rate, sitemap="absent")
    for name, rate in {
        "reference": 1 / 200,
        "guide": 1 / 60,
        "catalogs": 1 / 400,
        "releases": 1 / 2000,
        "ticker": 4.0,
        "other": 1 / 100,
    }.items()
}
"""A site without a sitemap, most of whose pages change seldom."""
SITES = {"living": SECTIONS, "quiet": QUIET}


class DueCrawler(MemoryCrawler):
    """Leaves out the pages whose turn has not come."""

    def __init__(self, pages: int) -> None:
        super().__init__(pages)
        self.past: list[tuple[int, int, int, bool]] = []
        """The visits, as ``VISIT``."""
        self.left = np.zeros(pages, np.bool_)
        self.expected = 0.0
        """Number of the pages left out that are expected to be outdated."""
        self.standings: dict[int, due.SectionStanding] = {}
        self.whole: list[tuple[int, str]] = []
        """(run, section) of the sections that were visited as a whole."""
        self._number = 0

    def run(self, site: LivingSite, now: float, number: int) -> Run:
        before, self._number = self.version.copy(), number
        was_known = np.isfinite(self.visited_at)
        run = super().run(site, now, number)
        alive = run.visited[site.is_alive(now)[run.visited]].tolist()
        for page in alive:
            changed = int(before[page] != self.version[page]) if was_known[page] else -1
            self.past.append((int(site.keys[page]), int(now), changed, False))
        return run

    def _choose(self, site: LivingSite, now: float, *more: Any) -> list[int]:
        pages = np.array(super()._choose(site, now, *more), np.int64)
        self.left[:] = False
        if self._number:
            self._leave_out(site, now, pages, more[0])
        return pages[~self.left[pages]].tolist()

    def _leave_out(self, site: LivingSite, now: float, pages: np.ndarray, says: np.ndarray) -> None:
        known = pages[np.isfinite(self.visited_at[pages])]
        known = known[np.argsort(site.keys[known])]
        of_sitemap = self.trust()[0]
        is_trusted = np.array([each.is_trusted for each in of_sitemap])[site.section[known]]
        said = self.said[0, known]
        is_same = (says[known] == said) | (np.isnan(says[known]) & np.isnan(said))
        starts = BEGIN + DAY * np.arange(self._number + 1)
        run = self._number + 1
        found = due.plan_run(
            due.ListedPages(
                keys=site.keys[known],
                sections=due.tested_sections(site.section[known]),
                templates=site.section[known],
                visited=self.visited_at[known].astype(np.int64),
                is_moved=~is_same & is_trusted,
            ),
            self._visits(site.keys[known], site.section[known]),
            starts,
            run,
        )
        changed = np.array(
            [
                not site.is_alive(now)[page] or site.version(page, now) != self.version[page]
                for page in known.tolist()
            ]
        )
        tested = due.examine_sections(
            found,
            found.keys[~found.is_left],
            changed[~found.is_left],
            self.standings,
            run,
        )
        whole = [each.section for each in tested if each.ended == run]
        is_left = found.is_left & ~np.isin(found.sections, whole)
        self.left[known[is_left]] = True
        self.expected = float(found.chance[is_left].sum())
        tested = due.examine_sections(
            found._replace(is_left=is_left),
            found.keys[~is_left],
            changed[~is_left],
            self.standings,
            run,
        )
        self.whole += [(run, NAMES[section]) for section in whole]
        self.standings.update(
            (each.section, due.SectionStanding(each.evidence, each.ended)) for each in tested
        )

    def _visits(self, keys: np.ndarray, sections: np.ndarray) -> Any:
        table = np.array(self.past, VISIT)
        table = table[np.isin(table["key"], keys)]
        table = table[np.argsort(table["key"], kind="stable")]
        ended = np.array(
            [self.standings.get(each, due.SectionStanding()).ended for each in sections.tolist()]
        )
        since = BEGIN + DAY * (ended - 1)
        table = table[table["visited"] >= since[np.searchsorted(keys, table["key"])]]
        return past_visits(table, (), {}, NEVER)


class Day(NamedTuple):
    """One run, as the site knows it."""

    requests: int
    listed: int
    left: int
    """Listed pages that the run left out by ``refresh=due``."""
    stale_left: int
    """Those of them that had changed, or were gone."""
    stale: int
    """All listed pages that had changed, or were gone."""
    oldest: float
    """Days since the last visit of the page left out that was visited the longest ago."""
    expected: float
    """The number of outdated pages that the crawler expects among those left out."""


class Watch:
    """What a crawler has seen of each page."""

    def __init__(self, site: LivingSite) -> None:
        self.site = site
        self.at = np.full(len(site.files), -np.inf)
        self.seen = np.zeros(len(site.files), np.int64)
        self.gone_for: list[float] = []
        """Days for which each page that was gone stayed listed."""

    def see(self, run: Run, now: float) -> None:
        alive = self.site.is_alive(now)
        for page in run.visited.tolist():
            if alive[page]:
                self.at[page], self.seen[page] = now, self.site.version(page, now)
            elif np.isfinite(self.at[page]):
                self.gone_for.append((now - self.site.gone[page]) / DAY)
                self.at[page] = -np.inf

    def is_stale(self, page: int, now: float) -> bool:
        site = self.site
        return not site.is_alive(now)[page] or site.version(page, now) != self.seen[page]


def live(site: LivingSite, crawler: Crawler, days: int) -> tuple[list[Day], Watch]:
    """Crawl once a day; return what each run left, and what was outdated then."""
    watch = Watch(site)
    found = []
    for number in range(days):
        now = BEGIN + number * DAY
        run = crawler.run(site, now, number)
        watch.see(run, now)
        listed = np.flatnonzero(np.isfinite(watch.at))
        is_stale = np.array([watch.is_stale(page, now) for page in listed.tolist()])
        is_left, expected = _left(crawler, len(site.files))
        is_left = is_left[listed]
        age = (now - watch.at[listed]) / DAY
        found.append(
            Day(
                requests=run.requests,
                listed=len(listed),
                left=int(is_left.sum()),
                stale_left=int((is_left & is_stale).sum()),
                stale=int(is_stale.sum()),
                oldest=float(age[is_left].max(initial=0.0)),
                expected=expected,
            )
        )
    return found, watch


def _left(crawler: Crawler, pages: int) -> tuple[np.ndarray, float]:
    """Return where pages were left out, and how many of them are expected to be outdated."""
    if isinstance(crawler, DueCrawler):
        return crawler.left, crawler.expected
    if isinstance(crawler, RealCrawler) and crawler.due:
        return crawler.left, crawler.due["stale"]
    return np.zeros(pages, np.bool_), 0.0


def figures(
    site: LivingSite, days: list[Day], watch: Watch, others: list[Day], full: int
) -> dict[str, Any]:
    """Compare with a crawler that visits all pages (``others``), and with full crawls."""
    first = next((at for at, day in enumerate(days) if day.left), len(days))
    later, all_later = days[first:], others[first:]
    left = sum(day.left for day in later)
    return {
        "pages": len(site.files),
        "days": len(days),
        "first_day_that_leaves_out": first + 1,
        "requests_of_all": round(
            sum(day.requests for day in later) / sum(day.requests for day in all_later), 3
        ),
        "requests_of_full": round(sum(day.requests for day in later) / (full * len(later)), 3),
        "left_out": round(left / sum(day.listed for day in later), 3),
        "stale_of_left": round(sum(day.stale_left for day in later) / left, 4),
        "stale_of_left_worst_day": round(max(day.stale_left / day.left for day in later), 4),
        "expected_of_left": round(sum(day.expected for day in later) / left, 4),
        "stale_of_listed": round(
            sum(day.stale for day in later) / sum(day.listed for day in later), 4
        ),
        "stale_of_listed_worst_day": round(max(day.stale / day.listed for day in later), 4),
        "oldest_days": max(day.oldest for day in later),
        "gone_listed_days": round(max(watch.gone_for), 1),
    }


def quicken(site: LivingSite, name: str, day: int, rate: float) -> None:
    """Have the pages of a section change at another rate from a day on."""
    rng = np.random.default_rng(day)
    begin = BEGIN + (day - 1) * DAY
    days = max(float(times.max()) for times in site.changes) - begin
    for page in np.flatnonzero(site.section == NAMES.index(name)).tolist():
        more = begin + rng.uniform(0, days, rng.poisson(rate * days / DAY))
        site.changes[page] = np.unique(np.floor([*site.changes[page], *more]))


def redesign(site: LivingSite, name: str, day: int) -> None:
    """Have all pages of a section change before the run of a day."""
    for page in np.flatnonzero(site.section == NAMES.index(name)).tolist():
        site.changes[page] = np.unique([*site.changes[page], BEGIN + (day - 0.5) * DAY])


def measure(
    days: int = 60, seed: int = 1, kind: str = "quiet", *, is_spiky: bool = False
) -> dict[str, Any]:
    """Measure in memory; ``is_spiky``: a section is redesigned, and one changes more often."""
    site = LivingSite(days=days, seed=seed, sections=SITES[kind])
    if is_spiky:
        redesign(site, "releases", days // 2)
        quicken(site, "catalogs", days // 2, 1 / 20)
    pages = len(site.files)
    crawler = DueCrawler(pages)
    found, watch = live(site, crawler, days)
    others, _ = live(site, MemoryCrawler(pages), days)
    return {
        **figures(site, found, watch, others, pages),
        "visited_whole": crawler.whole,
    }


def measure_real(days: int = 20, pages: int = 300, kind: str = "quiet") -> dict[str, Any]:
    """Measure with the real crawler."""
    with some_of(pages) as root:
        site = LivingSite(root, days=days, sections=SITES[kind])
        others, _ = live(site, MemoryCrawler(len(site.files)), days)
        with tempfile.TemporaryDirectory() as name:
            crawler = RealCrawler(site, Path(name), refresh="due")
            try:
                found, watch = live(site, crawler, days)
            finally:
                crawler.server.stop()
        return {
            **figures(site, found, watch, others, len(site.files)),
            "seconds_a_run": round(sum(crawler.seconds) / days, 1),
        }
