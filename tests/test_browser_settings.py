"""The settings of the browser: read once, and refused in one sentence."""

from __future__ import annotations

import pytest
from scrapy.settings import Settings

from sitemapgen import settings
from sitemapgen.checks.browser import BrowserConfig


def given(**values: object) -> Settings:
    found = Settings()
    found.setmodule(settings)
    found.setdict({f"SITEMAPGEN_RENDERING_{name}": value for name, value in values.items()})
    return found


def test_numbers_from_the_command_line_are_texts() -> None:
    config = BrowserConfig.from_settings(given(TABS="3", DEADLINE="20", SETTLE="4"))
    assert config.tabs == 3
    assert (config.waits.deadline, config.waits.navigation, config.waits.settle) == (20, 15, 4)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("TABS", "many", "'many' is no number; use one from 0 upwards"),
        ("DEADLINE", "-1", "'-1' is no number"),
        ("QUIET", "nan", "'nan' is no number"),
        ("WAIT_UNTIL", "loaded", "'loaded'; use one of commit, domcontentloaded, load"),
        ("ROOT_SELECTORS", "##", "'##' is no CSS selector"),
    ],
)
def test_bad_settings_get_a_sentence(name: str, value: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"SITEMAPGEN_RENDERING_{name}: {sentence}"):
        BrowserConfig.from_settings(given(**{name: value}))
