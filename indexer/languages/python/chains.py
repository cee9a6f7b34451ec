"""Dotted chains: from the slice of source under a name or an attribute to its canonical spelling."""

from __future__ import annotations

import unicodedata
from typing import Final

KNOWN: Final[dict[str, str]] = {}
"""Slices seen to be pure chains → canonical spelling (NFKC, as Python compares names). The key is the slice as held in
`Walk.source`. Shared by all files of a process, because the same chains come again and again."""

_LIMIT: Final = 100_000
_KEYWORDS: Final = ("None.", "True.", "False.")


def learn(raw: str) -> str:
    """The canonical chain for a slice not in `KNOWN`, or "" if it is not a pure chain without blanks.

    `raw` is the text of an identifier or attribute node: a dot at an end is that of `...` or of a missing name.
    """
    if raw.isascii():
        if not raw.replace(".", "").isidentifier() or raw[0] == "." or raw[-1] == "." or raw.startswith(_KEYWORDS):
            return ""
        KNOWN[raw] = raw
        return raw
    name = unicodedata.normalize("NFKC", decode(raw))
    if not all(part.isidentifier() for part in name.split(".")):
        return ""
    KNOWN[raw] = name
    return name


def decode(raw: str) -> str:
    """The text of a slice of `Walk.source`, which holds the file's UTF-8 bytes as one character each."""
    return raw if raw.isascii() else raw.encode("latin-1").decode("utf-8", "replace")


def trim() -> None:
    """Forget all chains when there are too many; called between files."""
    if len(KNOWN) > _LIMIT:
        KNOWN.clear()
