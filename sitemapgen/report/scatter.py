"""Scatter plots as inline SVG, without scripts: dots for sites or runs, sized by their URLs."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 420, 340
LEFT, RIGHT, TOP, BOTTOM = 48, 14, 14, 46
SMALLEST, LARGEST = 3.0, 14.0
"""Radii of the smallest and the largest dot."""
SHARES = (0, 0.25, 0.5, 0.75, 1)


class Axis(NamedTuple):
    """An axis: of shares, of counts on a logarithmic scale, or from 0 to ``top``."""

    name: str
    is_log: bool = False
    top: float = 0.0
    """End of a linear scale that is not of shares."""


class Dot(NamedTuple):
    """A dot: a site, or the new URLs that two runs saw first."""

    x: float
    y: float
    size: float
    name: str


def scatter(
    title: str, dots: Sequence[Dot], x: Axis, y: Axis, *, has_diagonal: bool = False
) -> str:
    """Return the SVG; large dots are below small ones, tooltips have name and values."""
    powers = max((math.ceil(math.log10(max(dot.x, 1))) for dot in dots), default=1)
    powers = max(powers, 1)

    def across(value: float) -> float:
        part = math.log10(max(value, 1)) / powers if x.is_log else value / (x.top or 1)
        return round(LEFT + part * (WIDTH - LEFT - RIGHT), 1)

    def up(value: float) -> float:
        return round(HEIGHT - BOTTOM - value / (y.top or 1) * (HEIGHT - TOP - BOTTOM), 1)

    ticks = [10.0**power for power in range(powers + 1)] if x.is_log else _ticks(x)
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">']
    for tick in ticks:
        parts.append(_line(across(tick), across(tick), up(0), TOP))
        parts.append(_text(across(tick), up(0) + 16, "middle", _shown(tick, x)))
    for tick in _ticks(y):
        parts.append(_line(LEFT, WIDTH - RIGHT, up(tick), up(tick)))
        parts.append(_text(LEFT - 6, up(tick) + 4, "end", _shown(tick, y)))
    parts += [
        _text((LEFT + WIDTH) / 2, HEIGHT - 8, "middle", x.name),
        f'<g transform="translate(12 {HEIGHT / 2 - 16}) rotate(-90)">'
        f"{_text(0, 0, 'middle', y.name)}</g>",
    ]
    if has_diagonal:
        parts.append(_line(across(0), WIDTH - RIGHT, up(0), TOP))
    most = max((dot.size for dot in dots), default=1)
    for dot in sorted(dots, key=lambda dot: (-dot.size, dot.name)):
        radius = max(SMALLEST, LARGEST * math.sqrt(dot.size / max(most, 1)))
        label = f"{dot.name}: {x.name} {_shown(dot.x, x)}, {y.name} {_shown(dot.y, y)}"
        parts.append(
            f'<circle cx="{across(dot.x)}" cy="{up(dot.y)}" r="{radius:.1f}">'
            f"<title>{escape(label)}</title></circle>"
        )
    return "".join((*parts, "</svg>"))


def _line(x1: float, x2: float, y1: float, y2: float) -> str:
    return f'<line class="line" x1="{x1}" x2="{x2}" y1="{y1}" y2="{y2}"/>'


def _text(x: float, y: float, anchor: str, text: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>'


def _ticks(axis: Axis) -> list[float]:
    return [share * (axis.top or 1) for share in SHARES]


def _shown(value: float, axis: Axis) -> str:
    if axis.top:
        return f"{value:,.4g}"
    return f"{value:,.0f}" if axis.is_log else f"{value:.0%}"
