"""``python -m tests.changed BRANCH``: the test modules of what changed, for ``make test-changed``.

What changed: the working tree since it left the branch, with new files. Of a module these are the
test modules that import it, directly or not, and those of its name, as a crawl runs in a process of
its own. A file that is no module stands for its package, one outside of the packages for
``tests/docs``.
"""

import subprocess
import sys
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Write the paths of the test modules, a line each."""
    base = _git("merge-base", sys.argv[1], "HEAD")[0]
    paths = _git("diff", "--name-only", base) + _git("ls-files", "--others", "--exclude-standard")
    graph = grimp.build_graph("sitemapgen", "tests", cache_dir=None)
    changed = set[str]().union(*(_modules(Path(path), graph) for path in paths))
    reached = changed.union(*map(graph.find_downstream_modules, changed))
    named = {f"test_{name.rpartition('.')[2]}" for name in changed}
    for name in sorted(graph.modules):
        last = name.rpartition(".")[2]
        if last.startswith("test_") and (name in reached or last in named):
            print(Path(*name.split(".")).with_suffix(".py"))


def _modules(path: Path, graph: grimp.ImportGraph) -> set[str]:
    """Return the modules that a file of the repository stands for."""
    name = ".".join(path.with_suffix("").parts)
    if name in graph.modules and path.name != "conftest.py":
        return {name}
    packages = [".".join(parent.parts) for parent in path.parents[:-1]]
    package = next((name for name in packages if name in graph.modules), "tests.docs")
    return {package} | graph.find_descendants(package)


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


if __name__ == "__main__":
    main()
