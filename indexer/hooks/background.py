"""A process that nobody waits for: out of its parent's session, without its files, at low priority."""

from __future__ import annotations

import os
import subprocess
import sys

from indexer.hooks.record import START_ERRORS
from indexer.hooks.script import FLAGS, MODULE

NICENESS = 10
_HIGHEST_FILE = 1024  # descriptors below are closed; git and the clients it is started by open few


def start(hook: str, root: str, map_dir: str, python: str = sys.executable) -> None:
    """Start what the hook `hook` starts, for the worktree at `root`, and return. Raises OSError."""
    command = [python, *FLAGS, "-m", MODULE, hook]
    with open(os.path.join(map_dir, START_ERRORS), "wb") as errors:
        if sys.platform == "win32":
            flags = (
                subprocess.DETACHED_PROCESS
                | subprocess.CREATE_NEW_PROCESS_GROUP
                | subprocess.BELOW_NORMAL_PRIORITY_CLASS
            )
            subprocess.Popen(
                [*command, "--detached"],
                cwd=root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                creationflags=flags,
            )
        else:
            subprocess.Popen(
                command,
                cwd=root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )


def detach() -> None:
    """Let go of all that this process has from its parent; the working folder too, so that it can be removed."""
    if sys.platform != "win32":
        # A lock on a descriptor, or the end of a pipe that somebody reads, must not last as long as an update.
        os.closerange(3, _HIGHEST_FILE)
        if os.getpgrp() != os.getpid():
            os.setsid()
        os.nice(NICENESS)
    # What git tells its hooks is of the command that has ended by now.
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    os.chdir(os.sep)


def say_errors_to(path: str) -> None:
    """Standard error goes to the end of the file `path`, which another process may empty. Raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    os.dup2(descriptor, 2)
    os.close(descriptor)
