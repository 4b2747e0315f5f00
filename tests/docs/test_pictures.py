"""The pictures of the documentation, taken of a smaller shop."""

import re
import struct
from pathlib import Path

import pytest

from tests.docs import pictures
from tests.docs.pages import PAGES, ROOT
from tests.helpers.browser import needs_browser


def size(picture: Path) -> dict[str, int]:
    width, height = struct.unpack(">II", picture.read_bytes()[16:24])
    return {"width": width, "height": height}


@needs_browser
@pytest.mark.slow
def test_they_are_taken_again(tmp_path: Path) -> None:
    pictures.take(tmp_path, pictures.CATEGORIES[:2], delay=0.3)
    taken = {path.name for path in tmp_path.iterdir()}
    assert taken == {path.name for path in pictures.IMAGES.iterdir()}
    assert [size(path) for path in tmp_path.iterdir()] == [pictures.SIZE] * len(taken)


def test_each_is_shown() -> None:
    texts = "".join((ROOT / path).read_text("utf-8") for path in (*PAGES, "README.md"))
    shown = set(re.findall(r"images/([\w-]+\.png)", texts))
    assert shown == {path.name for path in pictures.IMAGES.iterdir()}
    assert all(size(path) == pictures.SIZE for path in pictures.IMAGES.iterdir())
