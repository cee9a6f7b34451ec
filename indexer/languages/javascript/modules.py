"""ES modules: imports, exports and re-exports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexer.languages.javascript.calls import add_import
from indexer.languages.javascript.classes import bound_class, class_declaration
from indexer.languages.javascript.expressions import READ, use
from indexer.languages.javascript.facts import EXPORTED, IMPORT
from indexer.languages.javascript.functions import named_function
from indexer.languages.javascript.kinds import Handler
from indexer.languages.javascript.objects import Holder, bound_object
from indexer.languages.javascript.walker import Walker
from indexer.model import Expression

if TYPE_CHECKING:
    from tree_sitter import Node


# -- imports


def import_statement(w: Walker, node: Node) -> None:
    ids = w.ids
    kids = node.named_children
    source = next((kid for kid in kids if kid.kind_id == ids.string), None)
    clause = next((kid for kid in kids if kid.kind_id in (ids.import_clause, ids.import_require_clause)), None)
    if clause is None:
        if source is not None:
            add_import(w, source, node, "", "", "side_effect", source.start_byte, False)
        return
    type_only = w.text[node.start_byte + 6 : clause.start_byte].strip() == b"type"
    if clause.kind_id == ids.import_require_clause:
        _import_require(w, node, clause, type_only)
    elif source is not None:
        for kid in clause.named_children:
            _import_part(w, node, kid, source, type_only)


def _import_part(w: Walker, node: Node, kid: Node, source: Node, type_only: bool) -> None:
    ids = w.ids
    if kid.kind_id == ids.identifier:
        _bind_import(w, source, node, "default", kid, "from", kid.start_byte, type_only)
    elif kid.kind_id == ids.namespace_import:
        for name in kid.named_children:
            if name.kind_id == ids.identifier:
                _bind_import(w, source, node, "", name, "import", name.start_byte, type_only)
    elif kid.kind_id == ids.named_imports:
        for specifier in kid.named_children:
            names = _specifier_names(specifier)
            if specifier.kind_id != ids.import_specifier or not names:
                continue
            only = type_only or w.text[specifier.start_byte : names[0].start_byte].strip() == b"type"
            _bind_import(w, source, specifier, _export_name(w, names[0]), names[-1], "from", names[0].start_byte, only)


def _specifier_names(specifier: Node) -> list[Node]:
    """The name, and the alias if there is one; `default` is a keyword, not a named node."""
    found = (specifier.child_by_field_name("name"), specifier.child_by_field_name("alias"))
    return [node for node in found if node is not None]


def _bind_import(
    w: Walker, source: Node, whole: Node, name: str, alias: Node, kind: str, position: int, type_only: bool
) -> None:
    local = w.name(alias)
    number = add_import(w, source, whole, name, local, kind, position, type_only)
    w.bind(w.scope, local, IMPORT, alias.start_byte, number)


def _export_name(w: Walker, node: Node) -> str:
    """A name between braces: an identifier, or a string."""
    name = w.name(node)
    return name[1:-1] if node.kind_id == w.ids.string else name


def _import_require(w: Walker, node: Node, clause: Node, type_only: bool) -> None:
    """TypeScript's `import x = require("y")`."""
    ids = w.ids
    name = next((kid for kid in clause.named_children if kid.kind_id == ids.identifier), None)
    source = next((kid for kid in clause.named_children if kid.kind_id == ids.string), None)
    if name is not None and source is not None:
        _bind_import(w, source, node, "", name, "require", name.start_byte, type_only)


# -- exports


def export_statement(w: Walker, node: Node) -> None:
    ids = w.ids
    kids = [kid for kid in node.named_children if kid.kind_id not in (ids.comment, ids.decorator)]
    if not kids:
        return
    before = kids[0].prev_sibling
    word = "" if before is None else before.type
    last = kids[-1]
    from_another = kids[0].kind_id in (ids.export_clause, ids.namespace_export) or last is kids[0]
    if last.kind_id == ids.string and from_another and word not in ("default", "="):
        _reexport(w, node, kids[0], last)
    elif kids[0].kind_id == ids.export_clause:
        for specifier in kids[0].named_children:
            _export_specifier(w, specifier)
    elif word == "default":
        _export_default(w, node, last)
    elif word == "=":
        _export_value(w, "=", last.start_byte, w.expr(last))
    elif word != "namespace":
        _export_declaration(w, node, last)


