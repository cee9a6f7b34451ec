"""Resolve and link: work out which files have to be linked, link them, store their edges."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from indexer.link import Linker
from indexer.pipeline.comparing import asked_for_what_differs
from indexer.pipeline.linking import failure, link_here, make_linker
from indexer.pipeline.plan import ConfigurationReader
from indexer.pipeline.relink import because_resolved
from indexer.pipeline.report import Reason
from indexer.pipeline.sources import CachedFacts
from indexer.pipeline.state import State
from indexer.ports import Resolver
from indexer.resolve import build_resolvers
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
    reasons, moved = asked_for_what_differs(state, mapped, in_pool=_worth_a_pool(state, len(state.stored)))
    reasons.update(state.stored)
    if state.files_moved or reconfigured:
        for path, reason in because_resolved(state.writer.module_questions(), linker.answer):
            reasons.setdefault(path, reason)
    reasons = {path: reason for path, reason in sorted(reasons.items()) if path in mapped}
    for symbol, lines in moved:
        state.writer.move_lines(symbol, lines)
    return reasons


def _worth_a_pool(state: State, files: int) -> bool:
    return state.options.jobs > 1 and files > POOL_FILES


class _Linking:
    """Linking for one state of the repository."""

    def __init__(self, state: State, resolvers: Mapping[str, Resolver]) -> None:
        self._state = state
        self._resolvers = resolvers
        self._keys = state.mapped()
        self._linked: set[str] = set()
        self._sources = CachedFacts(state.cache, self._keys, partial(_symbol_ids, state))
        self.linker = make_linker(self._sources, resolvers)

    def run(self, paths: Sequence[str]) -> None:
        """Link files and store what that gives."""
        if _worth_a_pool(self._state, len(paths)):
            self._store(self._in_pool(paths))
        else:
            self._index_symbols()
            self._store(self._here(paths))
        self._finish(paths)

    def _finish(self, paths: Sequence[str]) -> None:
        left = [path for path in paths if path not in self._linked]
        if left:
            self._state.messages.append("a worker died while linking: went on without it")
            self._sources = CachedFacts(self._state.cache, self._keys, partial(_symbol_ids, self._state))
            self.linker = make_linker(self._sources, self._resolvers)
            self._store(self._here(left))
        self._state.writer.end_links()

    def _index_symbols(self) -> None:
        if self._state.rebuild:
            self._state.writer.index_symbols()

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


def _symbol_ids(state: State, path: str) -> Sequence[int]:
    return state.ids.get(path) or state.writer.symbol_ids(path)
