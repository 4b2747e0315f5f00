"""``scrapy validate``: files, sets of files, sites; exit codes and formats."""

import time
from pathlib import Path

import pytest

from tests.crawls.commands import Result, index, packed, run, urlset, write
from tests.helpers.crawls import IMPATIENT
from tests.helpers.server import Answer, Serve, redirect, text, xml
from tests.helpers.tls import self_signed

SITE = "https://example.com"


def findings(result: Result) -> list[tuple[str, str, int | None]]:
    """(rule, last segment of the file's name, line) of each example."""
    return [
        (group["rule"], example["file"].rpartition("/")[2], example["line"])
        for group in result.json["findings"]
        for example in group["examples"]
    ]


def test_a_sound_set_on_the_disk(tmp_path: Path) -> None:
    write(
        tmp_path,
        sitemap__xml=index(f"{SITE}/sitemap-1.xml.gz", f"{SITE}/sitemap-2.txt"),
        **{"sitemap-1__xml__gz": packed(urlset(f"{SITE}/", f"{SITE}/a"))},
        **{"sitemap-2__txt": f"{SITE}/b\n"},
    )
    result = run("validate", tmp_path / "sitemap.xml")
    assert (result.code, result.log) == (0, "")
    assert result.out == "3 files, 3 URLs: 0 errors, 0 warnings\n"


def test_warnings_are_allowed(tmp_path: Path) -> None:
    path = write(tmp_path, s__xml=urlset(SITE)) / "s.xml"
    result = run("validate", path)
    assert result.code == 0
    assert result.out == (
        f'{path}:2: warning: loc_form: "{SITE}" is requested as "{SITE}/"\n'
        "1 file, 1 URL: 0 errors, 1 warning\n"
    )


def test_a_broken_set_on_the_disk(tmp_path: Path) -> None:
    children = [f"{SITE}/{name}" for name in ("1.xml", "1.xml", "missing.xml", "up/", "sub.xml")]
    write(
        tmp_path / "site",
        sitemap__xml=index(*children, f"{SITE}/%2e%2e%2fsecret.xml", "https://cdn.example/2.xml"),
        **{"1__xml": urlset(f"{SITE}/a", "https://other.example/", f"{SITE}/b", b="2024")},
        **{"2__xml": urlset(f"{SITE}/c", f"{SITE}/a")},
        sub__xml=index(f"{SITE}/1.xml"),
    )
    write(tmp_path, secret__xml=urlset(f"{SITE}/secret"))
    result = run("validate", tmp_path / "site" / "sitemap.xml", "--format", "json")
    assert result.code == 9
    assert findings(result) == [
        ("other_host", "1.xml", 3),
        ("lastmod_format", "1.xml", 4),
        ("child_unreadable", "sitemap.xml", 4),
        ("child_unreadable", "sitemap.xml", 5),
        ("child_unreadable", "sitemap.xml", 7),
        ("nested_index", "sitemap.xml", 6),
        ("duplicate_child", "sitemap.xml", 3),
        ("duplicate_url", "2.xml", 3),
        ("loc_form", "sitemap.xml", 7),
        ("cross_submit", "2.xml", None),
    ]


def test_many_findings_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path, s__xml=urlset(*[f"{SITE}/#{n}" for n in range(5_000)])) / "s.xml"
    result = run("validate", path)
    assert len(result.out.splitlines()) == 2 * 11 + 1
    assert "... and 4,990 more of loc_form\n" in result.out
    assert result.out.endswith("1 file, 5,000 URLs: 0 errors, 9,999 warnings\n")
    groups = {
        group["rule"]: group for group in run("validate", path, "--format=json").json["findings"]
    }
    assert groups["loc_form"]["count"] == 5_000
    assert len(groups["loc_form"]["examples"]) == 10
    assert groups["duplicate_url"]["severity"] == "warning"


@pytest.mark.alone
def test_the_time_for_50_000_urls_is_linear(tmp_path: Path) -> None:
    def seconds(urls: int) -> float:
        pages = (f"{SITE}/some/page/number/{number}" for number in range(urls))
        path = write(tmp_path, s__xml=urlset(*pages)) / "s.xml"
        start = time.monotonic()
        result = run("validate", path)
        assert result.out == f"1 file, {urls:,} URLs: 0 errors, 0 warnings\n"
        return time.monotonic() - start

    few = seconds(5_000)
    assert seconds(50_000) < 20 * few


