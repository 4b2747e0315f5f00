"""Where the public test cases and real sites are: beside the project, never in it."""

import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"
POSTGRESQL = Path("/usr/share/doc/postgresql-doc-15/html")
NOT_SHARED = "is not in ../shared"
"""In the reason of each skip for want of these files."""


def require(path: Path) -> Path:
    """Return a path under ``../shared``; where it is absent, skip the test, or the whole module."""
    if not path.exists():
        pytest.skip(f"{path.relative_to(SHARED)} {NOT_SHARED}", allow_module_level=True)
    return path


def conformance(name: str) -> list[dict[str, Any]]:
    """The cases of a JSON-lines file under ``../shared/conformance``; skips where it is absent."""
    path = require(SHARED / "conformance" / name)
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
