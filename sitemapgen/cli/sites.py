"""sitemapgen.toml: sites by name, with their arguments and settings.

    [defaults]
    max_pages = 10_000

    [sites.shop]
    url = "https://shop.example"
    exclude = ["*/cart", "*/checkout"]
    auth = "$SHOP_AUTH"
    settings = { SITEMAPGEN_FROM = "web@shop.example" }

All of it is checked before anything is crawled. Secrets are only in the environment, in the
variable that the file names.
"""

from __future__ import annotations

import json
import os
import re
import socket
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from sitemapgen.errors import CrawlError, Exit
from sitemapgen.params import ACCESS, Params, argument_fault, sentences

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


NAME = re.compile(r"[A-Za-z0-9_-]+")
"""Names of sites; a dot, colon or slash makes a URL."""
VARIABLE = re.compile(r"\$[A-Za-z_]\w*", re.ASCII)
SETTING = re.compile(r"[A-Z][A-Z0-9_]*", re.ASCII)


class ConfiguredSite(NamedTuple):
    """What a crawl of a site is given."""

    arguments: Mapping[str, str]
    settings: Mapping[str, str]
    secrets: Mapping[str, str]
    """Environment variables of secret arguments."""
    lacks: str = ""
    """A sentence for a secret that is not in the environment; empty if all are."""


class _Fault(ValueError):
    """What is wrong in a table of the file."""


def secret_variable(name: str) -> str:
    """Return the environment variable of a secret argument."""
    return f"SITEMAPGEN_{name.upper()}"


def refuse_secrets(path: Path) -> None:
    """Raise CrawlError for a secret argument in the environment, which all sites would get."""
    for name in ACCESS:
        if os.environ.get(secret_variable(name)):
            raise CrawlError(
                Exit.ARGUMENTS,
                f"{secret_variable(name)}: would be sent to all sites; unset it, and write "
                f'{name} = "$..." into the site of {path} that needs it',
            )


def find_site(path: Path, target: str, *, is_given: bool = False) -> ConfiguredSite:
    """Return the site of a name in the file, or of a URL. Raises CrawlError.

    ``is_given``: the user has named the file, so it has to exist.
    """
    if not target:
        known = f", or a name in {path}" if path.exists() else ""
        words = f"give the URL of a site{known}: sitemapgen crawl https://example.com"
        raise CrawlError(Exit.ARGUMENTS, words)
    if not NAME.fullmatch(target) or (not (is_given or path.exists()) and _is_host(target)):
        return ConfiguredSite({"url": target}, {}, {})
    if not (is_given or path.exists()):
        words = f"{target}: is no host, and there is no {path} here that names it as a site"
        raise CrawlError(Exit.ARGUMENTS, f"{words} (for a host write https://{target})")
    sites = read_sites(path)
    if target in sites:
        return _check_complete(path, sites[target])
    nearest = get_close_matches(target, sites, 1)
    hint = f"did you mean {nearest[0]}?" if nearest else f"it has {', '.join(sites)}"
    words = f"{target}: no site of {path} (for a host write https://{target}); {hint}"
    raise CrawlError(Exit.ARGUMENTS, words)


def _is_host(name: str) -> bool:
    """Return whether a name resolves, such as localhost."""
    try:
        return bool(socket.getaddrinfo(name, None))
    except OSError:
        return False


def all_of(path: Path) -> dict[str, ConfiguredSite]:
    """Return the sites of a file by name, with all their secrets. Raises CrawlError."""
    return {name: _check_complete(path, site) for name, site in read_sites(path).items()}


def _check_complete(path: Path, site: ConfiguredSite) -> ConfiguredSite:
    if site.lacks:
        raise CrawlError(Exit.ARGUMENTS, f"{path}: {site.lacks}")
    return site


