"""What other files can see of a file, name by name, so that an edit relinks those who saw it and nobody else.

Keys are the names that links record as looked up:

    "scope.name"   a binding or member; ".name" for the module's own
    "f()"          what a call of f gives                     "C:"    the bases of a class
    "f{}"          what f calls with what it is given         "f{:}"  on which of its lines it does
    "f(2,x,)"      the parameters that arguments go to (see `shapes`)
    "name@"        the calls of something of that name
    "v.*"          whether an object has members of its own
    "=name"        what is set as an attribute of that name from outside of classes
    "[]"           what is put into containers, and the functions that others hand calls on to (`@f.register`)
    "C[]"          the names that a class's body declares with a type, in order
    "*"            star imports, star exports and `module.exports = …`     "__all__"   the exported names

Descriptions hold no byte offsets: moving code does not change what others see of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

from indexer.link.arguments import CallSite
from indexer.link.bodies import Bodies
from indexer.link.described import Describer
from indexer.link.descriptors import declared
from indexer.link.index import END_OF_FILE, FileIndex, replaced_before
from indexer.link.shapes import SHAPE, all_parameters, filled_by, function_of, told_filled, told_used
from indexer.link.taint import in_result
from indexer.model import Expression, FileFacts
from indexer.ports import LinkRules

BODY: Final = "{}"
LINES: Final = "{:}"
"""How keys end that ask for references."""


class Surface:
    """What a file shows to links of other files."""

    def __init__(self, facts: FileFacts, rules: LinkRules) -> None:
        index = FileIndex("", facts, rules)
        self._index = index
        self._facts = facts
        self._told = Describer(index)
        self._bindings: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)  # key → (scope, name)
        for scope, names in enumerate(index.names):
            for name in names:
                self._bindings[f"{index.scope_names[scope]}.{name}"].append((scope, name))
        self._children: defaultdict[str, list[int]] = defaultdict(list)
        self._symbols: defaultdict[str, list[int]] = defaultdict(list)
        for number, symbol in enumerate(facts.symbols):
            self._symbols[symbol.qualname].append(number)
            if symbol.parent >= 0:
                self._children[f"{self._owner(symbol.parent)}.{symbol.name}"].append(number)
        self._attributes: defaultdict[str, list[int]] = defaultdict(list)
        for number, attribute in enumerate(facts.attributes):
            self._attributes[f"{index.scope_names[attribute.scope]}.{attribute.name}"].append(number)
        self._bodies = Bodies(index, self._told)

    def names(self) -> frozenset[str]:
        """Every name that is described as something."""
        facts = self._facts
        found = {*self._bindings, *self._children, *self._attributes, "*", "__all__", "[]"}
        found.update(f".{export.name}" for export in facts.exports or ())
        found.update(f"={store.key}" for store in facts.stores if store.kind == "attribute")
        found.update(f"{self._owner(s.parent)}.*" for s in facts.symbols if s.parent >= 0)
        for row in facts.functions:
            qualname = facts.symbols[row.symbol].qualname
            found.update((*(qualname + mark for mark in ("()", BODY, LINES)), all_parameters(qualname)))
        found.update(f"{s.name}@" for s in facts.symbols if self._index.calls_named(s.name))
        for kind in facts.classes:
            found.update(facts.symbols[kind.symbol].qualname + mark for mark in ("()", ":", "[]"))
        return frozenset(found)

    def describe(self, key: str) -> Any:
        """What is there under a name."""
        if key == "*":
            return self._stars()
        if key == "__all__":
            return self._exports()
        if key == "[]":
            return self._additions()
        if key.endswith("[]"):
            return [declared(self._index, n) for n in self._symbols.get(key[:-2], ()) if n in self._index.classes]
        if key.startswith("="):
            return self._stores(key[1:])
        if key.endswith("@"):
            return self._calls(key[:-1])
        if key.endswith(SHAPE):
            return [told_filled(self._index, number, key) for number in self.named(function_of(key))]
        if key.endswith(".*"):
            return any(number in self._index.children for number in self._owned(key[:-2]))
        if key.endswith("()"):
            return [self._call(number) for number in self._symbols.get(key[:-2], ())]
        if key.endswith(BODY):
            return [(self._call(number), self._bodies.calls(number)) for number in self._symbols.get(key[:-2], ())]
        if key.endswith(LINES):
            return [self._bodies.lines(number) for number in self.named(key.removesuffix(LINES))]
        if key.endswith(":"):
            return [self._class(number) for number in self._symbols.get(key[:-1], ())]
        return self._name(key)

    def named(self, qualname: str) -> list[int]:
        """The symbols of a qualified name, in the order in which descriptions have them."""
        return self._symbols.get(qualname, [])

    def _owner(self, symbol: int) -> str:
        row = self._facts.symbols[symbol]
        return row.qualname if row.parent >= 0 else ""

    def _owned(self, qualname: str) -> list[int]:
        return self._symbols.get(qualname, []) if qualname else [0]

    # -- names

    def _name(self, key: str) -> tuple[Any, ...]:
        index, told = self._index, self._told
        owner, _, name = key.rpartition(".")
        bound = []
        for scope, bound_name in self._bindings.get(key, ()):
            numbers = index.names[scope][bound_name]
            final = [numbers.index(number) for number in index.final(numbers)] if len(numbers) > 1 else []
            bound.append((told.where(scope), final, [told.binding(number) for number in numbers]))
        children = [told.symbol(number) for number in self._children.get(key, ())]
        attributes = [told.attribute(number) for number in self._attributes.get(key, ())]
        exports = [] if owner else [self._export(e) for e in self._facts.exports or () if e.name == name]
        return bound, children, attributes, exports, self._stores(name) if owner else []

    def _stores(self, name: str) -> list[Any]:
        told = self._told
        found = []
        for number in self._index.stores.get(name, ()) if name else ():
            row = self._facts.stores[number]
            place = row.scope, row.position
            found.append((told.where(row.scope), *(told.expression(e, *place) for e in (row.object, row.value))))
        return found

    def _additions(self) -> list[Any]:
        told = self._told
        found: list[Any] = []
        for target, row in self._index.additions():
            place = row.scope, row.position
            parts = [told.expression(part, *place) for part in (target, row.key, row.value)]
            found.append((told.where(row.scope), parts, row.name, row.spread, row.sure))
        for number in sorted(self._index.decorated.intersection(self._index.functions)):
            function = self._index.functions[number]
            if any(
                ".register" in str(self._facts.expressions[d] if isinstance(d, int) else d) for d in function.decorators
            ):
                around = self._index.scopes[function.origin].parent  # `@f.register` puts a function beside f
                found.append((told.symbol(number), self._decorators(around, function.decorators, number)))
        return found

    # -- functions and classes

    def _call(self, number: int) -> tuple[Any, ...]:
        index, told = self._index, self._told
        function = index.functions.get(number)
        if function is None:
            row = index.classes.get(number)
            parts = () if row is None else self._decorators(row.origin, row.decorators, number)
            return (told.symbol(number), parts)
        annotation = told.expression(function.annotation, function.origin, END_OF_FILE)
        returns = [told.expression(part, function.origin, END_OF_FILE) for part in function.returns]
        yields = [told.expression(part, function.origin, END_OF_FILE) for part in function.yields]
        decorators = self._decorators(index.scopes[function.origin].parent, function.decorators, number)
        depends = in_result(index, number)
        return (told.symbol(number), told.where(function.origin), told_used(index, number, depends), annotation,
                returns, yields, decorators, depends)  # fmt: skip

    def _decorators(self, scope: int, decorators: Iterable[Expression], symbol: int) -> tuple[Any, ...]:
        position = self._facts.symbols[symbol].name_byte
        return tuple([self._told.expression(decorator, scope, position) for decorator in decorators])

    def _class(self, number: int) -> tuple[Any, ...]:
        index, told = self._index, self._told
        row = index.classes.get(number)
        if row is None:
            return (told.symbol(number),)
        symbol = index.symbols[number]
        around = max(index.scopes[symbol.scope].parent, 0) if symbol.scope >= 0 else 0
        variables = list(index.names[around]) if index.scopes[around].kind == "block" else []
        parts = [
            told.expression(part, scope, position)
            for part in (*row.bases, *row.implements)
            for scope, position in ((row.origin, symbol.name_byte), (max(symbol.scope, 0), END_OF_FILE))
        ]
        keywords = [(name, told.expression(value, row.origin, symbol.name_byte)) for name, value in row.keywords]
        decorators = self._decorators(row.origin, row.decorators, number)
        return (told.symbol(number), told.where(row.origin), len(row.bases), parts, keywords, decorators, variables)

    def _calls(self, name: str) -> tuple[Any, ...]:
        """The calls of what has a name, with the parameters of what they may run that they fill."""
        index, told = self._index, self._told
        calls = index.calls_named(name)
        made = [(told.where(scope), told.expression(row, scope, position)) for scope, row, position in calls]
        names = (name, index.language.constructor)
        functions = [number for number in index.functions if index.symbols[number].name in names] if calls else []
        shapes = {filled_by("", CallSite(index, 0, self._facts.expressions[row][2], 0, 0), 1) for _, row, _ in calls}
        return made, [[told_filled(index, number, shape) for shape in sorted(shapes)] for number in functions]

    # -- modules

    def _stars(self) -> list[Any]:
        facts = self._facts
        stars = [(row.specifier, row.level, row.scope == 0) for row in facts.imports if row.kind == "star"]
        exports = [self._export(export) for export in facts.exports or () if export.name in ("*", "=")]
        return [stars, exports, facts.exports is None, facts.exports == ()]

    def _exports(self) -> list[Any]:
        exports = self._facts.exports
        return [exports is None, [self._export(export) for export in exports or ()]]

    def _export(self, export: Any) -> tuple[Any, ...]:
        gone = export.position < replaced_before(self._facts.exports or ())
        value = self._told.expression(export.expression, 0, END_OF_FILE)
        return (export.name, value, self._told.imported(export.imported), gone)
