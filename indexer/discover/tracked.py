"""What git knows of a worktree: its tracked files, and which of them are as committed without reading them."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, cast

from indexer.blobs import blob_id
from indexer.discover.head import Head, head_of
from indexer.discover.index import GITLINK, Entry, Index, UnsupportedIndexError, read_index
from indexer.discover.location import Location
from indexer.discover.repository import open_repository

if TYPE_CHECKING:
    import pygit2

# Attributes whose conversions may keep the size of a file. Line endings never do.
_CONVERSION = re.compile(rb"\b(?:filter|ident|working-tree-encoding)\b")
_WINDOWS = os.name == "nt"
_TICK = 20_000_000  # nanoseconds; file times move in steps of the kernel's clock, 10 ms at most


class Tracked:
    """The tracked files of a worktree. Raises RepositoryError when the repository cannot be opened."""

    def __init__(self, location: Location) -> None:
        assert location.git_dir is not None
        self.repository = open_repository(location)
        self.head: Head = head_of(self.repository)
        self._tree = self._head_tree()
        index = self._read_index(location.git_dir)
        self._written = index.written
        self._size_of = self.repository.odb.read_header
        self._convertible = False
        self._common_dir = location.common_dir or location.git_dir
        self.ignore_case = _enabled(self.repository.config, "core.ignorecase")
        self.fold = _folding(self.ignore_case, _enabled(self.repository.config, "core.precomposeunicode"))
        self.submodules = [entry.path for entry in index.entries if entry.mode == GITLINK]
        self.entries: dict[str, Entry] = {self.fold(entry.path): entry for entry in index.entries}
        self._staged = self._staged_paths(index)

    def find(self, path: str) -> Entry | None:
        """The entry of a path on disk; its own `path` may differ in case or composition where git ignores that."""
        return self.entries.get(self.fold(path))

    @property
    def exclude_files(self) -> tuple[str, str]:
        """The ignore files outside the worktree, the one that decides first first."""
        own = os.path.join(self._common_dir, "info", "exclude")
        return own, self._personal("core.excludesfile", "ignore")

    def read_attributes(self, root: str, found: set[str]) -> None:
        """Learn from the attribute files whether bytes on disk may differ from their blob at equal size.

        `found` holds the paths of `.gitattributes` on disk; where a tracked one is absent, git goes by its blob.
        """
        tracked = {path for path in self.entries if path.rpartition("/")[2] == ".gitattributes"}
        self._convertible = not tracked <= {self.fold(path) for path in found} or any(
            _mentions_conversion(path) for path in [*self._shared_attributes(), *(f"{root}/{p}" for p in found)]
        )

    def unread_blob(self, entry: Entry, status: os.stat_result) -> str | None:
        """The blob id of a file that need not be read for it; None for one that must be hashed."""
        if self._convertible or not self.unchanged(entry, status):
            return None
        try:
            size = self._size_of(entry.blob)[1]
        except (KeyError, ValueError):
            return None  # a partial clone need not have it
        return entry.blob if size == status.st_size else None

    def unchanged(self, entry: Entry, status: os.stat_result) -> bool:
        """Whether the file is what git recorded. One as new as the record may have changed within a clock tick."""
        return (
            status.st_mtime_ns == entry.mtime
            and entry.mtime + _TICK < self._written
            and status.st_size & 0xFFFFFFFF == entry.size
            and (_WINDOWS or (status.st_ctime_ns == entry.ctime and status.st_ino & 0xFFFFFFFF == entry.inode))
            and entry.merged
        )

    def state(self, entry: Entry, blob: str, unchanged: bool, raw: bytes | None) -> str:
        """committed | modified, by `raw` where the file was read; line endings that git converts are no change."""
        if entry.path in self._staged or not entry.merged:
            return "modified"
        if unchanged or blob == entry.blob or (raw and blob_id(raw.replace(b"\r\n", b"\n")) == entry.blob):
            return "committed"
        return "modified"

    def _head_tree(self) -> pygit2.Tree | None:
        import pygit2

        try:
            return self.repository[self.head.commit].peel(pygit2.Tree) if self.head.commit else None
        except (pygit2.GitError, KeyError):
            return None

    def _read_index(self, git_dir: str) -> Index:
        """git's index; where it cannot be read, the files of the commit, each to be hashed."""
        try:
            return read_index(os.path.join(git_dir, "index"))
        except (UnsupportedIndexError, OSError):
            return Index(tuple(_committed(self._tree, "")), 0, None)

    def _staged_paths(self, index: Index) -> set[str]:
        """Tracked paths whose entry is not what the commit holds."""
        import pygit2

        if self._tree is None:
            return {entry.path for entry in index.entries}
        if index.tree == str(self._tree.id):
            return set()
        try:
            differing = self._tree.diff_to_index(self.repository.index).deltas  # compares ids; reads no content
            return {os.fsdecode(side.raw_path) for delta in differing for side in (delta.old_file, delta.new_file)}
        except (pygit2.GitError, KeyError):
            return set()  # a clone without trees: only what differs from the index is known to differ

    def _shared_attributes(self) -> list[str]:
        """The attribute files outside the worktree: the repository's, the user's and the system's."""
        own = os.path.join(self._common_dir, "info", "attributes")
        return [own, self._personal("core.attributesfile", "attributes"), "/etc/gitattributes"]

    def _personal(self, setting: str, name: str) -> str:
        """Path of the user's own file for a purpose: where the configuration says, else where git looks by itself."""
        config = self.repository.config
        home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
        named = config[setting] if setting in config else None  # noqa: SIM401 - a Config is no dict
        return os.path.expanduser(named) if named else os.path.join(home, "git", name)


def _mentions_conversion(path: str) -> bool:
    """Whether an attribute file may convert. What cannot be read may."""
    try:
        with open(path, "rb") as file:
            return _CONVERSION.search(file.read()) is not None
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _committed(tree: pygit2.Tree | None, prefix: str) -> Iterator[Entry]:
    """The files of a commit as entries that match no file on disk."""
    for item in tree or ():
        path = f"{prefix}{os.fsdecode(item.raw_name or b'')}"
        if item.type_str == "tree":
            yield from _committed(cast("pygit2.Tree", item), path + "/")
        else:
            yield Entry(path, str(item.id), int(item.filemode), -1, -1, -1, -1, True)


def _enabled(config: pygit2.Config, name: str) -> bool:
    return name in config and config.get_bool(name)


def _folding(ignore_case: bool, compose: bool) -> Callable[[str], str]:
    """How names on disk and in git are compared; identity but for file systems that ignore case or composition."""
    if not ignore_case and not compose:
        return str

    def fold(path: str) -> str:
        path = unicodedata.normalize("NFC", path) if compose else path
        return path.casefold() if ignore_case else path

    return fold
