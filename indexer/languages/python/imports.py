"""Import statements. Names in them are no references: the linker follows the imports themselves."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.chains import KNOWN, learn
from indexer.languages.python.kinds import visits
from indexer.languages.python.walk import Walk
from indexer.model import BindingKind

DOTTED_NAME: Final = k.DOTTED_NAME
FROM: Final = k.kind("import_from_statement")
IMPORT: Final = int(BindingKind.IMPORT)


@visits("import_statement")
def visit_import(w: Walk, node: Node) -> None:
    for index in range(node.named_child_count):
        child = node.named_child(index)
        kind = child.kind_id
        if kind == DOTTED_NAME:
            specifier = _dotted(w, child)
            first = specifier.partition(".")[0]
            _add(w, specifier, 0, "", first, True, "import", child, child, child.start_byte)
        elif kind == k.ALIASED_IMPORT:
            name, alias = _aliased(child)
            _add(w, _dotted(w, name), 0, "", w.name(alias), False, "import", name, alias, name.start_byte)


@visits("import_from_statement", "future_import_statement")
def visit_import_from(w: Walk, node: Node) -> None:
    specifier, level, at = "__future__", 0, -1
    first = 0
    if node.kind_id == FROM:
        module = node.named_child(0)
        while module is not None and module.kind_id in k.EXTRAS:
            first += 1
            module = node.named_child(first)
        if module is None or module.kind_id not in (k.RELATIVE_IMPORT, DOTTED_NAME):
            return
        specifier, level = _module(w, module)
        at = module.end_byte - len(specifier.encode()) if specifier else -1
        first += 1
    for index in range(first, node.named_child_count):
        child = node.named_child(index)
        kind = child.kind_id
        if kind == DOTTED_NAME:
            name = _dotted(w, child)
            _add(w, specifier, level, name, name, False, "from", child, child, at)
        elif kind == k.ALIASED_IMPORT:
            source, alias = _aliased(child)
            _add(w, specifier, level, _dotted(w, source), w.name(alias), False, "from", source, alias, at)
        elif kind == k.WILDCARD_IMPORT:
            _add(w, specifier, level, "*", "", False, "star", child, child, at)


def _module(w: Walk, node: Node) -> tuple[str, int]:
    """Specifier and number of leading dots."""
    if node.kind_id == k.DOTTED_NAME:
        return _dotted(w, node), 0
    specifier, level = "", 0
    for child in node.named_children:
        if child.kind_id == k.IMPORT_PREFIX:
            level = w.source.count(".", child.start_byte, child.end_byte)
        elif child.kind_id == k.DOTTED_NAME:
            specifier = _dotted(w, child)
    return specifier, level


def _dotted(w: Walk, node: Node) -> str:
    raw = w.source[node.start_byte : node.end_byte]
    name = KNOWN.get(raw) or learn(raw)
    if name:
        return name
    return ".".join([w.name(child) for child in node.named_children if child.kind_id == k.IDENTIFIER])


def _aliased(node: Node) -> tuple[Node, Node]:
    parts = [child for child in node.named_children if child.kind_id not in k.EXTRAS]
    return parts[0], parts[-1]


def _add(w: Walk, specifier: str, level: int, name: str, alias: str, dotted: bool, kind: str, node: Node,
         bound: Node, at: int) -> None:  # fmt: skip
    if not (specifier or level) or not (alias or name == "*"):
        return  # a name is missing: a syntax error
    frame = w.frame
    scope = frame.index
    if frame.redirect is not None:
        scope = max(frame.redirect.get(alias, scope), 0)
    index = len(w.imports)
    line = node.start_point.row + 1
    w.imports.append((specifier, level, name, alias, dotted, kind, scope, node.start_byte, line, w.type_only, at))
    if alias:
        w.bindings.append((scope, alias, IMPORT, bound.start_byte, index, None, None, frame.index, -1, w.block()))
