"""Which state of the repository an answer speaks of, and whether that is the present one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from indexer.blobs import UnreadableError, blob_id, read_regular
from indexer.program import of_another_version
from queries.answers import Staleness

if TYPE_CHECKING:
    from indexer.store.reader import FileRow
    from queries.session import Session


_FIRST, _LAST = -62_135_596_800, 253_402_300_799  # the years 1 to 9999


class Present(NamedTuple):
    """The repository as it is now. None: not known, or there are no commits."""

    head: str | None = None
    head_time: int | None = None  # of the head commit, seconds since the epoch
    commits_behind: int | None = None  # from the map's commit to the head
    commits_ahead: int | None = None  # from the head to the map's commit: more than 0 on another branch


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
            self._states = session.file_states()

    def of(self, paths: Iterable[str]) -> Staleness:
        named = sorted(set(paths))
        self._look([path for path in named if path not in self._differs])
        differing = tuple(path for path in named if self._differs[path])
        commit, now, built = self._meta.get("commit") or None, self._now, _built(self._meta)
        behind, ahead = now.commits_behind, now.commits_ahead
        if commit is not None and commit == now.head:
            behind = ahead = 0
        other_version = of_another_version(self._meta)
        reason = _reason(commit, now, behind, ahead, differing, other_version)
        return Staleness(
            map_commit=commit,
            head_commit=now.head,
            commits_behind=behind,
            dirty_files=sum(number for state, number in self._states.items() if state != "committed"),
            differing=differing,
            built_at=_iso(built),
            age_seconds=max(0, now.head_time - built) if now.head_time is not None else 0,
            fresh=reason is None,
            reason=reason,
            head_time=None if now.head_time is None else _iso(now.head_time),
            commits_ahead=ahead,
            untracked_files=self._states.get("untracked", 0),
            other_version=other_version,
            lag_seconds=_lag(self._meta, built, now.head_time),
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


def _iso(seconds: int) -> str:
    """A time that no calendar knows is the nearest it does: commits may bear any number."""
    return datetime.fromtimestamp(min(max(seconds, _FIRST), _LAST), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _lag(meta: dict[str, str], built: int, head_time: int | None) -> int | None:
    """Seconds from the map to the newest commit: since it was made or, where that is said to be later than the newest
    commit, since the commit it was made at. None where neither is earlier: then one of the clocks was wrong."""
    if head_time is None:
        return None
    own = meta.get("head_time")
    since = [time for time in (built, int(own) if own else head_time + 1) if time <= head_time]
    return head_time - since[0] if since else None


def _reason(
    commit: str | None,
    now: Present,
    behind: int | None,
    ahead: int | None,
    differing: tuple[str, ...],
    other_version: bool,
) -> str | None:
    reasons = []
    if now.head is not None and commit != now.head:
        made = f"the map is of commit {commit[:12]}" if commit else "the map is of no commit"
        apart = [f"{number} {word}" for number, word in ((behind, "behind"), (ahead, "ahead")) if number]
        by = f", {' and '.join(apart)}" if apart else ""
        reasons.append(f"{made}{by}; head is {now.head[:12]}")
    if differing:
        others = f" and {len(differing) - 1} more" if len(differing) > 1 else ""
        reasons.append(f"{differing[0]}{others} changed on disk since the map was made")
    if other_version:
        reasons.append("the map was made by another version of codemap")
    return "; ".join(reasons) or None
