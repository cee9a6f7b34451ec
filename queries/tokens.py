"""What a text costs in tokens, by a named measure. Nothing here falls back to another method silently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

HEURISTIC = "heuristic-utf16/3"
HEURISTIC_RATIO = 3.0


@dataclass(frozen=True, slots=True)
class Measure:
    """How tokens are counted.

    method                name shown in answers
    model                 whose tokens; None for a heuristic
    characters_per_token  UTF-16 units a token, where the measure is a ratio
    calibrated_at, calibrated_on   when the ratio was measured and on what; None: never, it is a heuristic
    counter               exact count of a text, for local encodings; takes the place of the ratio

    The default ratio is meant to err on the high side; see `docs/measurements.md` for what it was compared with.
    """

    method: str = HEURISTIC
    model: str | None = None
    characters_per_token: float | None = HEURISTIC_RATIO
    calibrated_at: str | None = None
    calibrated_on: str | None = None
    counter: Callable[[str], int] | None = field(default=None, compare=False)

    def count(self, text: str) -> int:
        """Tokens of `text`, rounded up."""
        if self.counter is not None:
            return self.counter(text)
        if not self.characters_per_token:
            raise ValueError("a measure needs a ratio or a counter")
        units = len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
        return -int(-units // self.characters_per_token)
