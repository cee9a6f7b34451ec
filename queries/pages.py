"""Cursors: where an answer ended, for another that goes on there.

A cursor holds a digest of the question, of the map's commit and of the whole ranking that the position is in. So one
of another question, or of a map that has changed in what it says on this one, is refused; whether the map was brought
up to date or built from nothing makes no difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import orjson

from indexer.errors import UsageError
from queries.expand import Reached

_DIGEST, _POSITION = 6, 3
"""Decimal digits, of which models have a token for every three."""


class Pages:
    """The pages of one ranking."""

    def __init__(self, question: Sequence[object], commit: str | None, ranked: Sequence[Reached]) -> None:
        """question: all that the ranking depends on, in values that JSON has."""
        places = [[row.path, row.qualname, row.ordinal, row.start_line] for row, _, _ in ranked]
        digest = sha256(orjson.dumps([question, commit, places])).digest()
        self._digest = f"{int.from_bytes(digest[:8]) % 10**_DIGEST:0{_DIGEST}}"

    def cursor(self, position: int) -> str:
        """What stands for a number of symbols, from the first, that have been shown; less than 1,000."""
        return f"{self._digest}{position:0{_POSITION}}"

    def position(self, cursor: str) -> int:
        """Raises UsageError for a cursor of another question or map, or what is none."""
        if len(cursor) != _DIGEST + _POSITION or not (cursor.isascii() and cursor.isdigit()):
            raise UsageError(f"{cursor[:40]} is no cursor: copy what an answer has behind --after")
        if not cursor.startswith(self._digest):
            raise UsageError(f"the cursor {cursor} belongs to another question or an older map: ask without --after")
        return int(cursor[_DIGEST:])
