"""The queue of ``sitemapgen serve``: files of jobs, the form, the files that are served."""

import asyncio
import json
import os
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pydantic_core import PydanticUndefined

from sitemapgen.cli.serve import form, results, views
from sitemapgen.cli.serve.jobs import (
    ENDED,
    MAX_WAITING,
    RUNNING,
    WAITING,
    Full,
    JobQueue,
    is_locked,
    open_private,
)
from sitemapgen.cli.serve.runner import Runner
from sitemapgen.cli.serve.server import Server
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.params import ACCESS, Params
from tests.helpers.tables import for_each

URL = "https://example.com/"


def filled(directory: Path, count: int = 1) -> JobQueue:
    queue = JobQueue(directory)
    for number in range(count):
        queue.add_job(site="", url=URL, output=str(directory / f"output/{number}"))
    return queue


def closed(queue: JobQueue) -> None:
    """End the use of a queue, as the end of its process does."""
    assert queue._lock is not None
    os.close(queue._lock)


# Files of jobs


def test_jobs_are_read_again(tmp_path: Path) -> None:
    queue = filled(tmp_path, 3)
    queue.change_job(queue.jobs[2], state=ENDED, exit_code=5, sentence="refused")
    jobs = queue.jobs
    closed(queue)
    again = JobQueue(tmp_path)
    assert again.jobs == jobs
    assert [job.number for job in again.jobs_in(WAITING)] == [1, 3]
    assert again.add_job(site="", url=URL, output="/o").number == 4


def test_what_is_no_job_is_left_alone(tmp_path: Path) -> None:
    closed(filled(tmp_path, 2))
    jobs = tmp_path / "jobs"
    good = json.loads((jobs / "1.json").read_text())
    (jobs / "2.json").write_text("{")
    (jobs / "3.json").write_text(json.dumps({**good, "number": 3, "state": "gone"}))
    (jobs / "4.json").write_text(json.dumps({**good, "number": 3}))
    (jobs / "5.json").write_text(json.dumps({**good, "number": 5, "colour": "red"}))
    (jobs / "6.json").write_text("[]")
    (jobs / "6.new").write_text("{")
    queue = JobQueue(tmp_path)
    assert [job.number for job in queue] == [1]
    assert queue.add_job(site="", url=URL, output="/o").number == 7
    assert (jobs / "2.json").read_text() == "{"


def test_one_process_a_queue(tmp_path: Path) -> None:
    queue = filled(tmp_path)
    with pytest.raises(CrawlError, match="is in use by another sitemapgen serve") as caught:
        JobQueue(tmp_path)
    assert caught.value.exit_code is Exit.REFUSED
    closed(queue)
    closed(JobQueue(tmp_path))


def test_a_directory_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CrawlError, match="file: cannot be used as a queue: "):
        JobQueue(tmp_path / "file")


def test_a_full_queue(tmp_path: Path) -> None:
    queue = filled(tmp_path, MAX_WAITING)
    with pytest.raises(Full):
        queue.add_job(site="", url=URL, output="/o")
    queue.change_job(queue.jobs[1], state=RUNNING)
    assert queue.add_job(site="", url=URL, output="/o").number == MAX_WAITING + 1


# What an earlier process left


def left(tmp_path: Path, *, result: object = None, **fields: object) -> Runner:
    """Return a runner that finds a job as running whose process is gone."""
    queue = filled(tmp_path)
    known: dict[str, object] = {"pid": 17, "began": "2026-01-02T03:04:05Z", **fields}
    job = queue.change_job(queue.jobs[1], state=RUNNING, **known)
    if result is not None:
        Path(job.output).mkdir(parents=True)
        (Path(job.output) / "result.json").write_text(json.dumps(result))
    return Runner(queue, tmp_path / "none.toml", 1, [])


RESULT = {"pid": 17, "started": "2026-01-02T03:04:06Z", "exit_code": 0, "sentence": "a remark"}
INTERRUPTED = {**RESULT, "exit_code": 6}


