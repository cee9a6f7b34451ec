"""Discover again: what was found before, with what has changed since put right.

A look at everything costs the more the larger a repository is, whatever has changed. Stamps tell what has: files and
folders are looked at again if theirs are others, and git's index and head if those are. The outcome is that of a look
at everything; where that cannot be said, it is taken instead.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from indexer.discover.deciding import deciding_files, moving_files
from indexer.discover.finding import DECIDING, Finder, Kinds
from indexer.discover.found import Found
from indexer.discover.index import UnsupportedIndexError, read_index
from indexer.discover.location import Location
from indexer.discover.refs import UnknownHeadError, head_commit
from indexer.discover.scan import Discovery
from indexer.discover.seen import GONE, Look, Seen
from indexer.discover.tracked import Known, Tracked


class _EverythingError(Exception):
    """It takes a look at everything."""


def discover_again(
    location: Location, seen: Seen, found: Found, kinds: Kinds, changed: Sequence[str] | None = None
) -> Discovery | None:
    """What `discover` would find, without submodules; None where it has to be asked. Raises RepositoryError.

    seen, found: the stamps and findings of an earlier look by the same `kinds`. changed: the paths whose stamps have
    just been found to be others; None: not looked for yet.
    """
    try:
        return _Again(location, seen, found, kinds, changed).discovery()
    except _EverythingError:
        return None


class _Again:
    def __init__(
        self, location: Location, seen: Seen, found: Found, kinds: Kinds, changed: Sequence[str] | None
    ) -> None:
        self._location = location
        self._root = location.root
        self._kinds = kinds
        self._look = Look()
        self._stamps = dict(seen.stamps)
        if any(path not in self._stamps for path in deciding_files(location)):
            raise _EverythingError
        changed = [*seen.changed(self._root)] if changed is None else changed
        moving = moving_files(location)
        self._moved = any(path in moving for path in changed) or _has_moved(location, found)
        self._changed = [path for path in changed if path not in moving]
        if any(os.path.isabs(path) or path.rpartition("/")[2] in DECIDING for path in self._changed):
            raise _EverythingError
        self._look.note_all(self._root, changed)
        now = self._look.seen().stamps
        self._gone = frozenset(path for path in self._changed if now[path] == GONE)
        self._found = found
        self._files, self._configs, self._skipped = dict(found.files), dict(found.configs), dict(found.skipped)
        self._forgotten: list[str] = []
        self._head = found.head
        self._known = found.again
        self._tracked = self._read_tracked()
        self._finder = Finder(self._root, self._tracked, self._look, kinds, {})

    def _read_tracked(self) -> Known | None:
        location, known = self._location, self._known
        if location.git_dir is None:
            return None
        if self._moved:
            tracked = Tracked(location)
            again = tracked.again
            if again is None or again.id_bytes != known.id_bytes or [*again.exclude_files] != [*known.exclude_files]:
                raise _EverythingError
            self._head, self._known = tracked.head, again
            return tracked
        if not self._changed:
            return None
        try:
            index = read_index(os.path.join(location.git_dir, "index"), known.id_bytes)
        except (UnsupportedIndexError, OSError):
            raise _EverythingError from None
        return Known(index, frozenset(known.staged), known.id_bytes, known.exclude_files)

    def discovery(self) -> Discovery:
        for prefix in sorted(path for path in self._changed if _is_folder(path)):
            self._list(prefix)
        for path in self._changed:
            if not _is_folder(path):
                self._examine(path)
        if self._moved and self._location.is_git:
            self._follow_index()
        self._take()
        return Discovery(
            root=self._root,
            map_dir=self._location.map_dir,
            facts_dir=self._location.facts_dir,
            files=tuple(sorted(self._files.values())),
            configs=tuple(sorted(self._configs.items())),
            skipped=tuple(sorted(self._skipped.items())),
            head=self._head.commit,
            head_time=self._head.time,
            branch=self._head.branch,
            seen=self._stamped(),
            again=self._known,
        )

    # -- what stamps tell

    def _list(self, prefix: str) -> None:
        """Look for what is new in a folder. What has gone is told by its own stamp."""
        if prefix in self._gone:
            return
        if os.path.islink(f"{self._root}/{prefix}".rstrip("/")) or not self._finder.rules.turn(prefix):
            raise _EverythingError
        folders: list[str] = []
        files: list[str] = []
        try:
            with os.scandir(f"{self._root}/{prefix}") as entries:
                for entry in entries:
                    (folders if entry.is_dir(follow_symlinks=False) else files).append(entry.name)
        except OSError:
            raise _EverythingError from None
        stamps = self._stamps
        if any((name in files) != (stamps.get(prefix + name, GONE) != GONE) for name in DECIDING):
            raise _EverythingError
        for name in files:
            path = prefix + name
            if path not in self._files and path not in self._configs:
                self._finder.file(prefix, name)
        new = [name for name in folders if stamps.get(f"{prefix}{name}/", GONE) == GONE]
        for name in [name for name in new if self._finder.rules.enter(prefix, name)]:
            self._finder.walk(f"{prefix}{name}/")

    def _examine(self, path: str) -> None:
        """Look at a file again whose stamp has changed."""
        known = path in self._files or path in self._configs
        if not known and path not in self._skipped:
            raise _EverythingError
        self._forget(path)
        place = f"{self._root}/{path}"
        if path in self._gone:
            return
        if not _is_real_folder(place):
            self._look_at(path)
        elif not known:  # a folder that was left out
            raise _EverythingError

    def _forget(self, path: str) -> None:
        self._forgotten.append(path)
        for found in (self._files, self._configs, self._skipped):
            found.pop(path, None)

    def _look_at(self, path: str) -> None:
        prefix, name = _split(path)
        if not self._finder.rules.turn(prefix):
            raise _EverythingError
        self._finder.file(prefix, name)

    # -- what the index tells

    def _follow_index(self) -> None:
        """Other files may be tracked now, and those that are in another state."""
        tracked = self._tracked
        assert tracked is not None
        if self._known.paths != self._found.again.paths:
            self._follow_paths(tracked)
        staged = tracked.staged
        for path, file in self._files.items():
            entry = tracked.find(path)
            if entry is None:
                state = "untracked"
            elif entry.blob == file.blob and entry.merged and path not in staged:
                state = "committed"
            else:
                state = tracked.state(entry, file.blob, tracked.unchanged(entry, *self._stamps[path]), None)
                if state == "modified":
                    self._look_at(path)  # line endings may make it the same
                    continue
            if state != file.state:
                self._files[path] = file._replace(state=state)

    def _follow_paths(self, tracked: Known) -> None:
        """A tracked file is no longer ignored, nor is the folder it is in."""
        stamps, listed = self._stamps, frozenset(path for path in self._changed if _is_folder(path))
        rules = self._finder.rules
        for path in tracked.paths - stamps.keys():
            prefix, name = _split(path)
            if prefix in stamps:
                if prefix not in listed and prefix not in self._gone and self._is_wanted(path):
                    rules.turn(prefix)
                    self._finder.file(prefix, name)
                continue
            while prefix and prefix not in stamps:
                inner, (prefix, _) = prefix, _split(prefix[:-1])
            if prefix not in listed and os.path.isdir(f"{self._root}/{inner}"):
                raise _EverythingError
        apart = [path for path in self._configs if path not in self._files]
        for path in [*(path for path, file in self._files.items() if file.state != "untracked"), *apart]:
            if tracked.find(path) is None:
                self._forget(path)
                self._look_at(path)
        for prefix in stamps:
            untracked = _is_folder(prefix) and prefix and prefix[:-1] not in rules.tracked_folders
            if untracked and prefix not in self._gone and not rules.turn(prefix):
                raise _EverythingError

    def _is_wanted(self, path: str) -> bool:
        wanted = self._kinds.language_of(path) is not None or self._kinds.is_configuration(path)
        place = f"{self._root}/{path}"
        return wanted and os.path.lexists(place) and not _is_real_folder(place)

    # -- the outcome

    def _take(self) -> None:
        """Add what was found."""
        finder = self._finder
        files, configs = finder.identified()
        for at in finder.found:
            self._files.pop(at.path, None)
        self._files.update((file.path, file) for file in files)
        self._configs.update(configs)
        self._skipped.update(finder.skipped)
        self._look.note_all(self._root, finder.skipped)

    def _stamped(self) -> Seen:
        now, stamps = self._look.seen(), self._stamps
        stamps.update(now.stamps)
        ignored = [p for p in self._forgotten if not (p in self._files or p in self._configs or p in self._skipped)]
        for path in (*self._gone, *ignored):
            stamps.pop(path, None)
        return now._replace(stamps=stamps)


def _has_moved(location: Location, found: Found) -> bool:
    """Whether the head is, or may be, another commit, which a repository without a log of it shows nowhere else."""
    if not location.is_git:
        return False
    try:
        return head_commit(location) != found.head.commit
    except UnknownHeadError:
        return True


def _is_real_folder(place: str) -> bool:
    """Whether a folder is there, and no link to one."""
    return os.path.isdir(place) and not os.path.islink(place)


def _is_folder(path: str) -> bool:
    return not path or path.endswith("/")


def _split(path: str) -> tuple[str, str]:
    """A path as the folder it is in, as visits have it, and its name."""
    above, slash, name = path.rpartition("/")
    return above + slash, name
