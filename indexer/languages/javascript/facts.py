"""Rows of `FileFacts` in the making: what every handler appends to, and how it is finished."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import partial
from operator import itemgetter
from typing import Any, Final

from indexer.languages.javascript import comments
from indexer.model import (
    MODULE,
    Attribute,
    Binding,
    BindingKind,
    Class,
    Export,
    Expression,
    ExpressionRow,
    FileFacts,
    Flag,
    Function,
    Import,
    Scope,
    Symbol,
)

QUALNAME: Final = 1
SCOPE: Final = 5
FLAGS: Final = 14
"""Columns of `Symbol` that change after the row is made."""

ASYNC: Final = int(Flag.ASYNC)
GENERATOR: Final = int(Flag.GENERATOR)
STATIC: Final = int(Flag.STATIC)
INSTANCE: Final = int(Flag.INSTANCE)
EXPORTED: Final = int(Flag.EXPORTED)
TEST: Final = int(Flag.TEST)
DECLARATION: Final = int(Flag.DECLARATION)
OVERLOAD: Final = int(Flag.OVERLOAD)
ABSTRACT: Final = int(Flag.ABSTRACT)
TYPE_ONLY: Final = int(Flag.TYPE_ONLY)
PROPERTY: Final = int(Flag.PROPERTY)
SETTER: Final = int(Flag.SETTER)
"""`Flag` as plain integers, which are quicker to combine."""

VALUE: Final = int(BindingKind.VALUE)
SYMBOL: Final = int(BindingKind.SYMBOL)
IMPORT: Final = int(BindingKind.IMPORT)

_TEST: Final = re.compile(r"test(?:[A-Z_]|$)")


_symbol = partial(tuple.__new__, Symbol)
_binding = partial(tuple.__new__, Binding)


class Facts:
    """Collects rows. `scope` is where code is read now; it is the origin of every binding."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.scope = 0
        self.branch: tuple[int, int, int] | None = None
        last_line = text.count(b"\n") + (0 if text.endswith(b"\n") else 1)
        self.symbols: list[list[Any]] = [
            [MODULE, MODULE, 0, "module", -1, 0, 0, len(text), 1, max(last_line, 1), 1, 0, "", "", 0]
        ]
        self.scopes: list[Scope] = [Scope("module", -1, 0)]
        self.declared: list[dict[str, int]] = [{}]
        self.bindings: list[tuple[Any, ...]] = []
        self.assigned: list[tuple[Any, ...]] = []
        self.attributes: list[Attribute] = []
        self.functions: list[Function] = []
        self.classes: list[Class] = []
        self.imports: list[Import] = []
        self.exports: list[tuple[str, Expression, int, int, int]] = []
        self.rows: dict[ExpressionRow, int] = {}
        self.uses: defaultdict[tuple[int, Expression, int], list[int]] = defaultdict(list)
        self.errors: list[tuple[int, int]] = []
        self.blocks: dict[tuple[int, int, int], int] = {(0, 1 << 40, -1): 0}
        self.constructors: dict[int, Expression] = {}  # functions with prototype methods → what `this` is in them
        self._ordinals: dict[str, int] = {MODULE: 1}

    # -- adding rows

    def row(self, *parts: Any) -> int:
        """Index of an expression row; equal rows are kept once."""
        return self.rows.setdefault(parts, len(self.rows))

    def unknown(self) -> int:
        return self.rows.setdefault(("unknown",), len(self.rows))

    def add_symbol(
        self,
        name: str,
        qualname: str,
        kind: str,
        parent: int,
        span: tuple[int, int, int, int],
        name_at: tuple[int, int],
        signature: str,
        flags: int,
    ) -> int:
        """Append a symbol. `span` is (start byte, end byte, start line, end line), `name_at` (line, byte)."""
        ordinal = self._ordinals.get(qualname, 0)
        self._ordinals[qualname] = ordinal + 1
        start, end, start_line, end_line = span
        doc = "" if kind == "lambda" else comments.doc_before(self.text, start)
        if kind in ("function", "method") and name.startswith("test") and _TEST.match(name):
            flags |= TEST
        self.symbols.append(
            [
                name,
                qualname,
                ordinal,
                kind,
                parent,
                -1,
                start,
                end,
                start_line,
                end_line,
                *name_at,
                signature,
                doc,
                flags,
            ]
        )
        return len(self.symbols) - 1

    def open_scope(self, kind: str, parent: int, symbol: int) -> int:
        self.scopes.append(Scope(kind, parent, symbol))
        self.declared.append({})
        return len(self.scopes) - 1

    def bind(
        self,
        scope: int,
        name: str,
        kind: int,
        position: int,
        target: int = -1,
        expression: Expression = None,
        annotation: Expression = None,
        end: int = -1,
    ) -> None:
        """A declaration. A later declaration of the same name does not hide that the first one is a symbol."""
        names = self.declared[scope]
        if target >= 0 or name not in names:
            names[name] = target if kind in (SYMBOL, VALUE) else -1
        block = self.block() if self.branch is not None and scope != self.scope else 0
        self.bindings.append((scope, name, kind, position, target, expression, annotation, self.scope, end, block))

    def assign(self, name: str, position: int, expression: Expression, end: int, symbol: int = -1) -> None:
        """An assignment to a plain name; the scope that declares it is found once all declarations are known."""
        self.assigned.append((self.scope, name, position, expression, end, symbol, self.block()))

    def block(self) -> int:
        if self.branch is None:
            return 0
        return self.blocks.setdefault(self.branch, len(self.blocks))

    def export(self, name: str, expression: Expression, imported: int, position: int) -> None:
        self.exports.append((name, expression, imported, position, self.scope))

    # -- finishing

    def finish(self, language: str) -> FileFacts:
        self._place_assignments()
        self._place_constructors()
        if self.errors:  # a name that the parser supplied is empty
            self.uses = defaultdict(list, {use: at for use, at in self.uses.items() if use[1] != ""})
        exports = tuple(self._placed_export(*export) for export in self.exports)
        return FileFacts(
            language=language,
            symbols=tuple(map(_symbol, self.symbols)),
            scopes=tuple(self.scopes),
            bindings=tuple(map(_binding, sorted(self.bindings, key=itemgetter(3)))),
            attributes=tuple(self.attributes),
            functions=tuple(self.functions),
            classes=tuple(self.classes),
            imports=tuple(self.imports),
            exports=exports,
            expressions=tuple(self.rows),
            references=tuple([(*use, tuple(positions)) for use, positions in self.uses.items()]),
            documents=(),
            header=comments.header(self.text),
            line_lengths=line_lengths(self.text),
            error_lines=tuple(sorted(set(self.errors))),
            notes=(),
            blocks=tuple(self.blocks),
        )

    def _place_assignments(self) -> None:
        for origin, name, position, expression, end, symbol, block in self.assigned:
            scope = self._declaring_scope(origin, name)
            target = self.declared[scope].get(name, -1)
            if symbol >= 0 and target < 0:
                kind, target, expression = SYMBOL, symbol, None
            else:
                kind = VALUE
            if scope not in (origin, self._function_scope(origin)):
                block = 0
            self.bindings.append((scope, name, kind, position, target, expression, None, origin, end, block))

    def _place_constructors(self) -> None:
        own = {self.symbols[symbol][SCOPE]: this for symbol, this in self.constructors.items()}
        if own:
            for number, row in enumerate(self.bindings):
                if row[1] == "this" and row[5] is None and row[0] in own:
                    self.bindings[number] = (*row[:5], own[row[0]], *row[6:])

    def _declaring_scope(self, scope: int, name: str) -> int:
        while scope > 0 and (name not in self.declared[scope] or self.scopes[scope].kind == "class"):
            scope = self.scopes[scope].parent
        return max(scope, 0)

    def _function_scope(self, scope: int) -> int:
        while self.scopes[scope].kind == "block":
            scope = self.scopes[scope].parent
        return scope

    def _placed_export(self, name: str, expression: Expression, imported: int, position: int, scope: int) -> Export:
        """Exports are read in the module's scope: a name of an inner one is replaced by the symbol it means."""
        if isinstance(expression, str):
            head, dot, rest = expression.partition(".")
            holder = self._declaring_scope(scope, head)
            symbol = self.declared[holder].get(head, -1)
            if symbol >= 0 and not dot:
                self.symbols[symbol][FLAGS] |= EXPORTED
            if holder:
                bound: Expression = self.row("symbol", symbol) if symbol >= 0 else self.unknown()
                expression = self.row("member", bound, rest) if dot and "." not in rest else bound
        elif isinstance(expression, int) and scope:
            known = next((row for row, index in self.rows.items() if index == expression), ("unknown",))
            if known[0] not in ("symbol", "import", "literal", "unknown"):
                expression = self.unknown()
        return Export(name, expression, imported, position)


def line_lengths(text: bytes) -> tuple[int, ...]:
    lengths = [len(line) + 1 for line in text.split(b"\n")]
    if lengths[-1] == 1:
        lengths.pop()
    else:
        lengths[-1] -= 1
    return tuple(lengths)
