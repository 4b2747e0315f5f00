"""Template of sitemap.html: that of the package, or the user's (``SITEMAPGEN_HTML_TEMPLATE``)."""

from __future__ import annotations

import traceback
from importlib import resources
from typing import TYPE_CHECKING, Any

from sitemapgen.errors import CrawlError, Exit
from sitemapgen.report.templates import make_environment

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from jinja2 import Environment, Template

SETTING = "SITEMAPGEN_HTML_TEMPLATE"
OURS = "sitemap.html.jinja"
GROUP = "\N{NARROW NO-BREAK SPACE}"
"""Separates groups of three digits in all languages (ISO 80000-1 section 7.3)."""


def read_asset(name: str) -> str:
    """Return the text of a file in ``page/``."""
    return (resources.files("sitemapgen.publish") / "page" / name).read_text("utf-8")


def check_template(path: Path | None) -> None:
    """Raise CrawlError if the user's template is missing, unreadable or no Jinja template."""
    if path is not None:
        _load_template(path)


def format_number(value: int) -> str:
    """Return a number in groups of three digits: the filter ``number`` of templates.

    >>> format_number(1234567).split(GROUP)
    ['1', '234', '567']
    """
    return f"{value:,}".replace(",", GROUP)


class PageTemplate:
    """The template of all pages of one sitemap."""

    def __init__(self, path: Path | None) -> None:
        """``path``: the user's template; None for ours. Raises CrawlError as ``check_template``."""
        self._path = path.resolve() if path else None
        self._template = (
            _load_template(path) if path else _make_environment().from_string(read_asset(OURS))
        )

    def render(self, variables: Mapping[str, Any]) -> str:
        """Return one page. Raises CrawlError, with the line, if the user's template fails."""
        if self._path is None:
            return self._template.render(variables)
        try:
            return self._template.render(variables)
        except Exception as error:  # whatever a template calls
            raise _template_error(
                self._path, _error_location(error, self._path.parent), error
            ) from error


def _load_template(path: Path) -> Template:
    from jinja2 import FileSystemLoader, TemplateSyntaxError  # noqa: PLC0415

    try:
        path.read_bytes().decode()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise CrawlError(Exit.ARGUMENTS, f"{SETTING}: {path}: cannot be read: {why}") from error
    except UnicodeDecodeError as error:
        raise CrawlError(Exit.ARGUMENTS, f"{SETTING}: {path}: is not UTF-8; save it so") from error
    environment = _make_environment()
    environment.loader = FileSystemLoader(path.resolve().parent)
    try:
        return environment.get_template(path.resolve().name)
    except TemplateSyntaxError as error:
        raise _template_error(path, f"{path}, line {error.lineno}", error) from error


def _make_environment() -> Environment:
    environment = make_environment()
    environment.filters["number"] = format_number
    return environment


def _error_location(error: Exception, directory: Path) -> str:
    """Return the file and the line of the innermost template that was being rendered."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [frame for frame in frames if frame.filename.startswith(str(directory))]
    if lineno := getattr(error, "lineno", None):  # the syntax of an included template
        return f"{getattr(error, 'filename', None) or directory}, line {lineno}"
    return f"{places[-1].filename}, line {places[-1].lineno}" if places else str(directory)


def _template_error(path: Path, place: str, error: Exception) -> CrawlError:
    words = " ".join(str(error).split()) or type(error).__name__
    remedy = f"correct it, or leave {SETTING} empty"
    return CrawlError(Exit.ARGUMENTS, f"{SETTING}: {place}: {words}; {remedy}")
