"""The arguments: what they accept, and the one sentence for what they do not."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError
from scrapy.settings import Settings
from scrapy_spider_metadata import get_spider_metadata

from sitemapgen.errors import CrawlError, Exit
from sitemapgen.params import ACCESS, IN_SCOPE, Params, max_loss, near_threshold, sentences
from sitemapgen.spiders.sitemap import SitemapSpider
from sitemapgen.spiders.worker import WorkerSpider
from tests.helpers.tables import for_each


@for_each(
    ("example.com", "https://example.com/"),
    ("example.com/docs", "https://example.com/docs"),
    (" https://EXAMPLE.com ", "https://example.com/"),
    ("http://127.0.0.1:8000", "http://127.0.0.1:8000/"),
    ("https:///a.example", "https://a.example/"),  # as browsers take it
    ("https://a.example/x,http:/b,c", "https://a.example/x,http:/b,c"),
    ("https://a.example/http://b", "https://a.example/http://b"),
    ("https.example", "https://https.example/"),
    ("htop:8000", "https://htop:8000/"),
    ("münchen.example", "https://xn--mnchen-3ya.example/"),
)
def test_the_start_url_is_completed(url: str, complete: str) -> None:
    assert Params(url=url).url == complete


NO_HOSTS = (
    *("http://../", "http://./", "..", ".", "http://.a/", "http://a..b/", "http://a../"),
    *("http://u@..:80/", "http://%2e%2E/", "http://\uff0e\uff0e/", "\u3002", "http://\u00ad.a/"),
)
"""Hosts with an empty label, in each way to write one."""


@for_each(
    ({}, "url: missing; use -a url=https://example.com"),
    ({"url": " "}, "url: missing; use -a url=https://example.com"),
    ({"url": "ftp://a"}, "url: 'ftp://a' is not an http or https URL; write https://exam"),
    ({"url": "https://[::1"}, "url: 'https://[::1' is not an http or https URL; write "),
    *(
        ({"url": wrong}, f"url: {wrong!r} is not an http or https URL; write {meant}")
        for wrong, meant in (
            ("http:/a.example", "http://a.example/"),
            ("http:a.example/b?c", "http://a.example/b?c"),
            ("http//a.example", "http://a.example/"),
            ("htp://a.example", "http://a.example/"),
            ("https;//a.example", "https://a.example/"),
            ("ttps:\\\\a.example", "https://a.example/"),
            ("http://https://a.example", "https://a.example/"),
            ("https://https//a.example", "https://a.example/"),
        )
    ),
    ({"url": "a.example b.example"}, "url: 'a.example b.example' are several URLs"),
    ({"url": "http://a,http://b"}, "url: 'http://a,http://b' are several URLs; a crawl has"),
    ({"url": "a", "max_page": "3"}, "max_page: no such argument; did you mean max_pages?"),
    ({"url": "a", "xyz": "3"}, "xyz: no such argument; docs/reference/arguments.md has all"),
    ({"url": "a", "max_pages": "-1"}, "max_pages: -1 is negative; use 0 for no limit"),
    ({"url": "a", "max_depth": "-2"}, "max_depth: -2 is negative; use 0 for no limit"),
    ({"url": "a", "max_pages": "many"}, "max_pages: 'many' is no whole number; write "),
    ({"url": "a", "www": "yes"}, "www: 'yes' is unknown; use strict or merge"),
    ({"url": "a", "gzip": "perhaps"}, "gzip: 'perhaps' is neither true nor false"),
    ({"url": "a", "formats": "xml,pdf"}, "formats: 'pdf' is unknown; use xml, txt, "),
    ({"url": "a", "extensions": "pdf"}, "extensions: 'pdf' is unknown; use hreflang, "),
    ({"url": "a", "layout": "date"}, "layout: 'date' is unknown; use size, section, rec"),
    ({"url": "a", "layout": "log", "priority": "pagerank"}, "layout: log leaves older parts a"),
    ({"url": "a", "base_url": "/files"}, "base_url: '/files' is not an http or https URL"),
    *(({"url": url}, "url: ") for url in NO_HOSTS),
    ({"url": "a", "base_url": "http://../"}, "base_url: 'http://../' is not an http or"),
    ({"url": "a", "sitemaps": "http://./x"}, "sitemaps: 'http://./x' is not an http or"),
    ({"url": "a", "sitemaps": "b.xml"}, "sitemaps: 'b.xml' is not an http or https URL"),
)
def test_what_is_refused_in_one_sentence(arguments: dict[str, str], sentence: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Params(**arguments)
    (said,) = sentences(caught.value)
    assert said.startswith(sentence)
    assert "\n" not in said


def test_everything_that_is_wrong_is_said() -> None:
    with pytest.raises(ValidationError) as caught:
        Params(url="a", max_pages=-1, max_depth=-1)
    assert len(sentences(caught.value)) == 2


def test_what_scrapyd_adds_is_dropped() -> None:
    assert Params(url="a", _job="8f3c").url == "https://a/"


@for_each(
    ({"url": "https://example.com/a/b"}, "output/example.com"),
    ({"url": "http://127.0.0.1:8000/"}, "output/127.0.0.1_8000"),
    ({"url": "http://[::1]:8000/"}, "output/__1_8000"),
    ({"url": "a", "output": "x/y"}, "x/y"),
    ({"url": "example.com./a"}, "output/example.com."),
)
def test_where_the_files_go(arguments: dict[str, str], directory: str) -> None:
    assert Params(**arguments).output_directory() == Path(directory)


@for_each(
    ("origin", "https://a.example/docs/index.html", "/"),
    ("path", "https://a.example/docs/index.html", "/docs/"),
    ("path", "https://a.example/docs/v1/", "/docs/v1/"),
    ("path", "https://a.example/docs", "/"),
)
def test_the_scope(scope: str, start: str, directory: str) -> None:
    assert Params(url="a", scope=scope).site(start).directory == directory


SETTINGS = {
    "dashboard": ("true", "SITEMAPGEN_DASHBOARD_ENABLED", True),
    "max_depth": ("3", "DEPTH_LIMIT", 3),
    "max_pages": ("7", "SITEMAPGEN_MAX_PAGES", 7),
    "robots": ("ignore", "ROBOTSTXT_OBEY", False),
    "robots_unreachable": ("allow", "SITEMAPGEN_ROBOTS_UNREACHABLE", "allow"),
    "slashes": ("keep", "SITEMAPGEN_MERGE_SLASHES", False),
    "verify_tls": ("false", "DOWNLOAD_VERIFY_CERTIFICATES", False),
}


def resolved(given: dict[str, str], settings: dict[str, tuple[object, str]]) -> Settings:
    """The settings of a crawl: the project's, others at their priorities, then the arguments'."""
    result = Settings()
    result.setmodule("sitemapgen.settings", priority="project")
    for name, (value, priority) in settings.items():
        result.set(name, value, priority=priority)
    for name, (value, priority) in Params(url="a", **given).settings().items():
        result.set(name, value, priority=priority)
    return result


@for_each(*SETTINGS)
def test_an_argument_sets_its_setting_when_it_is_given(name: str) -> None:
    text, setting, value = SETTINGS[name]
    assert resolved({name: text}, {})[setting] == value
    assert resolved({name: text}, {setting: ("profile", "project")})[setting] == value


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("priority", ["project", "spider", "cmdline"])
def test_a_setting_holds_against_the_default_of_its_argument(name: str, priority: str) -> None:
    _, setting, value = SETTINGS[name]
    assert resolved({}, {setting: (value, priority)})[setting] == value


@for_each(*SETTINGS)
def test_the_command_line_setting_holds_against_an_argument(name: str) -> None:
    text, setting, _ = SETTINGS[name]
    assert resolved({name: text}, {setting: ("capped", "cmdline")})[setting] == "capped"


@for_each(*SETTINGS)
def test_nothing_given_is_the_default_of_the_argument(name: str) -> None:
    """The settings module has the same defaults as the model."""
    default = Params.model_fields[name].default
    _, setting, _ = SETTINGS[name]
    of_words = {"robots": default == "obey", "slashes": default == "merge"}
    assert resolved({}, {})[setting] == of_words.get(name, default)


def test_the_arguments_take_the_values_that_hold() -> None:
    settings = resolved({}, {"DEPTH_LIMIT": ("2", "cmdline"), "ROBOTSTXT_OBEY": ("0", "cmdline")})
    params = Params(url="a").settled(settings)
    assert (params.max_depth, params.robots, params.max_pages) == (2, "ignore", 50_000)


@for_each("include", "exclude")
@for_each(
    ("", "", "project", ""),
    ("/a/*", "", "project", "/a/*"),
    ("", "/b/*, *.pdf", "project", "/b/*,*.pdf"),
    ("/a/*", "/b/*", "project", "/a/*,/b/*"),
    ("/a/*", "/b/*", "cmdline", "/a/*,/b/*"),
    ("/a/*, /b/*", ["/b/*", "/c/*"], "project", "/a/*,/b/*,/c/*"),
)
def test_patterns_of_a_setting_hold_beside_those_of_the_argument(
    argument: str, setting: object, priority: str, expected: str, name: str
) -> None:
    settings = resolved({}, {f"SITEMAPGEN_{name.upper()}": (setting, priority)})
    params = Params(url="a", **{name: argument}).settled(settings)
    assert getattr(params, name) == params.in_scope()[name] == expected


@for_each("DEPTH_LIMIT", "SITEMAPGEN_MAX_PAGES")
@for_each("-1", "many", "1.5", "")
def test_a_limit_that_is_none_is_refused_in_one_sentence(value: str, name: str) -> None:
    with pytest.raises(CrawlError, match=f"^{name}: '{value}' is no limit; use a whole number"):
        Params(url="a").settled(resolved({}, {name: (value, "cmdline")}))


@for_each(
    (near_threshold, "SITEMAPGEN_NEAR_DUPLICATE_THRESHOLD", "0.6"),
    (max_loss, "SITEMAPGEN_MAX_LOSS", "0"),
)
@for_each("85", "1.01", "-0.1", "nan", "high")
def test_shares_out_of_range(
    value: str, check: Callable[[Settings], float], name: str, least: str
) -> None:
    sentence = f"^{name}: '{value}' is out of range; use a number from {least} to 1$"
    with pytest.raises(CrawlError, match=sentence) as caught:
        check(Settings({name: value}))
    assert caught.value.exit_code is Exit.ARGUMENTS
    assert check(Settings({name: "0.6"})) == 0.6


def test_what_an_interrupted_crawl_holds_on_to_is_plain_json() -> None:
    held = Params(url="a", exclude="/x/*").in_scope()
    assert set(held) == set(IN_SCOPE)
    assert all(isinstance(value, str | int) for value in held.values())


SECRETS = {
    "auth": "me:SECRET",
    "cookies": "a=SECRET",
    "headers": "X-Key: SECRET",
    "user_agent": "SECRET",
    "proxy": "http://me:SECRET@proxy.example:3128",
}


@pytest.mark.parametrize("name", SECRETS)
def test_the_environment_gives_access_and_the_argument_wins(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(SECRETS) == set(ACCESS)
    monkeypatch.setenv(f"SITEMAPGEN_{name.upper()}", SECRETS[name])
    assert "SECRET" in getattr(Params(url="a"), name).get_secret_value()
    other = {name: SECRETS[name].replace("SECRET", "other")}
    given = Params(url="a", **other)
    assert getattr(given, name).get_secret_value() == other[name]
    assert not getattr(Params(url="a", **{name: ""}), name)


def test_access_shows_nowhere() -> None:
    params = Params(url="https://me:SECRET@a.example/", **{**SECRETS, "auth": ""})
    for text in (repr(params), str(params), params.model_dump_json(), str(params.in_scope())):
        assert "SECRET" not in text
    assert params.url == "https://a.example/"
    assert params.access().headers["Authorization"] == "Basic bWU6U0VDUkVU"
    assert params.access().headers["Cookie"] == "a=SECRET"


@for_each(
    ({"auth": "SECRET"}, "auth: not of the form user:password"),
    ({"cookies": "SECRET"}, "cookies: not of the form name=value"),
    ({"headers": "SECRET"}, "headers: line 1 is not of the form Name: value"),
    ({"user_agent": "SECRET\n"}, "user_agent: contains a line break"),
    ({"proxy": "SECRET"}, "proxy: not of the form http://host:port"),
    ({"url": "https://me:SEC/RET@a"}, "url: '...@a' is not an http or https URL"),
    ({"url": "https://me:SECRET@[::1"}, "url: 'https://[::1' is not an http or https URL"),
    ({"sitemaps": "me:SECRET@a"}, "sitemaps: '...@a' is not an http or https URL"),
    ({"base_url": "me:SECRET@a"}, "base_url: '...@a' is not an http or https URL"),
    ({"url": "me:SECRET@a", "auth": "me:SECRET"}, "auth: the url has a user and a password as"),
    ({"auht": "me:SECRET"}, "auht: no such argument; did you mean auth?"),
)
def test_what_is_wrong_is_said_without_the_secret(arguments: dict[str, str], sentence: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Params(**{"url": "a", **arguments})
    (said,) = sentences(caught.value)
    assert said.startswith(sentence)
    assert "SEC" not in said + str(caught.value) + repr(caught.value)


def test_the_metadata_of_the_spiders() -> None:
    for spider in (SitemapSpider, WorkerSpider):
        found = get_spider_metadata(spider, normalize=True)
        assert found["title"]
        assert found["description"].endswith(".")
    for name, schema in get_spider_metadata(SitemapSpider)["param_schema"]["properties"].items():
        if schema.get("default") is not None:
            Params.model_validate({"url": "a.example", name: schema["default"]})
