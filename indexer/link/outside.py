"""Names that lead out of the repository: the statements of it that can be shown instead of their definitions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from indexer.link.engine import Engine
from indexer.link.index import FileIndex
from indexer.link.values import Site
from indexer.model import Import, Role
from indexer.ports import Definition, FactsSource

_WRITE: Final = int(Role.WRITE)


def importing(engine: Engine, sites: Iterable[Site], paths: Iterable[str]) -> tuple[Definition, ...]:
    """Where imports spell the dotted names of what `sites` lead to, as `import a.b.c` does `a.b`: those of the first
    file that has such. `from a.b import c` counts where no import of a whole module does. What none spells has none."""
    names = [site.value.path for site in sites if site.value is not None and site.value.kind == "external"]
    for path in dict.fromkeys(paths):
        index = engine.index(path)
        found = [row for name in names if "." in name for row in _spelling(index, name)]
        whole = [definition for imported, definition in found if not imported.name]
        if found:
            return tuple(dict.fromkeys(whole or [definition for _, definition in found]))
    return ()


def _spelling(index: FileIndex, name: str) -> list[tuple[Import, Definition]]:
    found = []
    for row in index.facts.imports:
        if row.level or row.kind == "dynamic":
            continue
        if row.name and f"{row.specifier}.{row.name}" == name:
            at = row.position
        elif row.at >= 0 and f"{row.specifier}.".startswith(f"{name}."):
            at = row.at + len(name.rpartition(".")[0].encode()) + 1
        else:
            continue
        owner = index.symbols[index.scopes[row.scope].symbol]
        qualname = f"{owner.qualname}.{name}" if owner.parent >= 0 else name
        found.append((row, Definition(index.path, qualname, "import", at, -1, "import")))
    return found


def writes(
    engine: Engine, index: FileIndex, sources: FactsSource, scope: int, chain: str, start: int
) -> list[Definition]:
    """The assignments `a.b = …` before `start`, where that chain starts, in the function that it stands in, or those in
    its module: where `a` is nothing of the repository, they are what can be shown of `a.b`."""
    name = chain.partition(".")[0]
    head = engine.head(index, scope, name, start)
    if head is None:
        return []
    function = index.function_scope(scope)
    before: list[tuple[int, int]] = []  # (position, scope)
    around: list[tuple[int, int]] = []
    for place, written, role, positions in sources.references(index.path):
        if role == _WRITE and written == chain:
            own = index.function_scope(place)
            for position in positions:
                if own not in (function, 0) or not _is_same(engine, index, head, place, name, position):
                    continue
                if own != function:
                    around.append((position, place))
                elif position <= start:
                    before.append((position, place))
    if any(position == start for position, _ in before):
        before = [(start, scope)]
    return [_written(index, place, chain, position) for position, place in sorted(before or around)]


def _is_same(
    engine: Engine, index: FileIndex, head: tuple[int, tuple[int, ...]], scope: int, name: str, position: int
) -> bool:
    """Whether a name at another place is the same variable, and may hold the same."""
    other = engine.head(index, scope, name, position)
    return other is not None and other[0] == head[0] and not set(other[1]).isdisjoint(head[1])


def _written(index: FileIndex, scope: int, chain: str, position: int) -> Definition:
    owner = index.symbols[index.scopes[scope].symbol]
    qualname = f"{owner.qualname}.{chain}" if owner.parent >= 0 else chain
    before = chain.rpartition(".")[0]
    return Definition(index.path, qualname, "attribute", position + len(before.encode()) + 1, -1, "scope")