def test_a_site(serve: Serve) -> None:
    server = serve({})
    base = server.url
    server.site = {
        "/robots.txt": text(f"Sitemap: {base}maps/index.xml\nUser-agent: *\nDisallow: /maps/no"),
        "/maps/index.xml": xml(
            index(
                *(f"{base}maps/{name}" for name in ("a.xml", "b.xml.gz", "gone.xml", "no.xml")),
                f"{base}maps/moved.xml",
                "http://127.0.0.2:1/x.xml",
            )
        ),
        "/maps/a.xml": xml(urlset(f"{base}", f"{base}p")),
        "/maps/b.xml.gz": Answer(packed(urlset(f"{base}q", f"{base}p"))),
        "/maps/moved.xml": redirect("/maps/c.txt"),
        "/maps/c.txt": text(f"{base}r\n"),
    }
    result = run("validate", f"{base}maps/index.xml", "--format", "json", *IMPATIENT)
    assert result.code == 9
    assert findings(result) == [
        ("child_unreadable", "index.xml", 4),
        ("child_unreadable", "index.xml", 5),
        ("child_host", "index.xml", 7),
        ("duplicate_url", "b.xml.gz", 3),
    ]
    assert "robots.txt line 3: Disallow: /maps/no" in result.out
    assert result.json["urls"] == 5  # robots.txt names the index: its files may list all URLs
    assert "/maps/no.xml" not in server.paths
    assert server.paths[0] == "/robots.txt"
    assert "sitemapgen" in server.visits[1].headers["User-Agent"]


def test_location_and_hosts_of_a_site(serve: Serve) -> None:
    other = serve({})
    server = serve({})
    body = xml(urlset(f"{server.url}shop/a", f"{server.url}b", f"{other.url}c"))
    server.site = {"/shop/sitemap.xml": body}
    result = run("validate", f"{server.url}shop/sitemap.xml", "--format", "json", *IMPATIENT)
    assert findings(result) == [("location", "sitemap.xml", 3), ("other_host", "sitemap.xml", 4)]
    vouching = text(f"Sitemap: {server.url}shop/sitemap.xml")
    server.site = {"/shop/sitemap.xml": body, "/robots.txt": vouching}
    other.site = {"/robots.txt": vouching}
    result = run("validate", f"{server.url}shop/sitemap.xml", "--format", "json", *IMPATIENT)
    assert (result.code, findings(result)) == (0, [])


def test_a_login_from_the_environment(serve: Serve) -> None:
    server = serve(lambda path: xml(urlset(f"{server.url}a")) if path == "/sitemap.xml" else None)
    result = run("validate", f"{server.url}sitemap.xml", *IMPATIENT, SITEMAPGEN_AUTH="owner:secret")
    assert result.code == 0
    assert all("Authorization" in visit.headers for visit in server.visits)
    assert "secret" not in result.out + result.log


def test_unreachable(serve: Serve) -> None:
    server = serve({"/loop.xml": redirect("/loop.xml")})
    base = server.url
    result = run("validate", f"{base}sitemap.xml", *IMPATIENT)
    assert (result.code, result.sentence) == (
        3,
        f"ERROR {base}sitemap.xml: cannot be read: HTTP 404",
    )
    result = run("validate", f"{base}loop.xml", *IMPATIENT)
    assert (result.code, result.sentence.rpartition(": ")[2]) == (3, "after 5 redirects in a row")
    result = run("validate", "http://127.0.0.1:1/sitemap.xml", *IMPATIENT)
    why = "the connection was refused; see that its server runs, and listens at this port"
    assert (result.code, result.sentence.rpartition(": ")[2]) == (3, why)


def test_an_untrusted_certificate(serve: Serve, tmp_path: Path) -> None:
    server = serve({"/s.xml": xml(urlset(f"{SITE}/a"))}, tls=self_signed(tmp_path))
    result = run("validate", f"{server.url}s.xml", *IMPATIENT)
    assert result.code == 3
    assert "certificate" in result.sentence
    lax = ("-s", "DOWNLOAD_VERIFY_CERTIFICATES=False")
    assert run("validate", f"{server.url}s.xml", *IMPATIENT, *lax).code == 9


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "ERROR give FILE|URL, and not nothing"),
        (["--fix", "a"], "ERROR --fix: no such option; --help shows all"),
        (["no/such.xml"], "ERROR no/such.xml: cannot be read: no such file or directory"),
        (["https://[::1"], "ERROR 'https://[::1' is not an http or https URL"),
    ],
)
def test_bad_arguments(arguments: list[str], sentence: str) -> None:
    result = run("validate", *arguments)
    assert (result.code, result.sentence) == (2, sentence)
