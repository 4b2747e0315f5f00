"""``sitemapgen``: its options are the arguments of the spider, and its commands those of Scrapy."""

import shutil
import subprocess
from pathlib import Path

import pytest

from sitemapgen.cli import main
from sitemapgen.cli.arguments import TOPICS
from sitemapgen.params import Params
from tests.cli.commands import run
from tests.helpers.crawls import IMPATIENT, Crawl, rest
from tests.helpers.server import Answer, Serve, page

pytestmark = pytest.mark.sample


def test_each_argument_is_an_option_of_one_topic() -> None:
    options = [name for names in TOPICS.values() for name in names]
    assert sorted(options) == sorted(Params.model_fields.keys() - {"url"})


@pytest.mark.parametrize("command", [main.CRAWL, *rest(*[*main.OWN][1:], *main.TOOLS)])
def test_help_of_each_command(command: str) -> None:
    result = run(command, "--help")
    assert result.returncode == 0, result.stderr
    assert f"usage: sitemapgen {command} " in result.stdout
    assert "%" not in result.stdout.replace("orphans>5%", "")


@pytest.mark.full
def test_help_of_all_names_each_command() -> None:
    for result in (run(), run("--help")):
        for command in (*main.OWN, *main.TOOLS):
            assert f"\n    {command}" in result.stdout
    assert run().returncode == 2
    assert run("--version").stdout == "sitemapgen 0.1.0\n"


def test_the_default_of_each_option_is_in_its_help() -> None:
    text = " ".join(run("crawl", "--help").stdout.split())
    for name, field in Params.model_fields.items():
        if name != "url" and not name.startswith(("auth", "cookies", "headers", "user", "proxy")):
            flag = f"--{name.replace('_', '-')}"
            start = text.index(f" {flag}")
            assert "Default: " in text[start:], name
            assert field.description is not None
    assert "--max-pages N Maximum number of URLs fetched" in text
    assert "0: no limit. Default: 50,000." in text


def test_a_crawl_from_any_directory(serve: Serve, tmp_path: Path) -> None:
    server = serve({"/": page("/a", "/b"), "/a": page("/b"), "/b": page()})
    words = ["crawl", server.url, "--max-pages", "2", "--no-gzip", "--formats", "xml,txt"]
    result = run(*words, *IMPATIENT, "--log-level", "WARNING", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    (output,) = (tmp_path / "output").iterdir()
    assert output.name == f"127.0.0.1_{server.port}"
    crawl = Crawl(0, "", output)
    assert len(crawl.sitemap) == 2
    assert (output / "sitemap.txt").exists()
    assert "INFO" not in result.stderr
    report = run("report", f"output/{output.name}", "--fail-on", "listed<1", cwd=tmp_path)
    assert report.returncode == 0, report.stderr
    result = run("crawl", server.url, "--verify-tls", "-a", "max_pages=ten", cwd=tmp_path)
    assert result.returncode == 2
    assert "ERROR max_pages: 'ten' is no whole number" in result.stderr


def test_hints_name_options_of_this_command(serve: Serve, tmp_path: Path) -> None:
    server = serve({"/": Answer(status=401)})
    result = run("crawl", server.url, *IMPATIENT, cwd=tmp_path)
    assert "; does it need a login? --auth user:password" in result.stderr
    (file,) = tmp_path.glob("output/*/result.json")
    assert "; does it need a login? -a auth=user:password" in file.read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["crawl"], "give the URL of a site: sitemapgen crawl https://example.com"),
        (["crawl", "x.example", "--max-pages"], "--max-pages: expected one argument"),
        (["crawl", "x.example", "--max-page", "3"], "--max-page 3; did you mean --max-pages?"),
        (["report", "x", "--fail_on=a>1"], "--fail_on=a>1; did you mean --fail-on?"),
        (["crawl", "x.example", "y.example"], "sitemapgen: y.example: a crawl has one URL; write"),
        (["crawl", "x.example", "-a", "url=y.example"], "url=y.example: a crawl has one URL; wr"),
        (["crawl", "-a", "url=x.example", "-a", "url=y.example"], "-a url: is given twice"),
        (["crawl", "nosuchname"], "nosuchname: is no host, and there is no sitemapgen.toml here"),
        (["crawl", "x.example", "--render", "often"], "invalid choice: 'often'"),
        (["crawl", "x.example", "-a", "fresh"], "-a fresh: has no =; write NAME=VALUE"),
        (["crawl", "x.example", "--profile", "fats"], "'fats' is no profile"),
        (["crawl", "x.example", "--all"], "leave x.example out"),
        (["crawl", "--all"], "sitemapgen.toml: there is no such file; write sites into it"),
        (["craw", "x.example"], "craw is no command; did you mean crawl?"),
        (["frobnicate"], "frobnicate is no command; sitemapgen --help names them"),
        (["https://x.example", "--gzip"], "write: sitemapgen crawl https://x.example --gzip"),
        (["report"], "give OUTPUT, and not nothing"),
        (["report", "nowhere"], "nowhere"),
    ],
)
def test_mistakes(words: list[str], sentence: str, tmp_path: Path) -> None:
    result = run(*words, cwd=tmp_path)
    assert result.returncode == 2, result.stderr
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("shell", main.SHELLS)
def test_completions(shell: str) -> None:
    result = run("completion", shell)
    assert result.returncode == 0, result.stderr
    assert "robots-unreachable" in result.stdout
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=result.stdout, text=True, check=True)


def test_bash_completes_options_and_values() -> None:
    script = run("completion", "bash").stdout
    script += """
COMP_WORDS=(sitemapgen crawl --trailing-slash "") COMP_CWORD=3
COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
$(complete -p sitemapgen | sed 's/.*-F \\([^ ]*\\).*/\\1/') sitemapgen "" --trailing-slash
echo "${COMPREPLY[@]}"
"""
    result = subprocess.run(["bash"], input=script, capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["keep", "strip"]


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not on PATH")
@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("sitemapgen comp", ["compare", "completion"]),
        ("sitemapgen in", ["indexnow", "init"]),
        ("sitemapgen init --max-", ["--max-depth", "--max-pages"]),
        ("sitemapgen crawl --trailing-slash ", ["keep", "strip"]),
        ("sitemapgen crawl --max-", ["--max-depth", "--max-pages"]),
        ("sitemapgen report --fail", ["--fail-on"]),
        ("sitemapgen completion f", ["fish"]),
    ],
)
def test_fish_completes_commands_options_and_values(
    line: str, completed: list[str], tmp_path: Path
) -> None:
    (tmp_path / "sitemapgen.fish").write_text(run("completion", "fish").stdout)
    command = ["fish", "--no-config", "-c", f"source sitemapgen.fish; complete -C '{line}'"]
    result = subprocess.run(
        command,
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not result.stderr
    assert sorted(each.partition("\t")[0] for each in result.stdout.splitlines()) == completed
