"""Validation of a sitemap with all the files it lists: ``core/sitemap_files/validate.py``."""

from __future__ import annotations

from datetime import datetime

from sitemapgen.analysis import validity
from sitemapgen.core.sitemap_files.discover import MAX_LEVELS
from sitemapgen.core.sitemap_files.findings import Findings, Rule, quote_text
from sitemapgen.core.sitemap_files.validate import Checked, check_file
from sitemapgen.core.urls import directory, split
from sitemapgen.errors import CrawlError
from sitemapgen.tools.documents import Documents, Forbidden, LoadedSitemap, UnreadableFile

MAX_ORIGINS = 5
"""Maximum number of other origins whose robots.txt is read for references to the sitemap."""


class SitemapValidation:
    """The validation of one sitemap; it reads up to ``max_files`` files, 0 means no limit."""

    def __init__(self, documents: Documents, *, now: datetime, max_files: int) -> None:
        self.documents = documents
        self.now = now
        self.max_files = max_files
        self.findings = Findings()
        self.files: list[Checked] = []
        self._locations: dict[str, str] = {}
        """By name of a file: the URL that it is served from."""
        self._met: set[str] = set()
        self._is_vouched_for = False

    @property
    def urls(self) -> int:
        """The number of entries of all files except indexes."""
        return sum(file.entries for file in self.files if file.format != "index")

    async def validate(self) -> SitemapValidation:
        """Read and check all files. Raises CrawlError if the first one cannot be read."""
        try:
            document = await self.documents.read_entry()
        except UnreadableFile as error:
            raise CrawlError(
                self.documents.exit_code, f"{self.documents.name}: cannot be read: {error}"
            ) from error
        if document.location:
            named = await self.documents.named_sitemaps(split(document.location).origin)
            self._is_vouched_for = document.name in named
            self._met.add(document.name)
        entry = self._check_document(document)
        await self._read_children(entry, level=1)
        await self._check_together(entry, document)
        return self

    def _check_document(self, document: LoadedSitemap) -> Checked:
        location = ""
        if document.location and not self._is_vouched_for:
            location = directory(document.location)
        checked = check_file(
            document.body,
            self.findings,
            name=document.name,
            now=self.now,
            location=location,
            is_cut=document.is_cut,
        )
        self.files.append(checked)
        self._locations[checked.name] = document.location
        return checked

    async def _read_children(self, index: Checked, *, level: int) -> None:
        listed: dict[str, int] = {}
        for url, line in index.children:
            if url in listed:
                self.findings.add(
                    Rule.DUPLICATE_CHILD,
                    index.name,
                    line,
                    f"{quote_text(url)} again, as in line {listed[url]}",
                )
                continue
            listed[url] = line
            if url in self._met:
                continue
            self._met.add(url)
            if 0 < self.max_files <= len(self.files):
                self.findings.add(
                    Rule.CHILD_UNREADABLE,
                    index.name,
                    line,
                    f"{quote_text(url)} and what follows: SITEMAPGEN_MAX_SITEMAPS={self.max_files}",
                )
                return
            await self._read_child(index, url, line, level)

    async def _read_child(self, index: Checked, url: str, line: int, level: int) -> None:
        try:
            document = await self.documents.read_child(url)
        except UnreadableFile as error:
            rule = Rule.CHILD_HOST if isinstance(error, Forbidden) else Rule.CHILD_UNREADABLE
            self.findings.add(rule, index.name, line, f"{quote_text(url)}: {error}")
            return
        child = self._check_document(document)
        if child.format == "index":
            self.findings.add(
                Rule.NESTED_INDEX, index.name, line, f"{quote_text(url)} is an index itself"
            )
            if level < MAX_LEVELS:
                await self._read_children(child, level=level + 1)

    async def _check_together(self, entry: Checked, document: LoadedSitemap) -> None:
        is_local = not document.location
        home = validity.home_origin(self.files) if is_local else split(document.location).origin
        vouching: dict[str, frozenset[str]] = {}
        others = {origin for file in self.files for origin in file.origins} - {home}
        for origin in sorted(others)[:MAX_ORIGINS]:
            vouching[origin] = await self.documents.named_sitemaps(origin)

        def is_vouched_for(origin: str, file: str) -> bool:
            return not vouching.get(origin, frozenset()).isdisjoint((file, entry.name))

        validity.check_hosts(self.files, home, self.findings, is_vouched_for=is_vouched_for)
        validity.check_duplicates(self.files, self.findings)
        validity.check_lastmods(self.files, self.findings)
        if is_local and home:
            self._cross_submits(home)

    def _cross_submits(self, home: str) -> None:
        """Add a finding for local files that another origin serves: robots.txt is not read."""
        for file in self.files:
            location = self._locations[file.name]
            if location and split(location).origin != home:
                self.findings.add(
                    Rule.CROSS_SUBMIT,
                    file.name,
                    0,
                    f"served from {quote_text(location)}: "
                    f"{home}/robots.txt has to name it or its index",
                )
