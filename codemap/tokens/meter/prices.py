"""What tokens cost, from environment variables; no price stands in the source.

CODEMAP_PRICE_<MODEL>_INPUT, _OUTPUT, _CACHED, _CACHE_WRITE and _REASONING: the price of a million tokens. <MODEL> is
the model's name in capitals, whatever is neither letter nor digit as `_`: `gpt-4.1-mini` is `GPT_4_1_MINI`. For a model
that has none, CODEMAP_PRICE_INPUT and so on apply. The unit of money is the reader's. Without any of them the price is
zero; cached and written tokens are input, and reasoning ones output: they cost what those cost until they have prices
of their own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from codemap.tokens.meter.values import COUNTS, Usage
from indexer.errors import UsageError

PREFIX = "CODEMAP_PRICE"
_PARENT = {"cached": "input", "cache_write": "input", "reasoning": "output"}
_MOST = Decimal(1_000_000_000)


def variable(model: str | None, count: str) -> str:
    """The variable that holds the price of a kind of token: of a model, or of all."""
    name = re.sub(r"[^A-Z0-9]", "_", (model or "").upper())
    return "_".join(part for part in (PREFIX, name, count.upper()) if part)


def price(model: str | None, count: str, environ: Mapping[str, str] | None = None) -> Decimal | None:
    """Price of a million tokens; None where none is set. Raises UsageError for what is no price."""
    found = os.environ if environ is None else environ
    names = [count, _PARENT[count]] if count in _PARENT else [count]
    for whose in (model, None):
        for name in names:
            text = found.get(variable(whose, name), "").strip()
            if text:
                return _number(variable(whose, name), text)
    return None


def cost(usage: Usage, model: str | None, environ: Mapping[str, str] | None = None) -> int | None:
    """Billionths of the unit of money that a call cost; None where a count that has a price is not known.

    A part whose size is not known is priced as what it is a part of.
    """
    each = {name: price(model, name, environ) or Decimal(0) for name in COUNTS}
    total = Decimal(0)
    for whole in ("input", "output"):
        amount = getattr(usage, whole)
        if amount is None:
            if each[whole]:
                return None
            continue
        parts = {part: getattr(usage, part) or 0 for part, parent in _PARENT.items() if parent == whole}
        total += each[whole] * max(0, amount - sum(parts.values()))
        total += sum((each[part] * tokens for part, tokens in parts.items()), Decimal(0))
    return int((total * 1000).to_integral_value())


def priced(model: str | None, environ: Mapping[str, str] | None = None) -> bool:
    """Whether any price applies to a model."""
    return any(price(model, name, environ) is not None for name in ("input", "output"))


def _number(name: str, text: str) -> Decimal:
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or not 0 <= value <= _MOST:
        raise UsageError(f"{name} is no price of a million tokens: {text!r:.40}")
    return value
