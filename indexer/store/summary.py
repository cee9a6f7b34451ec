"""What a map says of itself, for who may not need more of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from indexer.store.connect import MAP_NAME, explained, open_map


def summary(folder: str) -> tuple[dict[str, str], list[str]] | None:
    """The `meta` of the map of a folder and why files are skipped, each reason once for each; None without a map.

    Raises DamagedError, StoreError.
    """
    connection = open_map(folder)
    if connection is None:
        return None
    with closing(connection):
        try:
            meta: dict[str, str] = dict(connection.execute("SELECT key, value FROM meta"))
            return meta, [str(reason) for (reason,) in connection.execute("SELECT reason FROM skipped")]
        except sqlite3.Error as error:
            raise explained(error, Path(folder, MAP_NAME)) from error
