"""The history stage as it is run: after the map has been published, newest commits first, for as long as it may take.

What each commit touched is cached by its id; which commits count, and what their paths are called now, is a worktree's
own. Nothing here holds the map's lock, so that questions and updates never wait for it.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indexer.discover import Location, locate
from indexer.discover.refs import UnknownHeadError, head_commit
from indexer.errors import BusyError, RepositoryError
from indexer.languages import language_of
from indexer.locks import writer_lock
from indexer.pipeline.history_rules import outline_of, rules_fingerprint
from indexer.pipeline.history_tables import arrange, clear
from indexer.pipeline.report import Progress, Silent
from indexer.store.connect import DamagedError, put_away
from indexer.store.history_schema import HISTORY_NAME

if TYPE_CHECKING:
    import pygit2

    from indexer.history.changes import Changes
    from indexer.history.window import Visited, Window
    from indexer.store.commits import CommitCache
    from indexer.store.history import HistoryWriter

DEFAULT_COMMITS = 5_000
_LOCK = "history.lock"
_BATCH = 50  # commits read between two looks at the clock
_PUBLISH_SECONDS = 10.0  # a long run arranges what it has so far this often
_PARTIAL = re.compile(rb"^[ \t]*(?:partialclone|promisor)[ \t]*=", re.M | re.I)


@dataclass(frozen=True)
class Followed:
    """How far a run of the history stage came."""

    indexed: int  # commits that questions see
    window: int  # commits that count
    read: int  # commits read in this run
    limit: int = 0  # commits that would count in a longer history
    message: str = ""  # why nothing is read, for a person

    @property
    def complete(self) -> bool:
        return self.indexed == self.window


def follow(
    folder: str,
    *,
    commits: int | None = None,
    anew: bool = False,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Followed:
    """Index the history of the repository around `folder`, as far as is possible in some seconds.

    commits   how many, newest first; 0: none, and forget those that were; None: as the last time, at first 5,000
    anew      trust nothing that is kept
    seconds   None: until all are indexed

    Raises StoreError where it cannot be written.
    """
    return follow_at(locate(folder), commits=commits, anew=anew, seconds=seconds, progress=progress)


def follow_at(
    location: Location,
    *,
    commits: int | None = None,
    anew: bool = False,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Followed:
    """`follow` for a place already found."""
    told = progress or Silent()
    if not location.is_git or not os.path.isdir(location.map_dir):
        return Followed(0, 0, 0)
    if commits == 0 and not os.path.exists(os.path.join(location.map_dir, HISTORY_NAME)):
        return Followed(0, 0, 0)
    deadline = None if seconds is None else time.monotonic() + seconds
    try:
        with writer_lock(os.path.join(location.map_dir, _LOCK), 0.0, lambda _: None):
            for _ in range(3):
                try:
                    return _Following(location, commits, anew, deadline, told).run()
                except DamagedError as damaged:
                    told.say(f"{damaged}: {put_away(damaged)}, and made anew")
                except RepositoryError as error:
                    return Followed(0, 0, 0, message=f"the history is not read: {error}")
    except BusyError:
        return Followed(0, 0, 0, message="another run is reading the history")
    return Followed(0, 0, 0, message="the history cannot be kept: its files are damaged again and again")


class _Following:
    """One run, under its lock."""

    def __init__(
        self, location: Location, limit: int | None, anew: bool, deadline: float | None, progress: Progress
    ) -> None:
        self._location = location
        self._limit = limit
        self._anew = anew
        self._deadline = deadline
        self._progress = progress
        self._files_only = bool(_PARTIAL.search(_read(location.common_dir, "config")))
        self._rules = f"{rules_fingerprint()}{'-files' if self._files_only else ''}"
        self._read = 0

    def run(self) -> Followed:
        from indexer.store.history import HistoryWriter

        writer = HistoryWriter(self._location.map_dir)
        try:
            meta = {} if self._anew else writer.meta()
            if self._limit is None:
                self._limit = int(writer.meta().get("limit", DEFAULT_COMMITS))
            wanted = self._wanted()
            if _settled(meta, wanted):
                return Followed(int(meta["indexed"]), int(meta["window"]), 0, self._limit)
            if not self._limit or not wanted["head"]:
                clear(writer, wanted)
                return Followed(0, 0, 0)
            return self._follow(writer, wanted)
        finally:
            writer.close()

    def _wanted(self) -> dict[str, str]:
        """What the tables are a function of, and what says that objects may have come that were not there."""
        location = self._location
        try:
            head = head_commit(location)
        except UnknownHeadError:
            from indexer.discover import head_state

            head = head_state(location).commit
        shallow = hashlib.sha256(_read(location.common_dir, "shallow")).hexdigest()[:16]
        return {
            "head": head or "",
            "limit": str(self._limit),
            "rules": self._rules,
            "shallow": shallow,
            "objects": _changed_at(location.common_dir, "objects/pack"),
        }

    def _follow(self, writer: HistoryWriter, wanted: dict[str, str]) -> Followed:
        from indexer.discover.repository import open_repository
        from indexer.history.changes import Changes, Rules
        from indexer.store.commits import CommitCache

        repository = open_repository(self._location)
        rules = Rules(lambda path: language_of(path) is not None, outline_of, content=not self._files_only)
        changes = Changes(repository, rules)
        cache = CommitCache(self._location.facts_dir, self._rules)
        try:
            if self._anew:
                clear(writer)
                cache.forget()
            found = self._window(repository, cache, wanted["head"])
            have = cache.known().keys()
            missing = [commit.id for commit in found.commits if commit.id not in have]

            def publish(lacking: int = 0) -> int:
                return arrange(writer, cache, found, wanted, lacking, files_only=self._files_only)

            indexed = publish(lacking := self._read_commits(missing, changes, cache, publish))
        finally:
            cache.close()
            repository.free()
        return Followed(indexed, len(found.commits) - lacking, self._read, self._limit or 0)

    def _window(self, repository: pygit2.Repository, cache: CommitCache, head: str) -> Window:
        from indexer.history.window import Visited, window

        known = cache.known()

        def lookup(commit: str) -> Visited | None:
            cached = known.get(commit)
            return Visited(commit, *cached) if cached is not None else _visited(repository, commit)

        shallow = frozenset(_read(self._location.common_dir, "shallow").decode("ascii", "replace").split())
        return window(head, self._limit or 0, lookup, shallow)

    def _read_commits(
        self, missing: Sequence[str], changes: Changes, cache: CommitCache, publish: Callable[[], object]
    ) -> int:
        """Cache what commits touched, until the time is up; gives how many of them are not there to be read."""
        self._progress.begin("history", len(missing))
        published = time.monotonic()
        lacking = 0
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            facts = [each for each in map(changes.of, batch) if each is not None]
            cache.put(facts)
            lacking += len(batch) - len(facts)
            self._read += len(facts)
            self._progress.advance("history", start + len(batch), 0)
            now = time.monotonic()
            if self._deadline is not None and now >= self._deadline:
                break
            if now - published >= _PUBLISH_SECONDS and start + _BATCH < len(missing):
                publish()
                published = time.monotonic()
        return lacking


def _settled(meta: dict[str, str], wanted: dict[str, str]) -> bool:
    """Whether everything that can be indexed is; objects that were lacking may have come since."""
    same = all(meta.get(key) == value for key, value in wanted.items() if key != "objects")
    complete = "window" in meta and meta["indexed"] == meta["window"]
    return same and complete and (meta["lacking"] == "0" or meta.get("objects") == wanted["objects"])


def _visited(repository: pygit2.Repository, commit: str) -> Visited | None:
    import pygit2

    from indexer.history.window import Visited

    try:
        found = repository[commit].peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError):
        return None
    return Visited(commit, found.commit_time, tuple(map(str, found.parent_ids)))


def _read(folder: str | None, name: str) -> bytes:
    """A small file of git's; empty where there is none."""
    try:
        with open(os.path.join(folder or "", name), "rb") as file:
            return file.read()
    except OSError:
        return b""


def _changed_at(folder: str | None, name: str) -> str:
    try:
        return str(os.stat(os.path.join(folder or "", name)).st_mtime_ns)
    except OSError:
        return ""
