"""Git as libgit2 reads it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import cast

import pygit2

from indexer.discover.git import Head
from indexer.discover.index import Entry
from indexer.discover.location import Location
from indexer.discover.repository import open_repository


class LibGit:
    """See `Git`. Raises UnsupportedRepositoryError for a repository that only git itself may read."""

    id_bytes = 20

    def __init__(self, location: Location) -> None:
        self._repository = open_repository(location)
        self._head = self._read_head()
        self._tree = self._head_tree()

    def head(self) -> Head:
        return self._head

    def tree(self) -> str | None:
        return None if self._tree is None else str(self._tree.id)

    def committed(self) -> Iterator[Entry]:
        return _files(self._tree, "")

    def staged(self) -> set[str] | None:
        if self._tree is None:
            return None
        try:
            differing = self._tree.diff_to_index(self._repository.index).deltas  # compares ids; reads no content
            return {os.fsdecode(side.raw_path) for delta in differing for side in (delta.old_file, delta.new_file)}
        except (pygit2.GitError, KeyError):
            return None  # a clone without trees

    def enabled(self, setting: str) -> bool:
        config = self._repository.config
        return setting in config and config.get_bool(setting)

    def setting(self, name: str) -> str | None:
        config = self._repository.config
        return config[name] if name in config else None  # noqa: SIM401 - a Config is no dict

    def size(self, blob: str) -> int | None:
        try:
            return int(self._repository.odb.read_header(blob)[1])
        except (KeyError, ValueError):
            return None

    def ahead_behind(self, ours: str, theirs: str) -> tuple[int, int] | None:
        try:
            ahead, behind = self._repository.ahead_behind(ours, theirs)
        except (pygit2.GitError, KeyError, ValueError):
            return None
        return int(ahead), int(behind)

    def _read_head(self) -> Head:
        branch = self._branch()
        try:
            target = self._repository.head.target
        except (pygit2.GitError, KeyError, ValueError):
            return Head(None, None, branch)
        try:
            return Head(str(target), self._repository[target].peel(pygit2.Commit).commit_time, branch)
        except (pygit2.GitError, KeyError, ValueError):
            return Head(str(target), None, branch)

    def _branch(self) -> str | None:
        try:
            name = self._repository.lookup_reference("HEAD").raw_target
        except (pygit2.GitError, KeyError, ValueError):
            return None
        if isinstance(name, bytes):
            return name.decode("utf-8", "replace").removeprefix("refs/heads/")
        return None

    def _head_tree(self) -> pygit2.Tree | None:
        commit = self._head.commit
        try:
            return self._repository[commit].peel(pygit2.Tree) if commit else None
        except (pygit2.GitError, KeyError):
            return None


def _files(tree: pygit2.Tree | None, prefix: str) -> Iterator[Entry]:
    for item in tree or ():
        path = f"{prefix}{os.fsdecode(item.raw_name or b'')}"
        if item.type_str == "tree":
            yield from _files(cast("pygit2.Tree", item), path + "/")
        else:
            yield Entry(path, str(item.id), int(item.filemode), -1, -1, -1, -1, True)
