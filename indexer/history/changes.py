"""What one commit touched and said, from git's objects: a pure function of its id.

Trees are compared by ids first, so that content is read of changed source files alone. A merge carries no changes: what
it brings together was said and done in the commits it merges.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, cast

import pygit2
from pygit2.enums import DeltaStatus, FileMode

from indexer.blobs import SIZE_LIMIT
from indexer.history.message import tidy
from indexer.history.outline import NAMES_LIMIT, Outline
from indexer.history.similar import renamed
from indexer.ports import CommitFacts, FileChange

GIANT = 100
"""Source files; of a commit that changes more, only the paths are kept, and no more of them than `LISTED`."""

LISTED = 2_000

_ADDED, _DELETED = DeltaStatus.ADDED, DeltaStatus.DELETED
_FILES = (FileMode.BLOB, FileMode.BLOB_EXECUTABLE)


class Rules(NamedTuple):
    """How paths and texts are read.

    is_source   whether a path is that of a source file
    outline     the rule for lines that begin a definition, see `Outline`; None for languages without one
    content     whether content is read at all: in a partial clone it is chance which is there
    """

    is_source: Callable[[str], bool]
    outline: Callable[[str], re.Pattern[bytes] | None]
    content: bool = True


class Changes:
    """Reads commits of one repository."""

    def __init__(self, repository: pygit2.Repository, rules: Rules) -> None:
        self._repository = repository
        self._rules = rules

    def of(self, commit_id: str) -> CommitFacts | None:
        """None where the commit, its tree or its parent's are not there."""
        try:
            commit = self._repository[commit_id].peel(pygit2.Commit)
            parents = tuple(str(each) for each in commit.parent_ids)
            total, files = (0, ()) if len(parents) > 1 else self._changed(commit)
        except (KeyError, ValueError, pygit2.GitError):
            return None
        message = tidy(commit.raw_message, commit.message_encoding)
        return CommitFacts(str(commit.id), commit.commit_time, parents, message, total, files)

    def _changed(self, commit: pygit2.Commit) -> tuple[int, tuple[FileChange, ...]]:
        """How many files differ from the parent, and what happened to those that are source."""
        if commit.parent_ids:
            parent = self._repository[commit.parent_ids[0]].peel(pygit2.Tree)
            deltas = list(parent.diff_to_tree(commit.tree, context_lines=0).deltas)
        else:
            deltas = list(commit.tree.diff_to_tree(swap=True, context_lines=0).deltas)
        source = [each for each in map(_delta, deltas) if each is not None and self._rules.is_source(each.path)]
        giant = len(source) > GIANT
        before = renamed(
            {each.path: each.old for each in source if not each.new},
            {each.path: each.new for each in source if not each.old},
            _nothing if giant else self._data,
        )
        gone = set(before.values())
        blobs = {each.path: each.old for each in source}
        changes = [
            self._change(each._replace(old=blobs[before[each.path]]) if each.path in before else each, before, giant)
            for each in source
            if each.new or each.path not in gone
        ]
        changes.sort(key=lambda change: (not change.before, change.path) if giant else (False, change.path))
        return len(deltas), tuple(changes[:LISTED])

    def _change(self, delta: _Delta, before: dict[str, str], giant: bool) -> FileChange:
        origin = before.get(delta.path, "")
        kind = "renamed" if origin else "modified" if delta.old and delta.new else "added" if delta.new else "deleted"
        if giant or kind == "deleted" or delta.old == delta.new:
            return FileChange(delta.path, kind, origin, ())
        names = self._touched(delta)
        return FileChange(delta.path, kind, origin, tuple(sorted(names)) if len(names) <= NAMES_LIMIT else ())

    def _touched(self, delta: _Delta) -> set[str]:
        """The definitions that changed lines are in, those of the old version included."""
        rule = self._rules.outline(delta.path)
        new = self._blob(delta.new) if rule else None
        if rule is None or new is None or new.is_binary:
            return set()
        if not delta.old:
            return Outline(new.data, rule).every()
        old = self._blob(delta.old)
        if old is None:
            return set()
        patch = old.diff(new, context_lines=0)  # type: ignore[call-arg]  # its stub lacks it
        return _names(patch, Outline(old.data, rule), Outline(new.data, rule))

    def _blob(self, blob: str) -> pygit2.Blob | None:
        if not self._rules.content:
            return None
        found = cast("pygit2.Blob", self._repository[blob])
        return found if found.size <= SIZE_LIMIT else None

    def _data(self, blob: str) -> bytes | None:
        found = self._blob(blob)
        return None if found is None else found.data


class _Delta(NamedTuple):
    path: str
    old: str  # blob id; "" where there was no file
    new: str  # blob id; "" where there is none any more


def _delta(delta: pygit2.DiffDelta) -> _Delta | None:
    """One changed path; None where neither side is a plain file, or its name is not valid UTF-8."""
    old, new = delta.old_file, delta.new_file
    before = str(old.id) if delta.status != _ADDED and old.mode in _FILES else ""
    after = str(new.id) if delta.status != _DELETED and new.mode in _FILES else ""
    try:
        path = (new if after else old).raw_path.decode()
    except UnicodeDecodeError:
        return None
    return _Delta(path, before, after) if before or after else None


def _names(patch: pygit2.Patch, before: Outline, after: Outline) -> set[str]:
    found: set[str] = set()
    for hunk in patch.hunks:
        found |= after.names(hunk.new_start, hunk.new_lines) | before.names(hunk.old_start, hunk.old_lines)
    return found


def _nothing(blob: str) -> None:
    return None
