"""The files beside the sources that decide which files are source, and in which state."""

from __future__ import annotations

import os

from indexer.discover.location import Location


def deciding_files(location: Location) -> list[str]:
    """Absolute paths: git's index, head and settings, and our own settings. The ignore and attribute files outside of
    the worktree are named by git's settings."""
    settings = os.path.join(location.root, "codemap.toml")
    if location.git_dir is None or location.common_dir is None:
        return [settings]
    own, common = location.git_dir, location.common_dir
    home = os.path.expanduser("~")
    personal = os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git")
    return [
        settings,
        os.path.join(own, "index"),
        os.path.join(own, "HEAD"),
        os.path.join(own, "logs", "HEAD"),
        os.path.join(own, "config.worktree"),
        os.path.join(common, "config"),
        os.path.join(home, ".gitconfig"),
        os.path.join(personal, "config"),
        "/etc/gitconfig",
    ]


def moving_files(location: Location) -> frozenset[str]:
    """Those of them that change with what is tracked and committed, and not with settings."""
    if location.git_dir is None:
        return frozenset()
    own = location.git_dir
    return frozenset(os.path.join(own, *names) for names in (("index",), ("HEAD",), ("logs", "HEAD")))
