"""A canary on private addresses, and every way in which a public site may lead to it: no hit."""

import json
import subprocess
import sys
from typing import Any

import pytest

from sitemapgen.core.addresses import MOVED, REFUSAL
from tests.egress.scenarios import DEADLINE, PUBLIC, ROOT, SITEMAPS, SPELLINGS
from tests.egress.world import ENTER, missing
from tests.helpers.browser import needs_browser

BOTH_FAMILIES = "TWISTED_DNS_RESOLVER=scrapy.resolver.CachingHostnameResolver"
REASON = missing()
pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON or "there is a network to be had")

FIRING = (
    *(1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 18, 21, 22, 24, 27, 29, 30, 32, 33, 35, 36),
    *(37, 40, 41, 42, 44, 45, 46, 47, 50, 51, 52, 54, 56, 59),
)
"""Ways in ``ways.js`` that connect where nothing keeps them from it. Of the others images, popups
and service workers are off, and some need TLS or a person who clicks."""


def explore(*scenario: str) -> dict[str, Any]:
    """Run a scenario in a network of its own."""
    done = subprocess.run(
        [*ENTER, sys.executable, "-m", "tests.egress.world", *scenario],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * DEADLINE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def hosts(result: dict[str, Any]) -> set[str]:
    """The hosts that were asked."""
    return {host for host, _ in result["asked"]}


def test_a_public_site_leads_scrapy_nowhere_inside() -> None:
    result = explore("scrapy", PUBLIC, BOTH_FAMILIES)
    assert result["hits"] == []
    assert result["code"] == 0, result["log"]
    assert "Traceback" not in result["log"]
    public = {"shop.example", "cdn.example", "rebound.example", "translated.example"}
    assert hosts(result) == public | {"mixed.example"}
    read = {url for url, error in result["files"].items() if not error}
    assert {url.split("/")[2] for url in read} == hosts(result) - {"shop.example"}
    refused = {url for url, error in result["files"].items() if error in (REFUSAL, MOVED)}
    assert len(refused) >= len(SITEMAPS) - 5
    assert {f"http://rebound.example/{number}.xml" for number in range(3)} <= refused
    assert "http://shop.example/from-cdn.example" in result["sitemap"]
    assert result["verdicts"]["http://shop.example/moved"] == "offsite_redirect"


@pytest.mark.slow
@pytest.mark.parametrize("address", [PUBLIC, "10.0.9.1"])
def test_with_the_default_resolver(address: str) -> None:
    """And from a private start everything is open: the ways are ways."""
    result = explore("scrapy", address)
    if address == PUBLIC:
        assert result["hits"] == []
    else:
        inside = {f"tcp 10.0.1.{number} 80" for number in (1, 2, 4, 5)}
        assert inside | {"tcp 10.0.1.3 443", "tcp 10.0.3.1 80"} <= set(result["hits"])


def test_private_hosts_in_every_spelling() -> None:
    result = explore("spellings")
    answers = result["answers"]
    assert result["hits"] == []
    assert answers.pop("http://shop.example/") == "200"
    assert len(answers) > len(SPELLINGS)
    unknown = {host for host, answer in answers.items() if "does not resolve" in answer}
    assert unknown <= {"localhost.", "a.localhost", "a.localhost.", "nas.local", "db.internal"}
    assert {answer for host, answer in answers.items() if host not in unknown} == {REFUSAL}


def test_links_to_other_sites_are_not_checked_inside() -> None:
    result = explore("external")
    assert result["hits"] == []
    assert result["code"] == 0, result["log"]
    assert "5 URLs of other sites checked: 0 broken" in result["log"]
    asked = [path for host, path in result["asked"] if host == "cdn.example"]
    assert asked[0] == "/robots.txt"
    assert sorted(asked[1:]) == ["/a", "/in"]


def test_a_start_host_that_is_led_inside_meanwhile() -> None:
    result = explore("rebound_start")
    assert result["hits"] == []
    assert result["code"] == 0, result["log"]
    assert result["evidence"] == {f"http://shop.example/{path}": MOVED for path in ("a", "b")}
    assert result["asked"] == [["shop.example", "/robots.txt"], ["shop.example", "/"]]


def test_a_start_url_that_redirects_inside() -> None:
    result = explore("moved_start")
    assert result["hits"] == []
    assert result["code"] == 3
    assert f"http://www.apex.example/: {REFUSAL}" in result["log"]
    assert "Traceback" not in result["log"]


@pytest.mark.slow
def test_what_the_user_names_is_open_and_nothing_beside_it() -> None:
    result = explore("named_sitemap")
    assert result["hits"] == ["tcp 10.0.1.1 80"]
    assert result["sitemap"] == ["http://shop.example/", "http://shop.example/a"]


def test_a_command_that_reads_a_public_sitemap() -> None:
    result = explore("validate", "http://shop.example/sitemap.xml")
    assert result["hits"] == []
    assert result["code"] == 9
    assert result["log"].count(REFUSAL) == 2


@pytest.mark.slow
def test_a_command_that_reads_a_private_sitemap() -> None:
    result = explore("validate", "http://office.example/sitemap.xml")
    assert result["code"] == 0, result["log"]
    assert set(result["hits"]) == {"tcp 10.0.5.1 80", "tcp 10.0.1.1 80"}


@needs_browser
def test_a_public_site_leads_chromium_nowhere_inside() -> None:
    result = explore("chromium", "shop.example")
    assert result["hits"] == []
    assert result["code"] == 0, result["log"]
    assert hosts(result) == {"shop.example", "cdn.example", "rebound.example"}
    assert ["cdn.example", "/socket"] in result["asked"]
    assert result["sitemap"] == [f"http://shop.example/{path}" for path in ("", "from-cdn", "ways")]
    assert result["verdicts"]["http://shop.example/away"] == "offsite_redirect"
    assert "a private address: out of reach" in result["log"]


@pytest.mark.slow
@needs_browser
def test_the_ways_of_a_page_are_ways() -> None:
    result = explore("chromium", "127.0.0.9")
    met = {hit.split()[1] for hit in result["hits"]}
    assert {f"10.0.1.{number}" for number in FIRING} <= met
    assert len(met) >= 55


@pytest.mark.slow
@needs_browser
def test_a_site_whose_name_is_private_may_use_others() -> None:
    """It goes through the proxy, since the name might change; and may connect to everything."""
    result = explore("chromium", "office.example")
    assert len(result["hits"]) >= 45
    assert result["sitemap"][1] == "http://office.example/from-cdn"


@pytest.mark.slow
@needs_browser
def test_behind_a_proxy_of_the_users() -> None:
    """That one may be anywhere; names are its affair, addresses are not asked of it."""
    result = explore("chromium", "shop.example", "proxy=http://10.0.7.1:80")
    assert result["hits"] == ["tcp 10.0.7.1 80"]
    assert result["code"] == 0, result["log"]
    assert "http://shop.example/from-cdn" in result["sitemap"]
    assert not hosts(result) & {*SPELLINGS, "localhost", "::1"}
