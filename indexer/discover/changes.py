"""Which files, and which of their lines, differ between a commit and another, or the working tree."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from indexer.blobs import SIZE_LIMIT, UnreadableError, read_regular
from indexer.discover.repository import open_repository
from indexer.errors import UsageError

if TYPE_CHECKING:
    import pygit2

    from indexer.discover.location import Location

Lines = tuple[tuple[int, int], ...]
"""Ranges of lines, first and last, 1-based."""

_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"  # known to git without being written
_FOLLOWED = 1000  # deleted and added files between which renames are looked for: comparing all pairs is dear


class FileChange(NamedTuple):
    """A file that differs. Contents are raw bytes, None where there is no such file or it cannot be read as text."""

    old_path: str | None  # None: it was added
    new_path: str | None  # None: it was deleted
    old: bytes | None
    new: bytes | None
    removed: Lines  # of the old content
    added: Lines  # of the new one


class Changes(NamedTuple):
    """What differs, by path. others: files that differ and are not of interest, or not text."""

    files: tuple[FileChange, ...]
    others: int


def changes(location: Location, revision: str | None, wanted: Callable[[str], bool]) -> Changes:
    """The files that differ between two states of a repository.

    revision   `REV`: from that commit to the working tree, untracked files included; `A..B`: from A to B; `A...B`: from
               where the two parted to B; what is left out is HEAD; None: from HEAD to the working tree
    wanted     whether a path is of interest
    Raises UsageError outside of git, or where there is no such commit.
    """
    if not location.is_git:
        raise UsageError(f"{location.root} is not in a git repository, so nothing tells what changed: name a symbol")
    repository = open_repository(location)
    old, new = _ends(repository, revision)
    diff = _diff(repository, old, new)
    files, others = [], 0
    for index, delta in enumerate(diff.deltas):
        paths = {_path(delta.old_file), _path(delta.new_file)}
        if not any(map(wanted, paths)) or not (_regular(delta.old_file) or _regular(delta.new_file)):
            others += 1
            continue
        made = _change(repository, location.root, diff, index, in_worktree=new is None)
        if made is None:
            others += 1
        else:
            files.append(made)
    files.sort(key=lambda each: (each.new_path or each.old_path or "", each.old_path or ""))
    return Changes(tuple(files), others)


def _ends(repository: pygit2.Repository, revision: str | None) -> tuple[pygit2.Tree | None, pygit2.Tree | None]:
    """The two trees; None for the empty one on the left, the working tree on the right."""
    if revision is None:
        return (None if repository.head_is_unborn else _commit(repository, "HEAD").tree), None
    for dots in ("...", ".."):
        first, found, second = revision.partition(dots)
        if found:
            old, new = _commit(repository, first or "HEAD"), _commit(repository, second or "HEAD")
            if dots == "...":
                base = repository.merge_base(old.id, new.id)
                if base is None:
                    raise UsageError(f"{first or 'HEAD'} and {second or 'HEAD'} have no commit in common")
                old = _commit(repository, str(base))
            return old.tree, new.tree
    return _commit(repository, revision).tree, None


def _commit(repository: pygit2.Repository, revision: str) -> pygit2.Commit:
    import pygit2

    try:
        return repository.revparse_single(revision).peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError) as error:
        raise UsageError(f"there is no commit {revision}") from error


def _diff(repository: pygit2.Repository, old: pygit2.Tree | None, new: pygit2.Tree | None) -> pygit2.Diff:
    import pygit2
    from pygit2.enums import DiffFind, DiffOption

    flags = DiffOption.IGNORE_SUBMODULES
    if new is not None:
        assert old is not None
        diff = old.diff_to_tree(new, flags=flags, context_lines=0)
    else:
        flags |= DiffOption.INCLUDE_UNTRACKED | DiffOption.RECURSE_UNTRACKED_DIRS | DiffOption.SHOW_UNTRACKED_CONTENT
        base = old if old is not None else repository[_EMPTY_TREE].peel(pygit2.Tree)
        diff = base.diff_to_workdir(flags=flags, context_lines=0)
    diff.find_similar(flags=DiffFind.FIND_RENAMES | DiffFind.FIND_FOR_UNTRACKED, rename_limit=_FOLLOWED)
    return diff


def _change(
    repository: pygit2.Repository, root: str, diff: pygit2.Diff, index: int, *, in_worktree: bool
) -> FileChange | None:
    """What one file's difference is; None where it has none of text."""
    patch = diff[index]
    if patch is None or patch.delta.is_binary:
        return None
    delta = patch.delta
    was = _regular(delta.old_file) and delta.status_char() not in "A?"
    now = _regular(delta.new_file) and delta.status_char() != "D"
    old_path, new_path = _path(delta.old_file), _path(delta.new_file)
    old = _blob(repository, delta.old_file) if was else None
    new = None
    if now:
        new = _on_disk(root, new_path) if in_worktree else _blob(repository, delta.new_file)
    hunks = list(patch.hunks)
    return FileChange(
        old_path if was else None,
        new_path if now else None,
        old,
        new,
        _ranges((hunk.old_start, hunk.old_lines) for hunk in hunks),
        _ranges((hunk.new_start, hunk.new_lines) for hunk in hunks),
    )


def _ranges(hunks: Iterable[tuple[int, int]]) -> Lines:
    return tuple((start, start + count - 1) for start, count in hunks if count)


def _blob(repository: pygit2.Repository, file: pygit2.DiffFile) -> bytes | None:
    try:
        if repository.odb.read_header(file.id)[1] > SIZE_LIMIT:
            return None
        data: bytes = repository[file.id].data  # type: ignore[attr-defined]
    except (KeyError, ValueError):  # a partial clone lacks it
        return None
    return data


def _on_disk(root: str, path: str) -> bytes | None:
    try:
        return read_regular(os.path.join(root, path))
    except (OSError, UnreadableError):
        return None


def _regular(file: pygit2.DiffFile) -> bool:
    return int(file.mode) & 0o170000 == 0o100000


def _path(file: pygit2.DiffFile) -> str:
    """As the map has it: bytes that are not UTF-8 are written `\\xff`."""
    return file.raw_path.decode("utf-8", "backslashreplace")
