"""Does this Python have what a crawl needs? A Scrapyd lends its own, whatever is in it.

Asked by ``settings/``, which whoever runs the project reads first.
"""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from packaging.requirements import Requirement

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = ("requirements.txt", "EGG-INFO/requires.txt")
"""Beside the package: in a checkout, and in the egg that setup.py makes of it."""
OPTIONAL = frozenset({"playwright", "psutil", "scrapy-playwright"})
"""For pages that need a browser: a crawl goes on without."""


def check() -> None:
    """Exit with one sentence that names what is missing, or of a version that will not do."""
    if lacking := ", ".join(_lacking()):
        sys.exit(
            f"sitemapgen cannot run with {sys.executable}, for what it lacks: {lacking}; "
            "install the project's requirements.txt there"
        )


def _lacking() -> Iterator[str]:
    for line in _lines():
        requirement = Requirement(line)
        if requirement.name in OPTIONAL:
            continue
        try:
            found = version(requirement.name)
        except PackageNotFoundError:
            yield f"{requirement} (not installed)"
        else:
            if not requirement.specifier.contains(found, prereleases=True):
                yield f"{requirement} ({found} is installed)"


def _lines() -> list[str]:
    """The lines that name a requirement; none where the project came without such a file."""
    beside: Any = files(__package__)  # a Path, or in an egg a zipfile.Path: both have a parent
    for name in FILES:
        try:
            text = beside.parent.joinpath(name).read_text("utf-8")
        except (FileNotFoundError, KeyError):
            continue
        return [line for line in text.splitlines() if line[:1].isalpha()]
    return []
