"""TypeScript's grammars with their handlers."""

from __future__ import annotations

from typing import Final

from tree_sitter import Language as Grammar

from indexer.languages.javascript import expressions
from indexer.languages.javascript.kinds import COMMON, Handler, Table
from indexer.languages.javascript.reader import (
    ONLY_JAVASCRIPT,
    ONLY_TYPESCRIPT,
    VALUES,
    VISITS,
    Reader,
    make_ids,
    visit_children,
)
from indexer.languages.typescript import declarations, types

_OWN: Final = tuple(kind for kind in ONLY_TYPESCRIPT if kind != "type_assertion")
_JSX: Final = ("jsx_opening_element", "jsx_self_closing_element", "jsx_closing_element", "jsx_namespace_name")
_CASTS: Final = ("as_expression", "satisfies_expression", "non_null_expression")
_DECLARATIONS: Final = (
    "abstract_class_declaration", "function_signature", "interface_declaration", "enum_declaration",
    "type_alias_declaration", "ambient_declaration", "internal_module", "module",
)  # fmt: skip

_SETS: Final[dict[str, tuple[str, ...]]] = {
    "block_declarations": _DECLARATIONS,
    "exportable": (*_DECLARATIONS, "import_alias"),
    "class_names": ("type_identifier",),
    "return_types": ("type_annotation", "asserts_annotation", "type_predicate_annotation"),
    "wrappers": _CASTS,
    "named_declarations": ("abstract_class_declaration", "function_signature", "interface_declaration"),
}


def typescript_reader(language: object, name: str) -> Reader:
    """For `language_typescript()`, which has `<T>x` casts and no JSX, or `language_tsx()`, which is the reverse."""
    grammar = Grammar(language)
    jsx = bool(grammar.id_for_node_kind("jsx_element", True))
    visits: dict[str, Handler] = {**VISITS, **declarations.VISITS}
    values: dict[str, Handler] = {**VALUES, **declarations.VALUES}
    if not jsx:
        visits = {kind: handler for kind, handler in visits.items() if kind not in _JSX}
        visits["type_assertion"] = values["type_assertion"] = declarations.old_cast
    casts = {"wrappers": (*_SETS["wrappers"], *(() if jsx else ("type_assertion",)))}
    required = [kind for kind in (*COMMON, *_OWN) if jsx or kind not in _JSX]
    absent = [*ONLY_JAVASCRIPT, *(("type_assertion",) if jsx else _JSX)]
    ids = make_ids(grammar, [*required, *(() if jsx else ("type_assertion",))], absent, {**_SETS, **casts})
    tables = (
        Table(grammar, visits, visit_children),
        Table(grammar, values, expressions.unknown),
        Table(grammar, types.TYPES, types.other_type),
    )
    return Reader(name, grammar, ids, tables)
