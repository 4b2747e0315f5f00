"""action.yml: its steps, run by bash as a runner does, install the project and crawl."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.docs.pages import FENCE
from tests.helpers.browser import app
from tests.helpers.crawls import DEADLINE, IMPATIENT, ROOT
from tests.helpers.server import Serve, Server, page, text

pytestmark = pytest.mark.full

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
GUIDE = (ROOT / "docs" / "guides" / "deploy.md").read_text("utf-8")
REPOSITORY = (
    *("setup.py", "pyproject.toml", "requirements.txt", "README.md", "LICENSE"),
    *("sitemapgen", "deploy", "action.yml"),
)
BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")
HASTE = " ".join(IMPATIENT)


class Done(NamedTuple):
    """What a job sees of the action."""

    code: int
    log: str
    summary: str
    outputs: dict[str, str]


class Runner:
    """A runner with a workspace, which has checked out the action in another place."""

    def __init__(self, directory: Path) -> None:
        self.action = directory / "actions"
        self.temporary = directory / "temporary"
        self.workspace = directory / "workspace"
        for each in (self.action, self.temporary, self.workspace):
            each.mkdir()
        for name in REPOSITORY:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, self.action / name)

    def run(self, names: tuple[str, ...], **inputs: str) -> Done:
        """Run steps of the action until one fails; those that others have written stand as is."""
        values = {
            f"inputs.{name}": str(row.get("default")) for name, row in ACTION["inputs"].items()
        }
        values |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
        values["github.action_path"] = str(self.action)
        values["runner.temp"] = str(self.temporary)
        code, log, summary = 0, "", ""
        for step in ACTION["runs"]["steps"]:
            found: dict[str, str] = {}
            if "uses" in step:
                found["python-path"] = sys.executable
            elif step["name"] in names and not code:
                code, said, found, more = self._step(step, values)
                log, summary = log + said, summary + more
            values |= {
                f"steps.{step.get('id')}.outputs.{name}": each for name, each in found.items()
            }
        outputs = {name: filled(row["value"], values) for name, row in ACTION["outputs"].items()}
        return Done(code, log, summary, outputs)

    def _step(
        self, step: Mapping[str, Any], values: Mapping[str, str]
    ) -> tuple[int, str, dict[str, str], str]:
        files = {name: self.temporary / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in files.values():
            path.write_text("")
        environment = {
            **{"PATH": os.environ["PATH"], "HOME": str(self.temporary)},
            **{name: str(path) for name, path in files.items()},
            **{"RUNNER_TEMP": str(self.temporary), "GITHUB_WORKSPACE": str(self.workspace)},
            **{name: filled(value, values) for name, value in step["env"].items()},
        }
        assert "${{" not in step["run"], "an input could be code there"
        done = subprocess.run(
            [*BASH, step["run"]],
            cwd=self.workspace,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=DEADLINE,
            check=False,
        )
        lines = files["GITHUB_OUTPUT"].read_text().splitlines()
        outputs = dict(line.split("=", 1) for line in lines)
        return done.returncode, done.stdout, outputs, files["GITHUB_STEP_SUMMARY"].read_text()


def filled(words: str, values: Mapping[str, str]) -> str:
    """Fill in the expressions; those without a value are empty, as for a runner."""
    return EXPRESSION.sub(lambda match: values.get(match[1], ""), words)


CRAWL = ("Crawl", "Audit")


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """Return a runner with the environment of the tests where the action installs its own."""
    runner = Runner(tmp_path_factory.mktemp("runner"))
    directory = runner.temporary / "sitemapgen" / "bin"
    directory.mkdir(parents=True)
    for name, words in (("python", ""), ("sitemapgen", "-m sitemapgen ")):
        script = f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} {words}"$@"\n'
        (directory / name).write_text(script)
        (directory / name).chmod(0o755)
    return runner


def site(serve: Serve) -> Server:
    """Serve three pages, and a sitemap with one of them and one that is gone."""
    pages = {
        "/": page("/a", "/b", title="Home"),
        "/a": page(title="A", text="This is a page about one thing."),
        "/b": page(title="B", text="And that is a page about another one."),
    }
    server = serve(pages)
    pages["/robots.txt"] = text(f"Sitemap: {server.url}sitemap.txt\n")
    pages["/sitemap.txt"] = text(f"{server.url}\n{server.url}gone\n")
    return server


def test_a_crawl(runner: Runner, serve: Serve) -> None:
    server = site(serve)
    words = f"{HASTE} --exclude '/x y,/b*'\n--max-pages 50"
    done = runner.run(CRAWL, url=server.url, arguments=words, output="made by it")
    assert done.code == 0, done.log
    assert done.outputs == {"exit-code": "0", "coverage": "0.6667"}
    output = runner.workspace / "made by it"
    assert (output / "sitemap.xml").exists()
    assert f"{server.url}b,excluded," in (output / "urls.csv").read_text()
    assert f"<pre>{server.url}\nexit code 0</pre>" in done.summary
    rows = ("| fetched | 3 |", "| coverage | 66.7% |", "| http_error_in_sitemap | 1 |")
    assert all(f"\n{row}\n" in done.summary for row in rows)
    assert "redirect_in_sitemap" not in done.summary  # none is


def test_a_condition_that_is_met(runner: Runner, serve: Serve) -> None:
    server = site(serve)
    conditions = "http_error_in_sitemap>0,coverage<10%"
    done = runner.run(CRAWL, url=server.url, arguments=HASTE, fail_on=conditions, output="met")
    assert done.code == 8
    assert done.outputs == {"exit-code": "8", "coverage": "0.5"}
    assert "http_error_in_sitemap>0: failed, http_error_in_sitemap is 1" in done.log
    assert "| http_error_in_sitemap | 1 |" in done.summary
    done = runner.run(CRAWL, url=server.url, arguments=HASTE, fail_on="orphans>9", output="met")
    assert (done.code, done.outputs["exit-code"]) == (0, "0")


def test_a_crawl_that_fails(runner: Runner, serve: Serve) -> None:
    """Its exit code is that of the step, and the summary is not that of the crawl before."""
    server = site(serve)
    assert runner.run(CRAWL, url=server.url, arguments=HASTE, output="failing").code == 0
    done = runner.run(CRAWL, url=server.url, arguments="--max-pages ten", output="failing")
    assert (done.code, done.outputs) == (2, {"exit-code": "2", "coverage": ""})
    assert "max_pages: 'ten' is no whole number" in done.log
    assert done.summary == "<pre>exit code 2\nthe log of the crawl has the reason</pre>\n"
    done = runner.run(CRAWL, url=server.url, arguments="--max-pages '10")
    assert done.code == 1
    assert "unmatched single quote" in done.log
    assert "Traceback" not in done.log


def test_the_cache(runner: Runner) -> None:
    """Its keys and paths are those of what the steps write; only a runner of GitHub has a cache."""
    done = runner.run(("Key",), cache="maybe")
    assert (done.code, done.log) == (2, "::error::cache: maybe is neither true nor false\n")
    assert runner.run(("Key",)).code == 0
    steps = ACTION["runs"]["steps"]
    names = [step.get("name") or step["uses"].partition("@")[0] for step in steps]
    assert names == [
        *("actions/setup-python", "Key", "actions/cache", "actions/cache/restore", "Install"),
        *("Crawl", "Audit", "actions/cache/save"),
    ]
    cached = {name: step for name, step in zip(names, steps) if "cache" in name}
    assert all("inputs.cache == 'true'" in step["if"] for step in cached.values())
    pip, before, after = (step["with"] for step in cached.values())
    assert pip["path"] == steps[names.index("Install")]["env"]["PIP_CACHE_DIR"]
    assert {"runner.os", "inputs.browser", "steps.key.outputs.requirements"} == {
        *EXPRESSION.findall(pip["key"])
    }
    assert after.items() <= before.items()
    assert after["path"] == "${{ inputs.output }}"
    assert after["key"].startswith(before["restore-keys"])
    assert cached["actions/cache/save"]["if"].startswith("always() && ")


@pytest.mark.slow
def test_installed(serve: Serve, tmp_path: Path) -> None:
    """The browser is that of the machine, whose download is not needed."""
    runner = Runner(tmp_path)
    done = runner.run(("Install",), browser="maybe")
    assert (done.code, done.log) == (2, "::error::browser: maybe is neither true nor false\n")
    done = runner.run(("Install",))
    assert done.code == 0, done.log
    assert any((runner.temporary / "sitemapgen-pip").iterdir())
    assert runner.run(CRAWL, url=site(serve).url, arguments=HASTE, output="plain").code == 0
    if not (shutil.which("chromium") or shutil.which("google-chrome")):
        pytest.skip("no browser on this machine, and its download is not tested")
    done = runner.run(("Install",), browser="true")
    assert done.code == 0, done.log
    server = serve(
        {"/": page("/app"), "/app": app("root.innerHTML = '<a href=/b>b</a>'"), "/b": page()}
    )
    done = runner.run(CRAWL, url=server.url, arguments=HASTE, output="rendered")
    assert done.code == 0, done.log
    assert f"{server.url}b,listed," in (runner.workspace / "rendered" / "urls.csv").read_text()


def test_the_action_and_the_workflow_of_the_guide_are_valid(tmp_path: Path) -> None:
    """By GitHub's schemas; and the workflow gives the action inputs that it has."""
    pytest.importorskip("check_jsonschema")
    checker = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    subprocess.run([*checker, "vendor.github-actions", str(ROOT / "action.yml")], check=True)
    blocks = [body for language, body in FENCE.findall(GUIDE) if language == "yaml"]
    (workflow,) = (body for body in blocks if "sitemapgen@" in body)
    (tmp_path / "sitemap.yml").write_text(workflow)
    subprocess.run([*checker, "vendor.github-workflows", str(tmp_path / "sitemap.yml")], check=True)
    (job,) = yaml.safe_load(workflow)["jobs"].values()
    (step,) = (each for each in job["steps"] if "sitemapgen@" in each.get("uses", ""))
    assert step["with"].keys() <= ACTION["inputs"].keys()
