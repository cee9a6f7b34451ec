"""Resolve and link: work out which files have to be linked, link them, store their edges."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from indexer.codec import decode, decode_uses
from indexer.link import Linker
from indexer.model import FileFacts
from indexer.pipeline.linking import failure, link_here, make_linker, rules_of
from indexer.pipeline.plan import ConfigurationReader
from indexer.pipeline.relink import asks_bodies, because_asked, because_gone, because_resolved
from indexer.pipeline.report import Reason
from indexer.pipeline.sources import CachedFacts
from indexer.pipeline.state import State
from indexer.ports import Resolver
from indexer.resolve import build_resolvers
from indexer.store.facts import Key
from indexer.store.link_writer import LinkRow

POOL_FILES = 200
"""Fewer files are linked in this process: the workers of a pool start with nothing decoded."""

BATCH_BYTES = 60_000
"""Source of the files of a task: little enough that the last tasks end together, enough that neighbours share what they
look up."""


def link_files(state: State, reconfigured: bool) -> tuple[dict[str, Reason], dict[str, str]]:
    """Link what could come out differently.

    Returns path → why it was linked, and the configuration files that the resolvers read, path → blob ("": not there).
    """
    with state.clock.stage("resolve"):
        reader = ConfigurationReader(state.location.root)
        languages = {path: state.wanted.files[path].language for path in state.mapped()}
        resolvers = build_resolvers(languages, reader, [path for path, _ in state.discovery.configs])
        linking = _Linking(state, resolvers)
    with state.clock.stage("relink"):
        reasons = _to_link(state, reconfigured, linking.linker)
    with state.clock.stage("link"):
        state.progress.begin("link", len(reasons))
        linking.run(sorted(reasons))
    return reasons, reader.seen()


def _to_link(state: State, reconfigured: bool, linker: Linker) -> dict[str, Reason]:
    """Why each file that has to be linked has to be: its own content before others', others' before imports."""
    mapped = state.mapped()
    if state.rebuild:
        return dict.fromkeys(mapped, Reason("new map"))
    reasons: dict[str, Reason] = {}
    moved: list[LinesOf] = []
    for path, old in sorted(state.old.items()):
        for asker, reason in _because_asked(state, path, old, mapped.get(path), moved).items():
            first = reasons.setdefault(asker, reason)
            if first is not reason:
                reasons[asker] = first._replace(others=first.others + 1)
    reasons.update(state.stored)
    if state.files_moved or reconfigured:
        for path, reason in because_resolved(state.writer.module_questions(), linker.answer):
            reasons.setdefault(path, reason)
    reasons = {path: reason for path, reason in sorted(reasons.items()) if path in mapped}
    for symbol, lines in moved:
        state.writer.move_lines(symbol, lines)
    return reasons


LinesOf: TypeAlias = tuple[int, Mapping[int, int]]
"""The id of a function, and its lines: before → now."""


def _because_asked(
    state: State, path: str, old: FileFacts | None, key: Key | None, moved: list[LinesOf]
) -> dict[str, Reason]:
    """The files that asked `path` for something that is different now; `key`: of its facts now, None if it is gone.

    Adds to `moved`.
    """
    askers = state.askers[path]
    if not askers:
        return {}
    if key is None:
        return because_gone(path, "not there with its file", askers)
    new = state.new.get(path) or _decoded(state, key)
    if new is None or old is None:
        return because_gone(path, "not known", askers)
    if old.language != new.language:
        return because_gone(path, "in another language", askers)
    if asks_bodies(askers):
        before, after = state.cache.uses(state.known_keys[path]), state.cache.uses(key)
        if before is None or after is None:
            return because_gone(path, "not known", askers)
        old = old._replace(references=decode_uses(before))
        new = new._replace(references=decode_uses(after))
    again, functions = because_asked(path, old, new, rules_of(old.language), askers)
    ids = state.ids[path] if functions else ()
    moved += [(ids[function.symbol], function.lines) for function in functions]
    return again


def _decoded(state: State, key: Key) -> FileFacts | None:
    row = state.cache.definitions(key)
    return None if row is None else decode(row)


class _Linking:
    """Linking for one state of the repository."""

    def __init__(self, state: State, resolvers: Mapping[str, Resolver]) -> None:
        self._state = state
        self._resolvers = resolvers
        self._keys = state.mapped()
        self._linked: set[str] = set()
        self._sources = CachedFacts(state.cache, self._keys, self._symbol_ids)
        self.linker = make_linker(self._sources, resolvers)

    def run(self, paths: Sequence[str]) -> None:
        """Link files and store what that gives."""
        if self._worth_a_pool(paths):
            self._store(self._in_pool(paths))
        else:
            self._index_symbols()
            self._store(self._here(paths))
        self._finish(paths)

    def _finish(self, paths: Sequence[str]) -> None:
        left = [path for path in paths if path not in self._linked]
        if left:
            self._state.messages.append("a worker died while linking: went on without it")
            self._sources = CachedFacts(self._state.cache, self._keys, self._symbol_ids)
            self.linker = make_linker(self._sources, self._resolvers)
            self._store(self._here(left))
        self._state.writer.end_links()

    def _index_symbols(self) -> None:
        if self._state.rebuild:
            self._state.writer.index_symbols()

    def _worth_a_pool(self, paths: Sequence[str]) -> bool:
        return self._state.options.jobs > 1 and len(paths) > POOL_FILES

    def _here(self, paths: Sequence[str]) -> Iterator[LinkRow]:
        return link_here(paths, self.linker, self._sources)

    def _in_pool(self, paths: Sequence[str]) -> Iterator[LinkRow]:
        """Rows as they are ready, without those that a worker died of."""
        from indexer.pipeline.tasks import LinkContext, linking  # multiprocessing takes a while to load

        state = self._state
        ids = state.ids if state.rebuild else {**state.writer.all_symbol_ids(), **state.ids}
        batches = list(self._batches(paths))
        crew = state.crew()
        context = LinkContext(
            state.location.facts_dir, self._keys, ids, self._resolvers, [batch for _, batch in batches]
        )
        crew.prepare(linking, context)
        results = crew.run([owner for owner, _ in batches])
        self._index_symbols()  # while the workers are at their first tasks
        for _, _, result in results:
            if result is not None:
                yield from map(LinkRow._make, marshal.loads(result))
        state.options.workforce.dismiss()

    def _batches(self, paths: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
        """Files in tasks of about `BATCH_BYTES`, apart by the worker that has their facts."""
        files = self._state.wanted.files
        open_batches: dict[int, tuple[int, list[str]]] = {}
        for path in paths:
            owner = self._state.owners.get(path, -1)
            size, batch = open_batches.pop(owner, (0, []))
            batch.append(path)
            size += files[path].size
            if size < BATCH_BYTES:
                open_batches[owner] = size, batch
            else:
                yield owner, batch
        yield from ((owner, batch) for owner, (_, batch) in open_batches.items())

    def _store(self, rows: Iterable[LinkRow]) -> None:
        state = self._state
        for row in rows:
            if state.rebuild:
                state.writer.add_link(row)
            else:
                state.writer.put_link(row)
            why = failure(row)
            if why is not None:
                state.messages.append(f"{row.path}: {why}")
            self._linked.add(row.path)
            state.edges += len(row.edges)
            state.progress.advance("link", len(self._linked), state.edges)

    def _symbol_ids(self, path: str) -> Sequence[int]:
        return self._state.ids.get(path) or self._state.writer.symbol_ids(path)
