"""Source text of what an answer shows, read from disk."""

from __future__ import annotations

import os
from collections.abc import Iterable

from indexer.blobs import UnreadableError, read_regular
from indexer.decode import Skip, normalise
from indexer.store.reader import SymbolRow
from queries.session import Session

BODY_LINES = 200
"""A longer body is cut, with a last line that says so."""


def normalised(session: Session, path: str) -> bytes | None:
    """A mapped file's text as extractors read it; None where it cannot be read any more."""
    try:
        text = normalise(read_regular(os.path.join(session.root, path)))
    except (OSError, UnreadableError):
        return None
    return None if isinstance(text, Skip) else text[0]


def bodies(session: Session, rows: Iterable[SymbolRow]) -> dict[int, str]:
    """Source of functions, methods and types by symbol id. What lies inside another body is left to that one."""
    files: dict[str, list[str] | None] = {}
    found: dict[int, str] = {}
    for row in rows:
        if row.kind in ("module", "variable", "attribute"):
            continue
        if row.path not in files:
            text = normalised(session, row.path)
            files[row.path] = None if text is None else text.decode("utf-8", "replace").split("\n")
        lines = files[row.path]
        if lines is not None and row.end_line <= len(lines):
            found[row.id] = _body(lines[row.start_line - 1 : row.end_line])
    return found


def _body(lines: list[str]) -> str:
    if len(lines) > BODY_LINES:
        lines = [*lines[:BODY_LINES], f"… {len(lines) - BODY_LINES} more lines"]
    return "\n".join(lines)
