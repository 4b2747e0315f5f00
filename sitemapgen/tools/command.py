"""Commands that start no crawl: help, exit codes, error sentences, operands; and their runs.

It imports no Scrapy, which takes several times as long as most of them: settings and log are as
Scrapy would have them. Those that send requests are run by Scrapy: ``scrapy_command.py`` makes a
command of Scrapy of each.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, ClassVar

from sitemapgen.deploy import profiles
from sitemapgen.errors import CrawlError, Exit

logger = logging.getLogger(__name__)


class ProjectCommand(ABC):
    """Command of ``sitemapgen`` and of ``scrapy`` that starts no crawl."""

    usage: ClassVar[str]
    """The operands, as ``--help`` shows them."""
    summary: ClassVar[str]
    """One line for the list of commands."""
    description: ClassVar[str] = ""
    """What its help begins with; the summary if empty."""
    examples: ClassVar[tuple[str, ...]]
    """Commands without the program, which ``--help`` shows."""
    reads_sitemaps: ClassVar[bool] = False
    """Whether an operand may be the URL of a sitemap."""
    sends_with: ClassVar[str] = ""
    """The option with which it sends requests; empty for none."""

    @abstractmethod
    def add_own_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options that are not those of all commands."""

    def needs_scrapy(self, args: list[str], opts: argparse.Namespace) -> bool:
        """Return whether it sends requests, for which Scrapy runs the command."""
        is_sent = bool(self.sends_with) and getattr(opts, self.sends_with)
        return is_sent or (self.reads_sitemaps and any(map(is_url, args)))

    @abstractmethod
    def work(self, settings: Mapping[str, Any], args: list[str], opts: argparse.Namespace) -> Exit:
        """Do what the command is for. Raises CrawlError."""


class HelpFormatter(argparse.HelpFormatter):
    """Wraps texts at spaces alone, and no text that ends with a line break."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        # A break at a hyphen would cut options such as --max-pages.
        words = " ".join(text.split())
        return textwrap.wrap(words, width, break_long_words=False, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.endswith("\n"):
            return textwrap.indent(text.rstrip(), indent)
        lines = self._split_lines(text, width - len(indent))
        return textwrap.indent("\n".join(lines), indent)


def add_examples(parser: argparse.ArgumentParser, program: str, examples: Iterable[str]) -> None:
    """Show commands below the options, as they are typed: a line each, after the program."""
    lines = "".join(f"{program} {each}\n" for each in examples)
    parser.add_argument_group("examples", lines)


def add_pairs(parser: argparse.ArgumentParser, text: str) -> None:
    """Add ``-a NAME=VALUE``; ``text``: its help."""
    parser.add_argument(
        "-a", dest="arguments", action="append", default=[], metavar="NAME=VALUE", help=text
    )


def exit_code_of(work: Callable[[], Exit]) -> Exit:
    """Do the work of a command; return its exit code.

    Of a CrawlError, the sentence is logged, and its exit code returned to the shell.
    """
    try:
        code = work()
        sys.stdout.flush()
    except CrawlError as error:
        logger.error("%(sentence)s", {"sentence": error.sentence})
        code = error.exit_code
    except BrokenPipeError:  # the reader has seen enough: "| head"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = Exit.PUBLISHED
    return code


def parse_operands(args: list[str], *names: str) -> list[str]:
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


def is_url(text: str) -> bool:
    """Return whether an operand is a URL and not a path."""
    return text.lower().startswith(("http://", "https://"))


def print_line(line: str) -> None:
    """Write a line of output at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def parse_pairs(flag: str, words: Iterable[str]) -> list[tuple[str, str]]:
    """Return the names and values of an option given as NAME=VALUE. Raises CrawlError."""
    found = []
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            raise CrawlError(Exit.ARGUMENTS, f"{flag} {word}: has no =; write NAME=VALUE")
        found.append((name, value))
    return found


MODULE = "SCRAPY_SETTINGS_MODULE"
"""The environment variable that names a module with the settings of a project."""


def run_offline(command: ProjectCommand, options: argparse.Namespace) -> Exit:
    """Run a command without Scrapy; return its exit code. Raises CrawlError."""
    given = dict(parse_pairs("-s", options.set))
    if options.log_level:
        given["LOG_LEVEL"] = options.log_level
    if options.log_file:
        given["LOG_FILE"] = options.log_file
    if options.log_level or options.log_file:
        given["LOG_ENABLED"] = "True"
    settings = {
        **_of_module(profiles.SETTINGS),
        **_of_module(os.environ.get(MODULE, profiles.SETTINGS)),
        **given,
    }
    _begin_log(settings)

    def work() -> Exit:
        profile = settings["SITEMAPGEN_PROFILE"]
        of_profile = _of_module(profiles.settings_module(profile)) if profile else {}
        return command.work({**settings, **of_profile, **given}, options.operands, options)

    return exit_code_of(work)


def _of_module(name: str) -> dict[str, Any]:
    return {key: value for key, value in vars(import_module(name)).items() if key.isupper()}


def _begin_log(settings: Mapping[str, Any]) -> None:
    """Write the log to LOG_FILE, or to standard error, if there is one."""
    handler: logging.Handler = logging.NullHandler()
    if path := settings.get("LOG_FILE"):
        mode = "a" if _is_true(settings.get("LOG_FILE_APPEND", True)) else "w"
        handler = logging.FileHandler(path, mode, settings.get("LOG_ENCODING", "utf-8"))
    elif _is_true(settings.get("LOG_ENABLED", True)):
        handler = logging.StreamHandler()
    logging.basicConfig(
        handlers=[handler],
        level=settings["LOG_LEVEL"],
        format=settings["LOG_FORMAT"],
        datefmt=settings.get("LOG_DATEFORMAT", "%Y-%m-%d %H:%M:%S"),
    )
    logging.captureWarnings(not sys.warnoptions)


def _is_true(value: object) -> bool:
    return str(value) in ("1", "True", "true")
