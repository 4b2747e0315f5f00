"""The action API of MediaWiki, by responses in the form of its documentation."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from sitemapgen.core.sources.mediawiki import MediaWiki
from sitemapgen.core.sources.reading import Answer, Ask, Response, read_statement
from tests.helpers.tables import for_each

WIKI = "https://wiki.example/"
HEAD = """<head><meta name="generator" content="{generator}">
<link rel="EditURI" type="application/rsd+xml" href="//wiki.example/w/api.php?action=rsd"></head>"""


def first(generator: str) -> Ask | None:
    page = HEAD.format(generator=generator).encode()
    return MediaWiki().first(read_statement(f"{WIKI}Main_Page", {}, page))


def read(ask: Ask, value: object) -> Answer:
    return MediaWiki().read(ask, Response(ask.url, {}, json.dumps(value).encode()))


def query(ask: Ask) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(ask.url).query).items()}


@pytest.fixture
def spaces() -> Answer:
    ask = first("MediaWiki 1.39.7")
    assert ask is not None
    assert ask.url.startswith(f"{WIKI}w/api.php?action=query&")
    known = [(-1, False), (0, True), (1, False), (6, False), (8, False), (10, False), (100, True)]
    said = {
        str(n): {"id": n, "name": f"Space {n}" if n else "", "content": is_} for n, is_ in known
    }
    return read(ask, {"query": {"namespaces": said}})


def test_other_systems_with_really_simple_discovery() -> None:
    assert first("WordPress 6.1") is None


def test_namespaces_with_content_come_first(spaces: Answer) -> None:
    asked = [(ask.part, query(ask)["gapnamespace"]) for ask in spaces.more]
    assert asked == [
        *(("articles", "0"), ("Space 100", "100"), ("Space 1", "1"), ("Space 6", "6")),
    ]


def test_pages_and_their_last_revisions(spaces: Answer) -> None:
    rows = [
        {"fullurl": f"{WIKI}A", "revisions": [{"timestamp": "2024-05-01T12:30:00Z"}]},
        {"fullurl": f"{WIKI}B", "touched": "2025-01-01T00:00:00Z"},
        {"title": "C"},
    ]
    answer = read(spaces.more[0], {"query": {"pages": rows}, "continue": {"gapcontinue": "D"}})
    assert [(record.url, record.changed) for record in answer.records] == [
        (f"{WIKI}A", "2024-05-01T12:30:00Z"),
        (f"{WIKI}B", ""),
    ]
    (further,) = answer.more
    assert query(further) == {**query(spaces.more[0]), "gapcontinue": "D"}
    assert read(further, {"batchcomplete": True}) == Answer()


def test_talk_adds_no_pages(spaces: Answer) -> None:
    rows = [{"fullurl": f"{WIKI}Talk:A"}]
    (record,) = read(spaces.more[2], {"query": {"pages": rows}}).records
    assert not record.is_page


@for_each(
    ({"error": {"code": "readapidenied"}}, "the API refuses: readapidenied"),
    ([], "the answer has another form than documented"),
    ({"query": []}, "the answer has another form than documented"),
    ({}, "the answer has another form than documented"),
)
def test_what_is_no_answer(said: object, error: str) -> None:
    ask = first("MediaWiki")
    assert ask is not None
    assert read(ask, said) == Answer(error=error)
