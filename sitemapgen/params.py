"""Every spider argument: its values, its default, its sentence; and what it sets in Scrapy."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from sitemapgen.core.urls import Patterns, Site, directory, hostname, parse, split

if TYPE_CHECKING:
    from collections.abc import Mapping

IN_SCOPE = (
    "url",
    "scope",
    "include",
    "exclude",
    "query",
    "trailing_slash",
    "www",
    "max_depth",
    "strategy",
    "robots",
    "sitemaps",
)
"""Arguments that decide which URLs a crawl meets: they cannot change while it is interrupted."""


class Params(BaseModel):
    """The arguments of ``scrapy crawl sitemap -a NAME=VALUE``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str = Field(description="Where to start; `example.com` means `https://example.com/`.")
    output: Path | None = Field(
        default=None, description="The directory for the files; `output/<host>` unless given."
    )
    scope: Literal["origin", "path"] = Field(
        default="origin", description="`path`: only URLs under the start URL's directory."
    )
    sitemaps: str = Field(
        default="",
        description="Comma-separated sitemap URLs, besides those that robots.txt names.",
    )
    max_pages: int = Field(
        default=50_000, description="URLs fetched at most, whatever they answer; 0: no limit."
    )
    max_depth: int = Field(default=20, description="Links from the start URL at most; 0: no limit.")
    include: str = Field(
        default="",
        description="Comma-separated `*` patterns; besides the start URL, only what matches one "
        "is fetched.",
    )
    exclude: str = Field(
        default="", description="Comma-separated `*` patterns; what matches one is not fetched."
    )
    query: Literal["strip_tracking", "keep", "drop"] = Field(
        default="strip_tracking",
        description="What to do with query strings; stripping removes tracking parameters and "
        "sorts the rest.",
    )
    trailing_slash: Literal["keep", "strip"] = Field(
        default="keep", description="`strip`: `/a/` is fetched and listed as `/a`."
    )
    www: Literal["strict", "merge"] = Field(
        default="strict", description="`merge`: treat `www.` and the bare host as one origin."
    )
    strategy: Literal["bfs", "seeded"] = Field(
        default="bfs",
        description="`bfs`: links first, then what only sitemaps name; `seeded`: sitemap URLs "
        "enter with the start URL.",
    )
    robots: Literal["obey", "ignore"] = Field(
        default="obey", description="`ignore`: read robots.txt only for its sitemaps."
    )
    formats: frozenset[Literal["xml", "txt", "json"]] = Field(
        default=frozenset({"xml"}), description="Any of `xml,txt,json`; xml is always written."
    )
    gzip: bool = Field(
        default=False, description="Compress the parts; `sitemap.xml` is then their index."
    )
    priority: Literal["depth", "none"] = Field(
        default="depth", description="`depth`: max(0.1, 1.0 - 0.1 * depth)."
    )
    duplicates: Literal["exact", "off"] = Field(
        default="exact",
        description="`exact`: of pages with the same content one is listed; `off`: all are, and "
        "the evidence names it.",
    )
    base_url: str = Field(
        default="",
        description="Where the files will be served from, for the index; the site's root unless "
        "given.",
    )
    fresh: bool = Field(default=False, description="Forget the state of earlier crawls.")

    @model_validator(mode="before")
    @classmethod
    def _know_every_name(cls, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Drop what Scrapyd adds (``_job``); name the nearest argument to an unknown one."""
        known = {name: value for name, value in arguments.items() if not name.startswith("_")}
        for name in known:
            if name not in cls.model_fields:
                nearest = get_close_matches(name, cls.model_fields, 1)
                hint = f"did you mean {nearest[0]}?" if nearest else "see the README for all"
                raise ValueError(f"{name}: no such argument; {hint}")
        if not str(known.get("url", "")).strip():
            raise ValueError("url: missing; say -a url=https://example.com")
        return known

    @field_validator("url")
    @classmethod
    def _complete_url(cls, value: str) -> str:
        text = value.strip()
        url = parse(text if "://" in text else f"https://{text}")
        if url is None:
            raise ValueError(f"{value!r} is not an http or https URL; write https://example.com")
        return url

    @field_validator("base_url")
    @classmethod
    def _complete_base_url(cls, value: str) -> str:
        if not value:
            return value
        url = parse(value)
        if url is None or "?" in url:
            raise ValueError(f"{value!r} is not an http or https URL; write https://example.com/")
        return url if url.endswith("/") else f"{url}/"

    @field_validator("sitemaps")
    @classmethod
    def _check_sitemaps(cls, value: str) -> str:
        for part in filter(None, map(str.strip, value.split(","))):
            if parse(part) is None:
                raise ValueError(f"{part!r} is not an http or https URL")
        return value

    @field_validator("max_pages", "max_depth")
    @classmethod
    def _not_negative(cls, value: int) -> int:
        if value < 0:
            raise ValueError(f"{value} is negative; use 0 for no limit")
        return value

    @field_validator("formats", mode="before")
    @classmethod
    def _split_formats(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return frozenset(filter(None, map(str.strip, value.split(","))))

    def output_directory(self) -> Path:
        """Where the files go."""
        return self.output or Path("output", hostname(self.url).strip("[]").replace(":", "_"))

    def in_scope(self) -> dict[str, object]:
        """The arguments that an interrupted run holds on to."""
        return self.model_dump(mode="json", include=set(IN_SCOPE))

    def settings(self) -> dict[str, object]:
        """What the arguments mean in Scrapy's terms."""
        return {
            "DEPTH_LIMIT": self.max_depth,
            "ROBOTSTXT_OBEY": self.robots == "obey",
            "SITEMAPGEN_MAX_PAGES": self.max_pages,
        }

    def site(self, start: str) -> Site:
        """The site that the start URL, or where it led, stands for."""
        return Site(
            origin=split(start).origin,
            directory=self._directory(start),
            query=self.query,
            trailing_slash=self.trailing_slash,
            merge_www=self.www == "merge",
        )

    def _directory(self, start: str) -> str:
        if self.scope == "origin":
            return "/"
        if self.trailing_slash == "strip" and self.url.endswith("/"):
            return split(start).path.rstrip("/") + "/"
        return split(directory(start)).path

    def start_url(self) -> str:
        """The url argument, written as the site's URLs are."""
        return self.site(self.url).resolve(self.url) or self.url

    def sitemap_urls(self) -> tuple[str, ...]:
        """The sitemaps argument, normalised."""
        parsed = (parse(part.strip()) for part in self.sitemaps.split(",") if part.strip())
        return tuple(url for url in parsed if url)

    def included(self) -> Patterns:
        """The include argument, compiled."""
        return Patterns(self.include)

    def excluded(self) -> Patterns:
        """The exclude argument, compiled."""
        return Patterns(self.exclude)


def sentences(error: ValidationError) -> list[str]:
    """Say each thing that is wrong with the arguments in one sentence."""
    result = []
    for problem in error.errors():
        name = ".".join(str(part) for part in problem["loc"][:1])
        cause = problem.get("ctx", {}).get("error")
        text = str(cause) if cause else f"{problem['input']!r}: {problem['msg'].lower()}"
        result.append(f"{name}: {text}" if name else text)
    return result
