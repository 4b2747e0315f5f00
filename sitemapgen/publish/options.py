"""Options of the published files, as the user gives them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sitemapgen.core.urls import split
from sitemapgen.publish.output_settings import OutputSettings

if TYPE_CHECKING:
    from typing_extensions import Self

    from sitemapgen.params import Params

# Beyond what XML 1.0 section 2.2 forbids: white space and control characters, which XML readers
# fold and which break the lines of the text format.
WEB_ADDRESS = re.compile(r"https?://[^\s\x00-\x20\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The user's choices for the files. Raises ValueError for a base_url that is none."""

    base_url: str
    """URL of the directory that the files will be served from, with a slash at its end."""
    formats: frozenset[str] = frozenset({"xml"})
    """Values of the argument ``formats``; XML is always written."""
    extensions: frozenset[str] = frozenset()
    """Of ``hreflang``, ``images``, ``videos``, ``news``; with the latter, ``sitemap.xml`` is always
    the index."""
    stylesheet: Literal["none", "xsl", "css"] = "none"
    """Stylesheets that the XML files name for browsers: ``formats.STYLESHEETS``."""
    gzip: bool = False
    """Compress the XML parts; ``sitemap.xml`` is then always the index and keeps its name."""
    priority: Literal["depth", "pagerank", "none"] = "depth"
    changefreq: Literal["none", "observed"] = "none"
    layout: Literal["size", "section", "recency", "log"] = "size"
    """Distribution of URLs to parts; all layouts but ``size`` always have an index."""
    settings: OutputSettings = OutputSettings()  # noqa: RUF009 - it is frozen

    def __post_init__(self) -> None:
        if not (WEB_ADDRESS.fullmatch(self.base_url) and self.base_url.endswith("/")):
            raise ValueError(
                f"base_url: {self.base_url!r} is not a folder on the web; "
                "write it like https://example.com/ with a slash at the end"
            )

    @classmethod
    def of(cls, params: Params, start: str, settings: OutputSettings) -> Self:
        """Take the options from the arguments of a crawl that began at ``start``."""
        return cls(
            base_url=params.base_url or f"{split(start).origin}/",
            layout=params.layout,
            formats=params.formats,
            extensions=params.extensions,
            stylesheet=params.stylesheet,
            gzip=params.gzip,
            priority=params.priority,
            changefreq=params.changefreq,
            settings=settings,
        )
