"""The command ``sitemapgen``: the same commands as ``scrapy``, from any directory.

Commands that crawl or send requests are turned into those of ``scrapy``, with the settings of this
package; the others import none of it (``tools/command.py``).
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, NoReturn

from sitemapgen import __version__, interrupts
from sitemapgen.core.hints import as_options
from sitemapgen.deploy import profiles
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.tools.command import (
    MODULE,
    HelpFormatter,
    ProjectCommand,
    add_examples,
    add_pairs,
    run_offline,
)

PROGRAM = "sitemapgen"
CRAWL, INIT, SERVE, WORKER, COMPLETION = "crawl", "init", "serve", "worker", "completion"
TOOLS = (
    *("report", "publish", "compare", "validate", "diff", "indexnow", "submit", "export"),
    "fleet",
)
"""Modules of ``commands/``."""
SHELLS = ("bash", "zsh", "fish", "tcsh")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
FILE = Path("sitemapgen.toml")


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run a command, and exit with its code."""
    words = list(sys.argv[1:] if argv is None else argv)
    command = words[0] if words and words[0] in (*OWN, *TOOLS) else ""
    parser = _parser(*filter(None, [command]))
    if not words:
        parser.print_help()
        sys.exit(Exit.ARGUMENTS)
    if not command and not words[0].startswith("-"):
        parser.error(_no_command(words))
    options, unknown = parser.parse_known_args(words)
    if unknown and command == CRAWL and not any(word.startswith("-") for word in unknown):
        from sitemapgen.cli.crawl import ONE_URL  # noqa: PLC0415 - the model of the arguments

        _exit_with(CrawlError(Exit.ARGUMENTS, f"{' '.join(unknown)}: {ONE_URL}"))
    if unknown:
        hint = _suggest_option(unknown[0], command) if command else ""
        parser.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
    if command not in (CRAWL, WORKER):
        interrupts.uninstall()
    try:
        if command in OWN:
            OWN[command].run(options)
        else:
            _run_tool(command, options, words)
    except CrawlError as error:
        _exit_with(error)
    except KeyboardInterrupt:
        sys.stderr.write(interrupts.STOPPED)
        sys.exit(Exit.INTERRUPTED)
    sys.exit(Exit.PUBLISHED)


def _exit_with(error: CrawlError) -> NoReturn:
    print(f"sitemapgen: {error.sentence}", file=sys.stderr)  # noqa: T201 - there is no log yet
    sys.exit(error.exit_code)


def _no_command(words: Sequence[str]) -> str:
    """Return the sentence for a first word that is no command."""
    if "://" in words[0] or "." in words[0]:
        return f"{words[0]} is no command; write: {PROGRAM} {CRAWL} {' '.join(words)}"
    nearest = get_close_matches(words[0], (*OWN, *TOOLS), 1)
    return f"{words[0]} is no command; " + (
        f"did you mean {nearest[0]}?" if nearest else f"{PROGRAM} --help names them"
    )


def _suggest_option(word: str, command: str) -> str:
    """Return a hint at the option of a command that a misspelt one is most like; or none."""
    parser = argparse.ArgumentParser(add_help=False)
    _add_options(parser, command)
    known = [name for action in parser._actions for name in action.option_strings]
    nearest = get_close_matches(word.partition("=")[0], known, 1)
    return f"; did you mean {nearest[0]}?" if nearest else ""


def _crawl(options: argparse.Namespace) -> None:
    """Crawl one site, or all of the file, and exit. Raises CrawlError."""
    from sitemapgen.cli import crawl  # noqa: PLC0415 - the model of the arguments

    file = options.file or FILE
    if options.all:
        sys.exit(crawl.all_sites(options, file, _common_options(options)))
    site = crawl.one_site(options, file)
    words = (f"{name}={value}" for name, value in site.arguments.items())
    settings = (f"{name}={value}" for name, value in site.settings.items())
    logging.setLogRecordFactory(_Line)
    _scrapy([CRAWL, "sitemap", *_options("-a", words), *_options("-s", settings)], options)


