"""A repository in git's hands, its map, and what hooks do with it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from indexer.hooks import record

Done = subprocess.CompletedProcess[str]


class Repository:
    """A worktree; commands run as a person's would."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.hooks = root / ".git/hooks"
        self.map_dir = root / ".git/codemap"

    def git(self, *arguments: str, check: bool = True, **more: str) -> Done:
        environment = {**os.environ, **more}
        return subprocess.run(
            ["git", *arguments], cwd=self.root, env=environment, capture_output=True, text=True, check=check
        )

    def commit(self, name: str = "a.py", text: str = "def a(): ...\n") -> Done:
        (self.root / name).write_text(text, encoding="utf-8")
        self.git("add", name)
        return self.git("commit", "-qm", name)

    def head(self) -> str:
        return self.git("rev-parse", "HEAD").stdout.strip()

    def hook(self, name: str, text: str, mode: int = 0o755) -> Path:
        path = self.hooks / name
        path.write_bytes(text.encode())
        path.chmod(mode)
        return path

    def index(self) -> None:
        from indexer.pipeline import update

        update(str(self.root), jobs=1)

    def map_commit(self) -> str:
        connection = sqlite3.connect(f"file:{self.map_dir / 'map.db'}?mode=ro", uri=True)
        try:
            return str(connection.execute("SELECT value FROM meta WHERE key = 'commit'").fetchone()[0])
        finally:
            connection.close()

    def follows(self, seconds: float = 20.0) -> bool:
        """Whether the map comes to be of the present commit."""
        head = self.head()
        return until(lambda: self.map_commit() == head, seconds)

    def updates(self) -> tuple[record.Entry, ...]:
        return record.entries(str(self.map_dir))

    def updated(self, times: int, seconds: float = 20.0) -> bool:
        """Whether the log comes to hold that many updates."""
        return until(lambda: len(self.updates()) >= times, seconds)

    def snapshot(self) -> dict[str, tuple[int, bytes | str]]:
        """Every hook with its mode and bytes, or where it links to."""
        found: dict[str, tuple[int, bytes | str]] = {}
        for path in sorted(self.hooks.iterdir()) if self.hooks.is_dir() else ():
            found[path.name] = path.lstat().st_mode, os.readlink(path) if path.is_symlink() else path.read_bytes()
        return found


def until(ask: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if ask():
            return True
        time.sleep(0.02)
    return ask()


def make(root: Path) -> Repository:
    """One commit, no map, and an empty folder for hooks."""
    made = Repository(root)
    root.mkdir()
    made.git("init", "-q", "-b", "main", "--template=")
    made.hooks.mkdir()
    made.commit()
    return made
