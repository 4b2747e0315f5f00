"""Real builds of sites with today's frameworks, with ground truth: ``../shared/corpus``."""

import importlib.util
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from tests.helpers.shared import SHARED

CORPUS = SHARED / "corpus"


def manifest() -> list[dict[str, Any]]:
    """What is true of each site; the corpus explains the fields."""
    sites: list[dict[str, Any]] = json.loads((CORPUS / "manifest.json").read_text("utf-8"))["sites"]
    return sites


def module(name: str) -> Any:
    """A script of the corpus as a module."""
    spec = importlib.util.spec_from_file_location(f"corpus_{name}", CORPUS / f"{name}.py")
    assert spec
    assert spec.loader
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@contextmanager
def serve(
    site: dict[str, Any], port: int = 0, log: Any = None, is_slow: bool = True
) -> Iterator[str]:
    """Serve a site; its origin, without a slash. ``log``: a file for a JSON line per request."""
    server = module("serve").make(site, port, log, not is_slow, str(CORPUS))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def normal(url: str, origin: str) -> str:
    """A URL as the manifest writes its path; empty for another host."""
    parts = urlsplit(url)
    if f"{parts.scheme}://{parts.netloc}" != origin:
        return ""
    path = parts.path.removesuffix("/index.html") or "/"
    path = path.rstrip("/") or "/"
    return path + (f"?{parts.query}" if parts.query else "")