@for_each(
    (None, {}, WAITING, None),
    ({**RESULT, "exit_code": None}, {}, WAITING, None),  # killed
    ({**RESULT, "pid": 18}, {}, WAITING, None),  # of another crawl
    ({**RESULT, "started": "2026-01-02T03:04:04Z"}, {}, WAITING, None),  # of an earlier one
    ([], {}, WAITING, None),
    (RESULT, {}, ENDED, 0),
    (RESULT, {"pid": None}, ENDED, 0),  # killed before the process was noted
    ({**RESULT, "exit_code": 5}, {}, ENDED, 5),
    (INTERRUPTED, {}, WAITING, None),  # by the end of the machine
    (INTERRUPTED, {"is_stopped": True}, ENDED, 6),
    (None, {"is_stopped": True}, ENDED, 6),
)
def test_jobs_of_an_earlier_process(
    result: object, fields: dict[str, object], state: str, code: int | None, tmp_path: Path
) -> None:
    runner = left(tmp_path, result=result, **fields)
    runner._watch_job(runner.queue.jobs[1])
    job = runner.queue.jobs[1]
    assert (job.state, job.exit_code) == (state, code)
    sentence = "a remark" if result else "stopped; the same job again continues"
    assert job.sentence == (sentence if state == ENDED else "")
    closed(runner.queue)
    assert JobQueue(tmp_path).jobs[1] == job


@for_each(
    (0, RESULT, True, ENDED, 0),
    (6, INTERRUPTED, False, ENDED, 6),  # by an outage of the site, or by a signal of another
    (6, INTERRUPTED, True, WAITING, None),
    (-2, None, True, WAITING, None),  # before it had handlers of signals
    (1, {**RESULT, "exit_code": None}, True, WAITING, None),
    (2, None, True, ENDED, 2),
    (-9, {**RESULT, "exit_code": None}, False, ENDED, -9),
    (1, {**RESULT, "exit_code": 1}, True, ENDED, 1),
)
def test_jobs_whose_process_ends(
    code: int, result: object, is_ending: bool, state: str, exit_code: int | None, tmp_path: Path
) -> None:
    runner = left(tmp_path, result=result)
    runner.is_ending = is_ending
    runner._conclude_job(runner.queue.jobs[1], code)
    assert (runner.queue.jobs[1].state, runner.queue.jobs[1].exit_code) == (state, exit_code)


