"""Node kinds of a grammar: names resolved to ids once, with an error when the grammar lacks one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar

Handler = Callable[..., Any]
"""`handler(walker, node)`: records the facts of a node; as a value handler it returns its `Expression`."""

ERROR = 65535
"""The id tree-sitter gives to ERROR nodes, in every grammar."""

_COMMON = """
arguments array array_pattern arrow_function assignment_expression assignment_pattern
augmented_assignment_expression binary_expression call_expression catch_clause class class_body class_declaration
class_heritage class_static_block comment computed_property_name decorator else_clause export_clause
export_specifier formal_parameters function_declaration function_expression generator_function
generator_function_declaration identifier if_statement import import_clause import_specifier jsx_opening_element
jsx_self_closing_element lexical_declaration member_expression method_definition named_imports namespace_export
namespace_import new_expression number object object_assignment_pattern object_pattern optional_chain pair
pair_pattern parenthesized_expression private_property_identifier property_identifier rest_pattern
sequence_expression shorthand_property_identifier shorthand_property_identifier_pattern spread_element
statement_block statement_identifier string subscript_expression super switch_case switch_default template_string
this variable_declaration variable_declarator
"""
COMMON = tuple(_COMMON.split())
"""Kinds that handlers compare with and every grammar here has."""


class UnknownKindError(LookupError):
    """The grammar has no node kind of that name: it is another version than the one this was written for."""


def kind_id(grammar: Grammar, name: str) -> int:
    """Id of a named node kind. Raises UnknownKindError."""
    found = grammar.id_for_node_kind(name, True)
    if not found:
        raise UnknownKindError(f"the grammar has no node kind {name!r}")
    return found


class Ids:
    """Ids of the kinds that handlers compare with, as attributes; those a language does not have are -1."""

    def __init__(self, grammar: Grammar, required: Iterable[str], absent: Iterable[str] = ()) -> None:
        for name in required:
            setattr(self, name + "_" if iskeyword(name) else name, kind_id(grammar, name))
        for name in absent:
            setattr(self, name, -1)

    if TYPE_CHECKING:
        generators: frozenset[int]
        functions: frozenset[int]
        function_expressions: frozenset[int]
        block_declarations: frozenset[int]
        exportable: frozenset[int]
        class_names: frozenset[int]
        return_types: frozenset[int]
        names: frozenset[int]
        operations: frozenset[int]
        wrappers: frozenset[int]
        property_names: frozenset[int]
        named_declarations: frozenset[int]

        def __getattr__(self, name: str) -> int: ...


class Table(dict[int, Handler]):
    """Handlers by kind id; kinds without one get the default, ERROR nodes too."""

    def __init__(self, grammar: Grammar, handlers: Mapping[str, Handler], default: Handler) -> None:
        super().__init__({kind_id(grammar, name): handler for name, handler in handlers.items()})
        self._default = default

    def __missing__(self, kind: int) -> Handler:
        self[kind] = self._default
        return self._default
