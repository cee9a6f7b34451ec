"""Go to definition: the name at a place of a file, and where it is defined."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, NamedTuple

from indexer.link.engine import Engine
from indexer.link.index import FileIndex
from indexer.link.outside import importing, writes
from indexer.link.values import Site, Value
from indexer.model import BindingKind, Expression, Reference, Role
from indexer.ports import Definition, FactsSource

_KINDS: Final = {
    BindingKind.PARAMETER: "parameter",
    BindingKind.STAR: "parameter",
    BindingKind.KEYWORD_ONLY: "parameter",
    BindingKind.DOUBLE_STAR: "parameter",
    BindingKind.IMPORT: "import",
}

_IMPLICIT: Final = int(Role.IMPLICIT)


class _Found(NamedTuple):
    """Where the name of a reference leads."""

    sites: tuple[Site, ...]
    paths: tuple[str, ...] = ()  # files whose imports may mention it, if it leads out of the repository
    scope: int = 0
    chain: str = ""  # up to the name, if that is a member of something outside of the repository
    start: int = 0  # of the chain


def definitions_at(engine: Engine, sources: FactsSource, path: str, position: int) -> tuple[Definition, ...]:
    """Definitions of the reference, import or definition whose name covers a byte offset, in source order."""
    engine.memo.begin()
    index = engine.index(path)
    reference = _reference(engine, index, sources, position)
    if reference is not None:
        return _definitions(engine, reference.sites) or _instead(engine, index, sources, reference)
    sites = _import_sites(engine, index, position)
    if sites is None:
        sites = _own_sites(index, position)
    return _definitions(engine, sites)


def _definitions(engine: Engine, sites: Sequence[Site]) -> tuple[Definition, ...]:
    found = {definition: None for site in sites for definition in _of_site(engine, site)}
    return tuple(definition for definition in found if definition is not None)


def _instead(engine: Engine, index: FileIndex, sources: FactsSource, found: _Found) -> tuple[Definition, ...]:
    """What can be shown of a name whose definition is not in the repository, or not known."""
    imported = importing(engine, found.sites, found.paths)
    if imported or not found.chain:
        return imported
    return tuple(writes(engine, index, sources, found.scope, found.chain, found.start))


class _References:
    """The references of one file by position."""

    def __init__(self, index: FileIndex, references: Sequence[Reference]) -> None:
        self._references = references
        self._count = count = len(references)
        # What syntax runs is not written where it stands.
        self._widths = [0 if role == _IMPLICIT else _width(index, chain) for _, chain, role, _ in references]
        self._widest = max(self._widths, default=0)
        # Each start with the number of its reference, as one integer: pairs take several times as long to make.
        self._starts = sorted(
            [start * count + n for n, (_, _, _, starts) in enumerate(references) if self._widths[n] for start in starts]
        )

    def at(self, position: int) -> tuple[Reference, int] | None:
        """The first reference that covers `position`, and where it begins there."""
        covering: list[tuple[int, int]] = []
        for at in range(bisect_left(self._starts, (position + 1) * self._count) - 1, -1, -1):
            start, number = divmod(self._starts[at], self._count)
            if position - start >= self._widest:
                break
            if position - start < self._widths[number]:
                covering.append((number, start))
        if not covering:
            return None
        number, start = min(covering)
        return self._references[number], start


def _references(index: FileIndex, sources: FactsSource) -> _References:
    """Those of a file, arranged when first asked for: many positions in few files are what is usual."""
    if index.covering is None:
        index.covering = _References(index, sources.references(index.path))
    found: _References = index.covering
    return found


def _width(index: FileIndex, expression: Expression) -> int:
    """Bytes that a chain, or the last name of another expression, takes; 0 for what has no name of its own."""
    if isinstance(expression, str):
        return len(expression.encode())
    if expression is None or index.facts.expressions[expression][0] != "member":
        return 0
    return len(str(index.facts.expressions[expression][2]).encode())


def _reference(engine: Engine, index: FileIndex, sources: FactsSource, position: int) -> _Found | None:
    found = _references(index, sources).at(position)
    if found is None:
        return None
    (scope, expression, _, positions), start = found
    if isinstance(expression, str):
        return _in_chain(engine, index, scope, expression, start, position)
    if expression is None:
        return None
    row = index.facts.expressions[expression]
    values = engine.evaluate(index, scope, row[1], positions[0])
    return _Found(tuple(dict.fromkeys(site for value in values for site in engine.sites(value, row[2]))), (index.path,))


def _in_chain(engine: Engine, index: FileIndex, scope: int, chain: str, start: int, position: int) -> _Found:
    """Where the part of a chain leads that stands at `position`."""
    parts = chain.split(".")
    head = engine.head(index, scope, parts[0], start)
    if head is not None:
        sites = tuple(s for number in head[1] for s in engine.binding_sites(index.path, number))
    else:
        sites = engine.star_sites(index.path, parts[0]) or tuple(
            Site("value", "", 0, "scope", value) for value in engine.unbound(index, scope, parts[0])
        )
    end = start + len(parts[0].encode())
    if position < end and head is not None and all(site.value is not None for site in sites):
        return _Found(_imports_instead(index, head[1], sites))
    paths: tuple[str, ...] = (index.path,)
    reached = parts[0]
    outside = False
    for part in parts[1:]:
        if position < end:
            break
        paths += tuple([site.path for site in sites if site.value is None])
        values = dict.fromkeys(value for site in sites for value in engine.site_values(site))
        outside = bool(values) and all(value.kind == "external" for value in values)
        sites = tuple(dict.fromkeys(site for value in values for site in engine.sites(value, part)))
        end += 1 + len(part.encode())
        reached += f".{part}"
    return _Found(sites, paths, scope, reached if outside else "", start)


def _imports_instead(index: FileIndex, selection: tuple[int, ...], sites: tuple[Site, ...]) -> tuple[Site, ...]:
    """Of a name that leads out of the repository, the import that brings it in is what can be shown."""
    if any(site.value is not None and site.value.kind in ("module", "symbol") for site in sites):
        return sites
    return tuple(Site("binding", index.path, number, "import") for number in selection)


def _import_sites(engine: Engine, index: FileIndex, position: int) -> tuple[Site, ...] | None:
    for number, row in enumerate(index.facts.imports):
        module = engine.import_part(index.path, number, position)
        if module is not None:
            return (Site("value", "", 0, "import", module),)
        if row.position <= position < row.position + max(len(row.name or row.specifier), 1):
            return engine.import_sites(index.path, number)
    for binding in index.bindings:
        if binding.kind == BindingKind.IMPORT and _covers(binding.position, binding.name, position):
            return engine.import_sites(index.path, binding.target)
    return None


def _own_sites(index: FileIndex, position: int) -> tuple[Site, ...]:
    """A definition is its own definition."""
    for number, symbol in enumerate(index.symbols):
        if number and _covers(symbol.name_byte, symbol.name, position):
            return (Site("symbol", index.path, number, "scope"),)
    for number, binding in enumerate(index.bindings):
        if _covers(binding.position, binding.name, position):
            return (Site("binding", index.path, number, "scope"),)
    return ()


def _covers(start: int, name: str, position: int) -> bool:
    return start <= position < start + len(name.encode())


def _of_site(engine: Engine, site: Site) -> tuple[Definition | None, ...]:
    """An attribute that methods set is defined by the assignments that declare its type; without any, by all."""
    index = engine.index(site.path) if site.kind == "symbol" else None
    if index is None or index.symbols[site.number].kind != "attribute":
        return (_definition(engine, site),)
    symbol = index.symbols[site.number]
    rows = index.attributes.get((index.symbols[symbol.parent].scope, symbol.name), ())
    rows = [row for row in rows if row.target == site.number]
    places = [row.position for row in rows if row.annotation is not None] or [row.position for row in rows]
    definition = _symbol_definition(index, site.number, site.evidence)
    return tuple(definition._replace(position=position) for position in sorted(places)) or (definition,)


def _definition(engine: Engine, site: Site) -> Definition | None:
    if site.value is not None:
        return _value_definition(engine, site.value, site.evidence)
    index = engine.index(site.path)
    if site.kind == "symbol":
        return _symbol_definition(index, site.number, site.evidence)
    if site.kind == "store":
        return _store_definition(index, site.number, site.evidence)
    binding = index.bindings[site.number]
    if binding.kind == BindingKind.SYMBOL:
        return _symbol_definition(index, binding.target, site.evidence)
    owner = index.symbols[index.scopes[binding.scope].symbol]
    qualname = f"{owner.qualname}.{binding.name}" if owner.parent >= 0 else binding.name
    kind = "variable" if binding.target >= 0 and binding.kind == BindingKind.VALUE else "local"
    target = binding.target if kind == "variable" else -1
    return Definition(
        site.path, qualname, _KINDS.get(BindingKind(binding.kind), kind), binding.position, target, site.evidence
    )


def _store_definition(index: FileIndex, number: int, evidence: str) -> Definition:
    """Of an attribute that is set from outside of its class."""
    store = index.facts.stores[number]
    owner = index.symbols[index.scopes[store.scope].symbol]
    chain = f"{store.object}.{store.key}" if isinstance(store.object, str) else str(store.key)
    qualname = f"{owner.qualname}.{chain}" if owner.parent >= 0 else chain
    return Definition(index.path, qualname, "attribute", store.position, -1, evidence)


def _symbol_definition(index: FileIndex, number: int, evidence: str) -> Definition:
    symbol = index.symbols[number]
    return Definition(index.path, symbol.qualname, symbol.kind, symbol.name_byte, number, evidence)


def _value_definition(engine: Engine, value: Value, evidence: str) -> Definition | None:
    if value.kind == "module":
        return Definition(value.path, "<module>", "module", 0, 0, evidence)
    if value.kind == "symbol":
        return _symbol_definition(engine.index(value.path), value.number, evidence)
    return None
