"""``sitemapgen serve``: real crawls that its page starts, and the requests that it refuses."""

import csv
import http.client
import json
import re
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

import psutil
import pytest
from playwright.sync_api import expect

from tests.helpers.accessibility import SCHEMES, violations
from tests.helpers.crawls import DEADLINE, captured, rest, wait_for
from tests.helpers.opened import Show
from tests.helpers.server import Answer, Serve, Server, page
from tests.helpers.serving import Serving, ask, command, crawls, environment
from tests.helpers.sites import endless_tree

pytestmark = pytest.mark.sample

SITE = {"/": page("/a", "/b", title="Home", text="Welcome."), "/a": page("/"), "/b": page("/")}
Start = Callable[..., Serving]


def held(server: Server) -> None:
    """Have all pages but the first wait, until ``server.holds`` changes."""
    server.holds = lambda path: path not in ("/", "/robots.txt")


# Jobs


@pytest.mark.full
def test_a_crawl_from_the_form_to_its_files(serve: Serve, serving: Start) -> None:
    server, served = serve(SITE), serving()
    answer = served.start(server.url, max_pages="2", formats="xml,txt")
    assert answer.status == 200
    assert urlsplit(answer.url).path == urlsplit(served.url).path
    served.wait(1, "published")
    text = served.get("jobs").text
    assert "The sitemap is published (exit code 0)." in text
    assert "2 pages fetched" in text
    assert "<code>max_pages=2</code>" in text
    links = re.findall(r'href="(/\S+/files/\S+)"', text)
    names = [link.partition("/files/")[2] for link in links]
    assert names[0] == "report.html"
    assert {"sitemap.xml", "sitemap.txt", "urls.csv", "report.json"} <= {*names}
    sitemap = served.get("jobs/1/files/sitemap.xml")
    assert sitemap.headers["Content-Disposition"] == "attachment"
    assert sitemap.text.count("<loc>") == 2
    rows = list(csv.DictReader(served.get("jobs/1/files/urls.csv").text.splitlines()))
    assert {row["verdict"] for row in rows} == {"listed", "over_cap"}
    report = served.get("jobs/1/files/report.html")
    assert report.headers["Content-Security-Policy"].startswith("sandbox allow-scripts ")
    assert "allow-same-origin" not in report.headers["Content-Security-Policy"]
    assert "2 pages fetched" in served.get("jobs/1/log").text
    stream = served.get("jobs/1/watch/events").text
    events = re.findall(r"event: (\w+)\ndata: (.*)\n", stream)
    assert [name for name, _ in events] == ["snapshot", "finished"]
    last = json.loads(events[1][1])
    assert (last["outcome"], last["fetched"], last["listed"]) == ("published", 2, 2)
    assert last["verdicts"] == {"listed": 2, "over_cap": 1}
    served.post("jobs/1/again", {})
    served.wait(2, "published")
    assert served.end() == 0
    assert "Traceback" not in served.log


def test_its_files_are_served_as_soon_as_it_names_them(serve: Serve, serving: Start) -> None:
    server, served = serve(SITE), serving()
    held(server)
    served.start(server.url)
    served.wait(1, "crawling")
    with urlopen(f"{served.url}jobs/1/watch/events", timeout=DEADLINE) as stream:
        server.holds = lambda path: False
        while not (line := stream.readline()).startswith(b"event: finished"):
            assert line
        assert served.get("jobs/1/watch/report.html").status == 200
        assert served.state(1) in ("crawling", "published")
    assert served.end() == 0


@pytest.mark.full
def test_jobs_wait_for_each_other(serve: Serve, serving: Start) -> None:
    one, two, served = serve(SITE), serve(SITE), serving()
    held(one)
    served.start(one.url)
    served.start(two.url)
    served.start(two.url, output="elsewhere")
    served.wait(1, "crawling")
    assert served.state(2) == "waiting"
    served.post("jobs/3/stop", {})
    assert served.state(3) == "stopped"
    one.holds = lambda path: False
    served.wait(2, "published")
    assert not (served.directory / "queue/output/elsewhere").exists()
    wait_for(lambda: served.get("comparison.html").status == 200)
    assert one.url.split("/")[2] in served.get("comparison.html").text
    assert served.end() == 0