def _init(options: argparse.Namespace) -> None:
    """Write a file of sites by a look at one. Raises CrawlError."""
    from sitemapgen.cli import crawl, init  # noqa: PLC0415 - the model of the arguments

    given = crawl.given_arguments(options)
    init.write_sites(options.target, given, _common_options(options), options.file or FILE)


class _Line(logging.LogRecord):
    """A line of the log, whose hints name options of this command."""

    def getMessage(self) -> str:  # noqa: N802 - logging's
        return as_options(super().getMessage())


def _serve(options: argparse.Namespace) -> None:
    """Start crawls by a page until a signal. Raises CrawlError."""
    from sitemapgen.cli.serve import server  # noqa: PLC0415 - a web server

    server.serve_jobs(options, _common_options(options), options.file or FILE)


def _work(options: argparse.Namespace) -> None:
    """Take part in a crawl of another process, and exit with the code of that."""
    _scrapy([CRAWL, WORKER, *_options("-a", options.arguments)], options)


def _print_completion(options: argparse.Namespace) -> None:
    import shtab  # noqa: PLC0415 - for this command alone

    sys.stdout.write(shtab.complete(_parser(*OWN, *TOOLS), options.shell) + "\n")


def _load_tool(name: str) -> ProjectCommand:
    command: ProjectCommand = import_module(f"sitemapgen.commands.{name}").Command()
    return command


def _run_tool(name: str, options: argparse.Namespace, words: Sequence[str]) -> None:
    """Run a command that starts no crawl, and exit with its code. Raises CrawlError."""
    tool = _load_tool(name)
    if not tool.needs_scrapy(options.operands, options):
        options.set = _given_settings(options)
        sys.exit(run_offline(tool, options))
    common = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    _add_common(common)
    options, rest = common.parse_known_args(words[1:])
    _scrapy([name, *rest], options)


def _scrapy(words: list[str], options: argparse.Namespace) -> None:
    """Run a command of Scrapy's, and exit with its code."""
    os.environ.setdefault(MODULE, profiles.SETTINGS)
    from scrapy.cmdline import execute  # noqa: PLC0415 - a second

    execute(["sitemapgen", *words, *_scrapy_options(options)])


def _given_settings(options: argparse.Namespace) -> list[str]:
    """Return the settings given as NAME=VALUE, the profile among them."""
    # Below scrapy.cfg, SCRAPY_PROJECT names the profile.
    profile = options.profile or os.environ.get("SCRAPY_PROJECT")
    return [*options.set, *([f"SITEMAPGEN_PROFILE={profile}"] if profile else ())]


def _scrapy_options(options: argparse.Namespace) -> list[str]:
    """Return the options that all commands have, as Scrapy names them."""
    words = _options("-s", _given_settings(options))
    if options.log_level:
        words += ["--loglevel", options.log_level]
    if options.log_file:
        words += ["--logfile", options.log_file]
    return words


def _common_options(options: argparse.Namespace) -> list[str]:
    """Return the options that all commands have as they were given."""
    words = _options("-s", options.set)
    for name in ("profile", "log_level", "log_file"):
        if value := getattr(options, name, ""):
            words += [f"--{name.replace('_', '-')}", value]
    return words


def _options(flag: str, values: Iterable[str]) -> list[str]:
    return [word for value in values for word in (flag, value)]


# The parsers


class OwnCommand(NamedTuple):
    """A command of ``sitemapgen`` that ``scrapy`` lacks."""

    summary: str
    usage: str
    """What follows its name."""
    examples: tuple[str, ...]
    """Commands without the program."""
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], None]


