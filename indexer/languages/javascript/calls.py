"""Calls, `new`, modules asked for by a call, decorators and JSX elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexer.languages.javascript.expressions import CALL, NEW, chain_end, first, use
from indexer.languages.javascript.kinds import Handler
from indexer.languages.javascript.walker import DEPTH_LIMIT, Walker
from indexer.model import Expression, Import, Role

if TYPE_CHECKING:
    from tree_sitter import Node

RENDER: Final = int(Role.RENDER)
DECORATOR: Final = int(Role.DECORATOR)


def visit_call(w: Walker, node: Node) -> None:
    kids = node.named_children
    callee, last = kids[0], kids[-1]
    kind, ids = callee.kind_id, w.ids
    start, end = callee.start_byte, callee.end_byte
    if kind == ids.member_expression and chain_end(w.text, start, end):
        w.uses[w.scope, w.text[start:end].decode(), CALL].append(start)
    elif kind == ids.identifier:
        name = w.text[start:end].decode("utf-8", "replace")
        if name == "require" and _module(w, node, last, "require") >= 0:
            return
        w.uses[w.scope, name, CALL].append(start)
    elif kind == ids.import_:
        if _module(w, node, last, "dynamic") >= 0:
            return
        w.uses[w.scope, "import", CALL].append(start)
    elif not _guarded_use(w, callee):
        return
    if len(kids) > 2:
        _types(w, kids)
    if w.depth >= DEPTH_LIMIT:
        w.too_deep(last)
        return
    w.depth += 1
    visits = w.visits
    for kid in last.named_children:
        visits[kid.kind_id](w, kid)
    w.depth -= 1


def _guarded_use(w: Walker, callee: Node) -> bool:
    if w.depth >= DEPTH_LIMIT:
        w.too_deep(callee)
        return False
    w.depth += 1
    use(w, callee, CALL)
    w.depth -= 1
    return True


def call(w: Walker, node: Node) -> Expression:
    kids = node.named_children
    callee, last = kids[0], kids[-1]
    ids = w.ids
    if callee.kind_id == ids.import_:
        found = _module(w, node, last, "dynamic")
        if found >= 0:
            return w.row("import", found)
        w.uses[w.scope, "import", CALL].append(callee.start_byte)
        w.visit_all(last.named_children)
        return w.unknown()
    if callee.kind_id == ids.identifier and w.name(callee) == "require":
        found = _module(w, node, last, "require")
        if found >= 0:
            return w.row("import", found)
    function = use(w, callee, CALL)
    if len(kids) > 2:
        _types(w, kids)
    if last.kind_id == ids.template_string:
        w.visit_all(last.named_children)
        return w.row("call", function, ())
    return w.row("call", function, arguments(w, last))


def arguments(w: Walker, node: Node) -> tuple[Expression, ...]:
    kids = node.named_children
    if not kids:
        return ()
    if w.depth >= DEPTH_LIMIT:
        return (w.too_deep(node),)
    w.depth += 1
    values, comment = w.values, w.ids.comment
    given: tuple[Expression, ...] = tuple([values[kind](w, kid) for kid in kids if (kind := kid.kind_id) != comment])
    w.depth -= 1
    return given


def _types(w: Walker, kids: list[Node]) -> None:
    for kid in kids[1:-1]:
        if kid.kind_id == w.ids.type_arguments:
            w.type(kid)


def _module(w: Walker, node: Node, given: Node, kind: str) -> int:
    """Index of the import that `require("literal")` or `import("literal")` makes; -1 for anything else."""
    kids = [kid for kid in given.named_children if kid.kind_id != w.ids.comment]
    if not kids or kids[0].kind_id != w.ids.string or (len(kids) > 1 and kind == "require"):
        return -1
    return add_import(w, kids[0], node, "", "", kind, kids[0].start_byte, False)


def add_import(
    w: Walker, source: Node, whole: Node, name: str, alias: str, kind: str, position: int, type_only: bool
) -> int:
    specifier = w.text[source.start_byte + 1 : source.end_byte - 1].decode("utf-8", "replace")
    line = whole.start_point[0] + 1
    w.imports.append(Import(specifier, 0, name, alias, False, kind, w.scope, position, line, type_only))
    return len(w.imports) - 1


def new(w: Walker, node: Node) -> Expression:
    kids = node.named_children
    ids = w.ids
    constructor, last = kids[0], kids[-1]
    if len(kids) == 1 and w.text[node.end_byte : node.end_byte + 1] == b"!":
        return w.expr(constructor)  # `new a.b!.C()`: the TypeScript grammar takes `a.b` alone for the class
    function = use(w, constructor, NEW)
    given: tuple[Expression, ...] = ()
    if len(kids) > 1:
        _types(w, [*kids, constructor])
        if last.kind_id == ids.arguments:
            given = arguments(w, last)
    return w.row("new", function, given)


def decorators(w: Walker, nodes: list[Node]) -> tuple[Expression, ...]:
    """Uses of decorators, outermost first. `@f(x)` is a call of `f`."""
    found: list[Expression] = []
    for node in nodes:
        inner = first(w, node)
        if inner is not None:
            found.append(use(w, inner, DECORATOR))
    return tuple(found)


def visit_decorator(w: Walker, node: Node) -> None:
    decorators(w, [node])


def jsx_tag(w: Walker, node: Node) -> None:
    """An opening or self-closing element: a call of the component, unless it is one of the host's own elements."""
    kids = node.named_children
    if not kids:
        return
    tag, ids = kids[0], w.ids
    if tag.kind_id == ids.member_expression or tag.kind_id == ids.nested_identifier:
        use(w, tag, RENDER)
    elif tag.kind_id == ids.identifier:
        if not w.text[tag.start_byte : tag.start_byte + 1].islower():
            use(w, tag, RENDER)
    else:
        w.visit(tag)
        return
    for kid in kids[1:]:
        if kid.kind_id == ids.type_arguments:
            w.type(kid)
        else:
            w.visit(kid)


def nothing(w: Walker, node: Node) -> None:
    """Nodes without names inside: literals, labels, comments."""


VALUES: Final[dict[str, Handler]] = {"call_expression": call, "new_expression": new}

VISITS: Final[dict[str, Handler]] = {
    "call_expression": visit_call,
    "new_expression": new,
    "decorator": visit_decorator,
    "jsx_opening_element": jsx_tag,
    "jsx_self_closing_element": jsx_tag,
    "jsx_closing_element": nothing,
    "jsx_namespace_name": nothing,
    "jsx_text": nothing,
    "string": nothing,
    "number": nothing,
    "regex": nothing,
    "comment": nothing,
    "html_comment": nothing,
    "hash_bang_line": nothing,
    "this": nothing,
    "super": nothing,
    "true": nothing,
    "false": nothing,
    "null": nothing,
    "undefined": nothing,
    "meta_property": nothing,
    "property_identifier": nothing,
    "private_property_identifier": nothing,
    "statement_identifier": nothing,
    "break_statement": nothing,
    "continue_statement": nothing,
    "empty_statement": nothing,
    "debugger_statement": nothing,
    "string_fragment": nothing,
    "escape_sequence": nothing,
    "import": nothing,
}
