"""Repositories with a history, made with libgit2: every commit a minute after the one before."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pygit2

START = 1_700_000_000


class Past:
    """A repository and its worktree. `None` as content deletes a file."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.repository = pygit2.init_repository(str(root), initial_head="main")
        self._minutes = 0

    def commit(
        self,
        message: str,
        files: Mapping[str, str | bytes | None] | None = None,
        *,
        parents: list[str] | None = None,
        time: int | None = None,
    ) -> str:
        """Write files and commit everything; gives the commit's id. `parents`: others than HEAD."""
        for path, content in (files or {}).items():
            target = self.root / path
            if content is None:
                target.unlink()
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        index = self.repository.index
        index.add_all()
        index.write()
        self._minutes += 1
        when = START + 60 * self._minutes if time is None else time
        author = pygit2.Signature("Ann Author", "ann@example.org", when, 0)
        if parents is None:
            parents = [] if self.repository.head_is_unborn else [str(self.repository.head.target)]
        made = self.repository.create_commit(None, author, author, message, index.write_tree(), parents)
        if self.repository.head_is_unborn:
            self.repository.references.create("refs/heads/main", made)
        else:
            self.repository.set_head(made) if self.repository.head_is_detached else self.repository.references[
                self.repository.head.name
            ].set_target(made)
        return str(made)

    def go(self, commit: str) -> None:
        """Make HEAD, index and files those of a commit, as `git reset --hard` does."""
        self.repository.reset(pygit2.Oid(hex=commit), pygit2.enums.ResetMode.HARD)
