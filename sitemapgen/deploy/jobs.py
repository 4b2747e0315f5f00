"""Output directory and result files of a crawl, in particular of a Scrapyd job."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sitemapgen.params import Params
from sitemapgen.publish.result import RESULT_FILE, Result

logger = logging.getLogger(__name__)

GIVEN_BY_SCRAPYD = re.compile(r"[0-9a-f]{32}")
"""Names that Scrapyd gives to jobs scheduled without one: a new name at each schedule.json."""


class JobIdentity(NamedTuple):
    """A crawl by spider, project and job name."""

    spider: str
    project: str
    name: str
    """The jobid; empty for a crawl that is not a Scrapyd job."""
    root: Path | None
    """The root of all output directories; None for the working directory."""

    @classmethod
    def of(
        cls, spider: str, arguments: Mapping[str, Any], settings: Mapping[str, Any]
    ) -> JobIdentity:
        """Return the job for spider arguments and settings."""
        name = str(arguments.get("_job") or "")
        # Without Scrapyd, SCRAPY_PROJECT is the name of a profile.
        project = os.environ.get("SCRAPY_PROJECT") if name else None
        root = settings["SITEMAPGEN_OUTPUT_ROOT"]
        return cls(spider, project or settings["BOT_NAME"], name, Path(root) if root else None)

    @property
    def directory(self) -> Path | None:
        """The directory below the root that holds the outputs of the project's spider."""
        return self.root and self.root / _plain_name(self.project) / _plain_name(self.spider)

    def place_output(self, params: Params) -> Params:
        """Return the arguments with the resolved output directory.

        Below the root it is named by the output argument, else by the job if the user named that,
        else by the host, so that the same command or job finds its own state again.
        """
        if self.directory is None:
            output = params.output_directory()
            if self.name and not output.is_absolute():
                sentence = "The files go to %(output)s, below the daemon's directory; %(hint)s"
                hint = "set SITEMAPGEN_OUTPUT_ROOT"
                logger.warning(sentence, {"output": output.absolute(), "hint": hint})
            return params
        name = params.output or params.output_directory().name
        if not params.output and self.name and not GIVEN_BY_SCRAPYD.fullmatch(self.name):
            name = _plain_name(self.name)
        return params.model_copy(update={"output": self.directory / name})

    def result_files(self, params: Params | None = None) -> Result:
        """Return the result files: one with the name of the job, one in the output directory.

        Without ``params`` only the former, as the output directory is unknown or not that of this
        crawl.
        """
        paths = []
        if self.directory and self.name:
            paths.append(self.directory / f"{_plain_name(self.name)}.json")
        output = params and params.output_directory().absolute()
        if output:
            paths.append(output / RESULT_FILE)
        return Result(
            paths,
            project=self.project,
            spider=self.spider,
            job=self.name or None,
            url=params and params.url,
            output=output and str(output),
        )


def _plain_name(name: str) -> str:
    """Return a name as a safe file name, without path separators.

    >>> _plain_name("../b c")
    '_.._b_c'
    """
    plain = re.sub(r"[^\w.@+-]", "_", name)
    return f"_{plain}" if plain.startswith(".") else plain
