"""Every link of the documentation leads somewhere, and every page is found."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, anchors, prose
from tests.helpers.tables import for_each

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


@for_each(*PAGES)
def test_links_lead_somewhere(path: Path) -> None:
    for target in LINK.findall(prose(path)):
        if target.startswith(("http://", "https://")):
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        assert file.is_file(), target
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), target


def test_every_file_of_a_recipe_exists() -> None:
    recipes = (ROOT / "docs/guides/changing-it.md").read_text("utf-8")
    names = re.findall(r"`([a-z_]+/[\w/.-]+|[a-z_]+\.py)`", recipes.replace("/N.sql", ""))
    assert len(names) > 50
    for name in names:
        places = (ROOT / name, ROOT / "sitemapgen" / name)
        assert any(place.exists() for place in places), name


def test_the_contents_name_every_page() -> None:
    docs = ROOT / "docs"
    named = set(LINK.findall((docs / "index.md").read_text("utf-8")))
    pages = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")}
    assert pages - named == {"index.md"}
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert all(page in navigation for page in pages)


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "site" / "explanation" / "listed" / "index.html").exists()
