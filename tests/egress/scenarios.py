"""What is crawled in the network of ``world.py``, and what a public site names to lead inside."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import AF_INET6
from typing import Any, ClassVar
from urllib.parse import unquote

from tests.egress.world import Canary, Names

ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 300
PUBLIC = "93.184.216.34"
QUICK = (
    *("DOWNLOAD_DELAY=0", "AUTOTHROTTLE_ENABLED=False", "SITEMAPGEN_ROBOTS_BACKOFF=0.01"),
    *("SITEMAPGEN_LATE_RETRY_SECONDS=0", "DNSCACHE_ENABLED=False"),
)
CLOSE = {"Connection": "close"}
HTML, XML, TEXT = "text/html; charset=utf-8", "application/xml", "text/plain"
Answer = tuple[int, Mapping[str, str], str]

SPELLINGS = (
    *("10.0.0.1", "127.0.0.2", "127.2", "0x7f.3", "0x7f000004", "2130706437", "0177.0.0.6"),
    *("127.0.0.7.", "localhost", "localhost.", "a.localhost", "a.localhost.", "LOCALHOST"),
    *("[::1]", "[::ffff:127.0.0.8]", "[::ffff:7f00:9]", "[::127.0.0.10]", "[fd00::1]"),
    *("[64:ff9b::a00:b]", "[2002:a00:c::1]", "[fec0::1]", "[fe80::1]", "[ff02::1]"),
    *("0.0.0.0", "100.64.0.1", "169.254.169.254", "172.16.0.1", "192.168.0.1", "198.18.0.1"),
    *("224.0.0.251", "240.0.0.1", "nas.local", "db.internal"),
)
"""Private hosts, as URLs write them."""
NAMES = {
    "shop.example": [PUBLIC],
    "cdn.example": ["151.101.1.1"],
    "translated.example": ["64:ff9b::93.184.216.34"],
    "apex.example": [PUBLIC],
    "www.apex.example": ["10.0.4.1"],
    "office.example": ["10.0.5.1"],
    "other.office.example": ["10.0.5.2"],
    "rebound.example": ["151.101.1.3"],
    "mixed.example": ["10.0.6.1", "151.101.1.2"],
    "six.inside.example": ["fd00::6"],
    "loop.inside.example": ["127.0.0.1"],
    "mapped.inside.example": ["::ffff:10.0.0.6"],
    "nat.inside.example": ["64:ff9b::10.0.0.6"],
    "tunnel.inside.example": ["2002:a00:6::1"],
}


class Network:
    """Names, a canary, and a web server and proxy at every address: ``site`` answers."""

    site: Callable[[str, str], Answer | None]

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        """Host and path of each request."""
        self.moved: set[str] = set()
        """Names whose owner leads them inside from now on."""
        self.canary = Canary(80, 443, 3478)
        Names(self._addresses)
        network = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                host, path = self.headers.get("Host", "").lower(), self.path
                if path.startswith("http://"):  # asked as a proxy
                    host, _, path = path[7:].partition("/")
                    path = f"/{path}"
                network.asked.append((host, path))
                status, headers, body = network.site(host, path) or (404, {}, "none")
                data = body.encode()
                self.send_response(status)
                for name, value in {"Content-Length": str(len(data)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            do_POST = do_GET  # noqa: N815

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            address_family = AF_INET6  # both versions
            request_queue_size = 100
            daemon_threads: ClassVar[bool] = True

        server = Server(("::", 80), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def _addresses(self, name: str) -> Sequence[str]:
        if name in self.moved:
            return ["10.0.3.1"]
        if inside := re.fullmatch(r"w(\d+)\.inside\.example", name):
            return [f"10.0.1.{inside[1]}"]
        return NAMES.get(name, [])


def run(*arguments: str, settings: Sequence[str] = QUICK) -> dict[str, Any]:
    """Run ``scrapy`` to the end: its exit code, what it printed, and what a crawl published."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "scrapy", *arguments]
        if arguments[0] == "crawl":
            command += ["-a", f"output={folder}/output"]
        for setting in settings:
            command += ["-s", setting]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=DEADLINE,
            check=False,
        )
        output = Path(folder) / "output"
        found: dict[str, Any] = {"code": done.returncode, "log": done.stdout}
        if not (output / "sitemap.xml").is_file():
            return found
        rows = list(csv.DictReader((output / "urls.csv").read_text("utf-8").splitlines()))
        files = json.loads((output / "report.json").read_text("utf-8"))["sitemaps"]
        return {
            **found,
            "sitemap": re.findall("<loc>(.*?)</loc>", (output / "sitemap.xml").read_text("utf-8")),
            "files": {file["url"]: file["error"] for file in files},
            "verdicts": {row["url"]: row["verdict"] for row in rows},
            "evidence": {
                row["url"]: row["evidence"] for row in rows if row["verdict"] == "fetch_error"
            },
        }


