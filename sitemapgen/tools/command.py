"""Base classes of the commands: exit codes, error sentences, operands.

Not in ``commands/``: of each class there Scrapy makes a command.
"""

from __future__ import annotations

import logging
import os
import sys
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand, ScrapyHelpFormatter
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.log import configure_logging

from sitemapgen.deploy import profiles
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.tools.help import HelpFormatter, add_examples

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

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


class ProjectCommand(ScrapyCommand):
    """Command of the project that starts no crawl."""

    requires_project = True
    requires_crawler_process = False
    usage: ClassVar[str]
    """The operands, as ``--help`` shows them."""
    summary: ClassVar[str]
    """One line for the list of commands."""
    examples: ClassVar[tuple[str, ...]]
    """Commands without the program, which ``--help`` shows."""

    def syntax(self) -> str:
        return f"[options] {self.usage}"

    def short_desc(self) -> str:
        return self.summary

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        self.add_own_options(parser)
        parser.formatter_class = ScrapyHelp
        add_examples(parser, "scrapy", self.examples)

    def add_own_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options that are not those of all Scrapy commands."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Work with the settings of the selected profile, and set the exit code.

        Of a CrawlError, the sentence is logged, and its exit code returned to the shell.
        """
        assert self.settings is not None
        configure_logging(self.settings)
        if (self.settings.getpriority("LOG_LEVEL") or 0) <= SETTINGS_PRIORITIES["project"]:
            logging.getLogger("scrapy").setLevel(logging.WARNING)  # it introduces itself otherwise
        try:
            profiles.take(self.settings)
            code = self.work(self.settings, args, opts)
            sys.stdout.flush()
        except CrawlError as error:
            logger.error("%(sentence)s", {"sentence": error.sentence})
            code = error.exit_code
        except BrokenPipeError:  # the reader has seen enough: "| head"
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = Exit.PUBLISHED
        self.exitcode = int(code)

    @abstractmethod
    def work(self, settings: Settings, args: list[str], opts: argparse.Namespace) -> Exit:
        """Do what the command is for. Raises CrawlError."""


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


def operands(args: list[str], *names: str) -> list[str]:
    """Return the operands of a command: one for each name, or one or more after ``NAME...``.

    Raises CrawlError for options and for another number of operands.
    """
    unknown = [arg for arg in args if arg.startswith("-")]
    if unknown:
        raise CrawlError(Exit.ARGUMENTS, f"{unknown[0]}: no such option; --help shows all")
    if len(args) != len(names) and not (args and names[-1].endswith("...")):
        wanted = " ".join(names)
        given = " ".join(args) or "nothing"
        raise CrawlError(Exit.ARGUMENTS, f"give {wanted}, and not {given}")
    return args
