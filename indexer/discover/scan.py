"""The stage itself: one pass over the folders, then a blob id for each file that matters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from indexer.discover.deciding import deciding_files
from indexer.discover.finding import Finder, Kinds
from indexer.discover.git import NO_HEAD, Head
from indexer.discover.location import Location, submodule
from indexer.discover.seen import Look, Seen
from indexer.discover.tracked import UNTRACKED, Again, Tracked
from indexer.discover.walk import is_utf8, shown
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
    again: Again | None  # what a later look needs beside this to look at nothing but what has changed


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
    if tracked is not None:
        skipped.update((shown(path), "submodule") for path in tracked.submodules)
    finder = Finder(location.root, tracked, look, Kinds(is_configuration, language_of), skipped)
    finder.walk()
    look.note_all(location.root, skipped)
    if tracked is not None:
        tracked.read_attributes(location.root, finder.attributes)
    files, configs = finder.identified()
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
        again=tracked.again if tracked else UNTRACKED,
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