@pytest.mark.full
def test_several_at_a_time_but_one_an_output(serve: Serve, serving: Start) -> None:
    servers, served = [serve(SITE), serve(SITE)], serving("--jobs", "2")
    for server in servers:
        held(server)
    for server in (servers[0], servers[0], servers[1]):
        served.start(server.url)
    served.wait(1, "crawling")
    served.wait(3, "crawling")
    assert served.state(2) == "waiting"
    for server in servers:
        server.holds = lambda path: False
    served.wait(2, "published")
    assert served.end() == 0


@pytest.mark.full
def test_a_job_is_stopped_and_continued(serve: Serve, serving: Start) -> None:
    server, served = serve(endless_tree(0)), serving()
    held(server)
    served.start(server.url, max_pages="60")
    served.wait(1, "crawling")
    served.post("jobs/1/stop", {})
    wait_for(lambda: ">Stop at once<" in served.get("jobs").text)
    server.holds = lambda path: False
    served.wait(1, "interrupted")
    text = served.get("jobs").text
    assert "the same command continues (exit code 6)." in text
    assert ">Continue<" in text
    served.post("jobs/1/again", {})
    served.wait(2, "published")
    paths = [path for path in server.paths if path != "/robots.txt"]
    assert len({*paths}) >= 60
    assert served.end() == 0


def test_a_crawl_that_fails_has_its_sentence(serve: Serve, serving: Start) -> None:
    server, served = serve({"/": Answer(status=503)}), serving("--set", "RETRY_TIMES=0")
    served.start(server.url)
    served.wait(1, "unreachable")
    result = json.loads(
        (served.directory / f"queue/output/127.0.0.1_{server.port}/result.json").read_text()
    )
    text = served.get("jobs").text
    assert result["sentence"].rstrip(".").replace("'", "&#39;") in text
    assert "(exit code 3)" in text
    assert served.end() == 0


# Ends of the server


@pytest.mark.full
@pytest.mark.parametrize("is_over", [False, *rest(True)])
def test_a_server_that_is_killed(is_over: bool, serve: Serve, serving: Start) -> None:
    """Its crawl goes on, and the next server finds it, or how it ended."""
    server, other, served = serve(SITE), serve(SITE), serving()
    held(server)
    served.start(server.url)
    served.start(other.url)
    served.wait(1, "crawling")
    served.process.kill()
    served.process.wait()
    (crawl,) = crawls(served.directory)
    if is_over:
        server.holds = lambda path: False
        psutil.wait_procs([crawl], DEADLINE)
        assert not crawl.is_running()
    again = serving()
    if not is_over:
        again.wait(1, "crawling")
        assert again.state(2) == "waiting"
        server.holds = lambda path: False
    again.wait(2, "published")
    assert again.state(1) == "published"
    assert server.paths.count("/a") == 1
    assert again.end() == 0


@pytest.mark.full
def test_a_machine_that_is_switched_off(serve: Serve, serving: Start) -> None:
    server, served = serve(SITE), serving()
    held(server)
    served.start(server.url)
    served.wait(1, "crawling")
    (crawl,) = crawls(served.directory)
    served.process.kill()
    crawl.kill()
    served.process.wait()
    wait_for(lambda: not crawls(served.directory))
    server.holds = lambda path: False
    again = serving()
    again.wait(1, "published")
    assert "job 1: goes on later" in again.log
    assert again.end() == 0


@pytest.mark.full
def test_a_stop_after_a_kill(serve: Serve, serving: Start) -> None:
    served = serving()
    served.start(serve(endless_tree(0.05)).url)
    served.wait(1, "crawling")
    served.process.kill()
    served.process.wait()
    again = serving()
    again.wait(1, "crawling")
    again.post("jobs/1/stop", {})
    again.wait(1, "interrupted")
    assert again.end() == 0


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGTERM, *rest(signal.SIGINT)])
def test_a_signal_keeps_the_jobs_for_the_next_time(
    number: signal.Signals, serve: Serve, serving: Start
) -> None:
    server, served = serve(endless_tree(0)), serving()
    held(server)
    served.start(server.url, max_pages="40")
    served.wait(1, "crawling")
    served.process.send_signal(number)
    wait_for(lambda: "finishing the pages under way of 1 crawl;" in served.log)
    server.holds = lambda path: False
    assert served.process.wait(DEADLINE) == 0
    assert not crawls(served.directory)
    again = serving()
    again.wait(1, "published")
    assert again.end() == 0
    assert "Traceback" not in again.log


# sitemapgen.toml


