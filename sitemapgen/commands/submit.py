"""``sitemapgen submit OUTPUT``: submits the published sitemap to Google Search Console.

The request and its answers: ``tools/search_console.py``.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sitemapgen.errors import Exit
from sitemapgen.tools.command import ProjectCommand, parse_operands, print_line

TOKEN = "SITEMAPGEN_SEARCH_CONSOLE_TOKEN"  # noqa: S105 - the name of a variable
"""The variable of the environment that has the access token, unless another is named."""


class Command(ProjectCommand):
    """Prints the request that would be sent, or sends it with ``--send``."""

    usage = "OUTPUT"
    summary = "Submit a published sitemap to Google Search Console"
    sends_with = "send"
    examples = (
        "submit output/example.com",
        "submit output/example.com --property sc-domain:example.com",
    )

    def add_own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--send", action="store_true", help="send it; without, only show what would be sent"
        )
        parser.add_argument(
            "--property",
            default="",
            metavar="PROPERTY",
            help="the property in Search Console, such as sc-domain:example.com; the origin of the "
            "sitemap unless given",
        )
        parser.add_argument(
            "--sitemap",
            default="",
            metavar="URL",
            help="where the sitemap is served; as the crawl has it unless given",
        )
        parser.add_argument(
            "--token-variable",
            default=TOKEN,
            metavar="NAME",
            help=f"the variable of the environment with the OAuth access token. Default: {TOKEN}.",
        )

    def work(self, settings: Mapping[str, Any], args: list[str], opts: argparse.Namespace) -> Exit:
        from sitemapgen.tools import search_console as tool  # noqa: PLC0415 - see validate.py

        (output,) = parse_operands(args, "OUTPUT")
        call = tool.prepare_call(Path(output), settings, sitemap=opts.sitemap, owned=opts.property)
        if opts.send:
            status = tool.send_call(call, tool.token_of(opts.token_variable), settings)
            print_line(f"{call.sitemap}: submitted for {call.property} (HTTP {status})")
            return Exit.PUBLISHED
        state = "set" if os.environ.get(opts.token_variable) else "not set"
        print_line(f"to submit for {call.property}: {call.sitemap}")
        print_line(f"PUT {call.url}")
        print_line(f"access token: from {opts.token_variable}, which is {state}")
        print_line("nothing was sent; --send sends it")
        return Exit.PUBLISHED
