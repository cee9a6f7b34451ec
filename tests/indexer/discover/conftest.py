"""Small repositories, made with libgit2 so that no git program is needed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pygit2
import pytest

from indexer.discover import Discovery, discover, locate

SOON = 60  # seconds


class Checkout:
    """A repository with its worktree in `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.repository = pygit2.init_repository(str(root), initial_head="main")

    def write(self, path: str, content: str | bytes) -> None:
        """Write a file, folders made as needed."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())

    def stage(self, *paths: str) -> None:
        for path in paths:
            self.repository.index.add(path)
        self.repository.index.write()

    def commit(self) -> str:
        """Commit what is staged; gives the commit's id. Its time is 1,700,000,000."""
        tree = self.repository.index.write_tree()
        self.repository.index.write()
        author = pygit2.Signature("Test", "test@example.org", 1_700_000_000, 0)
        parents = [] if self.repository.head_is_unborn else [self.repository.head.target]
        return str(self.repository.create_commit("HEAD", author, author, "change", tree, parents))

    def settle(self) -> None:
        """Let the index be newer than the files by more than a clock tick, as it is a moment after any commit."""
        index = self.root / ".git" / "index"
        later = index.stat().st_mtime + SOON
        os.utime(index, (later, later))


def language_of(path: str) -> str | None:
    return {".py": "python", ".js": "javascript"}.get(os.path.splitext(path)[1])


def is_configuration(path: str) -> bool:
    return path.rpartition("/")[2] in ("pyproject.toml", "package.json")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "repository")


@pytest.fixture
def scan() -> Callable[[Path], Discovery]:
    """Discover a folder; Python and JavaScript are source, two names are configuration."""

    def run(folder: Path) -> Discovery:
        return discover(locate(str(folder)), is_configuration, language_of)

    return run


@pytest.fixture
def states(scan: Callable[[Path], Discovery]) -> Callable[[Path], dict[str, str]]:
    """Path → state of every source file of a folder."""

    def run(folder: Path) -> dict[str, str]:
        return {file.path: file.state for file in scan(folder).files}

    return run