def page(body: str, head: str = "") -> Answer:
    """An HTML page."""
    text = f"<!doctype html><title>Page</title>{head}<body>{body}</body>"
    return 200, {"Content-Type": HTML}, text


def urlset(*urls: str, root: str = "urlset", each: str = "url") -> Answer:
    """A sitemap."""
    entries = "".join(f"<{each}><loc>{url}</loc></{each}>" for url in urls)
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return 200, {"Content-Type": XML}, f'<{root} xmlns="{space}">{entries}</{root}>'


def index(*urls: str) -> Answer:
    """A sitemap index."""
    return urlset(*urls, root="sitemapindex", each="sitemap")


def moved(target: str) -> Answer:
    """A redirect."""
    return 302, {"Location": target}, ""


# Scrapy

SITEMAPS = (
    *(f"http://{host}/sitemap.xml" for host in SPELLINGS),
    "http://w1.inside.example/sitemap.xml",
    "http://w2.inside.example./sitemap.xml",
    "https://w3.inside.example/sitemap.xml",
    *(f"http://{each}.inside.example/s.xml" for each in ("six", "loop", "mapped", "nat", "tunnel")),
    "http://shop.example/to-inside.xml",
    "http://w4.inside.example/named-by-a-redirect.xml",
    "http://cdn.example/robots-lead-inside.xml",
    "http://rebound.example/index.xml",
    "http://translated.example/sitemap.xml",
    "http://mixed.example/sitemap.xml",
)


def public_site(network: Network) -> Callable[[str, str], Answer | None]:
    """A site whose robots.txt, sitemaps, redirects and pages lead inside, each in its way."""

    def site(host: str, path: str) -> Answer | None:
        if host == "shop.example":
            return _shop(path)
        if (host, path) == ("cdn.example", "/robots.txt"):
            return moved("http://w5.inside.example/robots.txt")
        if (host, path) == ("rebound.example", "/index.xml"):
            network.moved.add("rebound.example")
            names = [f"http://rebound.example/{number}.xml" for number in range(3)]
            status, headers, body = index(*names)
            return status, {**headers, "Connection": "close"}, body
        if path.endswith(".xml"):
            return urlset(f"http://shop.example/from-{host.strip('[]')}")
        return None

    return site


def _shop(path: str) -> Answer | None:
    inside = "http://w6.inside.example/"
    answers = {
        "/robots.txt": (200, {"Content-Type": TEXT}, _robots(SITEMAPS)),
        "/to-inside.xml": moved("http://w4.inside.example/named-by-a-redirect.xml"),
        "/": page(
            "".join(f"<a href=/{name}>x</a>" for name in ("moved", "refresh", "canonical", "link"))
        ),
        "/moved": moved(inside),
        "/refresh": page("", f"<meta http-equiv=refresh content='0; url={inside}'>"),
        "/canonical": page("text", f"<link rel=canonical href={inside}>"),
        "/link": page(f"<a href={inside}>x</a><iframe src={inside}></iframe><img src={inside}>"),
    }
    if path.startswith("/from-"):
        return page("text")
    return answers.get(path)