def _export_value(w: Walker, name: str, position: int, value: Expression) -> None:
    if w.scope == 0:
        w.export(name, value, -1, position)


def _reexport(w: Walker, node: Node, what: Node, source: Node) -> None:
    ids = w.ids
    type_only = w.text[node.start_byte + 6 : what.start_byte].strip().startswith(b"type")
    if what.kind_id == ids.export_clause:
        for specifier in what.named_children:
            names = _specifier_names(specifier)
            if specifier.kind_id != ids.export_specifier or not names:
                continue
            name, shown = _export_name(w, names[0]), _export_name(w, names[-1])
            number = add_import(w, source, specifier, name, "", "reexport", names[0].start_byte, type_only)
            w.export(shown, None, number, names[-1].start_byte)
    elif what.kind_id == ids.namespace_export:
        number = add_import(w, source, node, "", "", "reexport", source.start_byte, type_only)
        for name_node in what.named_children:
            w.export(_export_name(w, name_node), None, number, name_node.start_byte)
    else:
        number = add_import(w, source, node, "*", "", "reexport", source.start_byte, type_only)
        w.export("*", None, number, source.start_byte)


def _export_specifier(w: Walker, specifier: Node) -> None:
    names = _specifier_names(specifier)
    if specifier.kind_id != w.ids.export_specifier or not names:
        return
    local = use(w, names[0], READ)
    _export_value(w, _export_name(w, names[-1]), names[-1].start_byte, local)


def _export_default(w: Walker, node: Node, value: Node) -> None:
    ids = w.ids
    kind = value.kind_id
    position = value.start_byte
    if kind in ids.named_declarations:
        w.lead = node
        symbol = w.visits[kind](w, value)
        w.lead = None
        if isinstance(symbol, int) and symbol >= 0:
            w.mark(symbol, EXPORTED)
            _export_value(w, "default", position, w.row("symbol", symbol))
        return
    if kind in ids.functions or kind == ids.class_:
        _export_value(w, "default", position, w.row("symbol", _default_definition(w, node, value)))
    elif kind == ids.object:
        holder = Holder("default", value, node)
        _export_value(w, "default", position, bound_object(w, value, holder))
        if holder.live:
            w.mark(holder.symbol, EXPORTED)
    else:
        _export_value(w, "default", position, w.expr(value))


def _default_definition(w: Walker, node: Node, value: Node) -> int:
    ids = w.ids
    if value.kind_id in ids.functions:
        own = value.named_children[0]
        named = own.kind_id == ids.identifier and value.kind_id != ids.arrow_function
        name, name_node = (w.name(own), own) if named else ("default", value)
        symbol = named_function(w, value, name, name_node, node, head=value.start_byte)
    else:
        own_name = next((kid for kid in value.named_children if kid.kind_id in ids.class_names), None)
        name_node = value if own_name is None else own_name
        symbol = bound_class(w, value, "default" if own_name is None else w.name(own_name), name_node, node)
    w.mark(symbol, EXPORTED)
    return symbol


def _export_declaration(w: Walker, node: Node, inner: Node) -> None:
    if inner.kind_id not in w.ids.exportable:
        w.visit(inner)
        return
    w.lead = node
    declared = w.visits[inner.kind_id](w, inner)
    w.lead = None
    if isinstance(declared, list):
        for name, position, symbol in declared:
            if symbol >= 0:
                w.mark(symbol, EXPORTED)
            _export_value(w, name, position, name)
    elif isinstance(declared, int) and declared >= 0:
        row = w.symbols[declared]
        w.mark(declared, EXPORTED)
        _export_value(w, row[0], row[11], row[0])


VISITS: Final[dict[str, Handler]] = {"import_statement": import_statement, "export_statement": export_statement}

__all__ = ["VISITS", "class_declaration"]
