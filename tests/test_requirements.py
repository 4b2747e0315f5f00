"""What an environment lacks, in words; with a real egg: ``tests/crawls/test_scrapyd.py``."""

import ast
import sys
from importlib.metadata import packages_distributions, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from sitemapgen.checks.requirements import _lacking_packages, check_requirements

ROOT = Path(__file__).resolve().parents[1]


def test_what_is_missing_and_what_will_not_do() -> None:
    here = version("scrapy")
    lines = [f"scrapy>={here}", "scrapy<1.0", "no-such-thing>=1"]
    assert list(_lacking_packages("\n".join(lines))) == [
        f"scrapy<1.0 ({here} is installed)",
        "no-such-thing>=1 (not installed)",
    ]


def test_extras_are_not_needed() -> None:
    assert list(_lacking_packages("no-such-thing>=1\n\n[tables]\nno-such-extra>=1\n")) == [
        "no-such-thing>=1 (not installed)"
    ]


def test_of_a_checkout_nothing_is_asked() -> None:
    check_requirements()


def imported(directory: Path) -> set[str]:
    """Return the distributions of which the modules of a directory import something."""
    distributions = packages_distributions()
    own = {"sitemapgen", "tests", *sys.stdlib_module_names}
    found = set()
    for path in directory.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            for name in (name.partition(".")[0] for name in names):
                if name not in own:
                    found.add(canonicalize_name(distributions.get(name, [name])[0]))
    return found


def named(*files: str) -> set[str]:
    """Return the distributions that files of requirements name."""
    lines = [line for file in files for line in (ROOT / file).read_text("utf-8").splitlines()]
    lines = [line.partition("#")[0].strip() for line in lines]
    return {canonicalize_name(Requirement(line).name) for line in lines if line[:1].isalpha()}


COMES_WITH = {
    *("twisted", "w3lib", "itemadapter", "parsel", "zope-interface", "pyopenssl"),  # Scrapy
    *("service-identity", "attrs", "brotli"),  # Scrapy
    *("pydantic-core", "typing-extensions", "markupsafe", "urllib3", "yarl"),
    "compression",  # Python 3.14
}
"""Parts of the interface of a requirement, or of a later Python."""
ELSEWHERE = {"shop", "machina", "oscar", "django", "trac", "crawlee", "advertools"}
"""What the tests have in environments of their own."""


def test_every_import_is_a_requirement() -> None:
    known = named("requirements.txt") | COMES_WITH
    extras = {"pyarrow", "redis", "msgpack", "xlsxwriter"}
    assert imported(ROOT / "sitemapgen") - known == extras
    known |= named("requirements-dev.txt")
    assert imported(ROOT / "tests") - known == ELSEWHERE