def _robots(sitemaps: Sequence[str]) -> str:
    return "".join(f"Sitemap: {url}\n" for url in sitemaps)


def scrapy(address: str, *settings: str) -> dict[str, Any]:
    """A site at ``address`` leads Scrapy inside, in every way that a site has."""
    NAMES["shop.example"] = [address]
    network = Network()
    network.site = public_site(network)
    result = run("crawl", "sitemap", "-a", "url=http://shop.example/", settings=(*QUICK, *settings))
    return _outcome(network, result)


def external() -> dict[str, Any]:
    """A public site has links to hosts inside, to one that redirects there, and to a public one."""
    network = Network()
    links = ("w1.inside.example/x", "10.0.1.2/", "127.0.0.1/", "cdn.example/in", "cdn.example/a")
    network.site = lambda host, path: {
        "shop.example/": page("".join(f"<a href=http://{link}>x</a>" for link in links)),
        "cdn.example/in": moved("http://10.0.1.2/"),
        "cdn.example/a": page("text"),
    }.get(host + path, (404, {}, ""))
    arguments = ("-a", "url=http://shop.example/", "-a", "check_external=true")
    return _outcome(network, run("crawl", "sitemap", *arguments, settings=QUICK))


def rebound_start() -> dict[str, Any]:
    """The start host leads inside as soon as its first page has answered."""
    network = Network()

    def site(host: str, path: str) -> Answer | None:
        if path == "/":
            network.moved.add(host)
        status, headers, body = page("<a href=/a>x</a><a href=/b>x</a>")
        return (404, {}, "") if path == "/robots.txt" else (status, {**headers, **CLOSE}, body)

    network.site = site
    return _outcome(network, run("crawl", "sitemap", "-a", "url=http://shop.example/"))


def moved_start() -> dict[str, Any]:
    """The start URL redirects to its www., which is inside."""
    network = Network()
    network.site = lambda host, path: (
        moved("http://www.apex.example/") if host == "apex.example" and path == "/" else None
    )
    return _outcome(network, run("crawl", "sitemap", "-a", "url=http://apex.example/"))


def named_sitemap() -> dict[str, Any]:
    """The user names a sitemap inside for a public site; it names another there."""
    network = Network()
    network.site = lambda host, path: {
        "/": page("text"),
        "/named.xml": index("http://w1.inside.example/child.xml", "http://w2.inside.example/x"),
        "/child.xml": urlset("http://shop.example/a"),
        "/a": page("other text"),
    }.get(path)
    arguments = ("-a", "url=http://shop.example/", "-a")
    named = "sitemaps=http://w1.inside.example/named.xml"
    return _outcome(network, run("crawl", "sitemap", *arguments, named))


def validate(url: str) -> dict[str, Any]:
    """A command reads a sitemap, whose files lead inside."""
    network = Network()
    network.site = lambda host, path: {
        "/robots.txt": (
            200,
            {"Content-Type": TEXT},
            "Sitemap: http://w1.inside.example/a.xml\nSitemap: http://shop.example/b.xml\n",
        ),
        "/sitemap.xml": index("http://w1.inside.example/a.xml", "http://shop.example/b.xml"),
        "/a.xml": urlset("http://w1.inside.example/"),
        "/b.xml": moved("http://w1.inside.example/a.xml"),
    }.get(path)
    return _outcome(network, run("validate", url))


