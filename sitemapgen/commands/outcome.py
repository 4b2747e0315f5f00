"""The end of a command: its exit code, and one sentence for what was wrong."""

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
    """Do a command's work, with the settings of a profile that was asked for.

    A CrawlError becomes its sentence in the log, and its exit code.
    """
    assert settings is not None
    configure_logging(settings)
    if (settings.getpriority("LOG_LEVEL") or 0) <= SETTINGS_PRIORITIES["project"]:
        logging.getLogger("scrapy").setLevel(logging.WARNING)  # it introduces itself otherwise
    try:
        profiles.take(settings)
        code = work(settings)
        sys.stdout.flush()
    except CrawlError as error:
        logger.error("%(sentence)s", {"sentence": error.sentence})
        code = error.exit_code
    except BrokenPipeError:  # the reader has seen enough: "| head"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = Exit.PUBLISHED
    return int(code)


def operands(args: list[str], *names: str) -> list[str]:
    """The arguments that are no options, one for each name; of a name that ends in ``...`` any.

    Raises CrawlError for any others.
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
    """Refuse the sitemap spider, with a sentence, where a command takes no spider arguments."""
    if spider != SPIDER:
        return False
    sentence = (
        f"--spider={SPIDER}: needs arguments, which this command does not take; leave it out, or "
        "use scrapy parse"
    )
    logger.error("%(sentence)s", {"sentence": sentence})
    return True
