"""``scrapy indexnow``: against a real server that plays the site and the endpoint."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crawls.commands import Result, index, run, urlset, write
from tests.helpers.crawls import IMPATIENT
from tests.helpers.server import Answer, Server

KEY = "1a2b3c4d5e6f7a8b"


class Endpoint(Server):
    """Serves key files, and answers submissions with what is in ``answers``, then with 200."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, dict[str, str]]] = []
        self.files: dict[str, bytes] = {}
        super().__init__(self._reply)

    @property
    def posts(self) -> list[dict[str, Any]]:
        return [json.loads(visit.body) for visit in self.visits if visit.method == "POST"]

    @property
    def asked(self) -> list[str]:
        return [f"{visit.method} {visit.path}" for visit in self.visits]

    def submitted(self) -> list[str]:
        return [url for post in self.posts for url in post["urlList"]]

    def _reply(self, path: str) -> Answer | None:
        if self.visits[-1].method == "POST":
            return Answer("", *(self.answers.pop(0) if self.answers else (200, {})))
        return Answer(self.files[path]) if path in self.files else None


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as server:
        yield server


class Output:
    """An output directory, and the command on it."""

    def __init__(self, path: Path, endpoint: Endpoint) -> None:
        self.path = path
        self.endpoint = endpoint

    def publish(self, *names: str, **lastmods: str) -> None:
        urls = [f"{self.endpoint.url}{name}" for name in names]
        write(self.path, sitemap__xml=urlset(*urls, **lastmods))

    def serve_key(self, key: str = KEY, place: str = "/") -> None:
        self.endpoint.files[f"{place}{key}.txt"] = f"{key}\n".encode()

    def run(self, *options: str, **environment: str) -> Result:
        setting = f"SITEMAPGEN_INDEXNOW_ENDPOINT={self.endpoint.url}indexnow"
        return run("indexnow", self.path, "-s", setting, *IMPATIENT, *options, **environment)

    @property
    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads((self.path / "indexnow.json").read_text())
        return state


@pytest.fixture
def output(tmp_path: Path, endpoint: Endpoint) -> Output:
    return Output(tmp_path / "output", endpoint)


def test_a_dry_run_sends_nothing_and_keeps_its_key(output: Output, endpoint: Endpoint) -> None:
    output.publish("a", "b")
    result = output.run()
    assert (result.code, result.log) == (0, "")
    key = re.findall(r"serve \S+/([0-9a-f]{32})\.txt as", result.out)[0]
    assert result.out.splitlines() == [
        f"to submit to {endpoint.url}indexnow: 2 URLs (added 2)",
        f"+ {endpoint.url}a",
        f"+ {endpoint.url}b",
        f"key file: serve {output.path}/{key}.txt as {endpoint.url}{key}.txt",
        "nothing was submitted before: the protocol asks for changes only, and --baseline takes "
        "what is published now as known",
        "nothing was sent; --submit sends it",
    ]
    assert (output.path / f"{key}.txt").read_text() == key
    assert output.state == {"schema": 1, "key": key, "submitted": {}}
    assert output.run().out == result.out
    assert endpoint.asked == []


def test_only_changes_are_submitted(output: Output, endpoint: Endpoint) -> None:
    output.serve_key()
    output.publish("a", "b", "c", a="2024-01-01", b="2024-01-01")
    result = output.run("--submit", "--key", KEY)
    assert (result.code, result.out) == (0, "3 of 3 URLs submitted (HTTP 200)\n")
    assert endpoint.posts == [
        {
            "host": f"127.0.0.1:{endpoint.port}",
            "key": KEY,
            "keyLocation": f"{endpoint.url}{KEY}.txt",
            "urlList": [f"{endpoint.url}{name}" for name in "abc"],
        }
    ]
    assert endpoint.visits[-1].headers["Content-Type"] == "application/json; charset=utf-8"
    assert endpoint.asked == [*("GET /robots.txt", f"GET /{KEY}.txt", "POST /indexnow")]

    endpoint.visits.clear()
    result = output.run("--submit")
    assert (result.code, result.out) == (0, "nothing changed since the last submission\n")
    assert endpoint.asked == []

    output.publish("a", "c", "d", a="2024-01-02")
    assert output.run("--submit").code == 0
    assert endpoint.submitted() == [f"{endpoint.url}{name}" for name in "abd"]
    assert output.state["submitted"] == {
        f"{endpoint.url}a": "2024-01-02",
        f"{endpoint.url}c": "",
        f"{endpoint.url}d": "",
    }


def test_a_date_that_is_gone_is_no_change(output: Output) -> None:
    output.publish("a", "b", a="2024-01-01", b="2024-01-01")
    output.run("--baseline", "--key", KEY)
    output.publish("a", "b", b="2024-01-02")
    assert f"~ {output.endpoint.url}b" in output.run().out.splitlines()
    output.publish("a", "b")
    assert output.run().out == "nothing changed since the last submission\n"


