"""What git knows of a worktree: its tracked files, and which of them are as committed without reading them."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, KeysView, Sequence
from hashlib import sha1
from typing import NamedTuple

from indexer.blobs import blob_id, blob_id_sha256
from indexer.discover.git import Head
from indexer.discover.index import Entry, Index, Listed, UnsupportedIndexError, read_index
from indexer.discover.location import Location
from indexer.discover.opening import open_git

# Attributes whose conversions may keep the size of a file. Line endings never do.
_CONVERSION = re.compile(rb"\b(?:filter|ident|working-tree-encoding)\b")
_WINDOWS = os.name == "nt"
_TICK = 20_000_000  # nanoseconds; file times move in steps of the kernel's clock, 10 ms at most


class Again(NamedTuple):
    """What is known of a repository whose settings and index are as they were."""

    id_bytes: int
    staged: Sequence[str]
    exclude_files: Sequence[str]
    paths: str  # digest of the tracked ones


UNTRACKED = Again(20, (), (), "")
"""Of a folder outside of git."""


def digest(paths: Iterable[str]) -> str:
    """Tells lists of paths apart."""
    return sha1("\0".join(paths).encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()


def stamp_of(status: os.stat_result) -> tuple[int, int, int, int]:
    """Modified, changed (nanoseconds), size and file number."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


class Known:
    """Tracked files by git's index, and what is known of it without opening the repository."""

    ignore_case = False

    def __init__(self, index: Index, staged: Collection[str], id_bytes: int, exclude_files: Sequence[str] = ()) -> None:
        self._index = index
        self._sha1 = id_bytes == 20  # ids of blobs are those that facts go by
        self.staged = staged
        """Tracked paths whose entry is not what the commit holds."""
        self._exclude_files = exclude_files

    @property
    def paths(self) -> KeysView[str]:
        """The tracked paths, as paths on disk are compared with them."""
        return self._index.places.keys()

    @property
    def exclude_files(self) -> Sequence[str]:
        """The ignore files outside the worktree, the one that decides first first."""
        return self._exclude_files

    def fold(self, path: str) -> str:
        """A path as it is compared."""
        return path

    def find(self, path: str) -> Entry | None:
        """The entry of a path on disk; its own `path` may differ in case or composition where git ignores that."""
        return self._index.get(path)

    def unread_blob(self, entry: Entry, status: os.stat_result) -> str | None:
        """The blob id of a file that need not be read for it; None for one that must be hashed."""
        return None

    def unchanged(self, entry: Entry, modified: int, changed: int, size: int, inode: int) -> bool:
        """Whether the file of a status is what git recorded. One as new as the record may have changed within a clock
        tick. Times in nanoseconds."""
        return (
            modified == entry.mtime
            and entry.mtime + _TICK < self._index.written
            and size & 0xFFFFFFFF == entry.size
            and (_WINDOWS or (changed == entry.ctime and inode & 0xFFFFFFFF == entry.inode))
            and entry.merged
        )

    def state(self, entry: Entry, blob: str, unchanged: bool, raw: bytes | None) -> str:
        """committed | modified, by `raw` where the file was read; line endings that git converts are no change."""
        if entry.path in self.staged or not entry.merged:
            return "modified"
        if unchanged or blob == entry.blob:
            return "committed"
        name = blob_id if self._sha1 else blob_id_sha256
        if raw is not None and entry.blob in (name(raw), name(raw.replace(b"\r\n", b"\n"))):
            return "committed"
        return "modified"


class Tracked(Known):
    """The tracked files of a worktree. Raises RepositoryError when the repository cannot be opened."""

    def __init__(self, location: Location) -> None:
        assert location.git_dir is not None
        self._git = open_git(location)
        self.head: Head = self._git.head()
        self.id_bytes = self._git.id_bytes
        index = self._read_index(location.git_dir)
        super().__init__(index, self._staged_paths(index), self._git.id_bytes)
        self._convertible = False
        self._common_dir = location.common_dir or location.git_dir
        self.ignore_case = self._git.enabled("core.ignorecase")
        self._fold = _folding(self.ignore_case, self._git.enabled("core.precomposeunicode"))
        self.submodules = index.links
        self._folded = None if self._fold is None else {self._fold(path): path for path in index.places}
        """The paths as they are compared; None where that is as they are."""

    @property
    def again(self) -> Again | None:
        """What a later look needs to know of all this to start from here; None where it has to open the repository."""
        if self._folded is not None or self.submodules or isinstance(self._index, Listed):
            return None
        return Again(self.id_bytes, sorted(self.staged), self.exclude_files, digest(self.paths))

    @property
    def paths(self) -> KeysView[str]:
        return super().paths if self._folded is None else self._folded.keys()

    def fold(self, path: str) -> str:
        return path if self._fold is None else self._fold(path)

    def find(self, path: str) -> Entry | None:
        if self._folded is None:
            return self._index.get(path)
        own = self._folded.get(self.fold(path))
        return None if own is None else self._index.get(own)

    @property
    def exclude_files(self) -> Sequence[str]:
        own = os.path.join(self._common_dir, "info", "exclude")
        return own, self._personal("core.excludesfile", "ignore")

    def read_attributes(self, root: str, found: set[str]) -> None:
        """Learn from the attribute files whether bytes on disk may differ from their blob at equal size.

        `found` holds the paths of `.gitattributes` on disk; where a tracked one is absent, git goes by its blob.
        """
        tracked = {path for path in self.paths if path.endswith(".gitattributes")}
        tracked = {path for path in tracked if path.rpartition("/")[2] == ".gitattributes"}
        self._convertible = not tracked <= {self.fold(path) for path in found} or any(
            _mentions_conversion(path) for path in [*self.attribute_files, *(f"{root}/{p}" for p in found)]
        )

    def unread_blob(self, entry: Entry, status: os.stat_result) -> str | None:
        if self._convertible or not self._sha1 or not self.unchanged(entry, *stamp_of(status)):
            return None
        # A partial clone need not have it.
        return entry.blob if self._git.size(entry.blob) == status.st_size else None

    def _read_index(self, git_dir: str) -> Index:
        """git's index; where it cannot be read, the files of the commit, each to be hashed."""
        try:
            return read_index(os.path.join(git_dir, "index"), self._git.id_bytes)
        except (UnsupportedIndexError, OSError):
            return Listed(self._git.committed())

    def _staged_paths(self, index: Index) -> set[str]:
        """Tracked paths whose entry is not what the commit holds."""
        tree = self._git.tree()
        if tree is None:
            return set(index.places)
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


def _folding(ignore_case: bool, compose: bool) -> Callable[[str], str] | None:
    """How names on disk and in git are compared; None but for file systems that ignore case or composition."""
    if not ignore_case and not compose:
        return None

    def fold(path: str) -> str:
        path = unicodedata.normalize("NFC", path) if compose else path
        return path.casefold() if ignore_case else path

    return fold
