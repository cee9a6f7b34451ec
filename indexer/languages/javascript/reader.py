"""A grammar with its tables of handlers: what turns bytes into facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from indexer.languages.javascript import (
    assignments,
    calls,
    classes,
    declarations,
    expressions,
    functions,
    modules,
    objects,
    operators,
    statements,
)
from indexer.languages.javascript.broken import error_lines
from indexer.languages.javascript.kinds import COMMON, Handler, Ids, Table, kind_id
from indexer.languages.javascript.walker import DEPTH_LIMIT, Walker
from indexer.model import Expression, FileFacts

ONLY_JAVASCRIPT: Final = ("field_definition",)
_ONLY_TYPESCRIPT: Final = """
abstract_class_declaration abstract_method_signature accessibility_modifier as_expression asserts_annotation
constraint enum_assignment extends_clause extends_type_clause function_signature implements_clause
import_require_clause index_signature interface_declaration method_signature nested_identifier non_null_expression
object_type optional_parameter override_modifier property_signature public_field_definition required_parameter
satisfies_expression type_annotation type_arguments type_assertion type_identifier type_parameter type_parameters
type_predicate_annotation
"""
ONLY_TYPESCRIPT: Final = tuple(_ONLY_TYPESCRIPT.split())

_NAMED: Final = ("function_declaration", "generator_function_declaration", "class_declaration")

SETS: Final[dict[str, tuple[str, ...]]] = {
    "generators": ("generator_function", "generator_function_declaration"),
    "functions": ("arrow_function", "function_expression", "generator_function"),
    "function_expressions": ("function_expression", "generator_function"),
    "block_declarations": (
        "lexical_declaration", "function_declaration", "generator_function_declaration", "class_declaration",
    ),
    "exportable": ("lexical_declaration", "variable_declaration", *_NAMED),
    "class_names": ("identifier",),
    "return_types": (),
    "names": ("identifier", "super", "this", "shorthand_property_identifier"),
    "operations": ("binary_expression", "unary_expression"),
    "wrappers": ("parenthesized_expression",),
    "property_names": (
        "property_identifier", "private_property_identifier", "string", "number", "computed_property_name",
    ),
    "named_declarations": _NAMED,
}  # fmt: skip

SHARED: Final = (expressions, operators, calls, statements, functions, objects, classes, declarations, assignments)


def visit_children(w: Walker, node: Node) -> None:
    """Nodes without a handler of their own: what is inside counts."""
    if w.depth >= DEPTH_LIMIT:
        w.too_deep(node)
        return
    w.depth += 1
    visits = w.visits
    for kid in node.named_children:
        visits[kid.kind_id](w, kid)
    w.depth -= 1


def no_types(w: Walker, node: Node) -> Expression:
    return None


class Reader:
    """Parses and walks the files of one language."""

    def __init__(self, language: str, grammar: Grammar, ids: Ids, tables: tuple[Table, Table, Table]) -> None:
        self.language = language
        self.grammar = grammar
        self.ids = ids
        self.tables = tables
        self._parser = Parser(grammar)

    def read(self, text: bytes) -> FileFacts:
        root = self._parser.parse(text).root_node
        walker = Walker(text, self.ids, *self.tables)
        if root.has_error:
            walker.errors += error_lines(root)
        walker.visit_all(root.named_children)
        return walker.finish(self.language)


def make_ids(
    grammar: Grammar, required: Sequence[str], absent: Sequence[str], more: Mapping[str, tuple[str, ...]]
) -> Ids:
    """The kinds handlers compare with, and the sets of them; `more` adds a language's own kinds to the sets."""
    ids = Ids(grammar, required, absent)
    for name, kinds in SETS.items():
        setattr(ids, name, frozenset(kind_id(grammar, kind) for kind in (*kinds, *more.get(name, ()))))
    return ids


def handlers(*sources: Mapping[str, Handler]) -> dict[str, Handler]:
    """Several tables as one; later ones win."""
    merged: dict[str, Handler] = {}
    for source in sources:
        merged.update(source)
    return merged


VISITS: Final = handlers(*(module.VISITS for module in (*SHARED, modules)))
VALUES: Final = handlers(*(getattr(module, "VALUES", {}) for module in SHARED))


def javascript_reader(language: object, name: str) -> Reader:
    grammar = Grammar(language)
    ids = make_ids(
        grammar,
        (*COMMON, *ONLY_JAVASCRIPT),
        ONLY_TYPESCRIPT,
        {"block_declarations": ("using_declaration",), "exportable": ("using_declaration",)},
    )
    visits = Table(grammar, {**VISITS, "using_declaration": declarations.declaration}, visit_children)
    return Reader(
        name, grammar, ids, (visits, Table(grammar, VALUES, expressions.unknown), Table(grammar, {}, no_types))
    )
