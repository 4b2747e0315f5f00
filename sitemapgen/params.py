"""Spider arguments: their values, defaults, descriptions, validation, and Scrapy settings."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from sitemapgen.core import access
from sitemapgen.core.urls import Patterns, Site, authority, hostname, parse, split
from sitemapgen.errors import CrawlError, Exit

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

IN_SCOPE = (
    "url",
    "scope",
    "include",
    "exclude",
    "query",
    "trailing_slash",
    "www",
    "slashes",
    "max_depth",
    "strategy",
    "robots",
    "robots_unreachable",
    "sitemaps",
    "render",
    "extensions",
    "formats",
)
"""Arguments that determine which URLs a crawl finds and what it reads of them: they cannot change
while it is interrupted. Of ``formats`` only those count for which more is read of the pages."""

ACCESS: Mapping[str, Callable[[str], object]] = {
    "auth": access.basic_auth,
    "cookies": access.parse_cookie,
    "headers": access.parse_headers,
    "user_agent": access.user_agent,
    "proxy": access.parse_proxy,
}
"""Secret arguments, with the functions that validate them: they are also read from the environment,
and never appear in a log, error, report or state."""

SETTINGS = {
    "dashboard": "SITEMAPGEN_DASHBOARD_ENABLED",
    "max_depth": "DEPTH_LIMIT",
    "max_pages": "SITEMAPGEN_MAX_PAGES",
    "robots": "ROBOTSTXT_OBEY",
    "robots_unreachable": "SITEMAPGEN_ROBOTS_UNREACHABLE",
    "slashes": "SITEMAPGEN_MERGE_SLASHES",
    "verify_tls": "DOWNLOAD_VERIFY_CERTIFICATES",
}
"""Arguments that set a setting when they are given, with its name."""
PATTERNS = {"include": "SITEMAPGEN_INCLUDE", "exclude": "SITEMAPGEN_EXCLUDE"}
"""Arguments with the settings whose patterns hold beside theirs."""

NOT_GIVEN = SecretStr("")

SCHEME = re.compile(r"([a-z]{2,8})(?::(?!\d)[:/\\]*|;?[:/\\]{2,})", re.IGNORECASE)
"""What stands for a scheme and the characters after it, also if they are misspelt."""
SEVERAL = re.compile(r"\S[\s,;|]+https?://|^[^/?#]+\.[^/?#]*[\s,;|]+[^/?#]+\.", re.IGNORECASE)
"""Two URLs, or two hosts, with a comma or white space between them."""

FormatName = Literal["xml", "txt", "json", "rss", "atom", "html", "links", "md", "jsonl", "llms"]
"""The sitemap's own formats (``publish/formats.py``), and those of files beside it."""
TEXTS = frozenset({"md", "jsonl"})
"""The formats that need the whole texts of the pages."""


