"""The sources of a working tree or of a commit, with what is left out of them and why."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from indexer.blobs import SIZE_LIMIT, UnreadableError, read_regular, too_large
from indexer.decode import Skip, normalise
from indexer.discover import discover
from indexer.discover.repository import open_repository
from indexer.errors import NotFoundError, UsageError
from indexer.extract import machine_made
from indexer.languages import language_of

if TYPE_CHECKING:
    import pygit2

    from indexer.discover import Location

_DEPENDENCIES = "node_modules"
_LINK, _MODULE, _FOLDER = 0o120000, 0o160000, 0o040000


class Source(NamedTuple):
    """A file or folder; `reason` is why it is not code people wrote, "" where it is."""

    path: str
    language: str
    text: str
    reason: str


def of_worktree(location: Location) -> Iterator[Source]:
    """Every source file as it is on disk now, by path; then what the discover stage left out."""
    found = discover(location, lambda path: False, language_of)
    for file in found.files:
        try:
            raw = read_regular(os.path.join(found.root, file.path))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except UnreadableError as error:
            yield Source(file.path, file.language, "", error.reason)
            continue
        yield _source(file.path, file.language, raw)
    for path, reason in found.skipped:
        yield Source(path, "", "", reason)


def of_commit(location: Location, revision: str) -> tuple[str, Iterator[Source]]:
    """A commit's id, and its source files, by path, as git holds them. Raises UsageError, NotFoundError."""
    import pygit2

    if not location.is_git:
        raise UsageError(f"{location.root} is not in a git repository: there are no revisions to name")
    repository = open_repository(location)
    try:
        commit = repository.revparse_single(revision).peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError) as error:
        raise NotFoundError(f"there is no commit {revision}") from error
    return str(commit.id), _tree(repository, commit.tree, "")


def _tree(repository: pygit2.Repository, tree: pygit2.Tree, prefix: str) -> Iterator[Source]:
    """The rules of the discover stage, for what is committed: all of it is tracked, so nothing is ignored."""
    for item in tree:
        path = prefix + os.fsdecode(item.raw_name or b"")
        mode = int(item.filemode)
        language = language_of(path)
        if mode == _FOLDER:
            if path.rpartition("/")[2] == _DEPENDENCIES:
                yield Source(path, "", "", "dependency folder")
            else:
                yield from _tree(repository, _as_tree(repository, item), path + "/")
        elif mode == _MODULE:
            yield Source(path, "", "", "submodule")
        elif language is not None:
            yield _blob(repository, item, path, language)


def _blob(repository: pygit2.Repository, item: pygit2.Object, path: str, language: str) -> Source:
    if int(item.filemode) == _LINK:
        return Source(path, language, "", "symbolic link")
    if not path.isascii():
        try:
            path.encode()
        except UnicodeEncodeError:
            return Source(os.fsencode(path).decode("utf-8", "backslashreplace"), "", "", "name is not valid UTF-8")
    try:
        if repository.odb.read_header(item.id)[1] > SIZE_LIMIT:
            return Source(path, language, "", too_large())
        return _source(path, language, repository[item.id].data)  # type: ignore[attr-defined]
    except (KeyError, ValueError):
        return Source(path, language, "", "not in this clone")


def _as_tree(repository: pygit2.Repository, item: pygit2.Object) -> pygit2.Tree:
    import pygit2

    try:
        return repository[item.id].peel(pygit2.Tree)
    except (KeyError, ValueError) as error:
        raise NotFoundError("the commit's folders are not in this clone: fetch them first") from error


def _source(path: str, language: str, raw: bytes) -> Source:
    text = normalise(raw)
    if isinstance(text, Skip):
        return Source(path, language, "", text.reason)
    return Source(path, language, text[0].decode("utf-8", "replace"), machine_made(text[0]) or "")
