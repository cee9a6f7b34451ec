"""What is asked of git."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from indexer.discover.index import Entry


class Head(NamedTuple):
    """All None outside git and where nothing is committed yet, but for the branch."""

    commit: str | None  # hex
    time: int | None  # of the commit, seconds since 1970 UTC; None where its object is missing
    branch: str | None  # short name; None when detached


NO_HEAD = Head(None, None, None)


class Git(Protocol):
    """One open repository. Whatever its configuration says, nothing of it is run and nothing is fetched."""

    id_bytes: int  # length of its object ids: 20, SHA-1; 32, SHA-256

    def head(self) -> Head: ...

    def tree(self) -> str | None:
        """The id of the head commit's tree; None where there is none, or it is not in this clone."""
        ...

    def committed(self) -> Iterator[Entry]:
        """The files of the head commit, as entries that match no file on disk."""
        ...

    def staged(self) -> set[str] | None:
        """Paths whose entry in the index is not what the head commit holds; None where that cannot be told."""
        ...

    def enabled(self, setting: str) -> bool: ...

    def setting(self, name: str) -> str | None: ...

    def size(self, blob: str) -> int | None:
        """Bytes of a blob; None where that is not known, as for one that is not in this clone."""
        ...

    def ahead_behind(self, ours: str, theirs: str) -> tuple[int, int] | None:
        """Commits that only the first has, and that only the second has; None where the history does not tell."""
        ...
