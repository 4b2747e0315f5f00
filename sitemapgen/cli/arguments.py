"""Options of ``sitemapgen crawl``: one for each argument of the spider, by topic.

Names, values, defaults and descriptions are those of ``params.py``, which also validates.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from sitemapgen.params import Params

TOPICS: Mapping[str, tuple[str, ...]] = {
    "which URLs": (
        *("scope", "include", "exclude", "max_pages", "max_depth", "sitemaps", "sources"),
        *("strategy", "query", "trailing_slash", "slashes", "www", "traps"),
    ),
    "access to the site": (
        *("robots", "robots_unreachable", "nofollow", "verify_tls", "user_agent", "proxy"),
        *("auth", "cookies", "headers"),
    ),
    "rendering": ("render", "interact"),
    "what is listed": ("duplicates", "views", "extensions"),
    "files": (
        *("output", "formats", "layout", "gzip", "stylesheet", "base_url", "priority"),
        *("changefreq", "indexed", "report_logo", "check_external"),
    ),
    "this run": ("refresh", "fresh", "force", "dashboard"),
}
"""The arguments except ``url``, in the order of ``--help``."""
PLACEHOLDERS = {
    **{"output": "DIRECTORY", "indexed": "FILE", "report_logo": "FILE"},
    **{"include": "PATTERNS", "exclude": "PATTERNS"},
    **{"sitemaps": "URLS", "max_pages": "N", "max_depth": "N", "base_url": "URL", "proxy": "URL"},
    **{"formats": "LIST", "extensions": "LIST", "auth": "USER:PASSWORD"},
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options, none of which has a value unless it is given."""
    for topic, names in TOPICS.items():
        group = parser.add_argument_group(topic)
        for name in names:
            _add_option(group, name, Params.model_fields[name])


def spider_arguments(options: argparse.Namespace) -> dict[str, str]:
    """Return the arguments that were given, as the spider takes them."""
    found = {}
    for name in (name for names in TOPICS.values() for name in names):
        value = getattr(options, name)
        if value is not None:
            found[name] = str(value).lower() if isinstance(value, bool) else value
    return found


def _add_option(group: argparse._ArgumentGroup, name: str, field: FieldInfo) -> None:
    flag = f"--{name.replace('_', '-')}"
    text = _help_text(name, field)
    if field.annotation is bool:
        group.add_argument(flag, action=_Switch, dest=name, default=None, help=text)
        return
    choices = choices_of(field) or None
    group.add_argument(
        flag,
        dest=name,
        choices=choices,
        metavar=None if choices else PLACEHOLDERS.get(name, "TEXT"),
        help=text,
    )


class _Switch(argparse.BooleanOptionalAction):
    """``--gzip`` and ``--no-gzip``; without a default in the help, which has it in its words."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        text = kwargs["help"]
        super().__init__(*args, **kwargs)
        self.help = text  # Python 3.10 to 3.12 add "(default: None)"


def _help_text(name: str, field: FieldInfo) -> str:
    text = (field.description or "").replace("`", "").replace("%", "%%")
    if field.annotation is SecretStr:
        return f"{text} In a script, set SITEMAPGEN_{name.upper()} in the environment instead."
    default = default_of(field)
    return f"{text} Default: {default}." if default else text


def choices_of(field: FieldInfo) -> tuple[str, ...]:
    """Return the values that an argument may have; none for a text."""
    if field.annotation is bool:
        return ("true", "false")
    return get_args(field.annotation) if get_origin(field.annotation) is Literal else ()


def default_of(field: FieldInfo) -> str:
    """Return the default of an argument, in words; empty without one."""
    value = field.default
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, frozenset):
        return ",".join(sorted(value)) or "none"
    return f"{value:,}" if isinstance(value, int) else value or ""
