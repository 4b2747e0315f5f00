"""The HTTP client: certificates have to name the host, and Twisted is left as it was."""

import sys
from pathlib import Path

import pytest

from tests.helpers.crawls import Crawler, captured
from tests.helpers.server import Serve, page, text
from tests.helpers.tls import self_signed

FETCH = """
import sys
from importlib import import_module
from scrapy import Spider
from scrapy.core.downloader._idna_patch import _install_twisted_idna_fallbacks
from scrapy.crawler import AsyncCrawlerProcess

NAMES = ("internet._idna", "internet._resolver", "internet._sslverify", "internet.endpoints")
MODULES = [import_module(f"twisted.{name}") for name in (*NAMES, "web.client", "web._newclient")]
_install_twisted_idna_fallbacks()  # Scrapy's own
before = [dict(vars(module)) for module in MODULES]
HANDLER = "sitemapgen.browser.handler.BrowserHandler"


class One(Spider):
    name = "one"
    start_urls = sys.argv[1:]

    def parse(self, response):
        print("read", response.url)


process = AsyncCrawlerProcess(
    {
        "DOWNLOAD_HANDLERS": {"http": HANDLER, "https": HANDLER},
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
    }
)
process.crawl(One)
process.start()
for module, names in zip(MODULES, before):
    for name, value in names.items():
        if vars(module).get(name) is not value:
            print("changed", module.__name__, name)
"""


def test_twisted_is_left_as_it_was(serve: Serve) -> None:
    server = serve({"/": page(), "/robots.txt": text("")})
    done = captured([sys.executable, "-c", FETCH, server.url])
    assert (done.returncode, done.stdout) == (0, f"read {server.url}\n"), done.stderr


@pytest.mark.parametrize("with_names", [True, False])
def test_a_trusted_certificate_has_to_name_the_host(
    with_names: bool, serve: Serve, crawl: Crawler, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server = serve({"/": page()}, tls=self_signed(tmp_path, with_names=with_names))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    result = crawl(server.url, "robots=ignore")
    assert result.code == (0 if with_names else 3), result.log
    assert bool(server.visits) is with_names
    assert "Traceback" not in result.log
