"""Link files one after the other, and put what that gives into the form in which it is stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import orjson

from indexer.compressed import SMALL, compress
from indexer.languages import LANGUAGES, by_name
from indexer.link import Linker
from indexer.pipeline.sources import CachedFacts
from indexer.ports import Link, LinkRules, Resolver
from indexer.store import lookups
from indexer.store.link_writer import LinkRow

FAILED = "unresolved: link failed"


def make_linker(sources: CachedFacts, resolvers: Mapping[str, Resolver]) -> Linker:
    return Linker(sources, resolvers, {language.name: language for language in LANGUAGES})


def rules_of(language: str) -> LinkRules:
    """What the linker must know of a language."""
    return by_name(language)


def link_here(paths: Sequence[str], linker: Linker, sources: CachedFacts) -> Iterator[LinkRow]:
    """Link files in this process, in the order given."""
    for path in paths:
        yield linked(linker, sources, path)


def linked(linker: Linker, sources: CachedFacts, path: str) -> LinkRow:
    try:
        return encoded(path, linker.link(path))
    except Exception as error:  # noqa: BLE001 - one file's failure is recorded in its counts and must not stop the run
        number = sum(len(positions) for _, _, _, positions in sources.references(path))
        counts = {f"{FAILED} ({type(error).__name__})": number}
        asked, modules = linker.looked_up(path)
        return encoded(path, Link(edges=(), pending=(), counts=counts, lookups=asked, modules=modules))


def encoded(path: str, link: Link) -> LinkRow:
    """A link as it is stored."""
    return LinkRow(
        path,
        link.edges,
        link.pending,
        orjson.dumps(link.counts, option=orjson.OPT_SORT_KEYS).decode(),
        lookups.encoded(link.lookups),
        compress(orjson.dumps(link.modules), SMALL),
        tuple(link.lookups),
    )


def failure(row: LinkRow) -> str | None:
    """Why a file could not be linked; None where it was."""
    if FAILED not in row.counts:
        return None
    return cast(str, next(state for state in orjson.loads(row.counts) if state.startswith(FAILED)))
