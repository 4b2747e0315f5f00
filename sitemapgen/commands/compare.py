"""``sitemapgen compare OUTPUT...``: the coverage of several sites in one table and four plots."""

from __future__ import annotations

import argparse
import logging
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sitemapgen.errors import Exit
from sitemapgen.tools.command import ProjectCommand, parse_operands

logger = logging.getLogger(__name__)


class Command(ProjectCommand):
    """Reads the report.json of each output directory and writes the comparison."""

    usage = "OUTPUT..."
    summary = "Compare the coverage of several sites"
    examples = ("compare output/example.com output/example.org --into comparison",)

    def add_own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--into", metavar="DIRECTORY", default="comparison", help="default: comparison"
        )

    def work(self, settings: Mapping[str, Any], args: list[str], opts: argparse.Namespace) -> Exit:
        from sitemapgen.publish.files import Staging, writing_errors  # noqa: PLC0415 - see validate.py
        from sitemapgen.report.comparison import NAMES, read_site, write_comparison  # noqa: PLC0415

        into = Path(opts.into)
        outputs = map(Path, dict.fromkeys(parse_operands(args, "OUTPUT...")))
        with writing_errors(into):
            sites = sorted(map(read_site, outputs), key=lambda site: site["output"])
            with Staging(into, int(time.time())) as staging:
                write_comparison(sites, staging.open, into)
                replaced = staging.commit(last=NAMES[-1], stale=())
        for name in NAMES:
            state = "written" if name in replaced else "unchanged"
            logger.info("%(path)s: %(state)s", {"path": into / name, "state": state})
        return Exit.PUBLISHED
