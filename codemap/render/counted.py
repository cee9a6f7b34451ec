"""Numbers of things."""

from __future__ import annotations


def count(number: int, noun: str) -> str:
    """`1 file`, `2 files`, `2 dependencies`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun[:-1]}ies" if noun.endswith("y") else f"{number:,} {noun}s"
