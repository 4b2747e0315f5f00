"""The examples in docstrings hold."""

import doctest
from importlib import import_module

from tests.docs.pages import ROOT
from tests.helpers.tables import for_each

MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "sitemapgen").rglob("*.py"))
    if ">>> " in path.read_text("utf-8")
]


@for_each(*MODULES)
def test_examples_hold(name: str) -> None:
    outcome = doctest.testmod(import_module(name))
    assert outcome.attempted
    assert not outcome.failed
