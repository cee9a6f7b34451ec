"""Which files of a folder are source or configuration, and which blob each of them is."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from indexer.blobs import SIZE_LIMIT, UnreadableError, blob_id, not_regular, read_regular, too_large
from indexer.discover.index import Entry
from indexer.discover.rules import Rules
from indexer.discover.seen import Look
from indexer.discover.tracked import Known, stamp_of
from indexer.discover.walk import is_utf8, shown, walk
from indexer.ports import SourceFile

DECIDING = (".gitignore", ".gitattributes")
"""Files of a folder that decide about others."""


class Kinds(NamedTuple):
    """What files are for, by paths relative to the root."""

    is_configuration: Callable[[str], bool]
    language_of: Callable[[str], str | None]


class Found(NamedTuple):
    """A file on disk that is source, configuration or both."""

    path: str  # as git has it
    on_disk: str  # absolute
    language: str | None
    configuration: bool
    status: os.stat_result
    known: Entry | None  # by git


class Finder:
    """One look at a worktree. What is source by its name and still is left out is in `skipped`, with the reason."""

    def __init__(self, root: str, tracked: Known | None, look: Look, kinds: Kinds, skipped: dict[str, str]) -> None:
        self.found: list[Found] = []
        self.attributes: set[str] = set()
        """The attribute files."""
        self.skipped = skipped
        self.rules = Rules(root, tracked, skipped)
        self._root = root
        self._tracked = tracked
        self._look = look
        self._kinds = kinds

    def walk(self, start: str = "") -> None:
        """Look through a folder that the rules let in, and what is below it."""
        look, root = self._look, self._root
        walk(root, self._visit, self.skipped.__setitem__, lambda prefix: look.note_all(root, [prefix]), start)

    def _visit(self, prefix: str, folders: list[str], entries: list[os.DirEntry[str]]) -> list[str]:
        names = {entry.name for entry in entries}
        self._look.note_all(self._root, [prefix + name for name in DECIDING if name in names])
        self.rules.visit(prefix, ".gitignore" in names)
        if ".gitattributes" in names:
            self.attributes.add(prefix + ".gitattributes")
        for entry in entries:
            self.file(prefix, entry.name)
        return [name for name in folders if self.rules.enter(prefix, name)]

    def file(self, prefix: str, name: str) -> None:
        """Look at what is no folder in the folder that the rules were turned to."""
        path = prefix + name
        language, configuration = self._kinds.language_of(path), self._kinds.is_configuration(path)
        if language is None and not configuration:
            return
        known = self._tracked.find(path) if self._tracked else None
        if known is None and self.rules.ignored(name):
            return
        on_disk = f"{self._root}/{path}"
        if (status := self._status(on_disk, path)) is not None:
            self.found.append(Found(known.path if known else path, on_disk, language, configuration, status, known))

    def _status(self, on_disk: str, path: str) -> os.stat_result | None:
        """The status of a file that can be used; None, with its reason in `skipped`, for another."""
        if not is_utf8(path):
            self.skipped[shown(path)] = "name is not valid UTF-8"
            return None
        try:
            status = os.stat(on_disk, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            self._look.note(path, None)
            return None
        self._look.note(path, status)
        reason = not_regular(status.st_mode)
        if reason is None and status.st_size > SIZE_LIMIT:
            reason = too_large()
        if reason is None and not status.st_mode & 0o444 and not os.access(on_disk, os.R_OK):
            reason = "unreadable: permission denied"
        if reason is None:
            return status
        self.skipped[path] = reason
        return None

    def identified(self) -> tuple[list[SourceFile], list[tuple[str, str]]]:
        """The sources, and the configuration files with their blobs, of all that was found."""
        files: list[SourceFile] = []
        configs: list[tuple[str, str]] = []
        for file in sorted(self.found):
            identity = self._identity(file)
            if identity is None:
                continue
            blob, size, state = identity
            if file.language is not None:
                files.append(SourceFile(file.path, blob, file.language, size, state))
            if file.configuration:
                configs.append((file.path, blob))
        return files, configs

    def _identity(self, file: Found) -> tuple[str, int, str] | None:
        """Blob id, size and state of a file; None when it cannot be read or has gone."""
        tracked, known = self._tracked, file.known
        blob = tracked.unread_blob(known, file.status) if tracked and known else None
        raw, size = None, file.status.st_size
        if blob is None:
            try:
                raw = read_regular(file.on_disk)
            except (FileNotFoundError, NotADirectoryError):
                return None
            except UnreadableError as error:
                self.skipped[file.path] = error.reason
                return None
            blob, size = blob_id(raw), len(raw)  # it may have been written to since its status was taken
        if tracked is None or known is None:
            return blob, size, "untracked"
        return blob, size, tracked.state(known, blob, tracked.unchanged(known, *stamp_of(file.status)), raw)
