"""Base classes of the commands of ``scrapy``.

Not in ``scrapy_commands/``: of each class there Scrapy makes a command.
"""

from __future__ import annotations

import argparse
import logging
from importlib import import_module
from typing import Any

from scrapy.commands import ScrapyCommand, ScrapyHelpFormatter
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.log import configure_logging

from sitemapgen.deploy import profiles
from sitemapgen.errors import Exit
from sitemapgen.tools.command import HelpFormatter, ProjectCommand, add_examples, exit_code_of

logger = logging.getLogger(__name__)

SPIDER = "sitemap"
WORKER = "worker"


class ScrapyHelp(HelpFormatter, ScrapyHelpFormatter):
    """Scrapy's help, in which only headings are headings.

    Scrapy underlines each line that ends with a colon, also within the help of an option.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._headings: set[str] = set()

    def start_section(self, heading: str | None) -> None:
        super().start_section(heading)
        self._headings.add(f"{heading}:\n")

    def format_part_strings(self, part_strings: list[str]) -> list[str]:
        lines: list[str] = []
        for part in part_strings:
            is_text = part.endswith(":\n") and part not in self._headings
            lines += [part] if is_text else super().format_part_strings([part])
        return lines


class AdaptedCommand(ScrapyCommand):
    """The command of ``commands/`` by the name of its module."""

    requires_project = True
    requires_crawler_process = False

    def __init__(self) -> None:
        super().__init__()
        name = type(self).__module__.rpartition(".")[2]
        self.command: ProjectCommand = import_module(f"sitemapgen.commands.{name}").Command()

    def syntax(self) -> str:
        return f"[options] {self.command.usage}"

    def short_desc(self) -> str:
        return self.command.summary

    def long_desc(self) -> str:
        return self.command.description or self.command.summary

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        self.command.add_own_options(parser)
        parser.formatter_class = ScrapyHelp
        add_examples(parser, "scrapy", self.command.examples)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Work with the settings of the selected profile, and set the exit code."""
        settings = self.settings
        assert settings is not None
        configure_logging(settings)
        if (settings.getpriority("LOG_LEVEL") or 0) <= SETTINGS_PRIORITIES["project"]:
            logging.getLogger("scrapy").setLevel(logging.WARNING)  # it introduces itself otherwise

        def work() -> Exit:
            profiles.apply_profile(settings)
            return self.command.work(settings, args, opts)

        self.exitcode = int(exit_code_of(work))


class WithoutArguments:
    """Mixin for Scrapy's commands that take no spider arguments: refuses the sitemap spider."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.spider != SPIDER:
            super().run(args, opts)  # type: ignore[misc]  # of the command that it is mixed into
            return
        logger.error(
            "--spider=%(spider)s: needs arguments, which this command does not take; leave it "
            "out, or use scrapy parse",
            {"spider": SPIDER},
        )
        self.exitcode = int(Exit.ARGUMENTS)
