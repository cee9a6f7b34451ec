"""A report as a bar chart: an SVG of our own few lines, which any browser shows; input and output have a scale each."""

from __future__ import annotations

from html import escape as markup

from codemap.render import escape
from codemap.tokens.meter.report import Report, Row

SHOWN = 40
_ROW = 22  # pixels
_NAMES = 220
_BARS = 260
_FIGURES = 90
_COLOURS = {"input": "#3465a4", "cached": "#a8c4e6", "output": "#c4631b", "reasoning": "#efbf95"}
_PARTS = (("input", "cached"), ("output", "reasoning"))


def svg(report: Report) -> str:
    """Two bars for each row: input with its cached part lighter, output with its reasoning part lighter."""
    rows = report.rows[-SHOWN:] if report.by == "day" else report.rows[:SHOWN]
    width = _NAMES + 2 * (_BARS + _FIGURES)
    height = _ROW * (len(rows) + 3)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        _text(6, 1, f"tokens by {report.by}, since {report.since}"),
    ]
    for index, (whole, part) in enumerate(_PARTS):
        left = _NAMES + index * (_BARS + _FIGURES)
        out.append(_text(left, 1, f"{whole} (lighter: {part})"))
        scale = max((row.sums[whole] or 0 for row in rows), default=0)
        for place, row in enumerate(rows):
            out.extend(_bar(row, left, place + 2, whole, part, scale))
    out.extend(_text(6, place + 2, _short(row.key or "(none)")) for place, row in enumerate(rows))
    if len(report.rows) > len(rows):
        out.append(_text(6, len(rows) + 2, f"… and {len(report.rows) - len(rows)} more"))
    return "\n".join([*out, "</svg>\n"])


def _bar(row: Row, left: int, place: int, whole: str, part: str, scale: int) -> list[str]:
    amount = row.sums[whole]
    if amount is None:
        return [_text(left, place, "not known")]
    long = _BARS * amount / scale if scale else 0.0
    light = _BARS * min(row.sums[part] or 0, amount) / scale if scale else 0.0
    figure = f"{amount:,}" + ("+?" if row.unknown[whole] else "")
    return [
        _rectangle(left, place, long, _COLOURS[whole]),
        _rectangle(left, place, light, _COLOURS[part]),
        _text(left + round(long) + 4, place, figure),
    ]


def _rectangle(left: int, place: int, width: float, colour: str) -> str:
    return f'<rect x="{left}" y="{place * _ROW + 3}" width="{width:.1f}" height="{_ROW - 6}" fill="{colour}"/>'


def _text(left: int, place: int, words: str) -> str:
    return f'<text x="{left}" y="{place * _ROW + 15}">{markup(escape.line(words))}</text>'


def _short(name: str) -> str:
    return name if len(name) <= 30 else name[:29] + "…"
