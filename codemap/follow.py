"""What the lines in a git hook start: `python -m codemap.follow HOOK`, in the worktree."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from indexer.errors import CodemapError
from indexer.hooks import detached, record
from indexer.hooks.runner import FOLDER, follow

if TYPE_CHECKING:
    from indexer.pipeline.report import Report

WAIT_SECONDS = 600.0
"""For an update that a person started: nobody waits for this one."""

HISTORY_SECONDS = 20.0
"""For commits that are not indexed yet; the update that follows waits for it."""


def main(arguments: list[str]) -> int:
    """Bring the map of the worktree that is the current folder up to date. Returns 0.

    `arguments`: the hook's name; the git directory of the worktree, which has a folder for its map. Most runs find
    another one at work, leave it a mark, and end; so nothing is loaded before that is known.
    """
    hook, git_dir = arguments[0], os.path.realpath(arguments[1])
    root = os.getcwd()
    if sys.platform == "win32" and "--detached" not in arguments:
        detached.start(hook, root, git_dir)
        return 0
    detached.detach(os.path.join(git_dir, FOLDER, record.START_ERRORS))
    follow(git_dir, partial(_update, root, git_dir, hook))
    return 0


def _update(root: str, git_dir: str, hook: str) -> None:
    """Update the map of a worktree for `hook`, and note how it went."""
    from datetime import UTC, datetime

    outcome = _outcome(root, git_dir)
    folder = os.path.join(git_dir, FOLDER)
    if outcome is not None and os.path.isdir(folder):  # else the worktree was removed, and its map with it
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        record.note(folder, record.Entry(at, hook, *outcome))


def _outcome(root: str, git_dir: str) -> tuple[bool, str] | None:
    """Whether the update succeeded, and what it did or why not; None where there is nothing to update."""
    try:
        from codemap.refresh import make, make_history
        from indexer.discover.location import locate

        # With GIT_WORK_TREE, nothing on disk leads from the files to their repository.
        if not os.path.isdir(root) or locate(root).git_dir != git_dir:
            return None
        report = make(root, wait=WAIT_SECONDS)
        make_history(root, seconds=HISTORY_SECONDS)
        return True, _done(report)
    except CodemapError as error:
        return False, str(error)
    except MemoryError:
        return False, "not enough memory"
    except Exception as error:  # noqa: BLE001 - the outermost boundary of this process; it is noted
        return False, f"{type(error).__name__}: {error}"


def _done(report: Report) -> str:
    if report.unchanged:
        return f"nothing changed, {report.seconds:.2f} s"
    from codemap.render.watch import did

    return did(report)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
