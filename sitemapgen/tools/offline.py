"""Runs commands without Scrapy: their settings and their log, as Scrapy would have them.

Its import takes several times as long as most commands; those that send requests it runs:
``scrapy_command.py``.
"""

from __future__ import annotations

import logging
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sitemapgen.deploy import profiles
from sitemapgen.tools.command import exit_code_of, parse_pairs

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from sitemapgen.errors import Exit
    from sitemapgen.tools.command import ProjectCommand

SETTINGS = "sitemapgen.settings"
MODULE = "SCRAPY_SETTINGS_MODULE"
"""The environment variable that names a module with the settings of a project."""


def run(command: ProjectCommand, options: argparse.Namespace) -> Exit:
    """Run a command with the parsed options; return its exit code. Raises CrawlError."""
    given = dict(parse_pairs("-s", options.set))
    if options.log_level:
        given["LOG_LEVEL"] = options.log_level
    if options.log_file:
        given["LOG_FILE"] = options.log_file
    if options.log_level or options.log_file:
        given["LOG_ENABLED"] = "True"
    settings = {**_of_module(SETTINGS), **_of_module(os.environ.get(MODULE, SETTINGS)), **given}
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
