"""``scrapy compare OUTPUT...``: the coverage of many sites in one table and four plots."""

from __future__ import annotations

import logging
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.utils.log import configure_logging

from sitemapgen.exits import Exit
from sitemapgen.publish.files import Staging
from sitemapgen.report.comparison import NAMES, NoReport, read, write

if TYPE_CHECKING:
    import argparse

logger = logging.getLogger(__name__)


class Command(ScrapyCommand):
    """Reads the report.json of every output directory; writes the comparison."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "[options] OUTPUT..."

    def short_desc(self) -> str:
        return "Compare the coverage of several sites"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--into", metavar="DIRECTORY", default="comparison", help="default: comparison"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        configure_logging(self.settings)
        into = Path(opts.into)
        try:
            if not args or any(arg.startswith("-") for arg in args):
                raise NoReport("name the output directories; see scrapy compare --help")
            sites = sorted(read(Path(arg)) for arg in dict.fromkeys(args))
            now = int(datetime.now(timezone.utc).timestamp())
            with Staging(into, now) as staging:
                write(sites, staging.open)
                replaced = staging.commit(last=NAMES[-1], stale=())
        except NoReport as error:
            logger.error("%(sentence)s", {"sentence": error})
            self.exitcode = int(Exit.ARGUMENTS)
        except OSError as error:
            sentence = f"{into}: cannot be written: {error.strerror}"
            logger.error("%(sentence)s", {"sentence": sentence})
            self.exitcode = int(Exit.NO_SPACE)
        else:
            for name in NAMES:
                state = "written" if name in replaced else "unchanged"
                logger.info("%(path)s: %(state)s", {"path": into / name, "state": state})
