"""Which files of a repository or folder are source, and which blob each of them is."""

from __future__ import annotations

from indexer.discover.head import Head, head_state
from indexer.discover.location import Location, locate
from indexer.discover.scan import Discovery, discover

__all__ = ["Discovery", "Head", "Location", "discover", "head_state", "locate"]
