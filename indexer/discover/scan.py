"""The stage itself: one pass over the folders, then a blob id for each file that matters."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from indexer.blobs import SIZE_LIMIT, UnreadableError, blob_id, not_regular, read_regular, too_large
from indexer.discover.deciding import deciding_files
from indexer.discover.git import NO_HEAD, Head
from indexer.discover.location import Location, submodule
from indexer.discover.rules import Rules
from indexer.discover.seen import Look, Seen
from indexer.discover.tracked import Tracked
from indexer.discover.walk import is_utf8, shown, walk
from indexer.errors import RepositoryError
from indexer.ports import SourceFile


@dataclass(frozen=True, slots=True)
class Discovery:
    """What a worktree or folder holds now. Orders are by path, bytewise."""

    root: str  # absolute real path
    map_dir: str
    facts_dir: str
    files: tuple[SourceFile, ...]
    configs: tuple[tuple[str, str], ...]  # (path, blob) of configuration files
    skipped: tuple[tuple[str, str], ...]  # (path, reason)
    head: str | None  # commit id; None outside git and before the first commit
    head_time: int | None  # seconds since 1970 UTC
    branch: str | None  # None when detached
    seen: Seen  # what all this was read from


class _Found(NamedTuple):
    """A file on disk that is source, configuration or both."""

    path: str  # as git has it
    on_disk: str  # absolute
    language: str | None
    configuration: bool
    status: os.stat_result


def discover(
    location: Location,
    is_configuration: Callable[[str], bool],
    language_of: Callable[[str], str | None],
    *,
    submodules: bool = False,
) -> Discovery:
    """Every source file of a location, with the id of the bytes now on disk.

    `is_configuration` and `language_of` are asked with paths relative to the root. With `submodules`, those that are
    checked out are part of it, each by the rules and the index of its own repository; else they are in `skipped`.
    Raises RepositoryError when git's part cannot be read; a file or submodule that cannot be is in `skipped`.
    """
    look = Look()
    look.note_all(location.root, deciding_files(location))
    tracked = Tracked(location) if location.is_git else None
    if tracked is not None:
        look.note_all(location.root, [*tracked.exclude_files, *tracked.attribute_files])
    skipped: dict[str, str] = {}
    found = _found(location.root, tracked, skipped, look, is_configuration, language_of)
    files: list[SourceFile] = []
    configs: list[tuple[str, str]] = []
    for path in tracked.submodules if tracked and submodules else ():
        inside = _submodule(location.root, path, is_configuration, language_of)
        skipped.pop(shown(path))
        if isinstance(inside, str):
            skipped[shown(path)] = inside
            continue
        files += [file._replace(path=f"{path}/{file.path}") for file in inside.files]
        configs += [(f"{path}/{name}", blob) for name, blob in inside.configs]
        skipped.update((f"{shown(path)}/{name}", reason) for name, reason in inside.skipped)
        look.take(path, inside.seen)
    for file in sorted(found):
        identity = _identity(file, tracked, skipped)
        if identity is None:
            continue
        blob, size, state = identity
        if file.language is not None:
            files.append(SourceFile(file.path, blob, file.language, size, state))
        if file.configuration:
            configs.append((file.path, blob))
    head: Head = tracked.head if tracked else NO_HEAD
    return Discovery(
        root=location.root,
        map_dir=location.map_dir,
        facts_dir=location.facts_dir,
        files=tuple(sorted(files)),
        configs=tuple(sorted(configs)),
        skipped=tuple(sorted(skipped.items())),
        head=head.commit,
        head_time=head.time,
        branch=head.branch,
        seen=look.seen(),
    )


def _submodule(
    root: str, path: str, is_configuration: Callable[[str], bool], language_of: Callable[[str], str | None]
) -> Discovery | str:
    """What a submodule holds, with paths relative to it, or why it is left out."""
    try:
        location = submodule(root, path) if is_utf8(path) else None
        if location is None:
            return "submodule, not checked out"
        return discover(
            location,
            lambda inside: is_configuration(f"{path}/{inside}"),
            lambda inside: language_of(f"{path}/{inside}"),
            submodules=True,
        )
    except RepositoryError as error:
        return f"submodule: {error}"


def _found(
    root: str,
    tracked: Tracked | None,
    skipped: dict[str, str],
    look: Look,
    is_configuration: Callable[[str], bool],
    language_of: Callable[[str], str | None],
) -> list[_Found]:
    """The files worth a blob id. Fills `skipped` with what is source by its name and still is left out."""
    if tracked is not None:
        skipped.update((shown(path), "submodule") for path in tracked.submodules)
    rules = Rules(root, tracked, skipped)
    found: list[_Found] = []
    attributes: set[str] = set()

    def visit(prefix: str, folders: list[str], entries: list[os.DirEntry[str]]) -> list[str]:
        names = {entry.name for entry in entries}
        look.note_all(root, [prefix + name for name in (".gitignore", ".gitattributes") if name in names])
        rules.visit(prefix, ".gitignore" in names)
        if ".gitattributes" in names:
            attributes.add(prefix + ".gitattributes")
        for entry in entries:
            path = prefix + entry.name
            language = language_of(path)
            configuration = is_configuration(path)
            if language is None and not configuration:
                continue
            known = tracked.find(path) if tracked else None
            if known is None and rules.ignored(entry.name):
                continue
            if (status := _status(entry, path, skipped, look)) is not None:
                found.append(_Found(known.path if known else path, entry.path, language, configuration, status))
        return [name for name in folders if rules.enter(prefix, name)]

    walk(root, visit, skipped.__setitem__, lambda prefix: look.note_all(root, [prefix]))
    look.note_all(root, skipped)
    if tracked is not None:
        tracked.read_attributes(root, attributes)
    return found


def _status(entry: os.DirEntry[str], path: str, skipped: dict[str, str], look: Look) -> os.stat_result | None:
    """The status of a file that can be used; None, with its reason in `skipped`, for another."""
    if not is_utf8(path):
        skipped[shown(path)] = "name is not valid UTF-8"
        return None
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        look.note(path, None)
        return None
    look.note(path, status)
    reason = not_regular(status.st_mode)
    if reason is None and status.st_size > SIZE_LIMIT:
        reason = too_large()
    if reason is None and not status.st_mode & 0o444 and not os.access(entry.path, os.R_OK):
        reason = "unreadable: permission denied"
    if reason is None:
        return status
    skipped[path] = reason
    return None


def _identity(file: _Found, tracked: Tracked | None, skipped: dict[str, str]) -> tuple[str, int, str] | None:
    """Blob id, size and state of a file; None when it cannot be read or has gone."""
    known = tracked.find(file.path) if tracked else None
    blob = tracked.unread_blob(known, file.status) if tracked and known else None
    raw, size = None, file.status.st_size
    if blob is None:
        try:
            raw = read_regular(file.on_disk)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except UnreadableError as error:
            skipped[file.path] = error.reason
            return None
        blob, size = blob_id(raw), len(raw)  # it may have been written to since its status was taken
    if tracked is None or known is None:
        return blob, size, "untracked"
    return blob, size, tracked.state(known, blob, tracked.unchanged(known, file.status), raw)
