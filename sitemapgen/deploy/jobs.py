"""Directory and name of a crawl; jobs of Scrapyd have both."""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.publish.result import NAME, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemapgen.params import Params

logger = logging.getLogger(__name__)

GIVEN_BY_SCRAPYD = re.compile(r"[0-9a-f]{32}")
"""What it calls a job that nobody named: another one at each schedule.json."""


class Job(NamedTuple):
    """A crawl as whoever started it knows it."""

    spider: str
    project: str
    name: str
    """Its jobid; empty for a crawl that is no job."""
    root: Path | None
    """What relative outputs are below; None: the working directory."""

    @classmethod
    def of(cls, spider: str, arguments: Mapping[str, Any], settings: Mapping[str, Any]) -> Job:
        """The job that spider arguments and settings speak of."""
        name = str(arguments.get("_job") or "")
        # Of crawls that Scrapyd did not start this is a profile's name.
        project = os.environ.get("SCRAPY_PROJECT") if name else None
        root = settings["SITEMAPGEN_OUTPUT_ROOT"]
        return cls(spider, project or settings["BOT_NAME"], name, Path(root) if root else None)

    @property
    def directory(self) -> Path | None:
        """The directory below the root that holds the outputs of the project's spider."""
        return self.root and self.root / _plain(self.project) / _plain(self.spider)

    def place(self, params: Params) -> Params:
        """The arguments, with the output directory that they mean.

        Below the root it is that of the output given, else of the job named, else of the host: so
        that the same command, and the same job, comes back to its own state.
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
            name = _plain(self.name)
        return params.model_copy(update={"output": self.directory / name})

    def result(self, params: Params | None = None) -> Result:
        """Where the outcome is told: by the job's name, and in the output directory.

        Without ``params`` not in there: it is not known, or another crawl's.
        """
        paths = []
        if self.directory and self.name:
            paths.append(self.directory / f"{_plain(self.name)}.json")
        output = params and params.output_directory().absolute()
        if output:
            paths.append(output / NAME)
        return Result(
            paths,
            project=self.project,
            spider=self.spider,
            job=self.name or None,
            url=params and params.url,
            output=output and str(output),
        )


def _plain(name: str) -> str:
    """A name as that of a file; nothing of it leads elsewhere.

    >>> _plain("../b c")
    '_.._b_c'
    """
    plain = re.sub(r"[^\w.@+-]", "_", name)
    return f"_{plain}" if plain.startswith(".") else plain
