"""Exit codes, error sentences and operands of the project's commands."""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING

from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.log import configure_logging

from sitemapgen.deploy import profiles
from sitemapgen.errors import CrawlError, Exit

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.settings import Settings

logger = logging.getLogger(__name__)

SPIDER = "sitemap"


def conclude(settings: Settings | None, work: Callable[[Settings], Exit]) -> int:
    """Do a command's work with the settings of the selected profile; return the exit code.

    Of a CrawlError, the sentence is logged and the exit code returned.
    """
    assert settings is not None
    configure_logging(settings)
    if (settings.getpriority("LOG_LEVEL") or 0) <= SETTINGS_PRIORITIES["project"]:
        logging.getLogger("scrapy").setLevel(logging.WARNING)  # else it logs its versions
    try:
        profiles.take(settings)
        code = work(settings)
        sys.stdout.flush()
    except CrawlError as error:
        logger.error("%(sentence)s", {"sentence": error.sentence})
        code = error.exit_code
    except BrokenPipeError:  # the reader closed the pipe: "| head"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = Exit.PUBLISHED
    return int(code)


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


def is_refused(spider: str | None) -> bool:
    """Return whether ``spider`` is the sitemap spider, and log why a command cannot run it.

    The command takes no spider arguments, which that spider needs.
    """
    if spider != SPIDER:
        return False
    sentence = (
        f"--spider={SPIDER}: needs arguments, which this command does not take; leave it out, or "
        "use scrapy parse"
    )
    logger.error("%(sentence)s", {"sentence": sentence})
    return True
