"""What an environment lacks, in words; with a real egg: ``tests/crawls/test_scrapyd.py``."""

from __future__ import annotations

from importlib.metadata import version

from sitemapgen.checks.requirements import _lacking, check


def test_what_is_missing_and_what_will_not_do() -> None:
    here = version("scrapy")
    lines = [
        f"scrapy>={here}",
        "scrapy<1.0",
        "no-such-thing>=1",
    ]
    assert list(_lacking("\n".join(lines))) == [
        f"scrapy<1.0 ({here} is installed)",
        "no-such-thing>=1 (not installed)",
    ]


def test_extras_are_not_needed() -> None:
    assert list(_lacking("no-such-thing>=1\n\n[tables]\nno-such-extra>=1\n")) == [
        "no-such-thing>=1 (not installed)"
    ]


def test_of_a_checkout_nothing_is_asked() -> None:
    check()
