"""Extract what is not cached, and bring the file and symbol tables up to date."""

from __future__ import annotations

from collections.abc import Iterator

from indexer.codec import decode
from indexer.model import FileFacts
from indexer.pipeline.extraction import Extracted, Extraction, describe
from indexer.pipeline.plan import Plan
from indexer.pipeline.report import Reason
from indexer.pipeline.state import State
from indexer.ports import SourceFile
from indexer.store.facts import FactsRow
from indexer.store.text import Described

_PORTION_BYTES = 2_000_000
"""Facts are committed in portions of this size, so that no other worktree waits long for the cache."""


def store_files(state: State, plan: Plan) -> None:
    """Carry out the plan for files and symbols; what their links have to know is left in `state`."""
    state.changing = frozenset((*(file.path for file in plan.store), *plan.remove))
    for file in plan.restate:
        state.writer.set_state(file)
    for path in plan.remove:
        _remove(state, path)
    to_store = {file.path for file in plan.store}
    to_extract = {file.path for file in plan.extract}
    state.progress.begin("extract", len(plan.extract))
    for extracted in _extracted(state, plan.extract):
        state.extracted[extracted.file.path] = _why(state, extracted.file)
        _take(state, extracted, to_store)
        state.progress.advance("extract", len(state.extracted), state.symbols)
    for file in plan.store:
        if file.path not in to_extract:
            _store_cached(state, file)


def _extracted(state: State, files: tuple[SourceFile, ...]) -> Iterator[Extracted]:
    """Extract, committing facts to the cache in portions as they come."""
    portion: list[FactsRow] = []
    size = 0
    for extracted in Extraction(state).run(files):
        if extracted.row is not None:
            portion.append(extracted.row)
            size += len(extracted.row.definitions) + len(extracted.row.uses)
            if size > _PORTION_BYTES:
                state.cache.put(portion)
                portion, size = [], 0
        yield extracted
    if portion:
        state.cache.put(portion)


def _why(state: State, file: SourceFile) -> Reason:
    """Why a file is parsed."""
    known = state.known_keys.get(file.path)
    if known is None:
        return Reason("new map" if state.rebuild else "new")
    if (known.blob, known.language) != (file.blob, file.language):
        return Reason("changed")
    return Reason("lost" if known.fingerprint == state.fingerprints[file.language] else "reader")


def _take(state: State, extracted: Extracted, to_store: set[str]) -> None:
    """Store what came of one file, which may have changed since discover saw it."""
    file = extracted.file
    changed = file.blob != state.wanted.keys[file.path].blob
    if changed:
        file = file._replace(state="modified" if file.state == "committed" else file.state)
        state.wanted.set(file)
    if extracted.described is None:
        state.unmapped.add(file.path)
        if extracted.reason:
            state.skipped[file.path] = extracted.reason
        if file.path in state.known:
            _remove(state, file.path)
    elif changed or file.path in to_store:
        _store(state, file, extracted.described)


def _store_cached(state: State, file: SourceFile) -> None:
    row = state.cache.described(state.wanted.keys[file.path])
    assert row is not None, "the plan found it in the cache"
    facts = decode(row[0], documents=row[1])
    if file.path in state.known:
        state.new[file.path] = facts
    _store(state, file, describe(facts))


def _store(state: State, file: SourceFile, described: Described) -> None:
    known = state.known.get(file.path)
    if known is None:
        ids = state.writer.add_file(file, described)
        state.stored[file.path] = Reason("new")
        state.files_moved = True
    else:
        old = _forget(state, file.path)
        ids = state.writer.replace_file(file, described, None if old is None else describe(old))
        same = known.blob == file.blob and known.language == file.language
        state.stored[file.path] = Reason("reader" if same else "changed")
        state.files_moved = state.files_moved or known.language != file.language
    state.ids[file.path] = ids
    state.symbols += len(ids)


def _remove(state: State, path: str) -> None:
    old = _forget(state, path)
    state.writer.remove_file(path, None if old is None else describe(old))
    state.removed.append(path)
    state.files_moved = True


def _forget(state: State, path: str) -> FileFacts | None:
    """The facts the map has of a file that goes or changes. Keeps them, and who else asked for something of them."""
    row = state.cache.described(state.known_keys[path])
    old = None if row is None else decode(row[0], documents=row[1])
    state.old[path] = old
    state.askers[path] = state.writer.askers(path, state.changing)
    if old is None:
        state.text_lost = True
    return old


def all_described(state: State) -> Iterator[tuple[str, Described]]:
    """What the facts of every mapped file say, by path."""
    for path, key in state.mapped().items():
        row = state.cache.described(key)
        if row is not None:
            yield path, describe(decode(row[0], documents=row[1]))
