"""``sitemapgen indexnow OUTPUT``: submits the changes of a published sitemap to search engines.

Selection and sending of the URLs: ``tools/submission.py``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemapgen.core.words import counted
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.tools.command import ProjectCommand, parse_operands, print_line

if TYPE_CHECKING:
    from sitemapgen.tools.submission import Submission

SHOWN = 20
"""Number of changes that a dry run shows."""


class Command(ProjectCommand):
    """Prints the URLs that would be submitted, or submits them with ``--submit``."""

    usage = "OUTPUT"
    summary = "Submit to search engines what changed in a published sitemap"
    sends_with = "submit"
    examples = (
        "indexnow output/example.com",
        "indexnow output/example.com --submit",
    )

    def add_own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--submit", action="store_true", help="send it; without this, show what would be sent"
        )
        parser.add_argument(
            "--baseline",
            action="store_true",
            help="send nothing, and take what is published now as known",
        )
        parser.add_argument("--key", default="", help="the IndexNow key; made once unless given")
        parser.add_argument(
            "--key-location",
            default="",
            metavar="URL",
            help="where the key file is served; in the root of the site unless given",
        )

    def work(self, settings: Mapping[str, Any], args: list[str], opts: argparse.Namespace) -> Exit:
        from sitemapgen.tools import submission as tool  # noqa: PLC0415 - see validate.py

        (output,) = parse_operands(args, "OUTPUT")
        if opts.submit and opts.baseline:
            raise CrawlError(Exit.ARGUMENTS, "--baseline: sends nothing, --submit does; give one")
        submission = tool.prepare_submission(
            Path(output), settings, key=opts.key, location=opts.key_location
        )
        if opts.baseline:
            tool.mark_as_submitted(submission)
            known = counted(len(submission.published), "URL counts", "URLs count")
            print_line(f"{known} as known; nothing was sent")
        elif not submission.changes:
            print_line("nothing changed since the last submission")
        elif opts.submit:
            tool.submit_changes(submission, settings, print_line)
        else:
            for line in _plan_lines(submission):
                print_line(line)
        return Exit.PUBLISHED


def _plan_lines(submission: Submission) -> Iterator[str]:
    kinds = Counter(change.kind for change in submission.changes)
    words = ", ".join(f"{kind} {count:,}" for kind, count in sorted(kinds.items()))
    yield f"to submit to {submission.endpoint}: {counted(len(submission.changes), 'URL')} ({words})"
    signs = {"added": "+", "removed": "-"}
    for change in submission.changes[:SHOWN]:
        yield f"{signs.get(change.kind, '~')} {change.url}"
    if (left := len(submission.changes) - SHOWN) > 0:
        yield f"... and {left:,} more"
    yield f"key file: serve {submission.key_file} as {submission.key_location}"
    if not submission.submitted.lastmods:
        yield (
            "nothing was submitted before: the protocol asks for changes only, and --baseline "
            "takes what is published now as known"
        )
    yield "nothing was sent; --submit sends it"
