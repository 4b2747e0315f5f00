"""``sitemapgen validate FILE|URL``: checks a sitemap against the protocol, with line numbers.

The rules: ``core/sitemap_files/findings.py``; the validation: ``tools/validation.py``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from sitemapgen.core.words import counted
from sitemapgen.errors import Exit
from sitemapgen.tools.command import ProjectCommand, parse_operands

if TYPE_CHECKING:
    from sitemapgen.tools.validation import SitemapValidation


class Command(ProjectCommand):
    """Prints the findings; exits with ``Exit.INVALID`` if there are errors among them."""

    usage = "FILE|URL"
    summary = "Check a sitemap and all files that it lists"
    reads_sitemaps = True
    examples = (
        "validate https://example.com/sitemap.xml",
        "validate public/sitemap.xml --format json",
    )

    def add_own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def work(self, settings: Mapping[str, Any], args: list[str], opts: argparse.Namespace) -> Exit:
        # All commands are imported for a list of them, so their dependencies are imported here.
        from sitemapgen.core.sitemap_files.findings import ERROR  # noqa: PLC0415
        from sitemapgen.tools.documents import Documents, read_with  # noqa: PLC0415
        from sitemapgen.tools.validation import SitemapValidation  # noqa: PLC0415

        (target,) = parse_operands(args, "FILE|URL")
        max_files = int(settings["SITEMAPGEN_MAX_SITEMAPS"])

        async def work(documents: list[Documents]) -> SitemapValidation:
            now = datetime.now(timezone.utc)
            return await SitemapValidation(documents[0], now=now, max_files=max_files).validate()

        validity = read_with([target], settings, work)
        if opts.format == "json":
            sys.stdout.write(
                json.dumps(_as_json(target, validity), indent=2, ensure_ascii=False) + "\n"
            )
        else:
            sys.stdout.writelines(f"{line}\n" for line in _as_text(validity))
        return Exit.INVALID if validity.findings.total(ERROR) else Exit.PUBLISHED


def _as_text(validity: SitemapValidation) -> Iterator[str]:
    """Yield one line per finding, in the format of compilers, and then the totals."""
    for rule, count, findings in validity.findings.groups():
        for _, file, line, sentence in findings:
            place = f"{file}:{line}" if line else file
            yield f"{place}: {rule.severity}: {rule.word}: {sentence}"
        if count > len(findings):
            yield f"... and {count - len(findings):,} more of {rule.word}"
    totals = [validity.findings.total(severity) for severity in ("error", "warning")]
    yield (
        f"{counted(len(validity.files), 'file')}, {counted(validity.urls, 'URL')}: "
        f"{counted(totals[0], 'error')}, {counted(totals[1], 'warning')}"
    )


def _as_json(target: str, validity: SitemapValidation) -> dict[str, object]:
    return {
        "schema": 1,
        "sitemap": target,
        "errors": validity.findings.total("error"),
        "warnings": validity.findings.total("warning"),
        "urls": validity.urls,
        "files": [
            {"file": file.name, "format": file.format, "entries": file.entries}
            for file in validity.files
        ],
        "findings": [
            {
                "rule": rule.word,
                "severity": rule.severity,
                "wants": rule.wants,
                "count": count,
                "examples": [
                    {"file": file, "line": line or None, "sentence": sentence}
                    for _, file, line, sentence in findings
                ],
            }
            for rule, count, findings in validity.findings.groups()
        ],
    }
