"""Import statements. Names in them are no references: the linker follows the imports themselves."""

from __future__ import annotations

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.chains import KNOWN, learn
from indexer.languages.python.kinds import visits
from indexer.languages.python.walk import Walk
from indexer.model import BindingKind

IMPORT = int(BindingKind.IMPORT)


@visits("import_statement")
def visit_import(w: Walk, node: Node) -> None:
    for child in node.named_children:
        kind = child.kind_id
        if kind == k.DOTTED_NAME:
            specifier = _dotted(w, child)
            first = specifier.partition(".")[0]
            _add(w, specifier, 0, "", first, True, "import", child, child)
        elif kind == k.ALIASED_IMPORT:
            name, alias = _aliased(child)
            _add(w, _dotted(w, name), 0, "", w.name(alias), False, "import", name, alias)


@visits("import_from_statement", "future_import_statement")
def visit_import_from(w: Walk, node: Node) -> None:
    children = node.named_children
    specifier, level = "__future__", 0
    module: Node | None = None
    if node.kind_id == FROM:
        module = next((child for child in children if child.kind_id in (k.RELATIVE_IMPORT, k.DOTTED_NAME)), None)
        if module is None:
            return
        specifier, level = _module(w, module)
    for child in children:
        kind = child.kind_id
        if child == module:
            continue
        if kind == k.DOTTED_NAME:
            name = _dotted(w, child)
            _add(w, specifier, level, name, name, False, "from", child, child)
        elif kind == k.ALIASED_IMPORT:
            source, alias = _aliased(child)
            _add(w, specifier, level, _dotted(w, source), w.name(alias), False, "from", source, alias)
        elif kind == k.WILDCARD_IMPORT:
            _add(w, specifier, level, "*", "", False, "star", child, child)


FROM = k.kind("import_from_statement")


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
         bound: Node) -> None:  # fmt: skip
    if not (specifier or level) or not (alias or name == "*"):
        return  # a name is missing: a syntax error
    frame = w.frame
    scope = frame.index
    if frame.redirect is not None:
        scope = max(frame.redirect.get(alias, scope), 0)
    index = len(w.imports)
    w.imports.append(
        (specifier, level, name, alias, dotted, kind, scope, node.start_byte, node.start_point.row + 1, w.type_only)
    )
    if alias:
        w.bindings.append((scope, alias, IMPORT, bound.start_byte, index, None, None, frame.index))
