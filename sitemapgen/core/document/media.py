"""Images, drawings and players of an element, by which pages with the same text differ.

Scripts that load images late keep their URLs in other attributes: ``data-src`` (lazysizes, Swiper),
``data-original`` (jQuery.lazyload), ``data-lazy-src`` (WordPress plugins), ``data-lazy`` (Slick),
``data-bg`` (Elementor), and their ``srcset`` likewise. A page whose only picture is a placeholder
until then must not pass for a copy of the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

Attributes = Mapping[str, str | None]
"""Attributes of an element by name, in lower case; None for one without a value."""

MAX_IMAGES = 1_000
"""Images of one page (Google, "Image sitemaps")."""
MIN_IMAGE_SIZE = 32
"""Pixels: an image that declares a smaller width or height is an icon, spacer or tracking pixel."""
LATE_SOURCES = ("data-src", "data-original", "data-lazy-src", "data-lazy")
"""Attributes of ``<img>`` with the URL that a script puts into ``src``."""
SOURCE_SETS = ("srcset", "data-srcset", "data-lazy-srcset")
BACKGROUNDS = frozenset(
    {"style", "data-bg", "data-background", "data-background-image", "data-src", "src", "videoid"}
)
"""Attributes of other elements that may name an image or a video."""
DRAWINGS = frozenset(
    {
        *("polygon", "polyline", "rect", "circle", "ellipse", "line", "image", "use"),
        *("meter", "progress"),
    }
)
"""Elements of drawings (SVG 2), besides ``<path>``, and gauges: they show something without a text.
"""

_SOURCES = frozenset({"src", "data", "poster", *LATE_SOURCES, *SOURCE_SETS})
_DESCRIPTOR = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)[wxh],?")
_IMAGE_FILE = re.compile(r"\.(?:avif|gif|jpe?g|png|svg|webp)\b", re.IGNORECASE)
_STYLE_URL = re.compile(r"url\(([^)]*)", re.IGNORECASE)
# Not id, class and style, which may be made anew for each response.
_GEOMETRY = frozenset(
    {
        *("points", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry"),
        *("width", "height", "transform", "href", "xlink:href", "value"),
    }
)


class Media:
    """Images, players, frames and drawings of one document, in document order."""

    def __init__(self) -> None:
        self.images: dict[str, None] = {}
        """Distinct ``<img src>``, at most ``MAX_IMAGES``."""
        self.pictures: dict[str, str] = {}
        """``picture_url`` of each distinct image that is no icon, by its URL."""
        self.sources: list[str] = []
        """URLs of images, players and frames, as written."""
        self.shown: list[str] = []
        """``media_sources`` without frames and icons."""
        self.drawings: list[str] = []

    def add(self, found: Iterable[str], *, is_shown: bool = True) -> None:
        """Add the sources of an element."""
        found = tuple(found)
        self.sources += found
        if is_shown:
            self.shown += found

    def add_image(self, image: Attributes) -> str:
        """Add an ``<img>``; return its ``image_url``."""
        source = (image.get("src") or "").strip("\t\n\f\r ")
        shown, sizes = image_url(image), (image.get("width"), image.get("height"))
        is_icon = any(
            size and len(size) <= 2 and size.isdecimal() and int(size) < MIN_IMAGE_SIZE
            for size in sizes
        )
        self.add(media_sources(image), is_shown=not is_icon)
        if shown and len(self.pictures) < MAX_IMAGES and not is_icon:
            self.pictures[shown] = picture_url(image)
        if source and len(self.images) < MAX_IMAGES and source[:5].lower() != "data:":
            self.images[source] = None
        return shown


def image_url(image: Attributes) -> str:
    """Return the URL of an ``<img>``, also if it is loaded late; empty if there is none."""
    for name in LATE_SOURCES:
        if value := image.get(name):
            return value.strip()
    if source := (image.get("src") or "").strip():
        return source
    candidates = next(filter(None, map(image.get, SOURCE_SETS)), "")
    return candidates.split(maxsplit=1)[0].rstrip(",") if candidates.strip() else ""


def media_sources(element: Attributes) -> Iterator[str]:
    """Yield the URLs that an image or player shows, as written; of a set of sizes the largest."""
    for name, value in element.items():
        if value and name in SOURCE_SETS:
            yield largest_source(value)
        elif value and (name in _SOURCES or (name[:5] == "data-" and _IMAGE_FILE.search(value))):
            yield value


def picture_url(image: Attributes) -> str:
    """Return the URL by which an ``<img>`` is recognised on other pages; empty if there is none.

    That of its largest size, where it has several: each page shows the one that fits it.
    """
    sets = filter(None, map(image.get, SOURCE_SETS))
    return next(filter(None, map(largest_source, sets)), "") or image_url(image)


@lru_cache(maxsize=4_096)  # each image is looked at twice
def largest_source(source_set: str) -> str:
    """Return the URL of the largest image of a ``srcset``, the first of several.

    A value that is no set is returned as it is: it still differs from others.

    >>> largest_source("/a-300x200.jpg 300w, /a.jpg 1200w, /a-600x400.jpg 600w")
    '/a.jpg'
    >>> largest_source("/a.jpg, /b.jpg 2x")
    '/b.jpg'
    """
    found, size, url = "", 0.0, ""
    for word in source_set.split():
        descriptor = _DESCRIPTOR.fullmatch(word) if url else None
        if url and not (descriptor or url.endswith(",")):
            return source_set
        number = float(descriptor[1]) if descriptor else 1.0
        if url and number > size:
            found, size = url.rstrip(","), number
        url = "" if descriptor else word
    if url and size < 1.0:
        found = url.rstrip(",")
    return found or source_set


def backgrounds(element: Attributes) -> Iterator[str]:
    """Yield the images behind an element that is neither image nor player."""
    for name, value in element.items():
        if not value or name not in BACKGROUNDS:
            continue
        if name == "style":
            yield from _STYLE_URL.findall(value)
        else:
            yield value


def drawing_geometry(element: Attributes) -> str:
    """Return the geometry of an element of a drawing."""
    return " ".join(
        f"{name}={value}" for name, value in element.items() if value and name in _GEOMETRY
    )
