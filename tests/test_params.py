"""The arguments: what they accept, and the one sentence for what they do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from sitemapgen.params import ACCESS, IN_SCOPE, Params, sentences


@pytest.mark.parametrize(
    ("url", "complete"),
    [
        ("example.com", "https://example.com/"),
        ("example.com/docs", "https://example.com/docs"),
        (" https://EXAMPLE.com ", "https://example.com/"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000/"),
        ("münchen.example", "https://xn--mnchen-3ya.example/"),
    ],
)
def test_the_start_url_is_completed(url: str, complete: str) -> None:
    assert Params(url=url).url == complete


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "url: missing; say -a url=https://example.com"),
        ({"url": " "}, "url: missing; say -a url=https://example.com"),
        ({"url": "ftp://a"}, "url: 'ftp://a' is not an http or https URL; write https://exam"),
        ({"url": "https://[::1"}, "url: 'https://[::1' is not an http or https URL; write "),
        ({"url": "a", "max_page": "3"}, "max_page: no such argument; did you mean max_pages?"),
        ({"url": "a", "xyz": "3"}, "xyz: no such argument; docs/arguments.md has all"),
        ({"url": "a", "max_pages": "-1"}, "max_pages: -1 is negative; use 0 for no limit"),
        ({"url": "a", "max_depth": "-2"}, "max_depth: -2 is negative; use 0 for no limit"),
        ({"url": "a", "max_pages": "many"}, "max_pages: 'many': input should be a valid integer"),
        ({"url": "a", "www": "yes"}, "www: 'yes': input should be 'strict' or 'merge'"),
        ({"url": "a", "gzip": "perhaps"}, "gzip: 'perhaps': input should be a valid boolean"),
        ({"url": "a", "formats": "xml,pdf"}, "formats: 'pdf': input should be 'xml', 'txt', "),
        ({"url": "a", "extensions": "pdf"}, "extensions: 'pdf': input should be 'hreflang', "),
        ({"url": "a", "layout": "date"}, "layout: 'date': input should be 'size', 'section', 'rec"),
        ({"url": "a", "layout": "log", "priority": "pagerank"}, "layout: log leaves older parts a"),
        ({"url": "a", "base_url": "/files"}, "base_url: '/files' is not an http or https URL"),
        ({"url": "a", "sitemaps": "b.xml"}, "sitemaps: 'b.xml' is not an http or https URL"),
    ],
)
def test_what_is_refused_in_one_sentence(arguments: dict[str, str], sentence: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Params(**arguments)  # type: ignore[arg-type]
    (said,) = sentences(caught.value)
    assert said.startswith(sentence)
    assert "\n" not in said


def test_everything_that_is_wrong_is_said() -> None:
    with pytest.raises(ValidationError) as caught:
        Params(url="a", max_pages=-1, max_depth=-1)
    assert len(sentences(caught.value)) == 2


def test_what_scrapyd_adds_is_dropped() -> None:
    assert Params(url="a", _job="8f3c").url == "https://a/"  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("arguments", "directory"),
    [
        ({"url": "https://example.com/a/b"}, "output/example.com"),
        ({"url": "http://127.0.0.1:8000/"}, "output/127.0.0.1"),
        ({"url": "http://[::1]:8000/"}, "output/__1"),
        ({"url": "a", "output": "x/y"}, "x/y"),
    ],
)
def test_where_the_files_go(arguments: dict[str, str], directory: str) -> None:
    assert Params(**arguments).output_directory() == Path(directory)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("scope", "start", "directory"),
    [
        ("origin", "https://a.example/docs/index.html", "/"),
        ("path", "https://a.example/docs/index.html", "/docs/"),
        ("path", "https://a.example/docs/v1/", "/docs/v1/"),
        ("path", "https://a.example/docs", "/"),
    ],
)
def test_the_scope(scope: str, start: str, directory: str) -> None:
    assert Params(url="a", scope=scope).site(start).directory == directory  # type: ignore[arg-type]


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
    given = Params(url="a", **other)  # type: ignore[arg-type]
    assert getattr(given, name).get_secret_value() == other[name]
    assert not getattr(Params(url="a", **{name: ""}), name)  # type: ignore[arg-type]


def test_access_shows_nowhere() -> None:
    params = Params(url="https://me:SECRET@a.example/", **{**SECRETS, "auth": ""})  # type: ignore[arg-type]
    for text in (repr(params), str(params), params.model_dump_json(), str(params.in_scope())):
        assert "SECRET" not in text
    assert params.url == "https://a.example/"
    assert params.access().headers["Authorization"] == "Basic bWU6U0VDUkVU"
    assert params.access().headers["Cookie"] == "a=SECRET"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
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
    ],
)
def test_what_is_wrong_is_said_without_the_secret(arguments: dict[str, str], sentence: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Params(**{"url": "a", **arguments})  # type: ignore[arg-type]
    (said,) = sentences(caught.value)
    assert said.startswith(sentence)
    assert "SEC" not in said + str(caught.value) + repr(caught.value)
