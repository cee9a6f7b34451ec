"""Source text, read from disk."""

from __future__ import annotations

import os

from indexer.blobs import UnreadableError, read_regular
from indexer.decode import Skip, normalise
from queries.session import Session


def normalised(session: Session, path: str) -> bytes | None:
    """A mapped file's text as extractors read it; None where it cannot be read any more."""
    try:
        text = normalise(read_regular(os.path.join(session.root, path)))
    except (OSError, UnreadableError):
        return None
    return None if isinstance(text, Skip) else text[0]