NO_NAMES = (
    *("https://user:S3CRET@host.example/", "../x", "-sLOG_FILE=stolen", "x.example", "a b"),
    *("one\n", " one", "one/", "", "http://../", "\u0661"),
)
"""Values of the field ``site`` that no button has."""


@pytest.mark.full
def test_sites_of_the_file_by_name(
    serve: Serve, serving: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(SITE)
    monkeypatch.setenv("ONE_AUTH", "owner:S3CRET")
    text = f'[sites.one]\nurl = "{server.url}"\nauth = "$ONE_AUTH"\nmax_pages = 1\n'
    text += '[sites.two]\nurl = "two.example"\nauth = "$TWO_AUTH"\n'
    (tmp_path / "sitemapgen.toml").write_text(text)
    served = serving()
    assert served.get().text.count('<button name="site"') == 2
    served.post("jobs", {"site": "one"})
    served.wait(1, "published")
    assert all("Authorization" in visit.headers for visit in server.visits)
    assert (tmp_path / "output" / f"127.0.0.1_{server.port}" / "sitemap.xml").exists()
    assert served.get("jobs/1/files/sitemap.xml").text.count("<loc>") == 1
    before = {path.name for path in tmp_path.iterdir()}
    for name, sentence in (
        *(("two", "TWO_AUTH is not set"), ("three", "three: no site of "), ("--all", "no site of")),
        *((other, "sitemapgen.toml has no site of this name") for other in NO_NAMES),
    ):
        refused = served.post("jobs", {"site": name})
        assert refused.status == 422, name
        assert sentence in refused.text
    assert [path.name for path in (tmp_path / "queue" / "jobs").glob("*.json")] == ["1.json"]
    assert {path.name for path in tmp_path.iterdir()} == before
    for name in ("jobs", "logs"):
        directory = tmp_path / "queue" / name
        modes = {path.stat().st_mode & 0o777 for path in directory.iterdir()}
        assert (directory.stat().st_mode & 0o777, modes) == (0o700, {0o600})
    state = tmp_path / "output" / f"127.0.0.1_{server.port}" / "crawl.sqlite"
    assert state.stat().st_mode & 0o777 == 0o600
    (tmp_path / "sitemapgen.toml").write_text("[sites.one")
    assert "sitemapgen.toml: is no TOML: " in served.get().text
    everything = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(b"S3CRET" in content for content in everything)
    assert served.end() == 0


# Who may do what


FALSE = [{"Content_Encoding": coding} for coding in ("gzip", "deflate", "br", "zstd", "nonsense")]


def test_strangers_are_refused(serving: Start) -> None:
    served = serving()
    here = urlsplit(served.url)
    root = f"{here.scheme}://{here.netloc}"
    origin = {"Origin": "http://evil.example"}
    no_host, no_form = "does not answer to this Host name", "takes no forms of other pages"
    form = {"url": "http://127.0.0.1:9/"}
    for path in ("/", "/jobs", "/x/", f"{here.path[:-1]}x/"):
        answer = served.get(root + path)
        assert (answer.status, answer.text.count("\n")) == (403, 1)
        assert "where sitemapgen serve was started" in answer.text
    for name in ("evil.example", f"evil.example:{here.port}", "127.0.0.1.evil.example"):
        answer = served.get(Host=name)
        assert (answer.status, no_host in answer.text) == (403, True)
        assert no_host in served.post("jobs", form, Host=name).text
    secure = {"Origin": root.replace("http:", "https:")}
    others = (
        *({"Sec_Fetch_Site": "cross-site"}, {"Origin": "null"}, {"Origin": f"{root}9"}, origin),
        *(secure, {"Origin": here.netloc}, {"Origin": f"://{here.netloc}"}),
    )
    for headers in others:
        answer = served.post("jobs", form, **headers)
        assert (answer.status, no_form in answer.text) == (403, True)
        assert served.post("jobs/1/stop", {}, **headers).status == 403
    assert served.post(f"{root}/x/jobs", form).status == 403
    assert list((served.directory / "queue/jobs").iterdir()) == []
    assert served.post("jobs", {**form, "max_pages": "x"}, Origin=root).status == 422
    assert served.post("jobs", {"url": "x" * 70_000}).status == 413
    assert served.post("jobs/7/stop", {}).status == 404
    assert served.post("jobs", {"url": "x"}, Content_Type="text/plain; charset=nowhere").status
    for headers in FALSE:
        assert served.post("jobs", form, **headers).status == 400, headers
        assert served.get(**headers).status == 200
    part = "--b\r\nContent-Disposition: form-data; name=url\r\nContent-{}: {}\r\n\r\na\r\n--b--\r\n"
    for name in ("Transfer-Encoding", "Encoding"):
        for coding in ("base64", "nonsense", "gzip"):
            body = part.format(name, coding).encode()
            many = {"Content-Type": "multipart/form-data; boundary=b"}
            assert ask(urljoin(served.url, "jobs"), body, many).status == 400
    assert list((served.directory / "queue/jobs").iterdir()) == []
    assert "Traceback" not in served.log
    listening = [
        connection.laddr.ip
        for connection in psutil.Process(served.process.pid).net_connections()
        if connection.status == psutil.CONN_LISTEN
    ]
    assert listening == ["127.0.0.1"]
    assert served.end() == 0


@pytest.mark.full
def test_no_other_file_is_served(serve: Serve, serving: Start) -> None:
    served = serving()
    served.start(serve(SITE).url)
    served.wait(1, "published")
    (output,) = (served.directory / "queue/output").iterdir()
    secret = served.directory / "secret"
    secret.write_text("S3CRET")
    (output / "report.json").unlink()
    (output / "report.json").symlink_to(secret)
    here = urlsplit(served.url)
    paths = [
        *("crawl.sqlite", "result.json", "report.json", "x", "refused/report.html"),
        *("../../jobs/1.json", "..%2f..%2fjobs%2f1.json", "%2e%2e/%2e%2e/jobs/1.json"),
        *("%2fetc%2fpasswd", f"{secret}", "sitemap.xml/", "./sitemap.xml", "sitemap.xml%00"),
        *("..%5c..%5csecret", "%252e%252e/secret"),
    ]
    for path in paths:
        for where in ("files", "watch"):
            connection = http.client.HTTPConnection("127.0.0.1", here.port or 0, timeout=DEADLINE)
            connection.request("GET", f"{here.path}jobs/1/{where}/{path}")
            answer = connection.getresponse()
            assert (answer.status, b"S3CRET" in answer.read()) == (404, False), path
            connection.close()
    assert served.get("jobs/1/files/sitemap.xml").status == 200
    assert served.end() == 0
    assert "Traceback" not in served.log


@pytest.mark.full
def test_a_full_queue(serving: Start) -> None:
    served = serving()
    served.end()
    jobs = served.directory / "queue/jobs"
    job = {"site": "", "url": "http://127.0.0.1:9/", "output": "/none/0", "created": ""}
    for number in range(1, 202):
        known = {**job, "number": number, "state": "running" if number == 1 else "waiting"}
        (jobs / f"{number}.json").write_text(json.dumps(known))
    with (jobs / "1.lock").open("w") as file:  # a crawl of an earlier process
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
        again = serving()
        answer = again.start("http://127.0.0.1:9/", max_pages="3")
        assert answer.status == 503
        assert "200 jobs wait, and no more may" in answer.text
        assert 'value="3"' in answer.text
        again.post("jobs/17/stop", {})
        assert again.start("http://127.0.0.1:9/").status == 200
        again.process.kill()
        again.process.wait()


# What is wrong is one sentence


def refused(tmp_path: Path, *words: str, **more: str) -> tuple[int, str]:
    result = captured(command(*words), cwd=tmp_path, env={**environment(), **more})
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    return result.returncode, result.stderr


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        code, sentence = refused(tmp_path, "--port", str(port))
    assert code == 2
    assert sentence == (
        f"sitemapgen: port {port} of 127.0.0.1 is taken; use --port with another, or with 0 for "
        "any\n"
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--jobs", "0"], "--jobs: 0 is too few; use 1 or more"),
        (["--jobs", "some"], "invalid int value: 'some'"),
        (["--port", "70000"], "--port: 70000 is no port; use 1 to 65535"),
        (["--host", "192.0.2.1"], "--host 192.0.2.1: "),
        (["--file", "none.toml"], "none.toml: there is no such file"),
        (["--log-file", "x"], "unrecognized arguments: --log-file x"),
    ],
)
def test_mistakes(words: list[str], sentence: str, tmp_path: Path) -> None:
    code, error = refused(tmp_path, *words)
    assert code == 2
    assert sentence in error


