"""Shops made with current frameworks: built by npm, served by the framework's own server."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.helpers.programs import background, free_port

HERE = Path(__file__).parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sitemapgen-tests"
LONGEST = 900
"""Seconds in which an app is installed, or built."""
WOODS = ("oak", "ash", "elm", "fir", "yew", "bay", "fig", "plum", "pear", "lime", "rose", "sage")
SIZES = {"lamps": 96, "chairs": 60, "makers": 25}
"""Kinds of pages: of a list that goes on by scrolling, by a button, and behind buttons only."""
QUIET = {f"{name}_TELEMETRY_DISABLED": "1" for name in ("ASTRO", "NEXT", "NUXT")} | {
    "NG_CLI_ANALYTICS": "false"
}


@dataclass(frozen=True)
class App:
    """The sources of a shop: the directory of its name beside this module."""

    name: str
    server: tuple[str, ...]
    """The command that serves it on ``{port}``."""
    slash: str = ""
    """What the paths of its pages end with."""

    def ideal(self, origin: str) -> set[str]:
        """Return the URLs of all its pages."""
        shop = catalogue()
        paths = {f"/{kind}{self.slash}" for kind in shop}
        paths |= {f"/{kind}/{each['slug']}{self.slash}" for kind in shop for each in shop[kind]}
        return {f"{origin}{path}" for path in {"/", *paths}}


PYTHON = (sys.executable, "-m", "http.server", "{port}", "--bind", "127.0.0.1")
APPS = (
    App("sveltekit", ("node", "build")),
    App("astro", (*PYTHON, "--directory", "dist"), "/"),
    App("next", ("node", "node_modules/next/dist/bin/next", "start", "--port", "{port}")),
    App("nuxt", ("node", ".output/server/index.mjs")),
    App("react-router", ("node", "node_modules/.bin/react-router-serve", "build/server/index.js")),
    App("angular", ("node", "server.js")),
)


def catalogue() -> dict[str, list[dict[str, str]]]:
    """Return what the shops sell and who makes it: the contents of their pages, by kind."""
    return {
        kind: [_item(kind.removesuffix("s"), number) for number in range(1, size + 1)]
        for kind, size in SIZES.items()
    }


def _item(kind: str, number: int) -> dict[str, str]:
    wood = WOODS[number % len(WOODS)], WOODS[number * 7 % 11]
    text = f"This {kind}, number {number}, is known for {' and '.join(wood)} since {1900 + number}."
    return {
        "slug": f"{'-'.join(wood)}-{number}",
        "name": f"{' '.join(wood)} {number}",
        "text": text,
    }


@contextmanager
def served(app: App) -> Iterator[str]:
    """Build an app, if this was not done before, and serve it; skip where npm cannot."""
    place = _built(app)
    port = free_port()
    command = [part.format(port=port) for part in app.server]
    environment = {**os.environ, **QUIET, "PORT": str(port), "HOST": "127.0.0.1"}
    with background(command, port, place / "server.log", cwd=place, env=environment):
        yield f"http://127.0.0.1:{port}"


def _built(app: App) -> Path:
    """Return the directory in which an app is built, by the hash of its files."""
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("npm is not on PATH")
    data = json.dumps(catalogue())
    source = HERE / app.name
    whole = hashlib.sha256(data.encode())
    for path in sorted(each for each in source.rglob("*") if each.is_file()):
        whole.update(f"{path.relative_to(source)}\0".encode() + path.read_bytes())
    place = CACHE / f"{app.name}-{whole.hexdigest()[:12]}"
    if not (place / "built").exists():
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(source, place)
        (place / "src" / "data.json").write_text(data)
        for command in (["install", "--no-audit", "--no-fund"], ["run", "build"]):
            _run([npm, *command], place)
        (place / "built").touch()
    return place


def _run(command: list[str], place: Path) -> None:
    environment = {**os.environ, **QUIET}
    try:
        subprocess.run(command, check=True, cwd=place, env=environment, timeout=LONGEST)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"{place.name}: {error}")
