"""Lengths of time as people write them: `90s`, `15m`, `1h`, `2d`."""

from __future__ import annotations

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
FORM = "a whole number and one of s, m, h, d, as in 90s, 15m, 1h or 2d"
_DIGITS = 9


def seconds(text: str) -> int:
    """How many seconds a length of time has. Raises ValueError for what is none."""
    number, unit = text[:-1], text[-1:]
    if unit not in SECONDS or not number.isascii() or not number.isdigit() or len(number) > _DIGITS:
        raise ValueError(f"{text!r} is no length of time: write {FORM}")
    return int(number) * SECONDS[unit]


def shown(length: int) -> str:
    """A number of seconds, in the largest unit that it fills twice or exactly; what is left over is cut off."""
    for unit in ("d", "h", "m"):
        if length >= 2 * SECONDS[unit] or (length and not length % SECONDS[unit]):
            return f"{length // SECONDS[unit]}{unit}"
    return f"{length}s"
