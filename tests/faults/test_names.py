"""The name of the site does not resolve for a while, in the middle of a crawl."""

from pathlib import Path

import pytest

from tests.helpers.crawls import DEADLINE, command, start, wait_for
from tests.helpers.politeness import settings, site_of
from tests.helpers.server import Serve

NAMES = "abcdefghijklmnop"
OPTIONS = settings(
    SITEMAPGEN_BACKOFF_START=0.2,
    SITEMAPGEN_MAX_PROBES=0,
    DOWNLOAD_DELAY=0.15,
    CONCURRENT_REQUESTS=2,
    SITEMAPGEN_PROFILE="tests.faults.names_fail",
)


def test_names_fail_for_a_while(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolves = tmp_path / "resolves"
    resolves.touch()
    monkeypatch.setenv("RESOLVES", str(resolves))
    # Connections are not kept: each request resolves the name.
    site = {
        path: answer._replace(headers={**answer.headers, "Connection": "close"})
        for path, answer in site_of(NAMES).items()
    }
    server = serve(site)
    url = f"http://localhost:{server.port}/"
    output, log = tmp_path / "output", tmp_path / "log"
    process = start(command(url, output, *OPTIONS), log)
    wait_for(lambda: len(server.visits) > 5 or process.poll() is not None)
    resolves.unlink()
    wait_for(lambda: "does not resolve" in log.read_text() or process.poll() is not None)
    resolves.touch()
    assert process.wait(DEADLINE) == 0, log.read_text()
    assert (output / "sitemap.xml").read_text().count("<loc>") == len(NAMES) + 1
