"""Hints at arguments, as options of a command and as fields of a form."""

import re
from pathlib import Path

from sitemapgen.cli.arguments import TOPICS
from sitemapgen.core import hints

PACKAGE = Path(hints.__file__).resolve().parents[1]


def test_every_hint_of_the_code_is_an_option() -> None:
    names = {"url", *(name for names in TOPICS.values() for name in names)}
    for path in PACKAGE.rglob("*.py"):
        for name, _ in hints.ARGUMENT.findall(path.read_text("utf-8")):
            assert name in {*names, "NAME"}, path


def test_nothing_else_is_touched() -> None:
    for text in ("a/-a/max_pages=0", "-s NAME=VALUE", "https://e.example/?x=-a", "pages - a = b"):
        assert hints.as_options(text) == text == hints.as_fields(text)
    assert not re.search("-a ", hints.as_options("-a headers= and -a cookies=a=b; -a x=1"))
