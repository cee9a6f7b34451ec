"""Modules: what an import denotes, and what a module shows to its importers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from indexer.link.index import END_OF_FILE, FileIndex, replaced_before
from indexer.link.indexes import Indexes
from indexer.link.memo import Memo, question
from indexer.link.values import Site, Sites, Value, Values, external, union, unknown
from indexer.model import BindingKind, Expression, Import
from indexer.ports import FactsSource, LinkRules, Resolver, Target

_IMPORT: Final = int(BindingKind.IMPORT)
_VALUE_SITE: Final = "value"


class Modules:
    """Import targets and exports. Keeps the arranged facts of every file it was asked about."""

    def __init__(
        self, sources: FactsSource, resolvers: Mapping[str, Resolver], languages: Mapping[str, LinkRules]
    ) -> None:
        self.memo = Memo()
        self.sources = sources
        self.indexes = Indexes(sources, languages)
        self._resolvers = resolvers

    def index(self, path: str) -> FileIndex:
        """The arranged facts of a mapped file; KeyError for any other path."""
        return self.indexes[path]

    def look_up(self, index: FileIndex, scope: int, name: str) -> None:
        names = index.lookups.get(scope)
        if names is None:
            names = index.lookups[scope] = {}
        lookup = names.get(name)
        if lookup is None:
            lookup = names[name] = index.path, f"{index.scope_names[scope]}.{name}"
        self.memo.lookups.append(lookup)

    def look_up_name(self, path: str, name: str) -> None:
        self.memo.lookups.append((path, name))

    def evaluate(self, index: FileIndex, scope: int, expression: Expression, position: int) -> Values:
        raise NotImplementedError

    def binding_values(self, path: str, number: int) -> Values:
        raise NotImplementedError

    def site_values(self, site: Site) -> Values:
        raise NotImplementedError

    # -- imports

    def resolve(self, index: FileIndex, specifier: str, level: int) -> Target:
        family = index.language.family
        self.memo.lookups.append(("", f"resolve\0{family}\0{index.path}\0{specifier}\0{level}"))
        return self._resolvers[family].resolve(index.path, specifier, level)

    def submodule(self, family: str, value: Value, name: str) -> Value | None:
        """The module `name` of a package, as a value."""
        kind = "file" if value.kind == "module" else "folder"
        self.memo.lookups.append(("", f"member\0{family}\0{kind}\0{value.path}\0{name}"))
        target = self._resolvers[family].member(Target(kind, value.path), name)
        return None if target is None else _as_value(target)

    def import_target(self, path: str, number: int) -> Value:
        """The module that an import statement names."""
        index = self.indexes[path]
        row = index.facts.imports[number]
        return _as_value(self.resolve(index, row.specifier, row.level))

    def import_part(self, path: str, number: int, position: int) -> Value | None:
        """The module that a part of an import's specifier names, by its place: `a` and `a.b` of `from a.b import c`."""
        index = self.indexes[path]
        row = index.facts.imports[number]
        written = row.specifier.encode()
        offset = position - row.at
        if row.at < 0 or not 0 <= offset < len(written):
            return None
        after = written.find(b".", offset)
        named = written if after < 0 else written[:after]
        return _as_value(self.resolve(index, named.decode(), row.level))

    def import_values(self, path: str, number: int) -> Values:
        """What an import binds."""
        return union([self.site_values(site) for site in self.import_sites(path, number)] or [()])

    @question
    def import_sites(self, path: str, number: int) -> Sites:
        """Where what an import binds is defined: a module as a value site, or the definition behind all re-exports."""
        index = self.indexes[path]
        row = index.facts.imports[number]
        if row.dotted:
            row = row._replace(specifier=row.specifier.partition(".")[0])
            return (_value_site(_as_value(self.resolve(index, row.specifier, row.level))),)
        module = _as_value(self.resolve(index, row.specifier, row.level))
        if not row.name or row.kind == "star":
            return (_value_site(module), *self._assigned_exports(module))
        return self._imported(index, row, module)

    def _assigned_exports(self, module: Value) -> Sites:
        """`module.exports = f`: what is required is the function as much as the module."""
        if module.kind != "module" or _is_implicit(self.indexes[module.path]):
            return ()
        self.look_up_name(module.path, "*")
        index = self.indexes[module.path]
        sites = [
            site
            for export in index.facts.exports or ()
            if export.name == "="
            for site in self._export_sites(index, export.expression, export.imported, export.position)
        ]
        return tuple(dict.fromkeys(site for site in sites if site.value is None))

    def _imported(self, index: FileIndex, row: Import, module: Value) -> Sites:
        if module.kind == "external":
            return (_value_site(external(f"{module.path}.{row.name}")),)
        if module.kind == "unknown":
            return (_value_site(module),)
        if module.path == index.path and module.kind == "module":  # a package that takes a module of its own
            found = self.submodule(index.language.family, module, row.name)
            if found is not None:
                return (_value_site(found),)
        return self.module_sites(module, row.name)

    # -- what a module shows

    @question
    def module_sites(self, module: Value, name: str) -> Sites:
        """Where the name `name` of a module or namespace package is defined."""
        if module.kind == "folder":
            found = self.submodule("python", module, name)
            return (_value_site(found or unknown("no such module")),)
        index = self.indexes[module.path]
        self.look_up_name(module.path, f".{name}")
        if index.facts.exports is not None and not _is_implicit(index):
            return self._exported(index, name)
        bound = index.names[0].get(name)
        if bound:
            sites = [site for number in index.final(bound) for site in self.binding_sites(module.path, number)]
            return tuple(dict.fromkeys(sites))
        starred = self.star_sites(module.path, name)
        if starred:
            return starred
        found = self.submodule(index.language.family, module, name)
        if found is not None:
            return (_value_site(found),)
        self.look_up_name(module.path, ".__getattr__")
        if "__getattr__" in index.names[0]:
            return (_value_site(unknown("module defines __getattr__")),)
        if self._has_open_star(index):
            return (_value_site(unknown("may come from a star import")),)
        return (_value_site(unknown("not defined in the module")),)

    def binding_sites(self, path: str, number: int) -> Sites:
        """The definition behind a binding: imports are followed, everything else is its own."""
        binding = self.indexes[path].bindings[number]
        if binding.kind == _IMPORT:
            return self.import_sites(path, binding.target)
        return (Site("binding", path, number, "import"),)

    def _has_open_star(self, index: FileIndex) -> bool:
        """Whether a star import leads out of the repository, so that any name may be there."""
        self.look_up_name(index.path, "*")
        for row in index.stars:
            if row.scope == 0 and self.resolve(index, row.specifier, row.level).kind != "file":
                return True
        return False

    def star_values(self, path: str, name: str) -> Values:
        if not self.indexes[path].stars:
            self.look_up_name(path, "*")
            return ()
        return tuple(dict.fromkeys(v for site in self.star_sites(path, name) for v in self.site_values(site)))

    @question
    def star_sites(self, path: str, name: str) -> Sites:
        """Where a name is defined that a module has through `from x import *`; the last such import wins."""
        index = self.indexes[path]
        self.look_up_name(path, "*")
        hidden = False
        for row in reversed(index.stars):
            target = self.resolve(index, row.specifier, row.level)
            hidden = hidden or target.kind == "external"  # a later star may bring the name instead
            if target.kind == "file" and target.value != path and self.star_shows(target.value, name):
                sites = self.module_sites(Value("module", target.value), name)
                if any(site.value is None or site.value.kind != "unknown" for site in sites):
                    return (_value_site(unknown("may come from a star import")),) if hidden else sites
        return ()

    @question
    def star_shows(self, path: str, name: str) -> bool:
        """Whether `from path import *` takes a name: `__all__` decides, else a leading underscore hides it."""
        index = self.indexes[path]
        self.look_up_name(path, "__all__")
        exports = index.facts.exports
        if exports is None:
            return not name.startswith("_") and self._is_bound(index, name)
        if any(export.name == name for export in exports):
            return True
        added = (export for export in exports if export.name == "*" and export.expression is not None)  # + m.__all__
        return any(
            module.kind == "module" and self.star_shows(module.path, name)
            for export in added
            for module in self.evaluate(index, 0, export.expression, END_OF_FILE)
        )

    def _is_bound(self, index: FileIndex, name: str) -> bool:
        self.look_up_name(index.path, f".{name}")
        return name in index.names[0] or bool(self.star_sites(index.path, name))

    # -- explicit exports

    def _exported(self, index: FileIndex, name: str) -> Sites:
        self.look_up_name(index.path, "*")
        exports = index.facts.exports or ()
        found: list[Site] = []
        whole: list[Site] = []
        named = assigned = False
        """Whether the name is exported, or all of it assigned: where that leads is the answer, also where it leads to
        nothing, as to itself. Else it would depend on where a circle of exports is entered."""
        replaced = replaced_before(exports)
        for export in exports:
            if export.name == name and export.position >= replaced:
                named = True
                found += self._export_sites(index, export.expression, export.imported, export.position)
            elif export.name == "=" and not named:
                assigned = True
                whole += self._export_sites(index, export.expression, export.imported, export.position)
        if named:
            return tuple(dict.fromkeys(found))
        if assigned:
            if name == "default":
                return tuple(whole)
            through = [s for site in whole for value in self.site_values(site) for s in self.sites(value, name)]
            return tuple(dict.fromkeys(through))
        if name != "default":
            behind = dict.fromkeys(
                site
                for export in exports
                if export.name == "*"
                for site in self._behind_star(index, export.imported, name)
            )
            if len({site.path for site in behind if site.value is None}) > 1:
                return (_value_site(unknown("exported by several modules")),)
            if behind:
                return tuple(behind)
        if not exports:
            return (_value_site(unknown("module exports nothing that is followed")),)
        return (_value_site(unknown("not exported by the module")),)

    def _behind_star(self, index: FileIndex, imported: int, name: str) -> Sites:
        row = index.facts.imports[imported]
        target = self.resolve(index, row.specifier, row.level)
        if target.kind != "file":
            return ()
        sites = self.module_sites(Value("module", target.value), name)
        return sites if any(s.value is None or s.value.kind != "unknown" for s in sites) else ()

    def _export_sites(self, index: FileIndex, expression: Expression, imported: int, position: int) -> Sites:
        if imported >= 0:
            return self.import_sites(index.path, imported)
        if isinstance(expression, str) and "." not in expression:
            bound = index.names[0].get(expression)
            if bound:
                return tuple(s for n in index.final(bound) for s in self.binding_sites(index.path, n))
        if expression is not None:
            return tuple(_definition_site(v) for v in self.evaluate(index, 0, expression, END_OF_FILE))
        return ()

    def sites(self, value: Value, name: str) -> Sites:
        raise NotImplementedError


def _definition_site(value: Value) -> Site:
    return Site("symbol", value.path, value.number, "import") if value.kind == "symbol" else _value_site(value)


def _value_site(value: Value) -> Site:
    return Site(_VALUE_SITE, "", 0, "import", value)


def _as_value(target: Target) -> Value:
    if target.kind == "file":
        return Value("module", target.value)
    if target.kind == "folder":
        return Value("folder", target.value)
    if target.kind == "external":
        return external(target.value)
    return unknown(target.value)


def _is_implicit(index: FileIndex) -> bool:
    """Python's `__all__` limits star imports alone; every name of the module can be imported."""
    return index.language.receiver == "first"
