"""Options of a run: what decides how its store is concluded, and how its sitemap is written.

Kept in the store with the run, so that ``scrapy report`` and ``scrapy publish`` can repeat both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from sitemapgen.params import SETTINGS, Params, near_threshold

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings
    from typing_extensions import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Arguments and settings of a run; the defaults are those of runs that lack an option."""

    max_depth: int = 0
    """Maximum depth of listed pages, in links; 0 means no limit."""
    traps: str = "stop"
    duplicates: str = "exact"
    views: str = "list"
    near_threshold: float = 0.85
    base_url: str = ""
    """Where the files are served from; empty for the root of the site."""
    output: Mapping[str, Any] = field(default_factory=dict)
    """``Params.output_options``."""
    overriding: Mapping[str, str] = field(default_factory=dict)
    """By argument that could not change it: the setting that held, such as one of ``-s``."""

    @classmethod
    def of(cls, params: Params, settings: BaseSettings, *, has_arguments: bool = True) -> Self:
        """Read the options of a crawl. Raises CrawlError for a setting that cannot be.

        ``has_arguments``: whether arguments of a command set settings.
        """
        from scrapy.settings import SETTINGS_PRIORITIES  # noqa: PLC0415 - 20 MB; a crawl has it

        strongest = SETTINGS_PRIORITIES["spider"] if has_arguments else -1
        return cls(
            max_depth=int(settings["DEPTH_LIMIT"]),
            traps=params.traps,
            duplicates=params.duplicates,
            views=params.views,
            near_threshold=near_threshold(settings),
            base_url=params.base_url,
            output=params.output_options(),
            overriding={
                name: setting
                for name, setting in SETTINGS.items()
                if (settings.getpriority(setting) or 0) > strongest
            },
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what ``to_json`` wrote; options that this version does not have are ignored."""
        names = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in json.loads(text).items() if name in names})

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def stops_at_traps(self) -> bool:
        return self.traps != "report"
