"""Files by what they depend on."""

from __future__ import annotations

from collections import Counter

from indexer.errors import AmbiguousError, NotFoundError
from indexer.store.reader import FileRow, Reader
from queries import locate
from queries.names import near
from queries.relations import FileEdge, FileRelations
from queries.session import Session


def dependencies(session: Session, file: str) -> FileRelations:
    """The files that a file depends on, strongest first. Raises NotFoundError, AmbiguousError."""
    return _relations(session, file, "source")


def dependents(session: Session, file: str) -> FileRelations:
    """The files that depend on a file, strongest first. Raises NotFoundError, AmbiguousError."""
    return _relations(session, file, "target")


def one_file(reader: Reader, path: str) -> FileRow:
    """The mapped file that a path, or the end of one, denotes."""
    known = reader.paths()
    found = locate.matching_paths(known, path)
    if len(found) > 1:
        raise AmbiguousError(f"{path} fits {len(found)} files: say which", tuple(found))
    row = reader.file(found[0]) if found else None
    if row is None:
        name = path.rpartition("/")[2]
        same = [each for each in known if each.rpartition("/")[2] == name]
        raise NotFoundError(f"{path} is not in the map", tuple(same[:6]) or near(path, known))
    return row


def _relations(session: Session, file: str, column: str) -> FileRelations:
    with session.read() as reader:
        row = one_file(reader, file)
        places = session.neighbours.file_edges(row.id, column=column)
    kinds: dict[tuple[str, str], Counter[str]] = {}
    lines: dict[tuple[str, str], dict[str, set[int]]] = {}
    for source, target, kind, line in places:
        pair = source, target
        kinds.setdefault(pair, Counter())[kind] += 1
        lines.setdefault(pair, {}).setdefault(kind, set()).add(line)
    edges = [
        FileEdge(
            source,
            target,
            tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0]))),
            tuple(sorted(lines[source, target].get("imports") or set().union(*lines[source, target].values()))),
        )
        for (source, target), counts in kinds.items()
    ]
    edges.sort(key=lambda edge: (-sum(count for _, count in edge.kinds), edge.source, edge.target))
    return FileRelations(row.path, tuple(edges))
