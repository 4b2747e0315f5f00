"""Hints at arguments in the notation of the reader: options of ``sitemapgen crawl``, or fields.

Sentences of the code name arguments as ``scrapy crawl`` takes them: ``-a max_pages=0``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ARGUMENT = re.compile(r"-a (\w+)=(\S*?)(?=[,;:.)]*(?:\s|$))")
PROFILE = re.compile(r"\bSCRAPY_PROJECT=(\w+)")


def as_options(text: str) -> str:
    """Name arguments and profiles as options of ``sitemapgen crawl``.

    >>> as_options("use -a verify_tls=false, -a max_pages=0 or -a url=http://e.example:80/.")
    'use --no-verify-tls, --max-pages 0 or http://e.example:80/.'
    >>> as_options("SCRAPY_PROJECT=fast takes 8 s"), as_options("-a formats=, -a fresh=true")
    ('--profile fast takes 8 s', '--formats, --fresh')
    """
    return PROFILE.sub(r"--profile \1", ARGUMENT.sub(_with(option), text))


def as_fields(text: str) -> str:
    """Name arguments as the fields of the form of ``sitemapgen serve``.

    >>> as_fields("for a certificate of your own, -a verify_tls=false")
    'for a certificate of your own, verify tls: false'
    """
    return ARGUMENT.sub(_with(lambda name, value: f"{name.replace('_', ' ')}: {value}"), text)


def option(name: str, value: str) -> str:
    """Return an argument as an option of ``sitemapgen crawl``.

    >>> option("gzip", "true"), option("url", "https://e.example/")
    ('--gzip', 'https://e.example/')
    """
    words = name.replace("_", "-")
    if name == "url":
        return value
    if value in ("true", "false"):
        return f"--{'no-' * (value == 'false')}{words}"
    return f"--{words} {value}".rstrip()


def _with(notation: Callable[[str, str], str]) -> Callable[[re.Match[str]], str]:
    return lambda match: notation(match[1], match[2])
