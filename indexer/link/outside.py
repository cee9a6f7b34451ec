"""Names that lead out of the repository: the statements of it that can be shown instead of their definitions."""

from __future__ import annotations

from collections.abc import Iterable

from indexer.link.engine import Engine
from indexer.link.index import FileIndex
from indexer.link.values import Site
from indexer.model import BindingKind, Role
from indexer.ports import Definition, FactsSource

_IMPORT = int(BindingKind.IMPORT)
_WRITE = int(Role.WRITE)


def importing(engine: Engine, sites: Iterable[Site], paths: Iterable[str]) -> tuple[Site, ...]:
    """The imports that spell the dotted names of what `sites` lead to, `a.b` in `import a.b.c`; those of the first file
    that has any. A name that no import mentions has none."""
    names = [site.value.path for site in sites if site.value is not None and site.value.kind == "external"]
    for path in dict.fromkeys(paths):
        found = [site for name in names for site in _imports_of(engine.index(path), name)]
        if found:
            return tuple(dict.fromkeys(found))
    return ()


def _imports_of(index: FileIndex, name: str) -> list[Site]:
    if "." not in name:
        return []  # the head of a chain: which of its imports holds is known
    found = []
    for number, binding in enumerate(index.bindings):
        if binding.kind == _IMPORT:
            row = index.facts.imports[binding.target]
            full = f"{row.specifier}.{row.name}" if row.name else row.specifier
            if not row.level and (full == name or full.startswith(f"{name}.")):
                found.append(Site("binding", index.path, number, "import"))
    return found


def writes(
    engine: Engine, index: FileIndex, sources: FactsSource, scope: int, chain: str, start: int
) -> list[Definition]:
    """The assignments `a.b = …` of a chain that starts at `start`, in the function it stands in or in its module: where
    it is not known what `a` is, they are what can be shown of `a.b`. What follows the question is left out, if there is
    something before."""
    name = chain.partition(".")[0]
    head = engine.head(index, scope, name, start)
    if head is None:
        return []
    function = index.function_scope(scope)
    here: list[tuple[int, int]] = []  # (position, scope)
    around: list[tuple[int, int]] = []
    for place, written, role, positions in sources.references(index.path):
        if role == _WRITE and written == chain:
            own = index.function_scope(place)
            for position in positions:
                if own in (function, 0) and _is_same(engine, index, head, place, name, position):
                    (here if own == function else around).append((position, place))
    before = [row for row in here if row[0] <= start]
    if any(position == start for position, _ in before):
        before = [(start, scope)]
    return [_written(index, place, chain, position) for position, place in sorted(before or here or around)]


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
