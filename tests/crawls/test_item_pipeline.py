"""The pipeline alone in another project: a sitemap of the items of its spider."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from scrapy.utils.test import get_crawler

from sitemapgen.core.sitemap_files.read import read_sitemap
from sitemapgen.pipelines.sitemap import SitemapPipeline
from tests.foreign.shop.spiders.catalogue import SITE
from tests.helpers import forks
from tests.helpers.crawls import DEADLINE, ROOT
from tests.helpers.sitemaps import assert_valid
from tests.helpers.tables import for_each

FOREIGN = ROOT / "tests" / "foreign"
PIPELINE = {"sitemapgen.pipelines.sitemap.SitemapPipeline": 300}


class Run(NamedTuple):
    """What a spider of the other project left behind."""

    code: int
    log: str


@pytest.fixture
def catalogue(tmp_path: Path) -> Callable[..., Run]:
    """Run the spider to its end, with this pipeline as its only setting of ours."""

    def run(*options: str, **arguments: str) -> Run:
        given = {"ITEM_PIPELINES": PIPELINE, "SITEMAPGEN_ARGUMENTS": arguments}
        settings = [f"{name}={json.dumps(value)}" for name, value in given.items() if value]
        line = [sys.executable, "-m", "scrapy", "crawl", "catalogue", *options]
        line += [word for setting in settings for word in ("-s", setting)]
        environment = {
            **os.environ,
            "PYTHONWARNINGS": "error",
            "PYTHONPATH": str(ROOT),
            "SCRAPY_PROJECT": "plain",
            "SITEMAPGEN_OUTPUT_ROOT": str(tmp_path),
        }
        done = forks.captured(line, environment, DEADLINE, FOREIGN)
        return Run(done.returncode, done.stderr)

    return run


def test_items_of_every_kind(catalogue: Callable[..., Run], tmp_path: Path) -> None:
    done = catalogue()
    assert done.code == 0, done.log
    assert "Traceback" not in done.log
    body = (tmp_path / "shop" / "catalogue" / "shop.example" / "sitemap.xml").read_bytes()
    assert_valid(tmp_path / "shop" / "catalogue" / "shop.example")
    assert {
        entry.url.removeprefix(SITE): (entry.lastmod, entry.priority, entry.changefreq)
        for entry in read_sitemap(body).entries
    } == {
        "attrs": ("", "", "weekly"),
        "dataclass": ("2024-05-02", "1.0", ""),
        "dict?a=1&b=2": ("2024-05-01", "0.8", "daily"),
        "header": ("2024-05-01T10:00:00+00:00", "", ""),
        "loader": ("", "0.55", ""),
        "now": ("", "", ""),
        "pydantic": ("2024-05-03T10:30:00+00:00", "", ""),
        "wrong": ("", "", ""),
    }
    said = [line.split("WARNING: ")[1] for line in done.log.splitlines() if "WARNING: " in line]
    assert [line.partition("; first ")[2] or line for line in said] == [
        "/relative",
        *[f"{SITE}wrong"] * 2,
        f"{SITE}now",
        f"{SITE}wrong",
        f"Sitemap: 1 URL is not of {SITE}, and left out",
    ]
    # Most of what was published is gone, so that it stays.
    done = catalogue("-a", f"only={SITE}attrs")
    assert "7 of 8 published URLs are no longer listed (not_seen 7), a larger share" in done.log
    assert '{"force": "true"} would publish them' in done.log
    assert (tmp_path / "shop" / "catalogue" / "shop.example" / "sitemap.xml").read_bytes() == body


def test_a_directory_and_formats(catalogue: Callable[..., Run], tmp_path: Path) -> None:
    catalogue("-a", f"only={SITE}a", output="public", formats="txt", gzip="true")
    assert (tmp_path / "shop" / "catalogue" / "public" / "sitemap.txt").read_text() == f"{SITE}a\n"
    assert (
        f"{SITE}sitemap-1.xml.gz"
        in (tmp_path / "shop" / "catalogue" / "public" / "sitemap.xml").read_text()
    )


@for_each(
    ({"SITEMAPGEN_ARGUMENTS": {"max_pages": "3"}}, "max_pages: is for pages"),
    ({"SITEMAPGEN_ARGUMENTS": {"formats": "rss"}}, "formats: is for pages"),
    ({"SITEMAPGEN_ARGUMENTS": {"layout": "weird"}}, "layout: 'weird' is unknown; use size"),
    ({"SITEMAPGEN_ARGUMENTS": {"outptu": "x"}}, "outptu: is for pages"),
    ({"SITEMAPGEN_MAX_LOSS": "much"}, "SITEMAPGEN_MAX_LOSS: 'much' is out of range"),
)
def test_settings_that_cannot_be(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=r"^SITEMAPGEN_") as error:
        SitemapPipeline.from_crawler(get_crawler(settings_dict=settings))
    assert sentence in str(error.value)
