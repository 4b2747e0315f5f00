"""URLs that end like files: pages among them are found, downloads are not transferred."""

import json

import pytest

from tests.helpers.crawls import IMPATIENT, Crawler
from tests.helpers.server import Answer, Serve, page, redirect, urlset

BODY = b"x" * 50_000
TITLES = ("Node.js", "Vue.js", "Config.yml", "Readme.txt", "Setup.exe", "File:Map.png")
TYPES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "pdf": "application/pdf",
    "zip": "application/zip",
    "js": "text/javascript",
    "txt": "text/plain",
    "exe": "application/octet-stream",
}


def file(name: str, body: bytes = BODY) -> Answer:
    return Answer(body, headers={"Content-Type": TYPES[name.rpartition(".")[2]]})


def article(name: str, *hrefs: str) -> Answer:
    return page(*hrefs, title=name, text=f"{name} is an article about {name} and {len(name)}. " * 5)


def wiki() -> dict[str, Answer]:
    """Articles that are called like files, beside real files."""
    site = {f"/wiki/{title}": article(title, "/wiki/Home") for title in TITLES}
    files = [f"/images/{n}/p{n}.png" for n in range(9)] + ["/dl/a.zip", "/dl/b.zip", "/dl/c.zip"]
    files += ["/dl/setup.exe", "/static/jquery.js", "/docs/a.pdf", "/docs/b.pdf", "/docs/c.pdf"]
    site |= {path: file(path) for path in files}
    site["/wiki/Home"] = article("Home", *site)
    site["/"] = page("/wiki/Home", title="Start", text="the start page of a wiki")
    return site


def test_articles_that_are_called_like_files(crawl: Crawler) -> None:
    server, result = crawl.site(wiki())
    paths = {url.removeprefix(server.url[:-1]) for url in result.sitemap}
    assert paths == {"/", "/wiki/Home", *(f"/wiki/{title}" for title in TITLES)}
    files = {path for path in server.site if path not in paths}
    assert {result.verdicts[f"{server.url[:-1]}{path}"] for path in files} == {"not_html"}
    asked = [path for path in server.paths if path in files]
    assert len(asked) <= len(set(asked)) + 2  # a connection that broke is made again
    asked = sorted(set(asked))
    for pattern, most in (("/images/", 8), ("/dl/", 4), ("/docs/", 2)):
        assert sum(path.startswith(pattern) for path in asked) <= most
    unseen = result.urls[f"{server.url}dl/c.zip"]["evidence"]
    assert unseen == (
        "/dl/*.zip: 0 of 2 asked for are HTML: /dl/a.zip (application/zip), "
        "/dl/b.zip (application/zip)"
    )
    assert result.report["files"]["not_looked_at"] == 0
    # Without a change a refresh changes no file; a capped one keeps all pages.
    before = result.files
    del server.visits[:]
    assert crawl(server.url).files == before
    assert sum(not path.startswith("/wiki/") for path in server.paths) < 30
    assert sorted(crawl(server.url, "max_pages=6").sitemap) == sorted(result.sitemap)


def test_bodies_of_files_are_not_transferred(serve: Serve, crawl: Crawler) -> None:
    """Beyond what the buffers of the connection hold: some megabytes on loopback."""
    large = b"x" * 60_000_000
    files = {f"/f/{name}.zip": file(f"{name}.zip", large) for name in "abc"}
    server = serve({"/": page(*files), **files})
    crawl.published(server.url, settings=(*IMPATIENT, "-s", "DOWNLOAD_MAXSIZE=0"))
    asked = [visit for visit in server.visits if visit.path.startswith("/f/")]
    assert len(asked) == 2
    assert all(0 < visit.size < len(large) / 2 for visit in asked), [v.size for v in asked]