def test_secrets_for_all_sites_are_refused(tmp_path: Path) -> None:
    code, error = refused(tmp_path, SITEMAPGEN_AUTH="me:S3CRET")
    assert code == 2
    assert "SITEMAPGEN_AUTH: would be sent to all sites; unset it" in error
    assert "S3CRET" not in error


def test_two_servers_for_one_queue(serving: Start, tmp_path: Path) -> None:
    served = serving()
    code, error = refused(tmp_path, "--port", "0")
    assert code == 5
    assert "queue: is in use by another sitemapgen serve; give --queue another" in error
    assert served.end() == 0


# In a browser


@pytest.mark.full
def test_a_crawl_started_in_a_browser(serve: Serve, serving: Start, show: Show) -> None:
    server, served = serve(endless_tree(0)), serving()
    held(server)
    opened = show(served.url)
    here = opened.page
    here.get_by_label("URL", exact=True).fill(server.url)
    here.get_by_label("max pages").fill("ten")
    here.get_by_role("button", name="Start", exact=True).click()
    expect(here.get_by_role("alert")).to_contain_text("max_pages: 'ten' is no whole number")
    assert here.get_by_label("max pages").get_attribute("aria-invalid") == "true"
    assert here.get_by_label("URL", exact=True).input_value() == server.url
    here.get_by_label("max pages").fill("80")
    here.get_by_role("button", name="Start", exact=True).click()
    job = here.locator("#job-1")
    expect(job.locator(".state")).to_have_text("crawling")
    expect(job.locator(".figures")).to_contain_text("in the queue")
    with here.expect_popup() as popup:
        job.get_by_role("link", name="Watch").click()
    watching = popup.value
    expect(watching.locator("#state")).to_have_text("Crawling")
    server.holds = lambda path: False
    expect(job.locator(".state")).to_have_text("published")
    expect(job.locator(".figures")).to_have_text("80 pages fetched · 80 listed")
    expect(watching.locator("#state")).to_have_text("Published")
    assert watching.locator("#fetched").inner_text() == "80"
    with watching.expect_popup() as popup:
        watching.locator("#end").get_by_role("link", name="report.html").click()
    popup.value.bring_to_front()  # a window behind another one is not painted
    popup.value.wait_for_selector("html[data-ready=yes]")
    assert popup.value.evaluate("origin") == "null"
    with here.expect_download() as download:
        job.get_by_role("link", name="sitemap.xml").click()
    assert Path(download.value.path()).read_text().count("<loc>") == 80
    opened.complaints = [text for text in opened.complaints if "422" not in text]
    assert opened.complaints == []
    assert {urlsplit(url).netloc for url in opened.requests} == {urlsplit(served.url).netloc}
    assert served.end() == 0


