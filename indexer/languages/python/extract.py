"""From a file's text to its facts: parse, walk the tree once, put the rows in order."""

from __future__ import annotations

from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any, Final, TypeVar

from tree_sitter import Node, Parser

# Each of these registers its handlers.
from indexer.languages.python import (
    assignments,
    branches,
    classes,
    conditions,
    displays,
    imports,
    kinds,
    operators,
    patterns,
    statements,
)
from indexer.languages.python.broken import error_lines, visit_error
from indexer.languages.python.calls import fill_arguments
from indexer.languages.python.chains import trim
from indexer.languages.python.narrowing import settled
from indexer.languages.python.signatures import comment_header, docstring_header
from indexer.languages.python.walk import Walk
from indexer.model import (
    MODULE,
    Attribute,
    Binding,
    Call,
    Class,
    Export,
    Expression,
    ExpressionRow,
    FileFacts,
    Flag,
    Function,
    Import,
    Narrowing,
    Reference,
    Role,
    Scope,
    Store,
    Symbol,
)

HANDLERS: Final = (assignments, branches, classes, conditions, displays, imports, operators, patterns, statements)
kinds.VISIT[kinds.ERROR] = visit_error
fill_arguments()

LITERAL: Final = frozenset(("literal", "unknown"))
READ: Final = int(Role.READ)
CALL: Final = int(Role.CALL)
_parser = Parser(kinds.GRAMMAR)
_Row = TypeVar("_Row", bound=tuple[Any, ...])


def extract(text: bytes) -> FileFacts:
    """The facts of one Python file; `documents` and `notes` are left empty."""
    trim()
    root = _parser.parse(text).root_node
    w = Walk(text)
    w.symbols.append(_module(w, len(text)))
    if root.kind_id == kinds.ERROR:
        visit_error(w, root)
    else:
        statements.visit_body(w, root)
    if w.nonlocals:
        _settle_nonlocals(w)
    broken = error_lines(root) if root.has_error else []
    expressions = tuple(w.rows)
    return FileFacts(
        language="python",
        symbols=_rows(Symbol, w.symbols),
        scopes=_rows(Scope, w.scopes),
        bindings=_rows(Binding, w.bindings),
        attributes=_rows(Attribute, w.attributes),
        functions=_rows(Function, w.functions),
        classes=_rows(Class, w.classes),
        imports=_rows(Import, w.imports),
        exports=None if w.exports is None else _rows(Export, w.exports),
        expressions=expressions,
        references=_references(w),
        documents=(),
        header=_header(w, root),
        line_lengths=tuple(w.lengths),
        error_lines=tuple(sorted(set(chain(broken, w.errors)))),
        notes=(),
        blocks=tuple(w.blocks),
        calls=_calls(w),
        stores=_stores(w, expressions),
        narrowings=_rows(Narrowing, settled(w)) if w.narrowings else (),
    )


def _rows(row: type[_Row], values: list[tuple[Any, ...]]) -> tuple[_Row, ...]:
    return tuple(map(partial(tuple.__new__, row), values))


def _module(w: Walk, size: int) -> tuple[Any, ...]:
    return (MODULE, MODULE, 0, "module", -1, 0, 0, size, 1, max(len(w.lengths), 1), 1, 0, "", "", int(Flag.EXPORTED))


def _references(w: Walk) -> tuple[Reference, ...]:
    rows: list[Reference] = []
    for frame in w.frames:
        scope = frame.index
        del frame.home  # a cycle; workers run without the collector
        if frame.reads:
            rows += [(scope, name, READ, tuple(places)) for name, places in frame.reads.items()]
        if frame.calls:
            rows += [(scope, name, CALL, tuple(places)) for name, places in frame.calls.items()]
        if frame.others:
            rows += [(scope, name, role, tuple(places)) for (name, role), places in frame.others.items()]
    return tuple(rows)


def _calls(w: Walk) -> tuple[Call, ...]:
    rows: list[tuple[Any, ...]] = [(scope, row, tuple(places)) for (scope, row), places in w.passed.items()]
    rows.sort(key=itemgetter(2))
    return _rows(Call, rows)


def _stores(w: Walk, expressions: tuple[ExpressionRow, ...]) -> tuple[Store, ...]:
    """Without those of literals."""
    return tuple([row for row in _rows(Store, w.stores) if _followed(expressions, row.value)])


def _followed(expressions: tuple[ExpressionRow, ...], value: Expression) -> bool:
    return not isinstance(value, int) or expressions[value][0] not in LITERAL


def _settle_nonlocals(w: Walk) -> None:
    """Move the bindings of nonlocal names to the function around that has the name."""
    having: dict[str, set[int]] = {}
    moved = set(w.nonlocals)
    for number, row in enumerate(w.bindings):
        if number not in moved and row[2] not in (7, 8):
            having.setdefault(row[1], set()).add(row[0])
    for number in w.nonlocals:
        row = w.bindings[number]
        frame = w.frames[row[0]].parent
        while frame is not None and (frame.variables is not None or frame.index not in having.get(row[1], ())):
            frame = frame.parent
        if frame is not None:
            w.bindings[number] = (frame.index, *row[1:])


def _header(w: Walk, root: Node) -> str:
    for statement in root.named_children:
        kind = statement.kind_id
        if kind == kinds.COMMENT:
            continue
        if kind == kinds.EXPRESSION_STATEMENT and w.source[statement.start_byte] in "\"'rRuU":
            literal = statement.children[0]
            if literal.kind_id == kinds.STRING:
                header = docstring_header(w.source[literal.start_byte : literal.end_byte])
                if header:
                    return header
        break
    return comment_header(w.source)
