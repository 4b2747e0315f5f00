"""Check that the project's requirements are installed, for eggs that run in Scrapyd's Python.

Called by ``settings/``, which every command imports first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Any


def check_requirements() -> None:
    """Exit with one sentence that names packages which are missing or have a wrong version.

    Only eggs are checked; for a checkout, requirements.txt is installed by hand.
    """
    package: Any = files("sitemapgen")  # in an egg a zipfile.Path, which has a parent as well
    try:
        text = package.parent.joinpath("EGG-INFO/requires.txt").read_text("utf-8")
    except (FileNotFoundError, KeyError):
        return
    if lacking := ", ".join(_lacking_packages(text)):
        sys.exit(
            f"sitemapgen cannot run with {sys.executable}, for what it lacks: {lacking}; "
            "install the project's requirements.txt there"
        )


def _lacking_packages(text: str) -> Iterator[str]:
    from packaging.requirements import Requirement  # noqa: PLC0415 - 20 ms, for eggs only

    needed, _, _extras = text.partition("\n[")
    for requirement in map(Requirement, filter(None, needed.splitlines())):
        try:
            found = version(requirement.name)
        except PackageNotFoundError:
            yield f"{requirement} (not installed)"
        else:
            if not requirement.specifier.contains(found, prereleases=True):
                yield f"{requirement} ({found} is installed)"
