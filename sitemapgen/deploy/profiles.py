"""Selection of a settings profile by name, where SCRAPY_PROJECT cannot be set, as under Scrapyd."""

from __future__ import annotations

from contextlib import suppress
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from sitemapgen.errors import CrawlError, Exit

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

SETTINGS = "sitemapgen.settings"


def apply_profile(settings: BaseSettings) -> None:
    """Add the settings of the profile named by SITEMAPGEN_PROFILE, if any. Raises CrawlError."""
    if profile := settings["SITEMAPGEN_PROFILE"]:
        settings.setmodule(settings_module(profile), priority="spider")


def settings_module(name: str) -> str:
    """Return the settings module for the name of a profile, or for the full name of a module.

    A profile comes before a top-level module of its name. Raises CrawlError if neither exists.
    """
    for full in (f"{SETTINGS}.{name}", name):
        with suppress(ImportError, ValueError):
            if find_spec(full):
                return full
    package = find_spec(SETTINGS)
    places = package.submodule_search_locations if package else ()
    known = ", ".join(sorted(each.name for each in iter_modules(places)))
    raise CrawlError(
        Exit.ARGUMENTS,
        f"SITEMAPGEN_PROFILE: {name!r} is no profile; there are {known}, "
        "and settings modules by their full names",
    )