@pytest.mark.parametrize("raw_first", [True, False])
def test_a_code_browser_has_views_and_raw_files(raw_first: bool, crawl: Crawler) -> None:
    views, raws = ("tree", "raw") if raw_first else ("view", "export")
    names = [f"{d}/{f}" for d in ("a/b", "a/c", "d", "e/f/g/h") for f in ("README.txt", "run.js")]
    site: dict[str, Answer] = {f"/repo/{views}/{n}": article(f"view of {n}") for n in names}
    site |= {f"/repo/{raws}/{n}": file(n, b"raw") for n in names}
    _, result = crawl.site({"/": page(*site, title="code", text="a code browser"), **site})
    listed = {url for url in result.sitemap if f"/{views}/" in url}
    assert len(listed) == len(names)
    assert not [url for url in result.sitemap if f"/{raws}/" in url]


def test_downloads_are_bounded(crawl: Crawler) -> None:
    """5,000 images and PDFs in 300 directories cost a few dozen requests."""
    folders = [f"/media/{chr(97 + n % 26)}{n}x/" for n in range(300)]
    files = [f"{folder}{n}.{'jpg' if n % 3 else 'pdf'}" for folder in folders for n in range(17)]

    def site(path: str) -> Answer | None:
        if path == "/":
            return page(*(f"/list{n}.html" for n in range(30)), title="start", text="start")
        if path.startswith("/list"):
            n = int(path[5:].partition(".")[0])
            return page(*files[n * 170 : (n + 1) * 170], title=path, text=f"list {path} " * 20)
        return file(path, b"body") if path.startswith("/media/") else None

    server, result = crawl.site(site)
    assert len(files) > 5_000
    assert sum(path.startswith("/media/") for path in server.paths) <= 40
    assert result.report["verdicts"]["not_html"] == len(files)
    assert len(result.sitemap) == 31


def test_a_directory_with_pages_and_files(crawl: Crawler) -> None:
    """Mixed answers: the rest is asked for in steps."""
    site = {f"/up/p{n}.jpg": file("a.jpg") for n in range(10)}
    site |= {f"/up/f{n}.jpg": article(f"photo {n} of the holidays") for n in range(10)}
    site |= {"/up/a.jpg": article("the first photo"), "/up/b.jpg": file("b.jpg")}
    server, result = crawl.site({"/": page(*site, title="start", text="start"), **site})
    assert sum("/up/f" in url for url in result.sitemap) == 10
    # A request on a connection that is just being closed is sent again by the client.
    assert all(server.paths.count(path) <= 2 for path in server.paths), server.paths
    fetched = json.loads((result.output / "report.json").read_text("utf-8"))["fetched"]
    assert fetched == len(site) + 1


def test_redirects_and_errors_prove_nothing(crawl: Crawler) -> None:
    site = {f"/wiki/Old{n}.js": redirect("/wiki/Home") for n in range(3)}
    site |= {f"/wiki/Gone{n}.js": Answer("", 404) for n in range(3)}
    site |= {f"/wiki/An_article_about_{n}.js": article(f"number {n}") for n in range(5)}
    site["/wiki/Home"] = article("Home", *site)
    _, result = crawl.site({"/": page("/wiki/Home", title="start", text="start"), **site})
    assert sum("article" in url for url in result.sitemap) == 5


def test_what_a_sitemap_names_is_fetched(serve: Serve, crawl: Crawler) -> None:
    site = {f"/dl/{n}.pdf": file("a.pdf", b"pdf") for n in range(9)}
    site["/dl/8.pdf"] = article("a report that can be read online")
    server = serve({"/": page(*site, title="start", text="start"), **site})
    server.site["/sitemap.xml"] = urlset(f"{server.url}dl/8.pdf")
    result = crawl(server.url)
    assert f"{server.url}dl/8.pdf" in result.sitemap


def test_max_pages_counts_them(crawl: Crawler) -> None:
    _, result = crawl.site(wiki(), "max_pages=5")
    assert result.report["fetched"] == 5
    assert not result.report["complete"]
