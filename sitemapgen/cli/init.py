"""``sitemapgen init``: a look at a site by a short crawl, and a sitemapgen.toml of what it found.

The crawl is that of ``sitemapgen crawl`` with few pages, into a directory that is removed; what it
found stands in its result.json, report.json and urls.csv. The file: ``sites.py``.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import ValidationError

from sitemapgen.analysis.exclusions import suggest_exclusions
from sitemapgen.cli.arguments import TOPICS
from sitemapgen.cli.serve import results
from sitemapgen.cli.sites import secret_variable
from sitemapgen.core.hints import as_options
from sitemapgen.core.remedies import LOGGED_IN, is_login
from sitemapgen.core.urls import authority
from sitemapgen.core.words import counted, duration, largest_first
from sitemapgen.errors import A_BUG, CrawlError, Exit
from sitemapgen.params import ACCESS, Params, sentences
from sitemapgen.publish.files import read_object
from sitemapgen.publish.result import RESULT_FILE

MAX_REQUESTS = 60
LOOK = {
    "SITEMAPGEN_MAX_REQUESTS": MAX_REQUESTS,
    "SITEMAPGEN_MAX_SITEMAPS": 8,
    "SITEMAPGEN_MAX_PROBES": 4,
    "SITEMAPGEN_MAX_EXTERNAL": 0,
}
"""Settings of the crawl: its requests, and how many of them pages cannot have."""
OF_ITS_OWN = frozenset({"url", "output", "exclude", *ACCESS, *TOPICS["this run"]})
"""Arguments that have lines of their own in the file, or that it does not keep."""
MAX_KINDS = 15
"""Kinds of pages that the file names."""
EXISTS = "exists; move it away, or give another --file"
ONE_PAGE = (
    "Only one page was found: behind a login, with --cookies; of links by scripts, with a browser; "
    "and docs/guides/troubleshooting.md#one-page-was-found"
)
CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


def write_sites(url: str, given: Mapping[str, str], words: Sequence[str], file: Path) -> None:
    """Look at a site, write the file, and print it. Raises CrawlError.

    ``given``: arguments of the crawl; ``words``: the options that all commands have.
    """
    if file.exists():
        raise CrawlError(Exit.ARGUMENTS, f"{file}: {EXISTS}")
    if not url:
        sentence = "url: missing; give the URL of a site: sitemapgen init https://example.com"
        raise CrawlError(Exit.ARGUMENTS, sentence)
    try:
        params = Params.model_validate({**given, "url": url})
    except ValidationError as error:
        raise CrawlError(Exit.ARGUMENTS, "; ".join(sentences(error))) from None
    with TemporaryDirectory(prefix="sitemapgen-") as directory:
        _crawl_sample(params, given, words, Path(directory))
        report = read_object(Path(directory, "report.json"))
        with Path(directory, "urls.csv").open(encoding="utf-8", newline="") as table:
            rows = list(csv.DictReader(table))
    if is_login(report["start"]):
        sentence = as_options(f"the start page leads to a login, {report['start']}; {LOGGED_IN}")
        raise CrawlError(Exit.NOTHING, sentence)
    site = params.model_copy(update={"url": report["start"]})
    text = "".join(f"{line}\n" for line in _file_lines(site, given, words, file, report, rows))
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError as error:
        raise CrawlError(Exit.ARGUMENTS, f"{file}: {EXISTS}") from error
    except OSError as error:
        sentence = f"{file}: cannot be written: {error.strerror}; give another --file"
        raise CrawlError(Exit.NO_SPACE, sentence) from error
    sys.stdout.write(f"{file}: written\n\n{text}")


def _crawl_sample(
    params: Params, given: Mapping[str, str], words: Sequence[str], output: Path
) -> None:
    """Crawl a few pages in a process of its own. Raises CrawlError."""
    kept = {name: value for name, value in given.items() if name not in OF_ITS_OWN}
    kept |= {"exclude": params.exclude, "output": str(output)}
    command = [sys.executable, "-m", "sitemapgen", "crawl"]
    for flag, values in (("-a", kept), ("-s", LOOK)):
        command += [word for name, value in values.items() for word in (flag, f"{name}={value}")]
    access = {secret_variable(name): getattr(params, name).get_secret_value() for name in ACCESS}
    sys.stderr.write(f"{params.url}: looked at, with at most {MAX_REQUESTS} requests\n")
    log = output / "log"
    with log.open("wb") as stream:
        code = subprocess.run(  # noqa: S603 - its own command
            [*command, *words, "--", params.url],
            env={**os.environ, **access},
            stderr=stream,
            check=False,
        ).returncode
    if code:
        result = read_object(output / RESULT_FILE)
        sentence = str(result.get("sentence", "")) or results.last_error(log)
        is_known = code in {int(each) for each in Exit}
        raise CrawlError(Exit(code) if is_known else Exit.ERROR, as_options(sentence or A_BUG))


def _file_lines(
    site: Params,
    given: Mapping[str, str],
    words: Sequence[str],
    file: Path,
    report: Mapping[str, Any],
    rows: Sequence[Mapping[str, str]],
) -> Iterator[str]:
    host = authority(site.url).removeprefix("www.")
    name = re.sub(r"[^A-Za-z0-9_]+", "-", host).strip("-")
    crawl = f"crawl {name}"
    if file.name != "sitemapgen.toml" or file.parent != Path():
        crawl += f" --file {shlex.quote(str(file))}"
    program = shutil.which("sitemapgen") or f"{sys.executable} -m sitemapgen"
    cron = f"cd {shlex.quote(str(Path.cwd()))} && {program} {crawl} --log-level WARNING"
    yield f"# By sitemapgen init, from {counted(report['fetched'], 'page')} of {site.url}"
    if report["fetched"] == 1:
        yield f"# {ONE_PAGE}"
    yield "# Crawl it, in this directory; and with cron, each Monday at four:"
    yield f"#   sitemapgen {crawl}"
    yield "# 0 4 * * 1  " + cron.replace("%", r"\%")
    yield from ("", f"[sites.{name}]", f"url = {_toml_string(site.url)}")
    yield f"output = {_toml_string(site.output_directory().as_posix())}"
    for argument, value in given.items():
        if argument not in OF_ITS_OWN:
            yield f"{argument} = {value if value in ('true', 'false') else _toml_string(value)}"
    yield from _what_it_names(report)
    yield from ("", "# Kinds of pages: URLs seen, fetched, of them listed")
    for row in report["kinds"]["rows"][:MAX_KINDS]:
        numbers = "  ".join(f"{row[column]:>6,}" for column in ("urls", "fetched", "listed"))
        yield f"# {numbers}  {row['kind']}"
    yield from _exclude_lines(site, rows)
    forms = report["logins"]["count"]
    left_out = f", whose forms are left out: {counted(forms, 'URL')}" if forms else ""
    yield from ("", f"# Login{left_out}")
    variable_of = re.sub(r"^(?=\d)", "SITE_", name.replace("-", "_").upper())
    access = [each for each in ACCESS if getattr(site, each).get_secret_value()]
    for each in access or ["auth"]:
        mark = "" if access else "# "
        yield f'{mark}{each} = "${variable_of}_{each.upper()}"  # in the environment'
    yield from (
        "",
        "# Pace: polite sends one request a second; fast has no pauses, for your own site",
    )
    for kind in report["speed"]["kinds"][:MAX_KINDS]:
        yield f"# {kind['kind']} takes {duration(kind['median'])}"
    profile = words[words.index("--profile") + 1] if "--profile" in words else ""
    yield f"profile = {_toml_string(profile)}" if profile else '# profile = "polite"'


def _what_it_names(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield what lists the pages of the site: its sitemaps and systems."""
    yield from ("", "# Its own sitemaps" if report["sitemaps"] else "# It has no sitemap.")
    for each in report["sitemaps"]:
        if each["found"] != "index":
            entries = counted(each["entries"] or each["children"], "entry", "entries")
            yield _toml_comment(
                f"  {each['url']}: {each['error'] or each['format'] + ', ' + entries}"
            )
    yield '# sitemaps = "https://..."  # others, which robots.txt does not name'
    systems: Counter[str] = Counter()
    parts = report["sources"]["parts"]
    for part in parts:
        systems[part["system"]] += part["entries"]
    yield ""
    for system, count in systems.items():
        errors = [part["error"] for part in parts if part["system"] == system and part["error"]]
        why = "; ".join([f"which names {counted(count, 'page')}", *errors[:1]])
        yield _toml_comment(f"Its system: {system}, {why}")
    yield '# sources = "off"  # asks no system for pages'
    rendered = report["rendering"]
    if count := rendered["needed"]["count"] + rendered["unrenderable"]:
        yield f"# Pages that need a browser: {count}"


def _toml_string(value: str) -> str:
    """Return a string of TOML, whose escapes are those of JSON."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", r"\u007f")


def _toml_comment(text: str) -> str:
    return f"# {CONTROL.sub(' ', text)}"


def _exclude_lines(site: Params, rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Yield ``exclude``: the given patterns, and those without which the same pages are listed.

    A pattern is only a comment where all of its URLs show one page, which is listed, or where they
    lead to further pages.
    """
    lines = [("", f"{_toml_string(pattern)},") for pattern in site.excluded().patterns]
    for found in suggest_exclusions(rows):
        text = f"{_toml_string(found.pattern)},  # {largest_first(found.verdicts)}"
        lines.append(("" if found.is_safe else "# ", text))
    why = "as it shows other pages again, or not to be listed" if lines else "nothing was found"
    yield from ("", f"# To leave out: {why}")
    whole = "" if any(not mark for mark, _ in lines) else "# "
    yield f"{whole}exclude = ["
    yield from (f"{whole or mark}  {line}" for mark, line in lines or [("", '"/tag/*",')])
    yield f"{whole}]"
