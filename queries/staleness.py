"""Which state of the repository an answer speaks of, and whether that is the present one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from indexer.blobs import UnreadableError, blob_id, read_regular
from queries.answers import Staleness

if TYPE_CHECKING:
    from indexer.store.reader import FileRow
    from queries.session import Session


class Present(NamedTuple):
    """The repository as it is now. None: not known, or there are no commits."""

    head: str | None = None
    head_time: int | None = None  # of the head commit, seconds since the epoch
    commits_behind: int | None = None  # from the map's commit to the head


def staleness(session: Session, paths: Iterable[str], present: Present | None = None) -> Staleness:
    """Compare the map with the repository: commits by name, the files an answer names by their content on disk.

    paths     files named in the answer
    present   what the repository is now; None: ask the session
    """
    return Freshness(session, present).of(paths)


class Freshness:
    """Staleness for several sets of files of one answer; each file is read once."""

    def __init__(self, session: Session, present: Present | None = None, known: Iterable[FileRow] = ()) -> None:
        """known: rows of the map that need not be read again."""
        self._session = session
        self._rows = {row.path: row for row in known}
        self._now = session.present() if present is None else present
        self._differs: dict[str, bool] = {}
        with session.read() as reader:
            self._meta = reader.meta()
            self._dirty = reader.dirty_files()

    def of(self, paths: Iterable[str]) -> Staleness:
        named = sorted(set(paths))
        self._look([path for path in named if path not in self._differs])
        differing = tuple(path for path in named if self._differs[path])
        commit, now, built = self._meta.get("commit") or None, self._now, _built(self._meta)
        behind = now.commits_behind
        if behind is None and commit is not None and commit == now.head:
            behind = 0
        reason = _reason(commit, now, behind, differing)
        return Staleness(
            map_commit=commit,
            head_commit=now.head,
            commits_behind=behind,
            dirty_files=self._dirty,
            differing=differing,
            built_at=datetime.fromtimestamp(built, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            age_seconds=max(0, now.head_time - built) if now.head_time is not None else 0,
            fresh=reason is None,
            reason=reason,
        )

    def _look(self, paths: list[str]) -> None:
        missing = [path for path in paths if path not in self._rows]
        if missing:
            with self._session.read() as reader:
                self._rows.update((row.path, row) for row in reader.files_at(missing))
        for path in paths:
            row = self._rows.get(path)
            self._differs[path] = row is None or _differs(self._session.root, row)


def _differs(root: str, row: FileRow) -> bool:
    """Whether a file is gone from disk or holds other bytes than the map was made from."""
    path = os.path.join(root, row.path)
    try:
        return os.stat(path).st_size != row.size or blob_id(read_regular(path)) != row.blob
    except (OSError, UnreadableError):
        return True


def _built(meta: dict[str, str]) -> int:
    """When the map was made, seconds since the epoch; written as such or as ISO 8601."""
    value = meta.get("built_at", "0")
    try:
        return int(float(value))
    except ValueError:
        return int(datetime.fromisoformat(value).timestamp())


def _reason(commit: str | None, now: Present, behind: int | None, differing: tuple[str, ...]) -> str | None:
    reasons = []
    if now.head is not None and commit != now.head:
        made = f"the map is of commit {commit[:12]}" if commit else "the map is of no commit"
        by = f", {behind} behind" if behind else ""
        reasons.append(f"{made}{by}; head is {now.head[:12]}")
    if differing:
        others = f" and {len(differing) - 1} more" if len(differing) > 1 else ""
        reasons.append(f"{differing[0]}{others} changed on disk since the map was made")
    return "; ".join(reasons) or None
