"""The settings of the browser: read once, and refused in one sentence."""

import pytest
from scrapy.settings import Settings

from sitemapgen import settings
from sitemapgen.checks.browser import BrowserConfig, read_endpoints
from tests.helpers.tables import for_each


def given(**values: object) -> Settings:
    found = Settings()
    found.setmodule(settings)
    found.setdict({f"SITEMAPGEN_RENDERING_{name}": value for name, value in values.items()})
    return found


def test_numbers_from_the_command_line_are_texts() -> None:
    config = BrowserConfig.from_settings(given(TABS="3", DEADLINE="20", SETTLE="4"))
    assert config.tabs == 3
    assert (config.waits.deadline, config.waits.navigation, config.waits.settle) == (20, 15, 4)


@for_each(
    ("TABS", "many", "'many' is no number; use one from 0 upwards"),
    ("DEADLINE", "-1", "'-1' is no number"),
    ("QUIET", "nan", "'nan' is no number"),
    ("WAIT_UNTIL", "loaded", "'loaded'; use one of commit, domcontentloaded, load"),
    ("ROOT_SELECTORS", "##", "'##' is no CSS selector"),
)
def test_bad_settings_get_a_sentence(name: str, value: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"SITEMAPGEN_RENDERING_{name}: {sentence}"):
        BrowserConfig.from_settings(given(**{name: value}))


@for_each(
    ("BROWSER_TYPE", "firefox", "'firefox', but pages are rendered in chromium; leave it out"),
    ("ABORT_REQUEST", "shop.no_such", "'shop.no_such' is no function: "),
)
def test_settings_of_scrapy_playwright_get_a_sentence(name: str, value: str, sentence: str) -> None:
    found = given()
    found.set(f"PLAYWRIGHT_{name}", value)
    with pytest.raises(ValueError, match=f"PLAYWRIGHT_{name}: {sentence}"):
        BrowserConfig.from_settings(found)


@for_each(
    ("", []),
    ("http://one:9222", ["http://one:9222"]),
    ("http://one:9222, wss://me:p@two/x?token=t", ["http://one:9222", "wss://two"]),
    (["http://one", "http://one:81"], ["http://one", "http://one:81"]),
    ('ws://one/?launch={"args":["a","b"]},ws://two', ["ws://one", "ws://two"]),
    ("ws://one/?token=a,ws://one/?token=b", ["ws://one", "ws://one"]),
)
def test_endpoints_have_names_without_secrets(value: object, names: list[str]) -> None:
    found = read_endpoints(Settings({"PLAYWRIGHT_CDP_URL": value}))
    assert [endpoint.name for endpoint in found] == names


@for_each(
    ([], " has no endpoint; write URLs such as http://browser.example:9222"),
    (" , ", " has no endpoint"),
    ("ftp://one/path", ": 'ftp://one' is no endpoint; write URLs such as http://"),
    ("one:9222", ": 'one:9222' is no endpoint"),
    ("http://one:1,two:2", ": 'http://one:1,two:2' is no endpoint"),
    ("http://one,htp://me:S3CRET@two", ": entry 2 is no endpoint"),
    ("http://me:S3CRET@one:port/", ": entry 1 is no endpoint"),
    ("http://one/,http://ONE:80", ": http://ONE:80 is there twice; name each browser once"),
)
def test_bad_endpoints_get_a_sentence(value: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"PLAYWRIGHT_CDP_URL{sentence}") as raised:
        read_endpoints(Settings({"PLAYWRIGHT_CDP_URL": value}))
    assert "S3CRET" not in str(raised.value)


def test_endpoints_are_of_one_kind() -> None:
    both = {"PLAYWRIGHT_CDP_URL": "http://one", "PLAYWRIGHT_CONNECT_URL": "ws://two"}
    with pytest.raises(ValueError, match="are both set; use one of them"):
        read_endpoints(Settings(both))