def _parser(*commands: str) -> argparse.ArgumentParser:
    """Return the parser with the options of some commands; without any, a list of all."""
    parser = argparse.ArgumentParser(
        prog="sitemapgen",
        description="Crawls sites, publishes sitemaps that can be trusted, and measures those "
        "that there are.",
        epilog="sitemapgen COMMAND --help shows the options of a command.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"sitemapgen {__version__}")
    parsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in commands:
        command, text = OWN.get(name) or _load_tool(name), ""
        if isinstance(command, OwnCommand):
            text, usage = command.summary, command.usage
        else:
            text = command.description or command.summary
            usage = f"[options] {command.usage}"
        one = parsers.add_parser(
            name,
            help=command.summary,
            description=f"{text.rstrip('.')}.",
            usage=f"sitemapgen {name} {usage}",
            formatter_class=HelpFormatter,
            allow_abbrev=False,
        )
        _add_options(one, name)
        add_examples(one, PROGRAM, command.examples)
    if not commands:
        for name in (*OWN, *TOOLS):
            parsers.add_parser(name, help=(OWN.get(name) or _load_tool(name)).summary)
    return parser


def _add_options(parser: argparse.ArgumentParser, name: str) -> None:
    if name in OWN:
        OWN[name].add_options(parser)
        return
    tool = _load_tool(name)
    text = "the directory with the files of a crawl, such as output/example.com"
    is_output = tool.usage.rstrip(".") == "OUTPUT"
    help_ = text if is_output else None
    parser.add_argument("operands", nargs="*", metavar=tool.usage, help=help_)
    tool.add_own_options(parser)
    _add_common(parser)


def _add_crawling(parser: argparse.ArgumentParser, target: str = "") -> None:
    """Add the options of a command that crawls or, without a target, takes part in a crawl."""
    if target:
        more = " Or the name of a site in sitemapgen.toml." if "NAME" in target else ""
        words = f"Where to start; example.com means https://example.com/.{more}"
        parser.add_argument("target", nargs="?", default="", metavar=target, help=words)
        _add_file(parser)
    if "NAME" in target:
        parser.add_argument("--all", action="store_true", help="all sites of sitemapgen.toml")
    add_pairs(parser, "an argument as scrapy crawl takes it")
    if target:
        from sitemapgen.cli import arguments  # noqa: PLC0415 - the model of the arguments

        arguments.add_options(parser)
    _add_common(parser)


def _add_completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS)


def _add_serve(parser: argparse.ArgumentParser) -> None:
    _add_file(parser)
    parser.add_argument(
        "--queue",
        type=Path,
        default=Path("queue"),
        metavar="DIRECTORY",
        help="the jobs, their logs and their files. Default: queue.",
    )
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="crawls at a time. Default: 1."
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="the address to listen on, by which browsers then have to name it; without TLS. "
        "Default: 127.0.0.1, this machine alone.",
    )
    parser.add_argument(
        "--port", type=int, default=6020, metavar="N", help="0: any that is free. Default: 6020."
    )
    _add_settings(parser.add_argument_group("settings of all crawls"))


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--file",
        type=Path,
        metavar="FILE",
        help=f"the sites and their arguments. Default: {FILE}, if there is one.",
    )


def _add_common(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("settings and log")
    _add_settings(group)
    group.add_argument("--log-level", choices=LEVELS, help="Default: INFO.")
    group.add_argument("--log-file", metavar="FILE", help="Default: the terminal.")


def _add_settings(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--profile",
        metavar="NAME",
        help="a profile of settings: polite, fast, or a module by its full name",
    )
    group.add_argument(
        "-s",
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of Scrapy or of sitemapgen; any number of times",
    )


OWN = {
    CRAWL: OwnCommand(
        "Crawl a site and publish its sitemap",
        "[options] URL|NAME",
        (
            "crawl https://example.com",
            'crawl https://example.com --max-pages 500 --exclude "*/print,/tag/*"',
            "crawl shop",
            "crawl --all",
        ),
        partial(_add_crawling, target="URL|NAME"),
        _crawl,
    ),
    INIT: OwnCommand(
        "Look at a site, and write sitemapgen.toml for its crawls",
        "[options] URL",
        ("init https://example.com",),
        partial(_add_crawling, target="URL"),
        _init,
    ),
    SERVE: OwnCommand(
        "Start crawls, and watch them, in a browser",
        "[options]",
        ("serve", "serve --port 8080 --jobs 2"),
        _add_serve,
        _serve,
    ),
    WORKER: OwnCommand(
        "Take part in a crawl of another machine",
        "[options]",
        ("worker -s SITEMAPGEN_CLUSTER=redis://localhost:6379/0",),
        _add_crawling,
        _work,
    ),
    COMPLETION: OwnCommand(
        "Print the completions for a shell",
        "|".join(SHELLS),
        ("completion bash > completions.sh",),
        _add_completion,
        _print_completion,
    ),
}
