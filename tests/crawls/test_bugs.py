"""A bug of ours ends the crawl with a traceback; it never hangs, and the state is kept."""

import os
from pathlib import Path

import pytest

from tests.helpers.crawls import IMPATIENT, ROOT, Crawler, captured, command
from tests.helpers.server import Serve, page

BUG = """
from sitemapgen.{module} import {name} as whole

def fail(*args, **options):
    raise RuntimeError("planted")

whole.{method} = fail
"""


@pytest.mark.parametrize(
    ("module", "name", "method", "said"),
    [
        ("frontier.batches", "Batches", "lease_batch", "No URL could be chosen"),
        (
            "frontier.batches",
            "Batches",
            "carry_over_rest",
            "What was not visited could not be taken",
        ),
        (
            "pipelines.sitemap",
            "SitemapPipeline",
            "_publish_files",
            "The crawl could not be concluded",
        ),
    ],
)
def test_a_bug_ends_the_crawl(
    serve: Serve, crawl: Crawler, tmp_path: Path, module: str, name: str, method: str, said: str
) -> None:
    server = serve({"/": page("/a"), "/a": page()})
    planted = tmp_path / "planted"
    planted.mkdir()
    bug = BUG.format(module=module, name=name, method=method)
    (planted / "sitecustomize.py").write_text(bug, "utf-8")
    output = tmp_path / "output"
    done = captured(
        command(server.url, output, *IMPATIENT),
        env={**os.environ, "PYTHONPATH": f"{planted}{os.pathsep}{ROOT}"},
    )
    assert done.returncode == 1, done.stderr
    assert said in done.stderr
    assert "RuntimeError: planted" in done.stderr
    assert not (output / "sitemap.xml").exists()

    again = crawl(server.url, output=output)
    assert (again.code, len(again.sitemap)) == (0, 2)
