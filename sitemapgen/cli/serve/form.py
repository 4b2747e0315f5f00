"""The form that starts a crawl: its fields by topic, and the check of what was written into them.

Names, values, defaults, descriptions and sentences are those of ``params.py``; the topics those of
``sitemapgen crawl --help``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from pydantic import ValidationError

from sitemapgen.cli.arguments import TOPICS, choices_of, default_of
from sitemapgen.core.access import split_userinfo
from sitemapgen.params import ACCESS, Params, argument_fault, sentences

LEFT_OUT = frozenset({*ACCESS, "indexed", "report_logo", "dashboard"})
"""Arguments that the form lacks: secrets, which no file may have; a path on this machine; and what
every job has."""
OFFERED: Mapping[str, tuple[str, ...]] = {
    topic: tuple(name for name in names if name not in LEFT_OUT) for topic, names in TOPICS.items()
}
FIRST = (
    *("url", "output", "scope", "include", "exclude", "max_pages", "max_depth", "sitemaps"),
    *("render", "views", "extensions", "refresh"),
)
"""Arguments that the form shows at once; the others are folded, by topic."""
HINTS = {"output": " Here the name of a directory below that of the queue."}
"""What the form adds to the description of an argument."""
NAMES = frozenset({"url", *(name for names in OFFERED.values() for name in names)})
_DIRECTORY = re.compile(r"[A-Za-z0-9_@+-][A-Za-z0-9_.@+-]{0,99}")


class Field(NamedTuple):
    """One argument in the form."""

    name: str
    help: str
    default: str
    choices: tuple[str, ...]
    """The values there are, as the spider takes them; none for a text."""
    value: str
    fault: str

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").replace("url", "URL")


class CheckedForm(NamedTuple):
    """What was written into the form."""

    values: Mapping[str, str]
    """As it was written."""
    faults: Mapping[str, str]
    """A sentence for each wrong value, by name; under an empty name for those of none."""
    url: str = ""
    """The start URL, normalised; empty where something is wrong."""
    directory: str = ""
    """The name of the output directory."""

    @property
    def arguments(self) -> dict[str, str]:
        """What differs from the defaults, as the spider takes it."""
        given = self.values.items()
        return {name: value for name, value in given if name not in ("url", "output")}


def fields_by_topic(form: CheckedForm) -> dict[str, list[Field]]:
    """Return the fields by topic; those that are shown at once under an empty one."""
    folded = {
        topic: [name for name in names if name not in FIRST] for topic, names in OFFERED.items()
    }
    topics = {"": FIRST, **folded}
    return {topic: [_make_field(name, form) for name in names] for topic, names in topics.items()}


def _make_field(name: str, form: CheckedForm) -> Field:
    info = Params.model_fields[name]
    default = "" if info.is_required() else default_of(info)
    if info.annotation is bool:
        default = str(info.default).lower()
    return Field(
        name=name,
        help=(info.description or "") + HINTS.get(name, ""),
        default=default,
        choices=choices_of(info),
        value=form.values.get(name, ""),
        fault=form.faults.get(name, ""),
    )


def check_form(written: Mapping[str, str]) -> CheckedForm:
    """Check a form with the sentences of a crawl."""
    values = {name: value.strip() for name, value in written.items() if value.strip()}
    faults = {name: fault for name in values if (fault := _find_fault(name, values[name]))}
    if unknown := [name for name in values if name not in NAMES]:
        faults[""] = "; ".join(
            argument_fault(name) or f"{name}: is no argument of this form" for name in unknown
        )
    url, directory = "", values.get("output", "")
    try:
        params = Params.model_validate({name: values[name] for name in values if name in NAMES})
        url, directory = params.url, directory or params.output_directory().name
    except ValidationError as error:
        for sentence in sentences(error):
            name, _, text = sentence.partition(": ")
            where, words = (name, text) if name in NAMES else ("", sentence)
            faults.setdefault(where, words)
    if faults:
        return CheckedForm(values, faults)
    return CheckedForm(values, faults, url, directory)


def _find_fault(name: str, value: str) -> str:
    """Return what is wrong with a value here that is right in a command; else nothing."""
    if not value.isprintable():
        return "has a character that cannot be printed; write it as a browser's address bar does"
    if name == "url" and split_userinfo(value)[1]:
        return (
            "has a user and a password, and the queue keeps no secrets; write the site into "
            'sitemapgen.toml, with auth = "$SHOP_AUTH"'
        )
    if name == "output" and not _DIRECTORY.fullmatch(value):
        return f"{value!r} is no name of a directory; use letters, digits, - and _"
    return ""
