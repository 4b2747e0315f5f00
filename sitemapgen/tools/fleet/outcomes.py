"""Outcomes of a fleet: one row a site, as a table for people and as outcomes.json for programs."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from sitemapgen.analysis.fleet import SiteProgress
from sitemapgen.core.words import counted, duration, largest_first
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish.files import Staging
from sitemapgen.publish.result import format_moment
from sitemapgen.tools.fleet.journal import Journal
from sitemapgen.tools.fleet.scrapyd import Scrapyd
from sitemapgen.tools.fleet.sites import BadLine, FleetSite

NAME = "outcomes.json"
SCHEMA = 1
NONE_YET = "none yet"
"""Name of the outcome of a site that has none, in totals and table."""
COLUMNS = ("line", "outcome", "listed", "fetched", "took", "url", "server", "")
TO_THE_RIGHT = frozenset({"line", "listed", "fetched", "took"})


class FleetRow(NamedTuple):
    """A site with what became of it."""

    site: FleetSite
    progress: SiteProgress
    log: str
    """URL of the log of its last job; empty if it had none."""

    @property
    def outcome(self) -> str:
        """As in result.json, or one of ``analysis/fleet.py``."""
        return str(self.progress.outcome.get("outcome", NONE_YET))


def fleet_rows(
    sites: Sequence[FleetSite], journal: Journal, servers: Mapping[str, Scrapyd]
) -> list[FleetRow]:
    """Return the sites in their order, with what became of each so far."""
    result = []
    for site in sites:
        progress = journal.sites.get(site.key, SiteProgress())
        scrapyd = servers.get(progress.server)
        log = scrapyd.log_url(progress.job) if scrapyd and progress.job else ""
        result.append(FleetRow(site, progress, log))
    return result


def count_outcomes(found: Sequence[FleetRow]) -> dict[str, int]:
    """Return the number of sites for each outcome."""
    return dict(Counter(row.outcome for row in found).most_common())


def table_lines(found: Sequence[FleetRow]) -> Iterator[str]:
    """Yield the lines of the table, and then the totals."""
    cells = [COLUMNS, *map(_row_cells, found)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    for row in cells:
        padded = (
            cell.rjust(width) if name in TO_THE_RIGHT else cell.ljust(width)
            for name, cell, width in zip(COLUMNS, row, widths)
        )
        yield "  ".join(padded).rstrip()
    yield f"{counted(len(found), 'site')}: {largest_first(count_outcomes(found))}"


def _row_cells(row: FleetRow) -> tuple[str, ...]:
    outcome = row.progress.outcome
    counts = outcome.get("counts") or {}
    listed, fetched = (
        f"{counts[name]:,}" if name in counts else "" for name in ("listed", "fetched")
    )
    took = _crawl_seconds(outcome)
    return (
        str(row.site.line),
        row.outcome,
        listed,
        fetched,
        "" if took is None else duration(took),
        row.site.url,
        row.progress.server,
        outcome.get("sentence", ""),
    )


def _crawl_seconds(outcome: Mapping[str, Any]) -> float | None:
    """Return how long a crawl took, by the clock of its server."""
    try:
        began, ended = (datetime.fromisoformat(outcome[name][:19]) for name in ("started", "ended"))
    except (KeyError, TypeError, ValueError):
        return None
    return (ended - began).total_seconds()


def write_outcomes(
    directory: Path, found: Sequence[FleetRow], journal: Journal, skipped: Sequence[BadLine]
) -> None:
    """Replace outcomes.json. Raises CrawlError."""
    facts = {
        "schema": SCHEMA,
        "round": journal.round,
        "started": format_moment(journal.started),
        "written": format_moment(),
        "complete": all(row.progress.outcome for row in found),
        "totals": count_outcomes(found),
        "sites": [_as_json(row) for row in found],
        "skipped": [bad._asdict() for bad in skipped],
    }
    texts = json.JSONEncoder(indent=1, ensure_ascii=False).iterencode(facts)
    try:
        with Staging(directory, int(time.time())) as staging:
            file = staging.open(NAME)
            file.writelines(text.encode() for text in texts)
            file.write(b"\n")
            staging.commit(last=NAME)
    except OSError as error:
        why = f"{error.strerror}; once it can be, the same command writes it"
        sentence = f"{directory / NAME}: cannot be written: {why}"
        raise CrawlError(Exit.NO_SPACE, sentence) from error


def _as_json(row: FleetRow) -> dict[str, Any]:
    outcome, progress = row.progress.outcome, row.progress
    return {
        "line": row.site.line,
        "url": row.site.url,
        "outcome": outcome.get("outcome"),
        "exit_code": outcome.get("exit_code"),
        "sentence": outcome.get("sentence", ""),
        "complete": outcome.get("complete"),
        "counts": outcome.get("counts", {}),
        "started": outcome.get("started"),
        "ended": outcome.get("ended"),
        "server": progress.server or None,
        "output": outcome.get("output"),
        "job": progress.job or None,
        "jobs": progress.attempts,
        "log": row.log or None,
    }
