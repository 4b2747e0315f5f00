"""DokuWiki from Debian; the ideal set from its files.

Must: every page. Also: the pages about pictures. Not: what shows a page in another way (``do=``,
old revisions), which is noindex.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.helpers.shared import SHARED
from tests.real.processes import lacking, script
from tests.real.system import NO_VIEWS, Site, System

SCRIPT = SHARED / "real-sites" / "dokuwiki.sh"
START = "/doku.php?id=start"
WANTED = (SCRIPT, "/usr/share/dokuwiki", "php", "/usr/share/php8.2-xml", "/usr/share/php8.2-gd")


def ideal(pages: Path) -> frozenset[str]:
    """Paths of the wiki's pages; ``pages``: the directory of their texts."""
    names = (file.relative_to(pages).with_suffix("") for file in pages.rglob("*.txt"))
    return frozenset(f"/doku.php?id={':'.join(name.parts)}" for name in names)


@contextmanager
def serve(directory: Path, port: int) -> Iterator[Site]:
    """A wiki of 121 pages in six namespaces."""
    with script(SCRIPT, directory, port):
        yield Site(
            start=f"http://127.0.0.1:{port}/",
            ideal=ideal(directory / "data" / "pages"),
            also={"a picture and what is known of it": r"/lib/exe/detail\.php\?.*"},
            same=lambda path: START if path in ("/", "/doku.php") else path,
            views=NO_VIEWS,
        )


SYSTEM = System(name="dokuwiki", serve=serve, lacks=lambda: lacking(*WANTED))
