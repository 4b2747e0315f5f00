"""Pages out of the templates, styles and scripts in ``page/``, each with a policy of its own.

Their policy allows what is inlined, and no request. The filters: ``filters.py``.
"""

from __future__ import annotations

import base64
import hashlib
from contextlib import suppress
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from sitemapgen.core.words import clauses
from sitemapgen.report.filters import FILTERS

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.bccache import Bucket, BytecodeCache

STYLE = "report.css"


def render_page(name: str, scripts: tuple[str, ...], values: dict[str, Any]) -> str:
    """Return the page of the template ``name``, with the style of all pages and these scripts."""
    return _make_environment().get_template(name).render(_read_assets(scripts), **values)


@cache
def _read_assets(names: tuple[str, ...]) -> dict[str, Any]:
    """Return style and scripts, and the policy that allows only these."""
    from markupsafe import Markup  # noqa: PLC0415 - for reports only

    style, scripts = _read_template(STYLE), [_read_template(name) for name in names]
    allowed = " ".join(map(source_hash, scripts))
    return {
        "policy": f"default-src 'none'; script-src {allowed}; style-src {source_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'",
        "style": Markup(style),  # noqa: S704 - ours, without a closing tag
        "scripts": [Markup(script) for script in scripts],  # noqa: S704
    }


def _read_template(name: str) -> str:
    path = resources.files("sitemapgen.report").joinpath("page", *name.split("/"))
    return path.read_text("utf-8")


def source_hash(text: str) -> str:
    """Return the source expression of an inline element for a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def make_environment(**options: Any) -> Environment:
    """Return an environment that escapes values, and refuses names without one.

    ``options``: further arguments of Jinja's own.
    """
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - for reports only

    return Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, **options
    )


@cache
def _make_environment() -> Environment:
    from jinja2 import FunctionLoader  # noqa: PLC0415

    environment = make_environment(
        bytecode_cache=_bytecode_cache(), loader=FunctionLoader(_read_template)
    )
    environment.filters.update(FILTERS)
    environment.globals["clauses"] = clauses
    return environment


def _bytecode_cache() -> BytecodeCache | None:
    """Return a cache for compiled templates, whose compilation takes as long as 50 pages.

    Jinja's directory for it is the user's own, below that of temporary files.
    """
    from jinja2 import FileSystemBytecodeCache  # noqa: PLC0415

    class Cache(FileSystemBytecodeCache):
        def dump_bytecode(self, bucket: Bucket) -> None:
            with suppress(OSError):
                super().dump_bytecode(bucket)

    try:
        return Cache()
    except (OSError, RuntimeError):  # nowhere to write, or not ours alone
        return None
