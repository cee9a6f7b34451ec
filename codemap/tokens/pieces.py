"""What a model's tokens may be proportional to; which of these it is, calibration measures."""

from __future__ import annotations

from collections.abc import Callable

from codemap.tokens.encodings import units
from queries.pieces import grouped, single

CHARACTERS = "characters@1"
FIGURES: dict[str, Callable[[str], float]] = {
    "pieces-grouped@1": grouped,
    "pieces-single@1": single,
    CHARACTERS: units,
}
"""What tokens may be proportional to, by name. The number rises with any change of the weights: what was calibrated on
others is of no use then."""
