"""What other files can see of a file, name by name, so that an edit relinks those who saw it and nobody else.

Keys are the names that links record as looked up:

    "scope.name"   a binding or member; ".name" for the module's own
    "f()"          what a call of f gives        "C:"   the bases of a class
    "v.*"          whether an object has members of its own
    "*"            star imports, star exports and `module.exports = …`     "__all__"   the exported names

Descriptions hold no byte offsets: moving code does not change what others see of it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from indexer.link.index import replaced_before
from indexer.model import Binding, BindingKind, Expression, FileFacts

_LITERALS = frozenset({"literal", "unknown"})


def changed_bindings(old: FileFacts | None, new: FileFacts | None) -> frozenset[str]:
    """The names that `old` and `new` describe differently; all names where one of them is absent."""
    before = surface(old) if old is not None else {}
    after = surface(new) if new is not None else {}
    return frozenset(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def surface(facts: FileFacts) -> dict[str, list[Any]]:
    """A description of everything that links can look up in a file."""
    described = _Surface(facts)
    described.bindings()
    described.symbols()
    described.attributes()
    described.functions_and_classes()
    described.exports()
    return described.entries


class _Surface:
    def __init__(self, facts: FileFacts) -> None:
        self.entries: defaultdict[str, list[Any]] = defaultdict(list)
        self._facts = facts

    def bindings(self) -> None:
        ranks: defaultdict[int, int] = defaultdict(int)
        for binding in self._facts.bindings:
            rank = ranks[binding.scope]
            ranks[binding.scope] += 1
            key = f"{self._scope(binding.scope)}.{binding.name}"
            self.entries[key].append((rank, self._binding(binding)))
        for key, rows in self.entries.items():
            if len(rows) == 1:
                self.entries[key] = [rows[0][1]]

    def symbols(self) -> None:
        symbols = self._facts.symbols
        for number, symbol in enumerate(symbols):
            if symbol.parent >= 0:
                parent = symbols[symbol.parent]
                owner = parent.qualname if parent.parent >= 0 else ""
                self.entries[f"{owner}.{symbol.name}"].append(("symbol", *self._symbol(number)))
                self.entries[f"{owner}.*"] = ["has members"]

    def attributes(self) -> None:
        for row in self._facts.attributes:
            key = f"{self._scope(row.scope)}.{row.name}"
            content = (self._expand(row.expression), self._expand(row.annotation), self._scope(row.origin))
            self.entries[key].append(("attribute", self._symbol(row.target), *content))

    def functions_and_classes(self) -> None:
        facts = self._facts
        for function in facts.functions:
            parts = (function.annotation, *function.returns, *function.yields, *function.decorators)
            shape = (len(function.returns), len(function.yields), len(function.decorators))
            content = (self._symbol(function.symbol), shape, [self._expand(part) for part in parts])
            self.entries[f"{facts.symbols[function.symbol].qualname}()"].append(content)
        for row in facts.classes:
            parts = (*row.bases, *row.implements, *(value for _, value in row.keywords), *row.decorators)
            bases = (self._scope(row.origin), len(row.bases), [self._expand(part) for part in parts])
            self.entries[f"{facts.symbols[row.symbol].qualname}:"].append(bases)

    def exports(self) -> None:
        facts = self._facts
        for row in facts.imports:
            if row.kind == "star":
                self.entries["*"].append((row.specifier, row.level, row.scope == 0))
        self.entries["__all__"].append(facts.exports is None)
        self.entries["*"].append(facts.exports == ())
        replaced = replaced_before(facts.exports or ())
        for export in facts.exports or ():
            gone = export.position < replaced
            content = (self._expand(export.expression), self._import(export.imported), gone)
            self.entries[f".{export.name}"].append(("export", *content))
            self.entries["*" if export.name in ("*", "=") else "__all__"].append((export.name, *content))

    # -- descriptions

    def _scope(self, scope: int) -> str:
        return self._facts.symbols[self._facts.scopes[scope].symbol].qualname if scope > 0 else ""

    def _symbol(self, number: int) -> tuple[Any, ...]:
        symbols = self._facts.symbols
        symbol = symbols[number]
        parent = symbols[symbol.parent].kind if symbol.parent >= 0 else ""
        return (symbol.qualname, symbol.ordinal, symbol.kind, symbol.flags, parent, "=>" in symbol.signature)

    def _import(self, number: int) -> tuple[Any, ...]:
        if number < 0:
            return ()
        row = self._facts.imports[number]
        return (row.specifier, row.level, row.name, row.dotted, row.kind)

    def _binding(self, binding: Binding) -> tuple[Any, ...]:
        target: tuple[Any, ...] = (binding.target,)
        if binding.kind == BindingKind.SYMBOL or (binding.kind == BindingKind.VALUE and binding.target >= 0):
            target = self._symbol(binding.target)
        elif binding.kind == BindingKind.IMPORT:
            target = self._import(binding.target)
        elif binding.kind == BindingKind.PARAMETER:
            target = (binding.target, self._symbol(self._facts.scopes[binding.scope].symbol))
        expressions = (self._expand(binding.expression), self._expand(binding.annotation))
        return (int(binding.kind), target, *expressions, self._scope(binding.origin), binding.block == 0)

    def _expand(self, expression: Expression) -> Any:
        """An expression with its rows in place, so that it does not depend on what stands elsewhere in the file."""
        if not isinstance(expression, int):
            return expression
        row = self._facts.expressions[expression]
        if row[0] in _LITERALS:
            return tuple(row)
        if row[0] == "symbol":
            return ("symbol", self._symbol(row[1]))
        if row[0] == "import":
            return ("import", self._import(row[1]))
        return (row[0], *(self._part(part) for part in row[1:]))

    def _part(self, part: Any) -> Any:
        if isinstance(part, list | tuple):
            return tuple(self._part(inner) for inner in part)
        return self._expand(part) if isinstance(part, int) else part
