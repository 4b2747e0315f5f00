"""``sitemapgen publish OUTPUT``: writes the sitemap of a crawl again with other arguments."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from sitemapgen.core.words import counted
from sitemapgen.errors import Exit
from sitemapgen.tools.command import ProjectCommand, add_pairs, parse_operands, parse_pairs

logger = logging.getLogger(__name__)


class Command(ProjectCommand):
    """Writes the files again, with the arguments of the crawl and those given with ``-a``."""

    usage = "OUTPUT"
    summary = "Write the sitemap of a crawl again, in another shape"
    examples = ("publish output/example.com -a formats=xml,txt --to public",)

    def add_own_options(self, parser: argparse.ArgumentParser) -> None:
        add_pairs(
            parser, "an argument that shapes the files, instead of the one that the crawl had"
        )
        parser.add_argument(
            "--to", metavar="DIRECTORY", help="write there, and leave OUTPUT as it is"
        )

    def work(self, settings: Mapping[str, Any], args: list[str], opts: argparse.Namespace) -> Exit:
        from sitemapgen.params import max_loss  # noqa: PLC0415 - see validate.py
        from sitemapgen.publish.options import OutputSettings  # noqa: PLC0415
        from sitemapgen.publish.other_formats import describe_cuts  # noqa: PLC0415
        from sitemapgen.publish.republish import export_sitemap  # noqa: PLC0415

        (output,) = parse_operands(args, "OUTPUT")
        given = dict(parse_pairs("-a", opts.arguments))
        directory = Path(output)
        target = Path(opts.to) if opts.to else directory
        publication = export_sitemap(
            directory,
            target,
            given,
            settings=OutputSettings.of(settings),
            max_loss=max_loss(settings),
            now=datetime.now(timezone.utc),
        )
        for path, state in publication.states():
            logger.info("%(path)s: %(state)s", {"path": path, "state": state})
        shortened = describe_cuts(publication.files, publication.summary["listed"])
        for sentence in (*shortened, *publication.unread):
            logger.warning("%(sentence)s", {"sentence": sentence})
        publication.check(target)
        if publication.objection:
            logger.warning("force=true: published, though %(why)s", {"why": publication.objection})
        logger.info("%(urls)s listed", {"urls": counted(publication.summary["listed"], "URL")})
        return Exit.PUBLISHED
