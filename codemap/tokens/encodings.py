"""Counting text: the heuristic of `estimate`, and the exact encodings of the extra `exact`.

None stands in for another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

HEURISTIC = "heuristic"
EXACT = ("o200k_base", "cl100k_base")
ENCODINGS = (HEURISTIC, *EXACT)
TOKEN_LIMIT = 200_000
"""Tokens of one text beyond which an exact encoding gives up: a text is never cut and its parts added up."""

Count = Callable[[str], int]


class EncodingUnavailableError(Exception):
    """The vocabulary of an encoding is not installed."""


class TokenizationLimitError(Exception):
    """A text has more than `TOKEN_LIMIT` tokens."""


@dataclass(frozen=True, slots=True)
class Estimator:
    """How text is counted, named so that a figure can be repeated.

    versions    of what the count depends on, by name
    model, characters_per_token, calibrated_at   of a calibrated ratio, else None
    """

    method: str
    versions: dict[str, str]
    count: Count = field(compare=False, repr=False)
    model: str | None = None
    characters_per_token: float | None = None
    calibrated_at: str | None = None


def units(text: str) -> int:
    """UTF-16 code units of a text."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def heuristic(text: str) -> int:
    """A quarter of the UTF-16 units, rounded up."""
    return -(-units(text) // 4)


def estimator(encoding: str) -> Estimator:
    """The estimator of one of `ENCODINGS`. Raises EncodingUnavailableError."""
    if encoding == HEURISTIC:
        return Estimator("utf16-ceil-div4@1", {}, heuristic)
    if encoding not in EXACT:
        raise EncodingUnavailableError(encoding)
    return _exact(encoding)


def _exact(encoding: str) -> Estimator:
    """The compiled tokenizer itself: the package's own wrapper takes a second to build tables that counting never
    uses, and knows no limit until all tokens are made. Strings that look like special tokens are plain text to it."""
    try:
        from importlib.metadata import version

        from bpe_openai import _bindings

        tokenizer = _bindings.tokenizer_for_encoding(encoding)
        count_till_limit = tokenizer.count_till_limit
        installed = version("bpe-openai")
    except (ImportError, AttributeError, ValueError) as error:
        raise EncodingUnavailableError(encoding) from error

    def count(text: str) -> int:
        found: int | None = count_till_limit(text, TOKEN_LIMIT)
        if found is None:
            raise TokenizationLimitError(encoding)
        return found

    return Estimator(encoding, {"bpe-openai": installed}, count)
