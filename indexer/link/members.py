"""Members of classes, instances, modules and objects: where a name after a dot is found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from indexer.link.contexts import OPEN
from indexer.link.dynamic import Dynamic
from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.mro import merged
from indexer.link.values import CONTAINERS, DEFINITE, INSTANCES, UNKNOWN_RECEIVER, Site, Sites, Value, Values, unknown
from indexer.model import BindingKind, Class, Expression, Flag

_INSTANCE: Final = int(Flag.INSTANCE)
_PROPERTY: Final = int(Flag.PROPERTY)
_SETTER: Final = int(Flag.SETTER)
_STATIC: Final = int(Flag.STATIC)
_HOLDERS: Final = frozenset({"instance", "made", "symbol"})
_BINDING_KINDS: Final = frozenset({"class", "namespace", "enum", "interface"})
_BARE: Final = frozenset({"ABC", "Generic", "NamedTuple", "Protocol", "TypedDict", "object"})
_OF_GENERIC: Final = frozenset({"__class_getitem__"})  # what `Generic` and `Protocol` do bring
_NO_SUCH_MEMBER: Final = (Site("value", "", 0, "unknown", unknown("no such member")),)
_UNKNOWN_RECEIVER: Final = Site("value", "", 0, "unknown", unknown(UNKNOWN_RECEIVER))


class Members(Dynamic):
    """Class hierarchies and member look-up."""

    def is_class(self, value: Value) -> bool:
        return value.kind == "symbol" and self.indexes[value.path].symbols[value.number].kind in ("class", "interface")

    # -- hierarchies

    @question
    def bases(self, path: str, symbol: int) -> Values:
        """The values of a class's bases, in order; unknown ones included."""
        index = self.indexes[path]
        self.look_up_name(path, f"{index.symbols[symbol].qualname}:")
        row = index.classes.get(symbol)
        if row is None:
            return ()
        found: list[Value] = []
        for base in self._base_expressions(row):
            subscript = index.facts.expressions[base] if isinstance(base, int) else ("",)
            named = subscript[1] if subscript[0] == "item" else base  # `Generic[T]`
            values = self.evaluate(index, row.origin, named, index.symbols[symbol].name_byte)
            found += [v for v in values if v.kind in ("external", "unknown") or self.is_class(v) or is_record(v)] or [
                unknown("base class is not followed")
            ]
        return tuple(dict.fromkeys(found))

    @staticmethod
    def _base_expressions(row: Class) -> Iterable[Expression]:
        return (*row.bases, *row.implements) if row.implements else row.bases

    @question
    def lineage(self, path: str, symbol: int) -> Values:
        """The classes searched for a member, in method resolution order (C3; depth first where C3 fails).

        Bases outside the repository and unknown ones stand where they were met first.
        Source: https://www.python.org/download/releases/2.3/mro/
        """
        own = Value("symbol", path, symbol)
        bases = self.bases(path, symbol)
        lines = [list(self.lineage(b.path, b.number)) if b.kind == "symbol" else [b] for b in bases]
        order = merged([line for line in lines if line] + [list(bases)])
        if order is None:
            order = list(dict.fromkeys(value for line in lines for value in line))
        return (own, *(value for value in order if value != own))

    # -- members

    def sites(self, value: Value, name: str) -> Sites:
        """Where `value.name` is defined. Several sites where a name is bound several times."""
        kind = value.kind
        if kind == "external":
            return (Site("value", "", 0, "external", Value("external", f"{value.path}.{name}")),)
        if kind == "unknown":
            return (_UNKNOWN_RECEIVER if value.path in DEFINITE else Site("value", "", 0, "unknown", value),)
        if kind in INSTANCES:
            if name == "__class__":
                return (Site("value", "", 0, "type", class_of(value)),)
            found = self._class_sites(value.path, value.number, name, "type")
            return _received(
                self._stored_sites(value, name, found) if name in self.indexes[value.path].stores else found, value
            )
        if kind == "super":
            above = self.lineage(value.path, value.number)[1:]
            if not above and name in self.indexes[value.path].language.object_members:
                return (_object_site(name),)
            return _received(self._lineage_sites(above, name), value)
        if kind == "symbol" or kind == "bound":
            return self._symbol_sites(value, name)
        if kind in ("module", "folder"):
            return self.module_sites(value, name)
        if kind in CONTAINERS:
            if kind == "group" and (found := self.group_sites(value, name)):
                return found
            return (Site("value", "", 0, "external", Value("external", f"{self.type_of(value)}.{name}")),)
        return (_UNKNOWN_RECEIVER,)

    def type_of(self, value: Value) -> str:
        raise NotImplementedError

    def group_sites(self, value: Value, name: str) -> Sites:
        raise NotImplementedError

    def getter_given(self, path: str, symbol: int) -> Sites:
        raise NotImplementedError

    def record_sites(self, value: Value, name: str) -> Sites:
        raise NotImplementedError

    def _stored_sites(self, value: Value, name: str, found: Sites) -> Sites:
        """What code of the class's own file sets an attribute to, from outside the class."""
        path = value.path
        self.look_up_name(path, f"={name}")
        index = self.indexes[path]
        stored: list[Site] = []
        for number in index.stores[name]:
            store = index.facts.stores[number]
            for held in self.evaluate(index, store.scope, store.object, store.position):
                if held.path == path and held.number == value.number and held.kind in _HOLDERS:
                    stored.append(Site("store", path, number, "type"))
                    break
        if not stored:
            return found
        return (*(site for site in found if site.value is None or site.value.kind != "unknown"), *stored)

    def _symbol_sites(self, value: Value, name: str) -> Sites:
        index = self.indexes[value.path]
        kind = index.symbols[value.number].kind
        if kind == "class":
            found = self._class_sites(value.path, value.number, name, "scope")
            if not found or (found[0].value is not None and found[0].value.kind == "unknown"):
                found = self._made_by_metaclass(value, name, found)
            return _received(self._stored_sites(value, name, found) if name in index.stores else found, value)
        own = self.own_sites(index, value.number, name, "scope")
        if name in index.stores:
            own = self._stored_sites(value, name, own)
        if own:
            return own
        if name in index.language.object_members:
            return (_object_site(name),)
        if index.symbols[value.number].flags & (_PROPERTY | _SETTER):  # `@size.setter`
            if name == "fget" and index.symbols[value.number].flags & _PROPERTY:
                return (Site("value", "", 0, "type", value),)
            return (Site("value", "", 0, "external", Value("external", f"builtins.property.{name}")),)
        if kind in ("function", "method", "lambda"):
            return (Site("value", "", 0, "unknown", unknown("attribute of a function")),)
        return _NO_SUCH_MEMBER

    def _made_by_metaclass(self, value: Value, name: str, found: Sites) -> Sites:
        """A member that a class has as an object of its metaclass; `found` where it has none."""
        for owner in self.metaclasses(value.path, value.number):
            if owner.kind == "symbol":
                sites = self._class_sites(owner.path, owner.number, name, "type")
                if sites and sites[0].kind != "value":
                    return _received(sites, Value("instance", owner.path, owner.number))
        return found

    def _class_sites(self, path: str, symbol: int, name: str, evidence: str) -> Sites:
        """A member of a class: its own, or one of the classes it inherits from, in method resolution order."""
        index = self.indexes[path]
        own = self.own_sites(index, symbol, name, evidence)
        if own and (own[0].kind == "binding" or not self._may_set_property(index, symbol, own)):
            return own
        bases = self.bases(path, symbol)
        if len(bases) == 1 and bases[0].kind == "symbol":
            found = self.inherited_sites(bases[0].path, bases[0].number, name)
        else:
            found = self._lineage_sites(self.lineage(path, symbol)[1:], name)
            if not bases and name in index.language.object_members:
                return (_object_site(name),)
            if name == "fget" and not own:
                return self.getter_given(path, symbol) or found
        if own:
            return found if self._are_properties(found) else own
        if found == _NO_SUCH_MEMBER:
            return self.dynamic(index, symbol) or found
        return found

    @staticmethod
    def _may_set_property(index: FileIndex, symbol: int, own: Sites) -> bool:
        """Whether what a class itself has under a name is set on its objects alone, so that a property that it inherits
        would be what is set."""
        row = index.classes.get(symbol)
        return bool(row and row.bases) and all(index.symbols[site.number].flags & _INSTANCE for site in own)

    def _are_properties(self, sites: Sites) -> bool:
        """Whether sites in the repository are all properties."""
        for site in sites:
            index = self.indexes[site.path] if site.kind == "binding" else None
            binding = None if index is None else index.bindings[site.number]
            if index is None or binding is None or binding.kind != BindingKind.SYMBOL:
                return False
            if not index.symbols[binding.target].flags & (_PROPERTY | _SETTER):
                return False
        return True

    @question
    def inherited_sites(self, path: str, symbol: int, name: str) -> Sites:
        """The sites of a member of the only base of a class: asked once for all its subclasses."""
        return self._class_sites(path, symbol, name, "inheritance")

    def _lineage_sites(self, lineage: Values, name: str) -> Sites:
        outside: Value | None = None
        for value in lineage:
            if value.kind == "group":
                if outside is None and (fields := self.record_sites(value, name)):
                    return fields
                continue
            if value.kind != "symbol":
                if outside is None or value.kind == "unknown":
                    outside = value
                continue
            found = self.own_sites(self.indexes[value.path], value.number, name, "inheritance")
            if found and outside is not None and not (_is_bare(outside) and name not in _OF_GENERIC):
                return (Site("value", "", 0, "unknown", unknown("a base outside the repository comes first")),)
            if found:
                return found
        if outside is not None:
            if outside.kind == "external":
                return (Site("value", "", 0, "external", Value("external", f"{outside.path}.{name}")),)
            return (Site("value", "", 0, "unknown", unknown("class has an unknown base")),)
        if any(is_record(value) for value in lineage):
            return (Site("value", "", 0, "external", Value("external", f"builtins.tuple.{name}")),)
        if name in self._object_members(lineage):
            return (_object_site(name),)
        for value in lineage:
            dynamic = self.dynamic(self.indexes[value.path], value.number)
            if dynamic:
                return dynamic
        return _NO_SUCH_MEMBER

    def _object_members(self, lineage: Values) -> frozenset[str]:
        return next((self.indexes[v.path].language.object_members for v in lineage if v.kind == "symbol"), frozenset())

    def own_sites(self, index: FileIndex, symbol: int, name: str, evidence: str) -> Sites:
        """What a class, object or namespace itself binds under a name, not what it inherits."""
        row = index.symbols[symbol]
        if row[5] > 0:
            self.look_up(index, row[5], name)
        else:
            self.look_up_name(index.path, f"{row[1]}.{name}")
        bound = index.names[row[5]].get(name) if row[5] > 0 and row[3] in _BINDING_KINDS else None
        children = index.children.get(symbol)
        children_named = children.get(name) if children else None
        if not bound:
            if not children_named:
                return ()
            kept = [n for n in children_named if self._counts(index, n, False)]
            return tuple([Site("symbol", index.path, n, evidence) for n in kept])
        found = [Site("binding", index.path, number, evidence) for number in index.final(bound)]
        if children_named:
            taken = {index.bindings[site.number].target for site in found}
            kept = [n for n in children_named if n not in taken and self._counts(index, n, True)]
            found += [Site("symbol", index.path, n, evidence) for n in kept]
        return tuple(found)

    @staticmethod
    def _counts(index: FileIndex, number: int, bound: bool) -> bool:
        """Whether a child symbol is a member in its own right: bindings of the class scope speak for the rest, and what
        stands in a function's body is not the function's."""
        symbol = index.symbols[number]
        if index.symbols[symbol.parent].kind in ("function", "method", "lambda"):
            return symbol.kind == "method" or bool(symbol.flags & _STATIC)
        return not bound or symbol.kind == "attribute"


def is_record(value: Value) -> bool:
    """Whether a value is a class of named tuples that a call made, see `records`."""
    return value.kind == "group" and value.path == "record class"


def class_of(value: Value) -> Value:
    """The class of an object, as `type(x)` gives it."""
    return Value("symbol", value.path, value.number, OPEN if value.kind == "instance" else 0)


def _received(sites: Sites, receiver: Value) -> Sites:
    """Sites that remember the object or class in which they were looked for."""
    if len(sites) == 1 and sites[0].kind == "value":
        return sites
    return tuple([
        site if site.kind == "value" else Site(site[0], site[1], site[2], site[3], site[4], receiver) for site in sites
    ])  # fmt: skip


def _is_bare(base: Value) -> bool:
    """Whether a base outside the repository is known to bring no members of its own that code calls."""
    return base.kind == "external" and base.path.rpartition(".")[2] in _BARE


def _object_site(name: str) -> Site:
    return Site("value", "", 0, "external", Value("external", f"builtins.object.{name}"))
