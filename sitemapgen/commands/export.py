"""``sitemapgen export OUTPUT``: pages, links and history of a crawl as tables for other programs.

Parquet or CSV, in partitions by site and run, or urls.csv as a workbook: ``publish/tables/``.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sitemapgen.core.words import counted
from sitemapgen.errors import Exit
from sitemapgen.tools.command import ProjectCommand, parse_operands

logger = logging.getLogger(__name__)


class Command(ProjectCommand):
    """Writes the tables beside the crawl, or with ``--into`` into those of other crawls."""

    usage = "OUTPUT"
    summary = "Write pages, links and history of a crawl as tables"
    examples = (
        "export output/example.com",
        "export output/example.com --to csv --into tables",
        "export output/example.com --to xlsx",
    )

    def add_own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--to",
            choices=("parquet", "csv", "xlsx"),
            default="parquet",
            help="default: parquet; xlsx: urls.csv as a workbook, OUTPUT/urls.xlsx",
        )
        parser.add_argument(
            "--into",
            metavar="DIRECTORY",
            help="where the tables are, of this crawl and of others; default: OUTPUT/tables",
        )

    def work(self, settings: Mapping[str, Any], args: list[str], opts: argparse.Namespace) -> Exit:
        from sitemapgen.publish.tables import export as tables  # noqa: PLC0415 - see validate.py

        (output,) = map(Path, parse_operands(args, "OUTPUT"))
        if opts.to == "xlsx":
            written, run = tables.export_workbook(output, Path(opts.into) if opts.into else output)
        else:
            into = Path(opts.into) if opts.into else output / tables.DIRECTORY
            written, run = tables.export_tables(output, into, opts.to)
        if not run.ended:
            logger.warning(
                "%(output)s: the crawl was interrupted; export it again when it has ended",
                {"output": output},
            )
        for path, rows, files, size in written:
            logger.info(
                "%(path)s: %(rows)s in %(files)s, %(size)s",
                {
                    "path": path,
                    "rows": counted(rows, "row"),
                    "files": counted(files, "file"),
                    "size": counted(size, "byte"),
                },
            )
        return Exit.PUBLISHED
