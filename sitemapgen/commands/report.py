"""``sitemapgen report OUTPUT``: writes the report of a crawl again; checks conditions for CI."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemapgen.errors import CrawlError, Exit
from sitemapgen.tools.command import ProjectCommand, parse_operands

if TYPE_CHECKING:
    from sitemapgen.report.metrics import ConditionResult

logger = logging.getLogger(__name__)


class Command(ProjectCommand):
    """Rebuilds report.json and urls.csv; the exit code reports whether conditions are met."""

    usage = "OUTPUT"
    summary = "Write the report of a crawl again, and check it"
    examples = (
        "report output/example.com",
        'report output/example.com --fail-on "orphans>5%,http_error_in_sitemap>0"',
    )

    def add_own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--indexed", metavar="FILE", help="URLs that a search engine indexed")
        parser.add_argument("--report-logo", metavar="FILE", help="an image for its first page")
        parser.add_argument(
            "--fail-on",
            metavar="CONDITIONS",
            help="exit with code 8 if one is met; separated by commas",
        )
        parser.add_argument(
            "--junit", metavar="FILE", help="write what became of them as JUnit XML"
        )

    def work(self, settings: Mapping[str, Any], args: list[str], opts: argparse.Namespace) -> Exit:
        from sitemapgen.params import max_loss  # noqa: PLC0415 - see validate.py
        from sitemapgen.publish.republish import rebuild_report  # noqa: PLC0415
        from sitemapgen.report.metrics import judge_condition, parse_conditions  # noqa: PLC0415
        from sitemapgen.report.sections.coverage import doubts  # noqa: PLC0415
        from sitemapgen.report.sections.not_looked_at import in_words  # noqa: PLC0415
        from sitemapgen.report.templates import read_logo  # noqa: PLC0415

        (output,) = parse_operands(args, "OUTPUT")
        if opts.junit and opts.fail_on is None:
            raise CrawlError(Exit.ARGUMENTS, "--junit: needs --fail-on, whose outcome it is")
        conditions = [] if opts.fail_on is None else parse_conditions(opts.fail_on)
        now = datetime.now(timezone.utc)
        index_file = Path(opts.indexed) if opts.indexed else None
        report, states = rebuild_report(
            Path(output),
            index_file=index_file,
            logo=read_logo(Path(opts.report_logo)) if opts.report_logo else "",
            max_loss=max_loss(settings),
            now=now,
        )
        if report["unfinished"]:
            logger.warning("%(sentence)s", {"sentence": report["unfinished"]})
        for line in in_words(report["not_looked_at"]):
            logger.warning("%(line)s", {"line": line})
        for doubt in doubts(report["indexed"]):
            logger.warning("indexed: %(doubt)s", {"doubt": doubt})
        for path, state in states:
            logger.info("%(path)s: %(state)s", {"path": path, "state": state})
        outcomes = [judge_condition(condition, report) for condition in conditions]
        if opts.junit:
            _write_junit(Path(opts.junit), report["start"], outcomes, now)
        for outcome in outcomes:
            level = logging.ERROR if outcome.failed else logging.INFO
            logger.log(
                level,
                "%(condition)s: %(state)s, %(sentence)s",
                {
                    "condition": outcome.condition.text,
                    "state": "failed" if outcome.failed else "passed",
                    "sentence": outcome.sentence,
                },
            )
        return Exit.CONDITION if any(outcome.failed for outcome in outcomes) else Exit.PUBLISHED


def _write_junit(
    path: Path, start: str, outcomes: Sequence[ConditionResult], now: datetime
) -> None:
    from sitemapgen.publish.files import Staging  # noqa: PLC0415
    from sitemapgen.report.metrics import write_junit  # noqa: PLC0415

    try:
        with Staging(path.parent, int(now.timestamp())) as staging:
            write_junit(start, outcomes, staging.open(path.name))
            staging.commit(last=path.name, stale=())
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise CrawlError(Exit.NO_SPACE, f"--junit: {path} cannot be written: {why}") from error
