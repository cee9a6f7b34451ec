"""What has changed since the map was made: the file table against what discover found."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import orjson

from indexer.blobs import UnreadableError, blob_id, read_regular
from indexer.ports import SourceFile
from indexer.store.facts import FactsCache, Key
from indexer.store.writer import KnownFile


@dataclass(frozen=True)
class Plan:
    """Paths are disjoint between `store`, `restate` and `remove`, but for files that turn out to have no facts."""

    store: tuple[SourceFile, ...]  # new to the map, or other bytes
    extract: tuple[SourceFile, ...]  # whose facts are not cached; may hold files that are not stored
    restate: tuple[SourceFile, ...]  # same bytes, committed or modified since
    remove: tuple[str, ...]
    skipped: Mapping[str, str]  # path → reason, as far as known before extraction
    reskip: bool  # the map lists other skipped files

    @property
    def changes(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.store or self.restate or self.remove or self.reskip)

    @property
    def size(self) -> int:
        """Files that come, go, or have other bytes."""
        return len(self.store) + len(self.remove)


class Wanted:
    """The files discover found, by path, with the keys of their facts."""

    def __init__(self, files: Iterable[SourceFile], fingerprints: Mapping[str, str]) -> None:
        self.files = {file.path: file for file in files}
        self.keys = {
            path: Key(file.blob, file.language, fingerprints[file.language]) for path, file in self.files.items()
        }

    def set(self, file: SourceFile) -> None:
        """Take note of a file that is not any more as discover found it."""
        self.files[file.path] = file
        self.keys[file.path] = self.keys[file.path]._replace(blob=file.blob)


def make_plan(
    wanted: Wanted,
    listed_skipped: Mapping[str, str],
    known: Mapping[str, KnownFile],
    known_keys: Mapping[str, Key],
    known_skipped: Mapping[str, str],
    cache: FactsCache,
    *,
    reextract: bool,
    relink: bool,
    complete: bool,
) -> Plan:
    """Compare.

    known, known_keys, known_skipped: what the map has; all empty when it is made anew.
    reextract: take no facts from the cache.
    relink: something will be linked even if no file changed, so that all facts are needed.
    complete: the facts of all that the map has are known to be in the cache.
    """
    changed = [file for path, file in wanted.files.items() if known_keys.get(path) != wanted.keys[path]]
    cached = {} if reextract else cache.known(wanted.keys[file.path] for file in changed)
    reasons = {file.path: cached.get(wanted.keys[file.path], "") for file in changed}
    store = tuple(file for file in changed if not reasons[file.path])
    skipped = {**listed_skipped, **{path: reason for path, reason in reasons.items() if reason}}
    remove = tuple(path for path in known if path not in wanted.files or path in skipped)
    missing = [file for file in store if wanted.keys[file.path] not in cached]
    if (store or remove or relink) and not complete:
        missing += _lost(wanted, {file.path for file in changed}, cache)
    return Plan(
        store=store,
        extract=tuple(sorted(missing)),
        restate=tuple(
            file
            for path, file in wanted.files.items()
            if path in known and known[path].state != file.state and known_keys[path] == wanted.keys[path]
        ),
        remove=remove,
        skipped=skipped,
        reskip=skipped != dict(known_skipped),
    )


def _lost(wanted: Wanted, changed: set[str], cache: FactsCache) -> list[SourceFile]:
    """Unchanged files whose facts are not in the cache any more, and will be needed by others' links."""
    keys = {key: path for path, key in wanted.keys.items() if path not in changed}
    cached = cache.known(keys)
    return [wanted.files[path] for key, path in keys.items() if key not in cached]


class ConfigurationReader:
    """Reads configuration files for the resolvers, and remembers what each one held.

    Resolvers may follow one file to another, so only reading tells which files they depend on.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._bytes: dict[str, bytes | None] = {}

    def __call__(self, path: str) -> bytes | None:
        if path not in self._bytes:
            self._bytes[path] = _read(self._root, path)
        return self._bytes[path]

    def seen(self) -> dict[str, str]:
        """path → blob id of what was read, "" for files that were not there."""
        return {path: "" if raw is None else blob_id(raw) for path, raw in sorted(self._bytes.items())}


def configuration_changed(root: str, configs: Iterable[tuple[str, str]], meta: Mapping[str, str]) -> bool:
    """Whether the configuration that the map was resolved with is another one now.

    `configs`: (path, blob) as discover lists them; other files that the resolvers read are read again.
    """
    now = dict(configs)
    if encoded_configs(now.items()) != meta.get("configs"):
        return True
    reader = ConfigurationReader(root)
    before: dict[str, str] = orjson.loads(meta.get("read", "{}"))
    others = [path for path in before if path not in now]
    for path in others:
        reader(path)
    return reader.seen() != {path: before[path] for path in sorted(others)}


def encoded_configs(configs: Iterable[tuple[str, str]]) -> str:
    return orjson.dumps(dict(configs), option=orjson.OPT_SORT_KEYS).decode()


def _read(root: str, path: str) -> bytes | None:
    try:
        return read_regular(os.path.join(root, path))
    except (FileNotFoundError, NotADirectoryError, UnreadableError, ValueError):
        return None