@pytest.mark.full
def test_a_large_site_is_submitted_in_batches_and_stops_where_it_has_to(
    output: Output, endpoint: Endpoint
) -> None:
    output.serve_key()
    names = [f"p{number:05}" for number in range(25_000)]
    parts = {"1__xml": names[:15_000], "2__xml": names[15_000:]}
    files = {
        name: urlset(*(f"{endpoint.url}{each}" for each in part)) for name, part in parts.items()
    }
    entry = index(f"{endpoint.url}1.xml", f"{endpoint.url}2.xml")
    write(output.path, sitemap__xml=entry, **files)
    endpoint.answers = [(202, {}), (429, {"Retry-After": "3600"})]
    result = output.run("--submit", "--key", KEY)
    assert result.code == 6
    assert result.out == (
        "10,000 of 25,000 URLs submitted (HTTP 202, the key is still to be looked at)\n"
    )
    assert re.search(
        r"ERROR \S+/indexnow: HTTP 429: too many requests; 10,000 of 25,000 URLs were submitted, "
        r"the same command submits the rest after 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC$",
        result.log.rstrip(),
    )
    assert [len(post["urlList"]) for post in endpoint.posts] == [10_000, 10_000]
    assert len(output.state["submitted"]) == 10_000

    endpoint.visits.clear()
    result = output.run("--submit")
    assert result.code == 0
    assert endpoint.submitted() == [f"{endpoint.url}{name}" for name in names[10_000:]]
    assert len(output.state["submitted"]) == 25_000


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (403, 5, "the key is not accepted"),
        (500, 3, "HTTP 500; nothing was submitted"),
    ],
)
def test_refusals(status: int, code: int, words: str, output: Output, endpoint: Endpoint) -> None:
    output.serve_key()
    output.publish("a")
    endpoint.answers = [(status, {"Location": "/elsewhere"})] * 9
    result = output.run("--submit", "--key", KEY)
    assert (result.code, result.out) == (code, "")
    assert words in result.log.splitlines()[-1]
    assert len(endpoint.posts) == 1  # it may count: never twice
    assert output.state["submitted"] == {}


@pytest.mark.full
def test_the_key_file_is_looked_for_first(output: Output, endpoint: Endpoint) -> None:
    output.publish("a")
    result = output.run("--submit", "--key", KEY)
    assert (result.code, result.sentence) == (
        3,
        f"ERROR {endpoint.url}{KEY}.txt: HTTP 404; nothing was submitted: "
        f"serve {output.path}/{KEY}.txt there",
    )
    endpoint.files[f"/{KEY}.txt"] = b"<html>welcome"
    assert "it does not hold the key" in output.run("--submit").sentence
    output.serve_key()
    endpoint.files["/robots.txt"] = b"User-agent: *\nDisallow: /*.txt$"
    assert "robots.txt line 2: Disallow: /*.txt$" in output.run("--submit").sentence
    assert endpoint.posts == []


def test_a_key_file_that_speaks_for_a_part_of_the_host(output: Output, endpoint: Endpoint) -> None:
    output.publish("docs/a", "docs/b")
    output.serve_key(place="/docs/")
    location = f"{endpoint.url}docs/{KEY}.txt"
    result = output.run("--submit", "--key", KEY, "--key-location", location)
    assert result.code == 0
    assert endpoint.posts[0]["keyLocation"] == location
    output.publish("docs/a", "about")
    result = output.run("--submit", "--key-location", location)
    assert result.code == 5
    assert f"does not speak for {endpoint.url}about" in result.sentence


def test_a_baseline_submits_nothing(output: Output, endpoint: Endpoint) -> None:
    output.publish("a", "b")
    result = output.run("--baseline")
    assert result.out == "2 URLs count as known; nothing was sent\n"
    output.publish("a", "b", "c")
    assert f"+ {endpoint.url}c\n" in output.run().out
    assert "1 URL (added 1)" in output.run().out
    assert endpoint.asked == []


@pytest.mark.full
def test_what_cannot_be_right(output: Output, endpoint: Endpoint) -> None:
    def sentence(code: int, *options: str) -> str:
        result = output.run(*options)
        assert (result.code, result.out) == (code, "")
        return result.sentence

    assert "no sitemap.xml in it" in sentence(2)
    output.publish("a")
    assert "'short' is no key" in sentence(2, "--key", "short")
    assert "'sitemap-1' is no key" in sentence(2, "--key", "sitemap-1")
    assert "give one" in sentence(2, "--submit", "--baseline")
    assert "not an http or https URL" in sentence(2, "-s", "SITEMAPGEN_INDEXNOW_ENDPOINT=x")
    half = (output.path / "sitemap.xml").read_text()[:-12]
    (output.path / "sitemap.xml").write_text(half)
    assert "malformed or truncated XML" in sentence(5)  # what it lacks was not removed
    write(output.path, sitemap__xml=urlset(f"{endpoint.url}a", "https://other.example/"))
    assert "does not speak for https://other.example/" in sentence(5)
    (output.path / "indexnow.json").write_text('{"schema": 1, "key": 1, "submitted": {}}')
    assert "indexnow.json: damaged; remove it" in sentence(5)
    assert endpoint.asked == []


def test_the_login_stays_with_the_site(output: Output, endpoint: Endpoint) -> None:
    output.publish("a")
    output.serve_key()
    with Endpoint() as other:
        setting = f"SITEMAPGEN_INDEXNOW_ENDPOINT={other.url}indexnow"
        options = ("-s", setting, "--submit", "--key", KEY)
        assert output.run(*options, SITEMAPGEN_AUTH="owner:secret").code == 0
    assert not any("Authorization" in visit.headers for visit in other.visits)
    assert len(other.posts) == 1
    assert other.asked == ["POST /indexnow"]  # robots.txt is about pages
