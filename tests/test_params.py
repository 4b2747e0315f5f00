"""The arguments: what they accept, and the one sentence for what they do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from sitemapgen.params import IN_SCOPE, Params, sentences


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
        ({"url": "a", "xyz": "3"}, "xyz: no such argument; see the README for all"),
        ({"url": "a", "max_pages": "-1"}, "max_pages: -1 is negative; use 0 for no limit"),
        ({"url": "a", "max_depth": "-2"}, "max_depth: -2 is negative; use 0 for no limit"),
        ({"url": "a", "max_pages": "many"}, "max_pages: 'many': input should be a valid integer"),
        ({"url": "a", "www": "yes"}, "www: 'yes': input should be 'strict' or 'merge'"),
        ({"url": "a", "gzip": "perhaps"}, "gzip: 'perhaps': input should be a valid boolean"),
        ({"url": "a", "formats": "xml,pdf"}, "formats: 'pdf': input should be 'xml', 'txt' or"),
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