def read_sites(path: Path) -> dict[str, ConfiguredSite]:
    """Return the sites of a file by name. Raises CrawlError with the first fault."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
        content = tomllib.loads(text)
    except FileNotFoundError as error:
        words = f"{path}: there is no such file; write sites into it, as [sites.NAME] with a url"
        raise CrawlError(Exit.ARGUMENTS, words) from error
    except OSError as error:
        words = f"{path}: cannot be read: {error.strerror}"
        raise CrawlError(Exit.ARGUMENTS, words) from error
    except ValueError as error:  # not UTF-8, or no TOML
        raise CrawlError(Exit.ARGUMENTS, f"{path}: is no TOML: {error}") from error
    try:
        return _parse_sites(content)
    except _Fault as fault:
        raise CrawlError(Exit.ARGUMENTS, f"{path}: {fault}") from None


def _parse_sites(content: Mapping[str, Any]) -> dict[str, ConfiguredSite]:
    for name in content:
        if name not in ("defaults", "sites"):
            raise _Fault(f"{name}: is neither [defaults] nor [sites.NAME]")
    tables = _check_table(content.get("sites", {}), "sites")
    if not tables:
        raise _Fault('no sites; write [sites.NAME] with url = "https://example.com"')
    defaults = _check_table(content.get("defaults", {}), "defaults")
    for name in ("url", "output", *ACCESS):
        if name in defaults:
            raise _Fault(f"defaults.{name}: would be that of all sites; write it into a site")
    sites: dict[str, ConfiguredSite] = {}
    outputs: dict[str, str] = {}
    for name, table in tables.items():
        where = f"sites.{name}"
        if not NAME.fullmatch(name):
            raise _Fault(f"{where}: a name has letters, digits, - and _")
        own = _check_table(table, where)
        site = sites[name] = _parse_site(where, defaults, own)
        output = os.path.realpath(_validate_site(where, site).output_directory())
        if output in outputs:
            both = f"{outputs[output]} and {where}"
            raise _Fault(f"{both}: have one output, {os.path.relpath(output)}; give one its own")
        outputs[output] = where
    return sites


def _check_table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _Fault(f"{where}: is no table; write [{where}]")
    return value


def _parse_site(where: str, defaults: Mapping[str, Any], own: Mapping[str, Any]) -> ConfiguredSite:
    arguments: dict[str, str] = {}
    settings: dict[str, str] = {}
    secrets: dict[str, str] = {}
    lacks = ""
    for place, table in (("defaults", defaults), (where, own)):
        for name, value in table.items():
            if name == "settings":
                settings |= _parse_settings(f"{place}.settings", value)
            elif name == "profile":
                settings["SITEMAPGEN_PROFILE"] = _argument_text(f"{place}.profile", value)
            elif fault := argument_fault(name):
                raise _Fault(f"{place}.{fault}")
            elif name in ACCESS:
                named = _parse_variable(f"{place}.{name}", value)
                secrets[secret_variable(name)] = os.environ.get(named, "")
                if not secrets[secret_variable(name)]:
                    lacks = f"{place}.{name}: {named} is not set in the environment"
            else:
                arguments[name] = _argument_text(f"{place}.{name}", value)
    return ConfiguredSite(arguments, settings, secrets, lacks)


def _validate_site(where: str, site: ConfiguredSite) -> Params:
    if "url" not in site.arguments:
        raise _Fault(f'{where}: url is missing; write url = "https://example.com"')
    secret = {secret_variable(name): name for name in ACCESS}
    access = {secret[each]: value for each, value in site.secrets.items()}
    try:
        return Params.model_validate({**site.arguments, **access})
    except ValidationError as error:
        raise _Fault("; ".join(f"{where}.{sentence}" for sentence in sentences(error))) from None


def _parse_settings(where: str, value: Any) -> dict[str, str]:
    from sitemapgen import settings as ours  # noqa: PLC0415 - Scrapy's imports take a second

    table = _check_table(value, where)
    for name in table:
        if not SETTING.fullmatch(name):
            raise _Fault(f"{where}.{name}: settings are in capitals")
        if name.startswith("SITEMAPGEN_") and not hasattr(ours, name):
            known = [one for one in dir(ours) if one.startswith("SITEMAPGEN_")]
            nearest = get_close_matches(name, known, 1)
            page = "docs/reference/settings.md has all"
            hint = f"did you mean {nearest[0]}?" if nearest else page
            raise _Fault(f"{where}.{name}: no such setting; {hint}")
    return {
        name: json.dumps(one) if isinstance(one, dict) else _argument_text(f"{where}.{name}", one)
        for name, one in table.items()
    }


def _argument_text(where: str, value: Any) -> str:
    """Return a value as an argument of a command line has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ",".join(value)
    raise _Fault(f"{where}: is no text, number, truth value or list of texts")


def _parse_variable(where: str, value: Any) -> str:
    """Return the name of the environment variable that has a secret."""
    name = where.rpartition(".")[2]
    if not (isinstance(value, str) and VARIABLE.fullmatch(value)):
        raise _Fault(
            f"{where}: is a secret, which no file should have; set a variable of the environment, "
            f'such as SHOP_{name.upper()}, and write {name} = "$SHOP_{name.upper()}"'
        )
    return value[1:]
