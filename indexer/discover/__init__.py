"""Which files of a repository or folder are source, and which blob each of them is.

Names are loaded when first used: a question about a fresh map only asks where that is.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indexer.discover.git import Head as Head
    from indexer.discover.location import Location as Location
    from indexer.discover.location import locate as locate
    from indexer.discover.opening import head_state as head_state
    from indexer.discover.scan import Discovery as Discovery
    from indexer.discover.scan import discover as discover

_HOME = {
    "Discovery": "scan",
    "Head": "git",
    "Location": "location",
    "discover": "scan",
    "head_state": "opening",
    "locate": "location",
}

__all__ = ["Discovery", "Head", "Location", "discover", "head_state", "locate"]


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
