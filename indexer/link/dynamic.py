"""Members that a class has though its body does not define them: from its metaclass, `__getattr__` or a decorator."""

from __future__ import annotations

from typing import Final

from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.modules import Modules
from indexer.link.values import CONTAINERS, INSTANCES, Site, Sites, Value, Values, unknown
from indexer.model import Expression

_HARMLESS_DECORATORS: Final = frozenset(
    {"dataclass", "define", "final", "frozen", "runtime_checkable", "s", "total_ordering", "unique"}
)
_HARMLESS_METACLASSES: Final = frozenset({"abc.ABCMeta", "builtins.type", "enum.EnumMeta", "enum.EnumType"})
_MAKING_MEMBERS: Final = ("__call__", "__getattr__", "__getattribute__", "__init__", "__new__", "__prepare__")
_PROTOCOLS: Final = frozenset({"typing.Protocol", "typing_extensions.Protocol"})
_FOLLOWED: Final = INSTANCES | CONTAINERS | {"bound", "symbol"}


class Dynamic(Modules):
    """What makes classes differ from how they are written."""

    def is_class(self, value: Value) -> bool:
        raise NotImplementedError

    def lineage(self, path: str, symbol: int) -> Values:
        raise NotImplementedError

    def bases(self, path: str, symbol: int) -> Values:
        raise NotImplementedError

    def own_sites(self, index: FileIndex, symbol: int, name: str, evidence: str) -> Sites:
        raise NotImplementedError

    def site_symbol(self, site: Site) -> int:
        raise NotImplementedError

    def call(self, value: Value) -> Values:
        raise NotImplementedError

    @question
    def metaclasses(self, path: str, symbol: int) -> Values:
        """The metaclass of a class, its own or that of the nearest base that has one; `()` where none is named."""
        for value in self.lineage(path, symbol):
            if value.kind != "symbol":
                continue
            index = self.indexes[value.path]
            row = index.classes.get(value.number)
            named = [expression for name, expression in row.keywords if name == "metaclass"] if row is not None else []
            if row is not None and named:
                position = index.symbols[value.number].name_byte
                return tuple(v for v in self.evaluate(index, row.origin, named[0], position) if self.is_class(v))
        return ()

    def dynamic(self, index: FileIndex, symbol: int) -> Sites:
        """Why a class may itself have members that nobody defines, or what they are; `()` where it has none."""
        if self.own_sites(index, symbol, "__getattr__", "scope"):
            return self.looked_up(index.path, symbol)
        row = index.classes.get(symbol)
        if row is None:
            return ()
        if any(self._last_name(index, part) not in _HARMLESS_DECORATORS for part in row.decorators):
            return (Site("value", "", 0, "unknown", unknown("class is changed by its decorator")),)
        if row.keywords and self.metaclass_changes(index.path, symbol):
            return (Site("value", "", 0, "unknown", unknown("class is changed by its metaclass")),)
        return ()

    @staticmethod
    def _last_name(index: FileIndex, expression: Expression) -> str:
        """The last name of a decorator, called or not; "" where it has none."""
        if isinstance(expression, int):
            row = index.facts.expressions[expression]
            expression = row[1] if row[0] == "call" else None
        return expression.rpartition(".")[2] if isinstance(expression, str) else ""

    @question
    def metaclass_changes(self, path: str, symbol: int) -> bool:
        """Whether the metaclass that a class names may give it members: it is not known, or it makes the class."""
        index = self.indexes[path]
        row = index.classes[symbol]
        for name, expression in row.keywords:
            if name == "metaclass":
                for value in self.evaluate(index, row.origin, expression, index.symbols[symbol].name_byte):
                    lineage = self.lineage(value.path, value.number) if self.is_class(value) else (value,)
                    if not all(self._leaves_alone(owner) for owner in lineage):
                        return True
        return False

    def _leaves_alone(self, owner: Value) -> bool:
        """Whether a metaclass leaves the members of its classes as they are written."""
        if owner.kind != "symbol":
            return owner.kind == "external" and owner.path in _HARMLESS_METACLASSES
        index = self.indexes[owner.path]
        return not any(self.own_sites(index, owner.number, name, "scope") for name in _MAKING_MEMBERS)

    @question
    def is_callback(self, path: str, symbol: int) -> bool:
        """Whether a class is a protocol that functions satisfy."""
        bases = self.bases(path, symbol)
        if not any(base.kind == "external" and base.path in _PROTOCOLS for base in bases):
            return False
        return bool(self.own_sites(self.indexes[path], symbol, "__call__", ""))

    @question
    def looked_up(self, path: str, symbol: int) -> Sites:
        """What the members that a class looks up itself are: what its `__getattr__` gives; the sites say where."""
        found: dict[Site, None] = {}
        methods = [self.site_symbol(s) for s in self.own_sites(self.indexes[path], symbol, "__getattr__", "scope")]
        for method in methods:
            if method >= 0:
                for value in self.call(Value("bound", path, method)):
                    if value.kind in _FOLLOWED:
                        found[Site("value", path, method, "type", value)] = None
        unlike = Site("value", path, max(methods, default=-1), "unknown", unknown("class defines __getattr__"))
        return tuple(found) or (unlike,)