class Params(BaseModel):
    """The arguments of ``scrapy crawl sitemap -a NAME=VALUE``."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    url: str = Field(description="Where to start; `example.com` means `https://example.com/`.")
    output: Path | None = Field(
        default=None,
        description="The directory for the files; without it `output/<host>`, with the port if it "
        "has one: `output/localhost_8000`.",
    )
    scope: Literal["origin", "path"] = Field(
        default="origin", description="`path`: only URLs under the start URL's directory."
    )
    sitemaps: str = Field(
        default="",
        description="Comma-separated sitemap URLs, besides those that robots.txt names.",
    )
    sources: Literal["auto", "off"] = Field(
        default="auto",
        description="`auto`: ask the systems and files that the start page names, such as "
        "WordPress or a feed, for pages and their dates, docs/reference/sources.md; `off`: do not.",
    )
    max_pages: int = Field(
        default=50_000,
        description="Maximum number of URLs fetched, whatever their status; 0: no limit.",
    )
    max_depth: int = Field(
        default=0,
        description="Maximum number of links from the start URL; 0: no limit.",
    )
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
        "session ids.",
    )
    trailing_slash: Literal["keep", "strip"] = Field(
        default="keep", description="`strip`: `/a/` is fetched and listed as `/a`."
    )
    www: Literal["strict", "merge"] = Field(
        default="strict", description="`merge`: treat `www.` and the bare host as one origin."
    )
    slashes: Literal["merge", "keep"] = Field(
        default="merge",
        description="`merge`: `/a//b` is fetched and listed as `/a/b`, unless that is missing.",
    )
    strategy: Literal["bfs", "seeded", "balanced"] = Field(
        default="bfs",
        description="`bfs`: links first, then what only sitemaps name; `seeded`: sitemap URLs "
        "enter with the start URL; `balanced`: mixes both, by how many of each were listed "
        "so far.",
    )
    refresh: Literal["all", "due"] = Field(
        default="all",
        description="Which pages of the last crawl are requested again. `due`: those that many "
        "visits found unchanged only in their turn, docs/guides/keeping-up.md#pages-in-turn.",
    )
    render: Literal["auto", "always", "never"] = Field(
        default="auto",
        description="Which pages a browser renders; `auto`: those that are empty without it.",
    )
    interact: Literal["auto", "scroll", "off"] = Field(
        default="auto",
        description="What the browser does on pages that it renders: `auto` scrolls and presses "
        "buttons, `scroll` only scrolls; docs/explanation/rendering.md#scrolling-and-buttons.",
    )
    robots: Literal["obey", "ignore"] = Field(
        default="obey", description="`ignore`: read robots.txt only for its sitemaps."
    )
    nofollow: Literal["obey", "ignore"] = Field(
        default="obey", description="`ignore`: follow links with nofollow, too."
    )
    verify_tls: bool = Field(
        default=True, description="`false`: accept certificates that cannot be verified."
    )
    robots_unreachable: Literal["disallow", "allow"] = Field(
        default="disallow",
        description="`allow`: a robots.txt that cannot be fetched (5xx, 429, no answer) counts as "
        "one without rules.",
    )
    traps: Literal["stop", "report"] = Field(
        default="stop",
        description="What to do about endless spaces. `stop`: leave them once they are shown to be "
        "endless; `report`: name them, and fetch on within `max_pages`.",
    )
    auth: SecretStr = Field(
        default=NOT_GIVEN, description="`user:password`, for sites behind basic authentication."
    )
    cookies: SecretStr = Field(
        default=NOT_GIVEN, description="Cookies to send, such as `session=1a2b; consent=yes`."
    )
    headers: SecretStr = Field(
        default=NOT_GIVEN, description="Headers to send, one `Name: value` a line."
    )
    user_agent: SecretStr = Field(
        default=NOT_GIVEN, description="Another User-Agent header for the site."
    )
    proxy: SecretStr = Field(
        default=NOT_GIVEN, description="`http://user:password@host:port`, for all requests."
    )
    layout: Literal["size", "section", "recency", "log"] = Field(
        default="size",
        description="Which URLs share a part, once there are parts: as many as fit; those of a "
        "section, the first segment of the path; those of about the same age; those that were new "
        "or changed in the same crawl.",
    )
    formats: frozenset[FormatName] = Field(
        default=frozenset({"xml"}),
        description=f"Any of `{','.join(get_args(FormatName))}`; xml is always written.",
    )
    extensions: frozenset[Literal["hreflang", "images", "videos", "news"]] = Field(
        default=frozenset(),
        description="Any of `hreflang,images,videos,news`: Google's extensions of "
        "entries, read from the pages.",
    )
    stylesheet: Literal["none", "xsl", "css"] = Field(
        default="none",
        description="Have browsers show the XML files as a page. `xsl`: by `sitemap.xsl`, or by "
        "`sitemap.css` where there is no XSLT; `css`: by the latter alone. Both are to be served "
        "beside them.",
    )
    gzip: bool = Field(
        default=False, description="Compress the parts; `sitemap.xml` is then their index."
    )
    priority: Literal["depth", "pagerank", "none"] = Field(
        default="depth",
        description="`depth`: max(0.1, 1.0 - 0.1 * depth); `pagerank`: 1.0 for the start page and "
        "the tenth of the listed pages with the highest PageRank, 0.9 for the next tenth.",
    )
    changefreq: Literal["none", "observed"] = Field(
        default="none",
        description="`observed`: how often a page was seen to change, after enough runs.",
    )
    duplicates: Literal["exact", "near", "off"] = Field(
        default="exact",
        description="`exact`: of pages with the same content one is listed; `near`: of pages with "
        "nearly the same as well; `off`: all are. The evidence names the one.",
    )
    views: Literal["list", "exclude"] = Field(
        default="list",
        description="Pages that show nothing but what other listed pages show, such as archives: "
        "`list`: they are listed, and marked; `exclude`: they are crawled, and left out.",
    )
    base_url: str = Field(
        default="",
        description="Where the files will be served from, for the index; without it the site's "
        "root.",
    )
    indexed: Path | None = Field(
        default=None,
        description="A file of URLs that a search engine indexed, for the report: one a line, or "
        "Search Console's CSV.",
    )
    report_logo: Path | None = Field(
        default=None,
        description="An image for the first page of `report.html`: PNG, JPEG, GIF, WebP or SVG.",
    )
    check_external: bool = Field(
        default=False,
        description="Request the URLs on other sites that pages link to, and report those that do "
        "not work.",
    )
    fresh: bool = Field(default=False, description="Forget the state of earlier crawls.")
    force: bool = Field(
        default=False, description="Publish also a sitemap that the safety check refuses."
    )

    dashboard: bool = Field(
        default=False, description="Show the crawl in a browser: the log has the address."
    )

    @model_validator(mode="before")
    @classmethod
    def _check_names(cls, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Drop the arguments of Scrapyd (``_job``); refuse unknown ones, with the nearest name.

        Secret arguments are also taken from the environment, and credentials from the URL.
        """
        known = {name: value for name, value in arguments.items() if not name.startswith("_")}
        for name in known:
            if fault := argument_fault(name):
                raise ValueError(fault)
        if not str(known.get("url", "")).strip():
            raise ValueError("url: missing; use -a url=https://example.com")
        known["url"], userinfo = access.split_userinfo(str(known["url"]))
        if userinfo:
            if known.get("auth"):
                raise ValueError("auth: the url has a user and a password as well; keep one")
            known["auth"] = userinfo
        for name in ACCESS:
            known.setdefault(name, os.environ.get(f"SITEMAPGEN_{name.upper()}", ""))
        return known

    @field_validator("url")
    @classmethod
    def _complete_url(cls, value: str) -> str:
        text = value.strip()
        if SEVERAL.search(text):
            raise ValueError(f"{_shown_url(value)} are several URLs; a crawl has one")
        meant = _guess_url(text)
        url = _web_address(text if "://" in text else f"https://{text}", merge_slashes=False)
        if url is None or meant:
            raise ValueError(
                f"{_shown_url(value)} is not an http or https URL; write "
                + (meant or "https://example.com")
            )
        return url

    @field_validator("base_url")
    @classmethod
    def _complete_base_url(cls, value: str) -> str:
        if not value:
            return value
        url = _web_address(value)
        if url is None or "?" in url:
            raise ValueError(
                f"{_shown_url(value)} is not an http or https URL; write https://example.com/"
            )
        return url if url.endswith("/") else f"{url}/"

    @field_validator("sitemaps")
    @classmethod
    def _check_sitemaps(cls, value: str) -> str:
        for part in filter(None, map(str.strip, value.split(","))):
            if _web_address(part) is None:
                raise ValueError(f"{_shown_url(part)} is not an http or https URL")
        return value

    @field_validator(*ACCESS)
    @classmethod
    def _check_access(cls, value: SecretStr, info: ValidationInfo) -> SecretStr:
        if value:
            ACCESS[str(info.field_name)](value.get_secret_value())
        return value

    @field_validator("max_pages", "max_depth")
    @classmethod
    def _not_negative(cls, value: int) -> int:
        if value < 0:
            raise ValueError(f"{value} is negative; use 0 for no limit")
        return value

    @field_validator("formats", "extensions", mode="before")
    @classmethod
    def _split_values(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return frozenset(filter(None, map(str.strip, value.split(","))))

    @model_validator(mode="after")
    def _check_combinations(self) -> Self:
        if self.layout == "log" and self.priority == "pagerank":
            raise ValueError(
                "layout: log leaves older parts as they are, and priority=pagerank is another one "
                "for many pages after every crawl; use priority=depth or none"
            )
        return self

    def output_directory(self) -> Path:
        """Return the directory for the files."""
        name = re.sub(r"[][]", "", authority(self.url)).replace(":", "_")
        return self.output or Path("output", name)

    def in_scope(self) -> dict[str, object]:
        """Return the arguments that cannot change while a run is interrupted."""
        scope = self.model_dump(mode="json", include=set(IN_SCOPE))
        if self.nofollow == "ignore":  # states of versions without it go on
            scope["nofollow"] = self.nofollow
        if self.sources == "off":
            scope["sources"] = self.sources
        if self.interact != "auto":
            scope["interact"] = self.interact
        more_is_read = {
            "jsonl": self.with_texts,
            "links": self.with_links,
            "llms": self.with_descriptions,
        }
        return {
            **scope,
            "extensions": ",".join(sorted(self.extensions)),
            "formats": ",".join(name for name, is_so in more_is_read.items() if is_so) or "xml",
        }

    @property
    def with_texts(self) -> bool:
        """Whether whole texts of pages are kept, which cannot be added later."""
        return not TEXTS.isdisjoint(self.formats)

    @property
    def with_links(self) -> bool:
        """Whether labels of links are read for links.csv, which cannot be added later."""
        return "links" in self.formats

    @property
    def with_descriptions(self) -> bool:
        """Whether meta descriptions are kept for llms.txt, which cannot be added later."""
        return "llms" in self.formats

    def output_options(self) -> dict[str, object]:
        """Return the arguments that determine the form of the files."""
        return {
            "layout": self.layout,
            "formats": sorted(self.formats),
            "gzip": self.gzip,
            "priority": self.priority,
            "changefreq": self.changefreq,
            "stylesheet": self.stylesheet,
        }

    def settings(self) -> dict[str, tuple[object, str]]:
        """Return the Scrapy settings for the arguments: name -> (value, priority).

        Only arguments that were given override a settings module or a profile; ``-s`` overrides
        both.
        """
        given = self.model_fields_set
        values = {
            **dict(self),
            "robots": self.robots == "obey",
            "slashes": self.slashes == "merge",
        }
        return {
            setting: (values[name], "spider" if name in given else "default")
            for name, setting in SETTINGS.items()
        }

    def settled(self, settings: BaseSettings) -> Params:
        """Return the arguments with the final values of their settings. Raises CrawlError."""
        return self.model_copy(
            update={
                "max_depth": _read_limit(settings, "DEPTH_LIMIT"),
                "max_pages": _read_limit(settings, "SITEMAPGEN_MAX_PAGES"),
                "robots": "obey" if settings.getbool("ROBOTSTXT_OBEY") else "ignore",
                "robots_unreachable": settings["SITEMAPGEN_ROBOTS_UNREACHABLE"],
                "slashes": "merge" if settings.getbool("SITEMAPGEN_MERGE_SLASHES") else "keep",
            }
        ).with_patterns(settings)

    def with_patterns(self, settings: BaseSettings) -> Params:
        """Return the arguments with the patterns of SITEMAPGEN_INCLUDE and SITEMAPGEN_EXCLUDE."""
        return self.model_copy(
            update={
                name: ",".join(
                    dict.fromkeys(
                        (
                            *Patterns(getattr(self, name)).patterns,
                            *Patterns(",".join(settings.getlist(setting))).patterns,
                        )
                    )
                )
                for name, setting in PATTERNS.items()
            }
        )

    def access(self) -> access.Access:
        """Return the headers and the proxy by which requests are admitted to the site."""
        given = {name: getattr(self, name).get_secret_value() for name in ACCESS}
        headers = access.parse_headers(given["headers"])
        if given["auth"]:
            headers["Authorization"] = access.basic_auth(given["auth"])
        if given["cookies"]:
            headers["Cookie"] = access.parse_cookie(given["cookies"])
        if given["user_agent"]:
            headers["User-Agent"] = access.user_agent(given["user_agent"])
        return access.Access(headers=headers, proxy=access.parse_proxy(given["proxy"]))

    def site(self, start: str) -> Site:
        """Return the site of a start URL, which may be the one after redirects."""
        origin, path, _ = split(start)
        if self.scope == "origin":
            path = "/"
        elif self.trailing_slash == "strip" and self.url.endswith("/"):
            path = path.rstrip("/") + "/"
        return Site(
            origin=origin,
            directory=path[: path.rindex("/") + 1],
            query=self.query,
            trailing_slash=self.trailing_slash,
            merge_www=self.www == "merge",
            merge_slashes=self.slashes == "merge",
        )

    def start_url(self) -> str:
        """Return the url argument, normalised by the rules of the site."""
        return self.site(self.url).resolve(self.url) or self.url

    def sitemap_urls(self) -> tuple[str, ...]:
        """Return the sitemaps argument as normalised URLs."""
        parsed = (parse(part.strip()) for part in self.sitemaps.split(",") if part.strip())
        return tuple(url for url in parsed if url)

    def included(self) -> Patterns:
        """Return the include argument, compiled."""
        return Patterns(self.include)

    def excluded(self) -> Patterns:
        """Return the exclude argument, compiled."""
        return Patterns(self.exclude)


def _guess_url(text: str) -> str:
    """Return the URL that was meant by one whose scheme is misspelt or doubled; else nothing.

    >>> _guess_url("http:/example.com/a"), _guess_url("htps//example.com")
    ('http://example.com/a', 'https://example.com/')
    >>> _guess_url("example.com:80/a")
    ''
    """
    scheme, rest = "https", text
    while match := SCHEME.match(rest):
        nearest = get_close_matches(match[1].lower(), ("http", "https"), 1, 0.75)
        if not nearest:
            break
        scheme, rest = nearest[0], rest[match.end() :]
    meant = "" if rest == text else parse(f"{scheme}://{rest}")
    is_exact = text.lower().startswith(f"{scheme}://")
    is_single = text[len(scheme) + 3 :].lstrip("/\\") == rest
    return "" if (is_exact and is_single) or meant is None else meant


def repeated_name(names: Iterable[str]) -> str:
    """Return the first of these names that occurs twice; empty if there is none."""
    return next((name for name, count in Counter(names).items() if count > 1), "")


def _web_address(value: str, *, merge_slashes: bool = True) -> str | None:
    """Return the normal form of a URL; None if it is none, or its host has an empty label.

    A dot may end a host (RFC 1034 section 3.1). Browsers take ``http://../`` for a URL, and
    directories are named by hosts.
    """
    url = parse(value, merge_slashes=merge_slashes)
    return url if url and all(hostname(url).removesuffix(".").split(".")) else None


def _shown_url(url: str) -> str:
    """Return an invalid URL for an error, without the part before an @, which may be a password."""
    _, at, rest = url.rpartition("@")
    return repr(f"...@{rest}" if at else url)


def argument_fault(name: str) -> str:
    """Return a sentence for a name that is no argument, with the nearest one; else nothing."""
    if name in Params.model_fields:
        return ""
    nearest = get_close_matches(name, Params.model_fields, 1)
    hint = f"did you mean {nearest[0]}?" if nearest else "docs/reference/arguments.md has all"
    return f"{name}: no such argument; {hint}"


def sentences(error: ValidationError) -> list[str]:
    """Describe each fault of the arguments in one sentence."""
    result = []
    for problem in error.errors():
        name = ".".join(str(part) for part in problem["loc"][:1])
        cause = problem.get("ctx", {}).get("error")
        text = str(cause) if cause else _type_fault(name, problem)
        result.append(f"{name}: {text}" if name else text)
    return result


def _type_fault(name: str, problem: ErrorDetails) -> str:
    """Return what is wrong with the type of a value, and what to write instead."""
    value, kind = repr(problem["input"]), problem["type"]
    if kind.startswith("int_"):
        return f"{value} is no whole number; write {name}=1000, or {name}=0 for no limit"
    if kind.startswith("bool_"):
        return f"{value} is neither true nor false"
    if kind == "literal_error":
        choices = problem["ctx"]["expected"].replace("'", "")
        return f"{value} is unknown; use {choices}"
    return f"{value}: {problem['msg'].lower()}"


# Arguments in another project, and settings without an argument

UNKNOWN = "https://unknown.invalid/"
"""Placeholder of the ``url`` argument if SITEMAPGEN_ARGUMENTS has none."""


def arguments_of_setting(settings: BaseSettings) -> Params:
    """Return SITEMAPGEN_ARGUMENTS, validated. Raises ValueError with a sentence for each fault."""
    given = {name: str(value) for name, value in settings.getdict("SITEMAPGEN_ARGUMENTS").items()}
    try:
        return Params.model_validate({"url": UNKNOWN, **given}).with_patterns(settings)
    except ValidationError as error:
        raise ValueError(f"SITEMAPGEN_ARGUMENTS: {'; '.join(sentences(error))}") from None


MAX_EPOCH_DIGITS = 11
"""Digits of the latest time in seconds since 1970 that has a date: the year 5138."""


def near_threshold(settings: Mapping[str, Any]) -> float:
    """Return the minimum similarity of near-duplicates. Raises CrawlError."""
    return _read_share(settings, "SITEMAPGEN_NEAR_DUPLICATE_THRESHOLD", least=0.6)


def max_loss(settings: Mapping[str, Any]) -> float:
    """Return the share of the published URLs that a new sitemap may lack. Raises CrawlError."""
    return _read_share(settings, "SITEMAPGEN_MAX_LOSS", least=0.0)


def source_date(environment: Mapping[str, str]) -> float | None:
    """Return the time that replaces the clock in reports, in seconds since 1970 UTC; None for none.

    SOURCE_DATE_EPOCH is of reproducible-builds.org. Raises CrawlError.
    """
    given = environment.get("SOURCE_DATE_EPOCH", "").strip()
    if not given:
        return None
    if not (given.isascii() and given.isdecimal() and len(given) <= MAX_EPOCH_DIGITS):
        words = (
            f"SOURCE_DATE_EPOCH: {given!r} is no time; use whole seconds since 1970, or unset it"
        )
        raise CrawlError(Exit.ARGUMENTS, words)
    return float(given)


def _read_limit(settings: Mapping[str, Any], name: str) -> int:
    given = str(settings[name]).strip()
    if not (given.isascii() and given.isdecimal()):
        words = f"{name}: {given!r} is no limit; use a whole number, or 0 for none"
        raise CrawlError(Exit.ARGUMENTS, words)
    return int(given)


def _read_share(settings: Mapping[str, Any], name: str, *, least: float) -> float:
    given = str(settings[name]).strip()
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not least <= value <= 1:
        words = f"{name}: {given!r} is out of range; use a number from {least:g} to 1"
        raise CrawlError(Exit.ARGUMENTS, words)
    return value