def spellings() -> dict[str, Any]:
    """Requests for private hosts as they are written, past all that reads URLs."""
    from scrapy.utils.project import get_project_settings

    from sitemapgen.download.egress import Egress
    from sitemapgen.tools.network import Network as Errand
    from sitemapgen.tools.network import NoAnswer
    from sitemapgen.tools.network import run as run_errand

    network = Network()
    network.site = lambda host, path: page(host)
    home = "http://shop.example/"
    hosts = [*SPELLINGS, *(name for name in NAMES if "inside" in name)]

    async def work(errand: Errand) -> dict[str, str]:
        answers = {home: str((await errand.get(home, 1000)).status)}
        for host in hosts:
            try:
                answers[host] = str((await errand.get(f"http://{host}/", 1000)).status)
            except NoAnswer as error:
                answers[host] = str(error)
        return answers

    settings = get_project_settings()
    settings.set("TWISTED_DNS_RESOLVER", "scrapy.resolver.CachingHostnameResolver")
    for setting in (*QUICK, "RETRY_TIMES=0"):
        settings.set(*setting.split("="))
    answers = run_errand(settings, home, work, egress=Egress([home]))
    return {"answers": answers, "hits": network.canary.hits, "asked": network.asked}


def _outcome(network: Network, result: dict[str, Any]) -> dict[str, Any]:
    return {**result, "hits": network.canary.hits, "asked": network.asked}


# Chromium


def ways_site(network: Network, home: str) -> Callable[[str, str], Answer | None]:
    """A site whose pages try all ways of ``ways.js``, and those that headers have."""
    hosts = json.dumps([*SPELLINGS, *(name for name in NAMES if "inside" in name)])
    ways = (Path(__file__).parent / "ways.js").read_text("utf-8")
    pages = {
        "/": page("<a href=/ways>x</a><a href=/away>x</a>"),
        "/ways": page("<p>text</p><script src=/ways.js></script>"),
        "/away": page("<script>location = 'http://w59.inside.example/way'</script>"),
        "/from-cdn": page("text"),
    }

    def site(host: str, path: str) -> Answer | None:
        if path.startswith("/bounce?to="):
            return moved(unquote(path.partition("=")[2]))
        if path == "/moves":
            network.moved.add(host)
            return 200, {"Content-Type": TEXT, "Connection": "close"}, "moved"
        if host != home:
            return 200, {"Content-Type": TEXT, "Connection": "close"}, "text"
        if path == "/ways.js":
            return 200, {"Content-Type": "text/javascript"}, f"const HOSTS = {hosts};\n{ways}"
        if path.startswith("/worker.js"):
            script = f"fetch('{unquote(path.partition('=')[2])}', {{ mode: 'no-cors' }})"
            return 200, {"Content-Type": "text/javascript"}, script
        if path == "/ways":
            status, headers, body = pages[path]
            return status, {**headers, **HEADERS}, body
        return pages.get(path)

    return site


HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'none'; object-src *; "
    "media-src http://w30.inside.example; report-uri http://w54.inside.example/way",
    "Link": "<http://w55.inside.example/way>; rel=preconnect, "
    "<http://w56.inside.example/way>; rel=preload; as=script",
    "Refresh": "20; url=http://w57.inside.example/way",
    "Report-To": '{"group":"x","max_age":100,"endpoints":[{"url":"https://w58.inside.example/"}]}',
}


def chromium(home: str, *arguments: str) -> dict[str, Any]:
    """A site leads Chromium inside, in every way that a page has."""
    network = Network()
    network.site = ways_site(network, home)
    given = (f"url=http://{home}/", "render=always", *arguments)
    options = [part for each in given for part in ("-a", each)]
    settings = (*QUICK, "SITEMAPGEN_RENDERING_QUIET=1", "LOG_LEVEL=DEBUG")
    result = run("crawl", "sitemap", *options, settings=settings)
    return _outcome(network, result)


SCENARIOS: Mapping[str, Callable[..., dict[str, Any]]] = {
    each.__name__: each
    for each in (
        *(scrapy, external, rebound_start, moved_start, named_sitemap, validate, spellings),
        *(chromium,),
    )
}


def main(arguments: Sequence[str]) -> None:
    """Run the scenario of this name; print its result."""
    name, *options = arguments
    sys.stdout.write(json.dumps(SCENARIOS[name](*options)))
