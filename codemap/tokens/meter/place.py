"""Where the ledger lives, and who is metered by default."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from indexer.errors import UsageError

LEDGER = "CODEMAP_LEDGER"
TASK = "CODEMAP_TASK"
CALLER = "CODEMAP_CALLER"


def ledger_path() -> Path:
    """CODEMAP_LEDGER, else `codemap/ledger.db` in the folder where the system keeps a person's data."""
    given = os.environ.get(LEDGER)
    if given:
        try:
            return Path(given).expanduser()
        except RuntimeError as error:
            raise UsageError(f"{LEDGER} is {given}: there is no such home folder") from error
    return _data_folder() / "codemap" / "ledger.db"


def _data_folder() -> Path:
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) if local else Path.home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    given = os.environ.get("XDG_DATA_HOME", "")
    # A relative path is to be ignored (XDG Base Directory Specification 0.8).
    return Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"


def default_task() -> str | None:
    return os.environ.get(TASK) or None


def default_caller() -> str | None:
    return os.environ.get(CALLER) or None
