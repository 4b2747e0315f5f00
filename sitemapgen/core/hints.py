"""Hints at arguments in the notation of the reader: options of ``sitemapgen crawl``, or fields.

Sentences of the code name arguments as ``scrapy crawl`` takes them: ``-a max_pages=0``.
"""

from __future__ import annotations

import re

ARGUMENT = re.compile(r"-a (\w+)=(\S*?)(?=[,;:.)]*(?:\s|$))")
PROFILE = re.compile(r"\bSCRAPY_PROJECT=(\w+)")


def as_options(text: str) -> str:
    """Name arguments and profiles as options of ``sitemapgen crawl``.

    >>> as_options("use -a verify_tls=false, -a max_pages=0 or -a url=http://e.example:80/.")
    'use --no-verify-tls, --max-pages 0 or http://e.example:80/.'
    >>> as_options("SCRAPY_PROJECT=fast takes 8 s"), as_options("-a formats=, -a fresh=true")
    ('--profile fast takes 8 s', '--formats, --fresh')
    """
    return PROFILE.sub(r"--profile \1", ARGUMENT.sub(option, text))


def as_fields(text: str) -> str:
    """Name arguments as the fields of the form of ``sitemapgen serve``.

    >>> as_fields("for a certificate of your own, -a verify_tls=false")
    'for a certificate of your own, verify tls: false'
    """
    return ARGUMENT.sub(lambda match: f"{match[1].replace('_', ' ')}: {match[2]}", text)


def option(match: re.Match[str]) -> str:
    """Return a match of ``ARGUMENT`` as an option of ``sitemapgen crawl``."""
    name, value = match.groups()
    words = name.replace("_", "-")
    if name == "url":
        return value
    if value in ("true", "false"):
        return f"--{'no-' * (value == 'false')}{words}"
    return f"--{words} {value}".rstrip()
