"""A map brought up to date by a process of its own, while the caller goes on."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from indexer.errors import BusyError, CodemapError

if TYPE_CHECKING:
    from indexer.discover.location import Location


HOOK = "refused question"  # in the record of updates, in place of a hook's name


def start_update(location: Location) -> bool:
    """Start an update, unless a run is under way already; whether one is under way now."""
    from indexer.hooks.script import FLAGS, MODULE
    from indexer.locks import writer_lock
    from indexer.pipeline.update import LOCK

    try:
        with writer_lock(os.path.join(location.map_dir, LOCK), 0, lambda message: None):
            pass
    except BusyError:
        return True
    except CodemapError:
        return False  # the folder cannot be written, and an update would fare no better
    # Neither form takes the current folder, which may be a stranger's repository, for a place to import from.
    if location.is_git:
        command, folder = (
            [sys.executable, *FLAGS, "-m", MODULE, HOOK, str(location.git_dir)],
            location.root,
        )  # noted, and shown by `status`
    else:
        command = [sys.executable, "-P", "-m", "codemap", "-C", location.root, "update"]
        folder = os.path.abspath(os.sep)
    silent = subprocess.DEVNULL
    try:
        child = subprocess.Popen(
            command, stdin=silent, stdout=silent, stderr=silent, start_new_session=True, cwd=folder
        )
    except OSError:
        return False
    threading.Thread(target=child.wait, name="codemap-update", daemon=True).start()  # so that it leaves no zombie
    return True