def test_no_other_user_reads_jobs_and_logs(tmp_path: Path) -> None:
    for name in ("jobs", "logs"):  # of an earlier version
        (tmp_path / name).mkdir()
    (tmp_path / "logs" / "1.log").write_text("Dashboard: ")
    queue = filled(tmp_path)
    with open_private(queue.log_file(queue.jobs[1])) as log:
        log.write(b"anew")
    assert queue.log_file(queue.jobs[1]).read_bytes() == b"anew"
    for name in ("jobs", "logs"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o700
        assert {path.stat().st_mode & 0o777 for path in (tmp_path / name).iterdir()} == {0o600}


def test_a_form_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemapgen.cli.serve.server.BODY_SECONDS", 0.2)
    form = b"Content-Type: application/x-www-form-urlencoded\r\n"
    bodies = (b"Content-Length: 99\r\n\r\nurl=", b"Transfer-Encoding: chunked\r\n\r\n4\r\nurl=\r\n")

    async def answers() -> list[bytes]:
        server = Server(Runner(JobQueue(tmp_path), Path("sitemapgen.toml"), 1, []))
        url = urlsplit(await server.open("127.0.0.1", 0))
        got = []
        for body in bodies:
            reader, writer = await asyncio.open_connection("127.0.0.1", url.port)
            head = f"POST {url.path}jobs HTTP/1.1\r\nHost: {url.netloc}\r\n".encode()
            writer.write(head + form + body)
            with suppress(ConnectionResetError):
                got.append(await reader.read())
            writer.close()
        await server.close()
        return got

    assert set(asyncio.run(answers())) <= {b""}


def test_the_command_of_a_job(tmp_path: Path) -> None:
    queue = filled(tmp_path)
    runner = Runner(queue, Path("/srv/sitemapgen.toml"), 1, ["--profile", "fast"])
    job = queue.change_job(queue.jobs[1], arguments={"include": "-x,/a b/*"})
    words = runner.crawl_command(job)[2:]
    assert words[:2] == ["sitemapgen", "crawl"]
    assert "include=-x,/a b/*" in words
    assert words[-4:] == ["--profile", "fast", "--", URL]
    words = runner.crawl_command(queue.change_job(job, site="-sLOG_FILE=x"))
    assert words[-2:] == ["--", "-sLOG_FILE=x"]
    assert words[words.index("--file") + 1] == "/srv/sitemapgen.toml"
    assert not is_locked(queue.lock_file(job))


# The form


def test_the_form_has_the_arguments_with_their_help() -> None:
    fields = [f for topic in form.fields_by_topic(form.CheckedForm({}, {})).values() for f in topic]
    names = [each.name for each in fields]
    assert len(set(names)) == len(names)
    assert {*names} == Params.model_fields.keys() - {*ACCESS, "indexed", "report_logo", "dashboard"}
    for each in fields:
        assert each.help.startswith(Params.model_fields[each.name].description or "-")
        default = Params.model_fields[each.name].get_default()
        assert bool(each.default) == (default not in (None, "", PydanticUndefined))


@for_each(
    ({}, {"url": "missing; use -a url=https://example.com"}),
    ({"url": "  "}, {"url": "missing; use -a url=https://example.com"}),
    ({"url": "ftp://a.example"}, {"url": "'ftp://a.example' is not an http or https URL"}),
    ({"max_pages": "ten"}, {"max_pages": "'ten' is no whole number"}),
    ({"max_pages": "-1", "render": "often"}, {"max_pages": "-1 is neg", "render": "'often' is"}),
    ({"gzip": "perhaps"}, {"gzip": "'perhaps' is neither true nor false"}),
    ({"formats": "xml,pdf"}, {"formats": ""}),
    ({"output": "../x"}, {"output": "'../x' is no name of a directory"}),
    ({"output": "/etc"}, {"output": "'/etc' is no name of a directory"}),
    ({"output": ".."}, {"output": "'..' is no name of a directory"}),
    ({"include": "a\0b"}, {"include": "has a character that cannot be printed"}),
    ({"url": "https://me:S3CRET@a.example"}, {"url": "has a user and a password, and the queue"}),
    ({"auth": "me:S3CRET"}, {"": "auth: is no argument of this form"}),
    ({"indexed": "/etc/passwd"}, {"": "indexed: is no argument of this form"}),
    ({"max_page": "3"}, {"": "max_page: no such argument; did you mean max_pages?"}),
    ({"layout": "log", "priority": "pagerank"}, {"layout": "log leaves older parts"}),
)
def test_faults_stand_beside_their_fields(written: dict[str, str], faults: dict[str, str]) -> None:
    given = written if "url" in written or not written else {"url": URL, **written}
    checked = form.check_form(given)
    assert checked.faults.keys() == faults.keys()
    for name, words in faults.items():
        assert checked.faults[name].startswith(words)
    assert not checked.url
    assert "S3CRET" not in str(checked.faults)


def test_what_was_written_is_what_the_crawl_is_given() -> None:
    checked = form.check_form(
        {"url": " example.com ", "max_pages": "9", "gzip": "true", "scope": ""}
    )
    assert checked == ({**checked.values}, {}, URL, "example.com")
    assert checked.arguments == {"max_pages": "9", "gzip": "true"}
    assert form.check_form({"url": "localhost:8000"}).directory == "localhost_8000"
    assert form.check_form({"url": URL, "output": "shop-1"}).directory == "shop-1"


# Files


def test_files_of_the_output_alone(tmp_path: Path) -> None:
    secret, output = tmp_path / "secret", tmp_path / "output"
    (output / "refused").mkdir(parents=True)
    for path in (secret, output / "sitemap.xml", output / "refused" / "sitemap.xml"):
        path.write_text("x")
    (output / "report.html").symlink_to(secret)
    (tmp_path / "link").symlink_to(output)
    (output / "way").symlink_to(tmp_path)
    for name in ("sitemap.xml", "refused/sitemap.xml"):
        assert results.locate_file(output, name) == output / name
        assert results.locate_file(tmp_path / "link", name) is not None
    for name in ("report.html", "../secret", "way/secret", "refused/../sitemap.xml", "", "refused"):
        assert results.locate_file(output, name) is None
    assert results.locate_file(output, "a\0b") is None
    assert results.locate_file(output, str(output / "sitemap.xml")) is None


def test_only_what_the_result_names_is_served(tmp_path: Path) -> None:
    files = [f"{tmp_path}/sitemap.xml", "/etc/passwd", f"{tmp_path}-other/x"]
    always = ["report.html", "report.json", "urls.csv"]
    for listed, found in ((files, ["sitemap.xml", *always]), ("crawl.sqlite", always)):
        assert results.file_names(str(tmp_path), {"exit_code": 0, "files": listed}) == found
    beside = [f"{tmp_path}/refused/sitemap.xml", f"{tmp_path}/sitemap.xml"]
    assert results.file_names(str(tmp_path), {"exit_code": 5, "files": beside}) == [
        "refused/sitemap.xml",
        *(f"refused/{name}" for name in always),
    ]
    for code in (None, 1, 3, 4, 6, 7):
        assert not results.file_names(str(tmp_path), {"exit_code": code, "files": files})


# The page


def test_texts_are_text(tmp_path: Path) -> None:
    queue = filled(tmp_path)
    hostile = "</p><script>alert(1)</script>"
    queue.change_job(
        queue.jobs[1], state=ENDED, exit_code=1, sentence=hostile, url=f"http://{hostile}/"
    )
    listing = views.make_listing(queue, views.shown_jobs(queue), {})
    written = form.check_form({"url": f'">{hostile}'})
    page = views.render_template(
        "serve",
        root="/t/",
        fields=form.fields_by_topic(written),
        faults=written.faults,
        sites=[hostile],
        site_fault=hostile,
        listing=listing,
    )
    assert page.count("<script>") == 1
    assert "&lt;/p&gt;&lt;script&gt;" in page


@for_each(
    ({"exit_code": 0}, "published", "The sitemap is published (exit code 0).", "Crawl again"),
    ({"exit_code": 3, "sentence": "no."}, "unreachable", "no (exit code 3).", "Crawl again"),
    ({"exit_code": 6, "sentence": "x"}, "interrupted", "x (exit code 6).", "Continue"),
    ({"exit_code": 7, "sentence": "x"}, "no space", "x (exit code 7).", "Crawl again"),
    ({"exit_code": 99, "sentence": "x"}, "error", "x (exit code 99).", "Crawl again"),
    ({"exit_code": -9, "sentence": "x"}, "killed", "x (exit code -9).", "Crawl again"),
    (
        {"exit_code": 3, "sentence": "TLS failed; -a verify_tls=false"},
        *("unreachable", "TLS failed; verify tls: false (exit code 3).", "Crawl again"),
    ),
    (
        {"sentence": "stopped before it began"},
        "stopped",
        "stopped before it began.",
        "Crawl ag",
    ),
)
def test_outcomes_in_words(
    fields: dict[str, object], state: str, sentence: str, action: str, tmp_path: Path
) -> None:
    queue = filled(tmp_path)
    queue.change_job(queue.jobs[1], state=ENDED, **fields)
    (view,) = views.make_listing(queue, views.shown_jobs(queue), {})["views"]
    assert (view.state, view.sentence) == (state, sentence)
    assert view.actions[0][1].startswith(action)


@for_each(
    (0, ["urls.csv"], [["urls.csv"], []]),
    (5, ["refused/urls.csv"], [["refused/urls.csv"], ["urls.csv"]]),
    (3, [], [[], ["urls.csv"]]),
    (1, [], [[], ["urls.csv"]]),
    (-9, [], [[], ["urls.csv"]]),
)
def test_a_job_offers_the_files_that_it_wrote(
    code: int, files: list[str], offered: list[list[str]], tmp_path: Path
) -> None:
    queue = filled(tmp_path)
    first = queue.change_job(queue.jobs[1], state=ENDED, exit_code=0, files=["urls.csv"])
    second = queue.add_job(site="", url=URL, output=first.output)
    queue.change_job(second, state=ENDED, exit_code=code, files=files)
    for name in ("urls.csv", "refused/urls.csv"):
        path = Path(first.output) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("url")
    found = views.make_listing(queue, views.shown_jobs(queue), {})["views"]
    assert [[file.name for file in view.files] for view in found] == offered
    assert [file["name"] for file in views.finished_data(queue, queue.jobs[2])["files"]] == files


def test_a_crawl_whose_outcome_is_known_is_over_before_its_process(tmp_path: Path) -> None:
    queue = filled(tmp_path)
    job = queue.change_job(queue.jobs[1], state=RUNNING, began="2026-01-01T00:00:00Z", pid=7)
    result = {"started": "2026-01-01T00:00:01Z", "pid": 7, "exit_code": None}
    Path(job.output).mkdir(parents=True)
    states = []
    for result["exit_code"] in (None, 0):
        (Path(job.output) / "result.json").write_text(json.dumps(result))
        states.append(views.make_listing(queue, [job], {})["views"][0].state)
    assert states == ["starting", "published"]


def test_the_form_shows_a_dozen_fields_and_folds_the_others() -> None:
    found = form.fields_by_topic(form.check_form({}))
    assert len(found[""]) == 12
    assert sorted(field.name for fields in found.values() for field in fields) == sorted(form.NAMES)
