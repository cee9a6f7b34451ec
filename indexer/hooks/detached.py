"""A process that nobody waits for: out of its parent's session, without its files, at low priority."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

NICENESS = 5  # a third of the share of others: on a busy machine, too, the map is to follow within seconds
_HIGHEST_FILE = 1024  # descriptors below are closed; git and the clients it is started by open few

_started: list[object] = []  # Python warns of a process that is forgotten while it runs


def start(hook: str, root: str, git_dir: str) -> None:
    """Start what the hook `hook` starts, for the worktree at `root`, and return. Raises OSError."""
    import subprocess

    from indexer.hooks.record import START_ERRORS
    from indexer.hooks.runner import FOLDER
    from indexer.hooks.script import FLAGS, MODULE

    command = [sys.executable, *FLAGS, "-m", MODULE, hook, git_dir]
    with open(os.path.join(git_dir, FOLDER, START_ERRORS), "wb") as errors:
        if sys.platform == "win32":
            flags = (
                subprocess.DETACHED_PROCESS
                | subprocess.CREATE_NEW_PROCESS_GROUP
                | subprocess.BELOW_NORMAL_PRIORITY_CLASS
            )
            process = subprocess.Popen(
                [*command, "--detached"],
                cwd=root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                creationflags=flags,
            )
        else:
            process = subprocess.Popen(
                command,
                cwd=root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
    _started.append(process)


def detach(errors: str) -> None:
    """Let go of all that this process has from its parent; the working folder too, so that it can be removed.

    Standard error goes to the end of the file `errors`, which another process may empty. Raises OSError.
    """
    if sys.platform != "win32":
        # A lock on a descriptor, or the end of a pipe that somebody reads, must not last as long as an update.
        os.closerange(3, _HIGHEST_FILE)
        if os.getpgrp() != os.getpid():
            os.setsid()
        os.nice(NICENESS)
        # Linux may share the processor between sessions first, and only then by niceness within each: sched(7).
        with suppress(OSError), open("/proc/self/autogroup", "w") as group:
            group.write(str(NICENESS))
    # What git tells its hooks is of the command that has ended by now.
    for name in [name for name in os.environ if name.startswith("GIT_") and not name.startswith("GIT_CONFIG_")]:
        del os.environ[name]
    descriptor = os.open(errors, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    os.chdir(os.sep)