@pytest.mark.full
def test_without_scripts(serve: Serve, serving: Start, show: Show) -> None:
    server, served = serve(SITE), serving()
    here = show(served.url, java_script_enabled=False).page
    here.get_by_label("URL", exact=True).fill(server.url)
    here.get_by_role("button", name="Start", exact=True).click()
    served.wait(1, "published")
    here.get_by_role("link", name="Load the present figures").click()
    expect(here.locator("#job-1 .state")).to_have_text("published")
    here.get_by_role("button", name="Crawl again").click()
    expect(here.locator("#job-2")).to_have_count(1)
    served.wait(2, "published")
    assert served.end() == 0


@pytest.mark.full
@pytest.mark.parametrize("width", [320, *rest(1280)])
def test_it_fits(width: int, serve: Serve, serving: Start, show: Show) -> None:
    served = serving()
    served.start(serve(SITE).url, output="a" * 90, exclude="/" + "b" * 300)
    served.wait(1, "published")
    here = show(served.url, width).page
    here.evaluate("document.querySelectorAll('details').forEach(node => node.open = true)")
    assert here.evaluate("document.documentElement.scrollWidth") == width
    fields = here.locator("input, select")
    assert fields.evaluate_all("all => all.every(node => node.labels.length === 1)")
    assert fields.count() == here.locator("label").count() > 20
    assert here.get_by_role("banner").count() == here.get_by_role("main").count() == 1
    for name in ("Start a crawl", "Jobs"):
        assert here.get_by_role("region", name=name).count() == 1
    for scheme in SCHEMES:
        here.emulate_media(color_scheme=scheme)
        assert violations(here) == [], scheme
    here.get_by_role("button", name="Start", exact=True).click()
    expect(here.get_by_role("alert")).to_contain_text("url: missing")
    assert violations(here) == []
    assert served.end() == 0
