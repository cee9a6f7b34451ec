"""Calls that mean more than a call: dynamic imports and changes of `__all__`."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.literals import plain_string
from indexer.languages.python.walk import Walk

EXPORTS: Final = "__all__"
SPECIAL: Final = frozenset(
    ("importlib.import_module", "import_module", "__import__", "__all__.append", "__all__.extend", "__all__.remove")
)


def special_call(w: Walk, node: Node, chain: str) -> int | None:
    """Record what a call in `SPECIAL` means. Returns the ("import", …) row of an import, None otherwise."""
    arguments = [child for child in node.named_children[-1].named_children if child.kind_id not in k.EXTRAS]
    if not arguments:
        return None
    if chain.startswith(EXPORTS):
        if w.frame.index == 0:
            _change_exports(w, chain, arguments[0])
        return None
    first = arguments[0]
    name = plain_string(w, first) if first.kind_id == k.STRING else None
    if not name or (chain == "import_module" and "importlib" not in w.source):
        return None
    specifier = name.lstrip(".")
    dotted = chain == "__import__" and "." in specifier and len(arguments) == 1
    position = first.start_byte
    index = len(w.imports)
    w.imports.append(
        (specifier, len(name) - len(specifier), "", "", dotted, "dynamic", w.frame.index, position,
         first.start_point.row + 1, w.type_only, -1)
    )  # fmt: skip
    return w.row(("import", index))


def _change_exports(w: Walk, chain: str, argument: Node) -> None:
    if chain.endswith("extend"):
        add_exports(w, argument)
    elif argument.kind_id == k.STRING:
        name = plain_string(w, argument)
        if name and chain.endswith("append"):
            export(w, name, argument.start_byte)
        elif w.exports:
            w.exports = [row for row in w.exports if row[0] != name]


def add_exports(w: Walk, node: Node) -> None:
    """Add the names an expression assigned or added to `__all__` lists; what cannot be read adds nothing."""
    left = [node]
    while left:
        node = left.pop()
        kind = node.kind_id
        parts = [child for child in node.named_children if child.kind_id not in k.EXTRAS]
        if kind in (k.BINARY_OPERATOR, k.PARENTHESIZED, k.LIST_SPLAT):  # a + b, (a), *a
            left += reversed(parts)
        elif kind == k.CALL and parts[-1].named_child_count == 1:  # list(…), tuple(…), sorted(…)
            left.append(parts[-1].named_children[0])
        elif kind in (k.LIST, k.TUPLE, k.EXPRESSION_LIST):
            if w.exports is None:
                w.exports = []
            for child in parts:
                name = plain_string(w, child) if child.kind_id == k.STRING else None
                if name:
                    export(w, name, child.start_byte)
                elif child.kind_id == k.LIST_SPLAT:
                    left.append(child)
        elif kind == k.ATTRIBUTE:
            chain = w.text_of(node.start_byte, node.end_byte)
            if chain.endswith("." + EXPORTS):
                _row(w, "*", chain[: -len(EXPORTS) - 1], node.start_byte)


def export(w: Walk, name: str, position: int) -> None:
    _row(w, name, name, position)


def _row(w: Walk, name: str, expression: str, position: int) -> None:
    if w.exports is None:
        w.exports = []
    w.exports.append((name, expression, -1, position))
