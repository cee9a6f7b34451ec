"""Lengths of time as people write them."""

from __future__ import annotations

import pytest

from codemap.config.durations import seconds, shown


@pytest.mark.parametrize(
    ("text", "length"), [("90s", 90), ("15m", 900), ("1h", 3600), ("2d", 172_800), ("0s", 0), ("007m", 420)]
)
def test_a_length_in_seconds(text: str, length: int) -> None:
    assert seconds(text) == length


@pytest.mark.parametrize(
    "text", ["", "h", "1", "1.5h", "-1h", "1 h", "1w", "1H", "1h30m", "٣h", "1" * 10 + "s", "\n1h"]
)
def test_what_is_no_length_says_how_to_write_one(text: str) -> None:
    with pytest.raises(ValueError, match="90s, 15m, 1h or 2d"):
        seconds(text)


@pytest.mark.parametrize(
    ("length", "text"),
    [(0, "0s"), (59, "59s"), (60, "1m"), (90, "90s"), (150, "2m"), (3600, "1h"), (5400, "90m"), (86_400, "1d")],
)
def test_a_length_is_shown_as_it_would_be_written(length: int, text: str) -> None:
    assert shown(length) == text
