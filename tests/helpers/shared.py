"""Where the public test cases and real sites are: beside the project, never in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"
POSTGRESQL = Path("/usr/share/doc/postgresql-doc-15/html")


def conformance(name: str) -> list[dict[str, Any]]:
    """The cases of a JSON-lines file under ``../shared/conformance``; skips where it is absent."""
    path = SHARED / "conformance" / name
    if not path.exists():
        pytest.skip(f"{path} is not here", allow_module_level=True)
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
