"""Operations of git that pass through many commits, and are under way until git removes their files.

Names: https://git-scm.com/docs/git-rebase, -merge, -cherry-pick, -revert, -bisect, and `wt-status.c` of git.
"""

from __future__ import annotations

import os

_FILES = {
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "sequencer": "cherry-pick",
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}


def under_way(git_dir: str) -> str | None:
    """The operation that the worktree with the git directory `git_dir` is in the middle of."""
    for name, operation in _FILES.items():
        if os.path.lexists(os.path.join(git_dir, name)):
            return operation
    return None
