"""What a text costs in tokens, by a named measure. Nothing here falls back to another method silently."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from queries.answers import Tokens

HEURISTIC = "heuristic-ascii/3.2"
HEURISTIC_RATIO = 3.2
"""ASCII characters a token. Text and JSON answers on Django, click, pytest, scrapy, celery and SQLAlchemy, with and
without bodies (384 of them, 500 to 4,000 tokens each), have 3.22 to 4.6 characters a token in o200k_base and in
cl100k_base, most of them 3.7: the figure is too high by a sixth as a rule, and was never too low."""

PIECES_MARGIN = 1.09
PIECES = f"heuristic-pieces/{PIECES_MARGIN}"
"""The weight of a text's pieces (`queries.pieces`) with a margin, fitted to the text of answers. Text and JSON answers
of 250 to 4,000 tokens on seven repositories, some with bodies (815 of them), weigh 0.925 to 1.03 of their tokens in
o200k_base and in cl100k_base: the figure was never too low, and rarely a tenth too high."""


@dataclass(frozen=True, slots=True)
class Measure:
    """How tokens are counted.

    method                name shown in answers
    model                 whose tokens; None for a heuristic
    characters_per_token  UTF-16 units a token, where the measure is a ratio
    calibrated_at, calibrated_on   when the ratio was measured and on what; None: never, it is a heuristic, and what is
                          not ASCII costs a token for each UTF-16 unit, since scripts differ too much for one ratio
    counter               exact count of a text, for local encodings; takes the place of the ratio
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
        dear = 0
        if self.calibrated_at is None and not text.isascii():
            dear = units - len(text.encode("ascii", "ignore"))
        return dear - int(-(units - dear) // self.characters_per_token)

    def figures(self, estimate: int = 0, budget: int | None = None) -> Tokens:
        """What an answer says of its cost; an estimate of 0: it has not been counted yet."""
        return Tokens(
            estimate=estimate,
            budget=budget,
            method=self.method,
            model=self.model,
            characters_per_token=self.characters_per_token,
            calibrated_at=self.calibrated_at,
            calibrated_on=self.calibrated_on,
        )


def of_answers() -> Measure:
    """How answers are counted where no model is calibrated: closer than the ratio, which is for text of any kind."""
    return Measure(method=PIECES, characters_per_token=None, counter=_pieces)


def _pieces(text: str) -> int:
    from queries.pieces import grouped

    return math.ceil(grouped(text) * PIECES_MARGIN)
