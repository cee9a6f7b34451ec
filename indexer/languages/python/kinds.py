"""Node kinds of the grammar by name, and the handler tables they index.

A kind that the grammar does not have is an error when this package is loaded, so a grammar update that renames one is
seen at once and not as facts that are quietly missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import tree_sitter_python
from tree_sitter import Language, Node

from indexer.model import Expression

if TYPE_CHECKING:
    from indexer.languages.python.walk import Walk

GRAMMAR: Final = Language(tree_sitter_python.language())
ERROR: Final = 65535  # the kind of every ERROR node, fixed by the tree-sitter library

Visitor: TypeAlias = "Callable[[Walk, Node], None]"
Evaluator: TypeAlias = "Callable[[Walk, Node], Expression]"

VISIT: Final[list[Visitor | None]] = [None] * (ERROR + 1)
"""By kind: records the references and bindings of a node whose value nobody uses; None where there are none."""

VALUE: Final[list[Evaluator]] = []
"""By kind: does the same and returns the expression."""

_Handler = TypeVar("_Handler", Visitor, Evaluator)


def kind(name: str, named: bool = True) -> int:
    """The id of a node kind.

    Raises:
        LookupError: the grammar has no such kind.
    """
    number = GRAMMAR.id_for_node_kind(name, named)
    if not number:
        raise LookupError(f"the Python grammar has no node kind {name!r}")
    return number


def visits(*names: str) -> Callable[[Visitor], Visitor]:
    """Register a handler in `VISIT` for these kinds."""
    numbers = [kind(name) for name in names]

    def register(handler: Visitor) -> Visitor:
        for number in numbers:
            VISIT[number] = handler
        return handler

    return register


def values(*names: str) -> Callable[[Evaluator], Evaluator]:
    """Register a handler in `VALUE` for these kinds."""
    numbers = [kind(name) for name in names]

    def register(handler: Evaluator) -> Evaluator:
        for number in numbers:
            VALUE[number] = handler
        return handler

    return register


def _unknown(w: Walk, node: Node) -> Expression:
    handler = VISIT[node.kind_id]
    if handler is not None:
        handler(w, node)
    return 0


VALUE.extend([_unknown] * (ERROR + 1))

ARGUMENT_LIST: Final = kind("argument_list")
AS_PATTERN: Final = kind("as_pattern")
AS_PATTERN_TARGET: Final = kind("as_pattern_target")
ALIASED_IMPORT: Final = kind("aliased_import")
ASSIGNMENT: Final = kind("assignment")
ATTRIBUTE: Final = kind("attribute")
AUGMENTED_ASSIGNMENT: Final = kind("augmented_assignment")
BINARY_OPERATOR: Final = kind("binary_operator")
BLOCK: Final = kind("block")
BOOLEAN_OPERATOR: Final = kind("boolean_operator")
CALL: Final = kind("call")
CLASS_DEFINITION: Final = kind("class_definition")
COMMENT: Final = kind("comment")
COMPARISON: Final = kind("comparison_operator")
CONCATENATED_STRING: Final = kind("concatenated_string")
CONSTRAINED_TYPE: Final = kind("constrained_type")
DECORATOR: Final = kind("decorator")
DEFAULT_PARAMETER: Final = kind("default_parameter")
DICTIONARY_SPLAT: Final = kind("dictionary_splat")
DICTIONARY_SPLAT_PATTERN: Final = kind("dictionary_splat_pattern")
DOTTED_NAME: Final = kind("dotted_name")
ELLIPSIS: Final = kind("ellipsis")
EXPRESSION_LIST: Final = kind("expression_list")
EXPRESSION_STATEMENT: Final = kind("expression_statement")
FALSE: Final = kind("false")
FLOAT: Final = kind("float")
FOR_IN_CLAUSE: Final = kind("for_in_clause")
FUNCTION_DEFINITION: Final = kind("function_definition")
GENERIC_TYPE: Final = kind("generic_type")
IDENTIFIER: Final = kind("identifier")
IMPORT_PREFIX: Final = kind("import_prefix")
INTEGER: Final = kind("integer")
KEYWORD_ARGUMENT: Final = kind("keyword_argument")
KEYWORD_SEPARATOR: Final = kind("keyword_separator")
LIST: Final = kind("list")
LIST_PATTERN: Final = kind("list_pattern")
LIST_SPLAT: Final = kind("list_splat")
LIST_SPLAT_PATTERN: Final = kind("list_splat_pattern")
LINE_CONTINUATION: Final = kind("line_continuation")
NONE: Final = kind("none")
NOT_OPERATOR: Final = kind("not_operator")
PAIR: Final = kind("pair")
PARAMETERS: Final = kind("parameters")
PARENTHESIZED: Final = kind("parenthesized_expression")
PATTERN_LIST: Final = kind("pattern_list")
RAISE_STATEMENT: Final = kind("raise_statement")
RELATIVE_IMPORT: Final = kind("relative_import")
SET: Final = kind("set")
SLICE: Final = kind("slice")
SPLAT_TYPE: Final = kind("splat_type")
STRING: Final = kind("string")
SUBSCRIPT: Final = kind("subscript")
TRUE: Final = kind("true")
TUPLE: Final = kind("tuple")
TUPLE_PATTERN: Final = kind("tuple_pattern")
TYPE: Final = kind("type")
TYPE_PARAMETER: Final = kind("type_parameter")
TYPED_DEFAULT_PARAMETER: Final = kind("typed_default_parameter")
TYPED_PARAMETER: Final = kind("typed_parameter")
UNARY_OPERATOR: Final = kind("unary_operator")
UNION_TYPE: Final = kind("union_type")
WILDCARD_IMPORT: Final = kind("wildcard_import")

EXTRAS: Final = frozenset((COMMENT, LINE_CONTINUATION))
LITERALS: Final = frozenset((INTEGER, FLOAT, TRUE, FALSE, NONE, STRING, ELLIPSIS))
DULL: Final = EXTRAS | LITERALS | {BINARY_OPERATOR, COMPARISON, CONCATENATED_STRING, NOT_OPERATOR, UNARY_OPERATOR}
"""Literals, and what is made by operators: not worth following when passed to a function or put into an object."""
