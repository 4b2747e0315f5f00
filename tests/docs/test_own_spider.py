"""The spider of docs/guides/scrapy.md, as it stands there: a field more, and a section less."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.docs.pages import ROOT
from tests.helpers.crawls import DEADLINE, IMPATIENT, Crawl, environment_of
from tests.helpers.server import Answer, Server, page

PRODUCT = "<title>{0}</title><p>A product with the name {0}.</p><p class=price>{1}</p>"
SITE = {
    "/": page("/a", "/b", "/archive/", title="Shop", text="Welcome to the shop of two products."),
    "/a": Answer(PRODUCT.format("Lamp", "20 EUR")),
    "/b": Answer(PRODUCT.format("Table", "90 EUR")),
    "/archive/": page("/archive/old", title="Archive", text="What there was in other years."),
}


def test_a_spider_of_your_own(serve: Callable[..., Server], tmp_path: Path) -> None:
    guide = (ROOT / "docs/guides/scrapy.md").read_text("utf-8")
    guide = guide.partition("## A spider of your own")[2].partition("\n## ")[0]
    blocks = re.findall(r"`(\S+\.\w+)`[^`]*:\n\n```\w+\n(.*?)```", guide, re.DOTALL)
    assert [name for name, _ in blocks] == ["scrapy.cfg", "shop_settings.py", "shop.py"]
    for name, text in blocks:
        (tmp_path / name).write_text(text)
    server = serve(SITE)
    output = tmp_path / "output"
    command = [sys.executable, "-m", "scrapy", "crawl", "sitemap", "-a", f"url={server.url}"]
    done = subprocess.run(
        [*command, "-a", f"output={output}", *IMPATIENT],
        cwd=tmp_path,
        env={**environment_of(None), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    crawl = Crawl(done.returncode, done.stderr, output)
    assert crawl.code == 0, crawl.log
    assert crawl.sitemap == [server.url, f"{server.url}a", f"{server.url}b"]
    assert crawl.verdicts[f"{server.url}archive/"] == "excluded"
    assert "/archive/" not in server.paths
    prices = (output / "prices.csv").read_text().splitlines()
    assert prices == ["url,price", f"{server.url}a,20 EUR", f"{server.url}b,90 EUR"]
