"""Token figures inside the very text they measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from queries.answers import Tokens
from queries.tokens import Measure

_TRIES = 6


def settled(render: Callable[[Tokens], str], measure: Measure) -> str:
    """What `render` gives once the estimate it prints is that of its own text, or the least known upper bound.

    A longer figure never makes the text cheaper, so the estimates rise until one stands for itself.
    """
    tokens = measure.figures()
    text = render(tokens)
    for _ in range(_TRIES):
        estimate = measure.count(text)
        if estimate <= tokens.estimate:
            break
        tokens = replace(tokens, estimate=estimate)
        text = render(tokens)
    return text
