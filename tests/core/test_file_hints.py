"""The form of URLs that end like files."""

from sitemapgen.core.file_hints import file_hint
from tests.helpers.tables import for_each


@for_each(
    ("/wiki/Node.js", "/wiki/", "js"),
    ("/wiki/File:Map.png", "/wiki/File:", "png"),
    ("/wiki/Datei:Karte.PNG", "/wiki/Datei:", "png"),
    ("/images/a/ab/Map.png", "/images/a/ab/", "png"),
    ("/src/41/notes/Readme.txt", "/src/{n}/notes/", "txt"),
    ("/o/r/raw/9f8a7b6c5d4e/a/b/c.txt", "/o/r/raw/{n}/a/**/", "txt"),
    ("/logo.svg", "/", "svg"),
)
def test_forms(path: str, directory: str, extension: str) -> None:
    assert file_hint(f"https://e.example{path}") == (directory, extension)


@for_each("/", "/about", "/a.html", "/a.php", "/index.php?title=Node.js", "/a.zip/", "/v1.2")
def test_no_files(path: str) -> None:
    assert file_hint(f"https://e.example{path}") is None
