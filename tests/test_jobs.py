"""Where the files of a crawl go: docs/guides/deploy.md, and names that would lead elsewhere."""

from pathlib import Path

import pytest

from sitemapgen.deploy.jobs import JobIdentity
from sitemapgen.params import Params
from tests.helpers.tables import for_each

SCRAPYDS = "6487ec79947edab326d6db28a2d86511"
ROOT = "/srv/output"


def place(root: str, monkeypatch: pytest.MonkeyPatch, **arguments: str) -> Path:
    monkeypatch.setenv("SCRAPY_PROJECT", "shop" if "_job" in arguments else "polite")
    settings = {"BOT_NAME": "sitemapgen", "SITEMAPGEN_OUTPUT_ROOT": root}
    params = Params(url="https://example.com", **arguments)
    return JobIdentity.of("sitemap", arguments, settings).place_output(params).output_directory()


@for_each(
    ({}, "/srv/output/sitemapgen/sitemap/example.com"),
    ({"output": "here"}, "/srv/output/sitemapgen/sitemap/here"),
    ({"output": "/srv/www"}, "/srv/www"),
    ({"_job": SCRAPYDS}, "/srv/output/shop/sitemap/example.com"),
    ({"_job": "shop-weekly"}, "/srv/output/shop/sitemap/shop-weekly"),
    ({"_job": "shop-weekly", "output": "shop"}, "/srv/output/shop/sitemap/shop"),
    ({"_job": "../../etc/x y"}, "/srv/output/shop/sitemap/_.._.._etc_x_y"),
    ({"_job": ".."}, "/srv/output/shop/sitemap/_.."),
)
def test_below_a_root(
    arguments: dict[str, str], directory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert place(ROOT, monkeypatch, **arguments) == Path(directory)


@pytest.mark.parametrize("arguments", [{}, {"_job": SCRAPYDS}, {"_job": "shop-weekly"}])
def test_without_a_root(
    arguments: dict[str, str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert place("", monkeypatch, **arguments) == Path("output/example.com")
    assert ("below the daemon's directory" in caplog.text) is bool(arguments)
