"""One run over a map that is locked: compare, store, link, finish."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import orjson

from indexer.compressed import DamagedBytesError
from indexer.discover import Discovery, Location, seen
from indexer.discover.found import pack
from indexer.extract import fingerprint
from indexer.languages import LANGUAGES
from indexer.pipeline.plan import Plan, Wanted, configuration_changed, encoded_configs, make_plan
from indexer.pipeline.report import Clock, Progress, Reason, Report
from indexer.pipeline.state import Options, State
from indexer.ports import SourceFile
from indexer.program import code_of, installation
from indexer.store import states
from indexer.store.connect import FACTS_NAME, MAP_NAME, DamagedError, explained, new_map, open_facts, open_map, publish
from indexer.store.facts import FactsCache, Key
from indexer.store.writer import KnownFile, MapWriter


def run(
    location: Location,
    discovery: Discovery,
    options: Options,
    progress: Progress,
    clock: Clock,
    messages: list[str],
) -> Report:
    """Make the map agree with `discovery`.

    Raises DamagedError for a database to be set aside, StoreError for one that cannot be written.
    """
    state: State | None = None
    connection: sqlite3.Connection | None = None
    cache: FactsCache | None = None
    try:
        with clock.stage("compare"):
            connection = open_map(location.map_dir)
            fresh = connection is None
            if connection is None:
                connection = new_map(location.map_dir)
            cache = FactsCache(open_facts(location.facts_dir))
            state = _state(location, discovery, options, progress, clock, messages, connection, cache, fresh)
        report = _update(state, fresh)
        _note_seen(state)
        if fresh:
            with clock.stage("store"):
                publish(connection, location.map_dir)
        return replace(report, messages=tuple(messages))
    except sqlite3.Error as error:
        paths = Path(location.map_dir, MAP_NAME), Path(location.facts_dir, FACTS_NAME)
        raise explained(error, *paths) from error
    except DamagedBytesError as error:  # of facts: those of the map are told by its writer
        raise DamagedError(Path(location.facts_dir, FACTS_NAME), "is damaged") from error
    finally:
        if connection is not None:
            connection.close()
        if state is not None:
            cache = state.cache  # linking may have opened it anew
        if cache is not None:
            cache.close()


def _state(
    location: Location,
    discovery: Discovery,
    options: Options,
    progress: Progress,
    clock: Clock,
    messages: list[str],
    connection: sqlite3.Connection,
    cache: FactsCache,
    fresh: bool,
) -> State:
    writer = MapWriter(connection)
    meta = writer.meta()
    fingerprints: dict[str, str] = orjson.loads(meta.get("fingerprints", "{}"))
    if meta.get("installation") != installation():
        fingerprints = {language.name: fingerprint(language.name) for language in LANGUAGES}
    rebuild = fresh or options.full or meta.get("code") != code_of(meta)
    known = {} if rebuild else writer.known_files()
    restored = 0 if rebuild else _go_back(writer, known, discovery)
    if restored:
        known = writer.known_files()
    before: dict[str, str] = {} if rebuild else orjson.loads(meta["fingerprints"])
    return State(
        location=location,
        discovery=discovery,
        options=options,
        progress=progress,
        clock=clock,
        messages=messages,
        fingerprints=fingerprints,
        writer=writer,
        cache=cache,
        rebuild=rebuild,
        wanted=Wanted(discovery.files, fingerprints),
        known=known,
        known_keys={path: Key(file.blob, file.language, before.get(file.language, "")) for path, file in known.items()},
        skipped={},
        unmapped=set(),
        restored=restored,
    )


def _go_back(writer: MapWriter, known: Mapping[str, KnownFile], discovery: Discovery) -> int:
    """Make the map what it was in a state that is much nearer to what is on disk, if it was in one; gives the number of
    files of which something came back."""
    wanted = {file.path: file for file in discovery.files}
    gone = sum(path not in wanted for path in known)
    if gone + sum(map(_differs, map(known.get, wanted), wanted.values())) < states.WORTH:
        return 0
    now = {file.id: (path, (file.blob, file.language)) for path, file in known.items()}
    near = writer.states.nearest(now, {path: (file.blob, file.language) for path, file in wanted.items()})
    if near is None:
        return 0
    writer.begin()
    return writer.states.enter(near)


def _differs(known: KnownFile | None, file: SourceFile) -> bool:
    """Whether the map has a file otherwise."""
    return known is None or known.blob != file.blob or known.language != file.language


def _update(state: State, fresh: bool) -> Report:
    with state.clock.stage("compare"):
        meta = state.writer.meta()
        reconfigured = state.rebuild or configuration_changed(state.location.root, state.discovery.configs, meta)
        plan = _plan(state, reconfigured)
    if not (state.rebuild or state.restored or reconfigured or plan.changes):
        return _up_to_date(state, meta)
    # Here, because a run that finds nothing to do must not wait for extractors and linker to load.
    from indexer.pipeline.link_stage import link_files
    from indexer.pipeline.storing import store_files

    state.writer.begin()
    with state.clock.stage("extract"):
        if state.rebuild:
            if not fresh:
                state.writer.reset()
            state.writer.expect_many()
        else:
            state.writer.states.begin(plan.size)
        store_files(state, plan)
    reasons: dict[str, Reason] = {}
    read: dict[str, str] = orjson.loads(meta.get("read", "{}"))
    if state.rebuild or reconfigured or state.stored or state.removed:
        reasons, read = link_files(state, reconfigured)
    with state.clock.stage("store"):
        counts = _finish(state, plan, read)
    return _report(state, counts, reasons, unchanged=False)


def _plan(state: State, reconfigured: bool) -> Plan:
    plan = make_plan(
        state.wanted,
        dict(state.discovery.skipped),
        state.known,
        state.known_keys,
        {} if state.rebuild else state.writer.known_skipped(),
        state.cache,
        reextract=state.options.full,
        relink=reconfigured,
        complete=not (state.rebuild or state.restored) and state.writer.meta().get("facts") == state.cache.state(),
    )
    state.skipped.update(plan.skipped)
    state.unmapped.update(path for path in plan.skipped if path in state.wanted.files)
    return plan


def _up_to_date(state: State, meta: Mapping[str, str]) -> Report:
    """Nothing to do, but to note that the same content is now that of another commit."""
    head = {**_head(state.discovery), "submodules": "yes" if state.options.submodules else "no"}
    moved = any(meta.get(key) != value for key, value in head.items())
    if moved or meta.get("installation") != installation():
        state.writer.begin()
        state.writer.set_meta({**head, **({"built_at": _now()} if moved else {}), "installation": installation()})
        state.writer.commit()
    counts = int(meta["files"]), int(meta["symbols"]), int(meta["edges"])
    return _report(state, counts, {}, unchanged=not moved)


def _finish(state: State, plan: Plan, read: Mapping[str, str]) -> tuple[int, int, int]:
    """Write what follows from the rest, and commit."""
    writer = state.writer
    if state.rebuild or state.skipped != writer.known_skipped():
        writer.set_skipped(state.skipped)
    if state.text_lost:
        from indexer.pipeline.storing import all_described

        writer.rebuild_text(all_described(state))
    if state.rebuild:
        writer.index_links()
    files, symbols, edges = writer.counts()
    if not state.rebuild:
        writer.states.end(plan.size, edges)
    writer.set_meta(
        {
            **_head(state.discovery),
            "built_at": _now(),
            "code": code_of(writer.meta()),
            "installation": installation(),
            "submodules": "yes" if state.options.submodules else "no",
            "fingerprints": orjson.dumps(dict(state.fingerprints), option=orjson.OPT_SORT_KEYS).decode(),
            "configs": encoded_configs(state.discovery.configs),
            "read": encoded_configs(read.items()),
            "facts": state.cache.state(),
            "files": str(files),
            "symbols": str(symbols),
            "edges": str(edges),
        }
    )
    writer.commit()
    return files, symbols, edges


def _note_seen(state: State) -> None:
    """Keep what discover and the resolvers looked at, for whoever asks later whether anything has changed."""
    read: dict[str, str] = orjson.loads(state.writer.meta().get("read", "{}"))
    location = state.location
    looked = state.discovery.seen.with_others(location.root, read)
    try:
        seen.write(location.map_dir, looked._replace(found=pack(state.discovery, installation())))
    except OSError as error:  # the map is good without
        state.messages.append(f"what was seen could not be noted, so that the next question looks again: {error}")


def _head(discovery: Discovery) -> dict[str, str]:
    head, time = discovery.head, discovery.head_time
    return {"commit": head or "", "head_time": "" if time is None else str(time)}


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _report(state: State, counts: tuple[int, int, int], reasons: dict[str, Reason], *, unchanged: bool) -> Report:
    files, symbols, edges = counts
    return Report(
        files=files,
        symbols=symbols,
        edges=edges,
        skipped=len(state.skipped),
        extracted=len(state.extracted),
        relinked=len(reasons),
        removed=len(state.removed),
        seconds=state.clock.total(),
        unchanged=unchanged,
        rebuilt=state.rebuild,
        relink_reasons=reasons,
        messages=tuple(state.messages),
        extract_reasons=dict(sorted(state.extracted.items())),
        restored=state.restored,
        removed_files=tuple(sorted(state.removed)),
    )
