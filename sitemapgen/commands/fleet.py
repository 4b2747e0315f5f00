"""``sitemapgen fleet sites.csv``: crawls of many sites on one or many Scrapyd servers.

The sites, the servers and the state of a round: ``tools/fleet/``.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemapgen.core.words import counted
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.tools.command import ProjectCommand, parse_operands

if TYPE_CHECKING:
    from sitemapgen.tools.fleet.fleet import Fleet
    from sitemapgen.tools.fleet.servers import ScrapydServer
    from sitemapgen.tools.fleet.sites import FleetSite, Sites
    from sitemapgen.tools.fleet.worker import FleetOptions

logger = logging.getLogger(__name__)

AT_ONCE = 4
LIMIT = 1440.0
NOT_FOR_JOBS = ("LOG_", "SITEMAPGEN_FLEET_")
"""Prefixes of the settings that ``-s`` sets for the command alone."""


class Command(ProjectCommand):
    """Schedules the sites, waits for their results, and prints one table of outcomes."""

    usage = "SITES.CSV"
    summary = "Crawl many sites on Scrapyd servers"
    description = (
        "Crawl the sites of a CSV file, one a line, below a header of url and any arguments of "
        "the spider. -s NAME=VALUE is a setting of all jobs."
    )
    examples = (
        "fleet sites.csv",
        "fleet sites.csv --server http://localhost:6800/ --at-once 2",
    )

    def add_own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--server",
            action="append",
            default=[],
            metavar="TARGET|URL",
            help="a deploy target of scrapy.cfg, or http://user:password@host:6800/; any number of "
            "times (default the target [deploy])",
        )
        parser.add_argument(
            "--gone",
            action="append",
            default=[],
            metavar="URL",
            help="a server that will never be back; its sites are crawled anew on the others",
        )
        parser.add_argument(
            "--at-once",
            default=str(AT_ONCE),
            metavar="N",
            help=f"jobs on each server at a time (default {AT_ONCE})",
        )
        parser.add_argument(
            "--limit",
            default=f"{LIMIT:g}",
            metavar="MINUTES",
            help=f"cancel a site that takes longer; 0 for no limit (default {LIMIT:g})",
        )
        parser.add_argument(
            "--skip-bad", action="store_true", help="leave out bad lines instead of stopping"
        )
        parser.add_argument(
            "--into",
            metavar="DIRECTORY",
            help="for the state and outcomes.json (default sites.fleet beside sites.csv)",
        )

    def work(self, settings: Mapping[str, Any], args: list[str], opts: argparse.Namespace) -> Exit:
        from sitemapgen.tools.fleet import outcomes  # noqa: PLC0415 - see validate.py
        from sitemapgen.tools.fleet.fleet import Fleet  # noqa: PLC0415
        from sitemapgen.tools.fleet.journal import Journal  # noqa: PLC0415
        from sitemapgen.tools.fleet.servers import server_address  # noqa: PLC0415

        path = Path(*parse_operands(args, "SITES.CSV"))
        options = _fleet_options(settings, opts)
        gone = list(map(server_address, opts.gone))
        servers = _choose_servers(settings, opts, gone)
        sites = _read_sites(path, opts)
        into = Path(opts.into) if opts.into else path.with_name(f"{path.stem}.fleet")
        with Journal(path, into) as journal:
            fleet = Fleet(sites.good, servers, gone, journal, options)
            with fleet.stopped_by_signals():
                fleet.check_servers()
                _log_start(sites.good, fleet, into)
                fleet.run()
            scrapyds = {worker.server.url: worker.scrapyd for worker in fleet.workers}
            rows = outcomes.fleet_rows(sites.good, journal, scrapyds)
            sys.stdout.writelines(f"{line}\n" for line in outcomes.table_lines(rows))
            sys.stdout.flush()
            outcomes.write_outcomes(into, rows, journal, sites.bad)
            if remainder := fleet.remainder():
                raise CrawlError(Exit.INTERRUPTED, remainder)
            journal.record_step("over")
        published = Exit.PUBLISHED.name.lower()
        return Exit.PUBLISHED if all(row.outcome == published for row in rows) else Exit.FAILURES


def _read_sites(path: Path, opts: argparse.Namespace) -> Sites:
    """Return the sites; bad lines are an error, unless they are to be left out."""
    from sitemapgen.tools.fleet.sites import read_sites  # noqa: PLC0415

    sites = read_sites(path)
    level = logging.WARNING if opts.skip_bad else logging.ERROR
    for line, reason in sites.bad:
        facts = {"path": path, "line": line, "reason": reason}
        logger.log(level, "%(path)s: line %(line)s: %(reason)s", facts)
    if sites.bad and not (opts.skip_bad and sites.good):
        count = counted(len(sites.bad), "line is bad", "lines are bad")
        remedy = "correct them, or leave them out with --skip-bad"
        sentence = f"{path}: {count}, and nothing was scheduled; {remedy}"
        raise CrawlError(Exit.ARGUMENTS, sentence)
    return sites


def _choose_servers(
    settings: Mapping[str, Any], opts: argparse.Namespace, gone: list[str]
) -> list[ScrapydServer]:
    from scrapy.utils.conf import get_config  # noqa: PLC0415

    from sitemapgen.tools.fleet.servers import DEFAULT, choose_servers, target_sections  # noqa: PLC0415

    targets = target_sections(get_config())
    found = choose_servers(opts.server or [DEFAULT], targets, settings["BOT_NAME"])
    servers = [server for server in found if server.url not in gone]
    if not servers:
        raise CrawlError(Exit.ARGUMENTS, "--gone: no server is left; name others with --server")
    return servers


def _fleet_options(settings: Mapping[str, Any], opts: argparse.Namespace) -> FleetOptions:
    from sitemapgen.analysis.fleet import JobTimeouts  # noqa: PLC0415
    from sitemapgen.tools.fleet.worker import FleetOptions  # noqa: PLC0415

    if not opts.at_once.isdecimal() or not int(opts.at_once):
        sentence = f"--at-once: {opts.at_once!r} is no number of jobs; use 1 or more"
        raise CrawlError(Exit.ARGUMENTS, sentence)
    return FleetOptions(
        at_once=int(opts.at_once),
        settings=tuple(each for each in opts.set if not each.startswith(NOT_FOR_JOBS)),
        poll=float(settings["SITEMAPGEN_FLEET_POLL"]),
        limits=JobTimeouts(
            job=_parse_minutes(opts.limit) * 60,
            grace=float(settings["SITEMAPGEN_FLEET_GRACE"]),
            silence=float(settings["SITEMAPGEN_FLEET_SILENCE"]),
            patience=float(settings["SITEMAPGEN_FLEET_GIVE_UP"]),
        ),
    )


def _parse_minutes(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        minutes = -1.0
    if not 0 <= minutes < float("inf"):
        sentence = f"--limit: {text!r} is no number of minutes; use 0 for no limit"
        raise CrawlError(Exit.ARGUMENTS, sentence)
    return minutes


def _log_start(sites: list[FleetSite], fleet: Fleet, into: Path) -> None:
    facts = {
        "sites": counted(len(sites), "site"),
        "open": f"{fleet.unfinished:,}",
        "servers": counted(len(fleet.workers), "server"),
        "into": into,
    }
    logger.info("%(sites)s, %(open)s without an outcome, %(servers)s; state: %(into)s", facts)
