"""What git knows of a worktree: its tracked files, and which of them are as committed without reading them."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable

from indexer.blobs import blob_id, blob_id_sha256
from indexer.discover.git import Head
from indexer.discover.index import GITLINK, Entry, Index, UnsupportedIndexError, read_index
from indexer.discover.location import Location
from indexer.discover.opening import open_git

# Attributes whose conversions may keep the size of a file. Line endings never do.
_CONVERSION = re.compile(rb"\b(?:filter|ident|working-tree-encoding)\b")
_WINDOWS = os.name == "nt"
_TICK = 20_000_000  # nanoseconds; file times move in steps of the kernel's clock, 10 ms at most


class Tracked:
    """The tracked files of a worktree. Raises RepositoryError when the repository cannot be opened."""

    def __init__(self, location: Location) -> None:
        assert location.git_dir is not None
        self._git = open_git(location)
        self.head: Head = self._git.head()
        self._sha1 = self._git.id_bytes == 20  # ids of blobs are those that facts go by
        index = self._read_index(location.git_dir)
        self._written = index.written
        self._convertible = False
        self._common_dir = location.common_dir or location.git_dir
        self.ignore_case = self._git.enabled("core.ignorecase")
        self.fold = _folding(self.ignore_case, self._git.enabled("core.precomposeunicode"))
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
            _mentions_conversion(path) for path in [*self.attribute_files, *(f"{root}/{p}" for p in found)]
        )

    def unread_blob(self, entry: Entry, status: os.stat_result) -> str | None:
        """The blob id of a file that need not be read for it; None for one that must be hashed."""
        if self._convertible or not self._sha1 or not self.unchanged(entry, status):
            return None
        # A partial clone need not have it.
        return entry.blob if self._git.size(entry.blob) == status.st_size else None

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
        if unchanged or blob == entry.blob:
            return "committed"
        name = blob_id if self._sha1 else blob_id_sha256
        if raw is not None and entry.blob in (name(raw), name(raw.replace(b"\r\n", b"\n"))):
            return "committed"
        return "modified"

    def _read_index(self, git_dir: str) -> Index:
        """git's index; where it cannot be read, the files of the commit, each to be hashed."""
        try:
            return read_index(os.path.join(git_dir, "index"), self._git.id_bytes)
        except (UnsupportedIndexError, OSError):
            return Index(tuple(self._git.committed()), 0, None)

    def _staged_paths(self, index: Index) -> set[str]:
        """Tracked paths whose entry is not what the commit holds."""
        tree = self._git.tree()
        if tree is None:
            return {entry.path for entry in index.entries}
        if index.tree == tree:
            return set()
        return self._git.staged() or set()  # not told: only what differs from the index is known to differ

    @property
    def attribute_files(self) -> list[str]:
        """The attribute files outside the worktree: the repository's, the user's and the system's."""
        own = os.path.join(self._common_dir, "info", "attributes")
        return [own, self._personal("core.attributesfile", "attributes"), "/etc/gitattributes"]

    def _personal(self, setting: str, name: str) -> str:
        """Path of the user's own file for a purpose: where the configuration says, else where git looks by itself."""
        home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
        named = self._git.setting(setting)
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


def _folding(ignore_case: bool, compose: bool) -> Callable[[str], str]:
    """How names on disk and in git are compared; identity but for file systems that ignore case or composition."""
    if not ignore_case and not compose:
        return str

    def fold(path: str) -> str:
        path = unicodedata.normalize("NFC", path) if compose else path
        return path.casefold() if ignore_case else path

    return fold
