"""Node kinds of the grammar by name, and the handler tables they index.

A kind that the grammar does not have is an error when this package is loaded, so a grammar update that renames one is
seen at once and not as facts that are quietly missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import tree_sitter_python
from tree_sitter import Language, Node

from indexer.model import Expression

if TYPE_CHECKING:
    from indexer.languages.python.walk import Walk

GRAMMAR = Language(tree_sitter_python.language())
ERROR = 65535  # the kind of every ERROR node, fixed by the tree-sitter library

Visitor: TypeAlias = "Callable[[Walk, Node], None]"
Evaluator: TypeAlias = "Callable[[Walk, Node], Expression]"

VISIT: list[Visitor | None] = [None] * (ERROR + 1)
"""By kind: records the references and bindings of a node whose value nobody uses; None where there are none."""

VALUE: list[Evaluator] = []
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

ARGUMENT_LIST = kind("argument_list")
AS_PATTERN = kind("as_pattern")
AS_PATTERN_TARGET = kind("as_pattern_target")
ALIASED_IMPORT = kind("aliased_import")
ASSIGNMENT = kind("assignment")
ATTRIBUTE = kind("attribute")
AUGMENTED_ASSIGNMENT = kind("augmented_assignment")
BINARY_OPERATOR = kind("binary_operator")
BLOCK = kind("block")
BOOLEAN_OPERATOR = kind("boolean_operator")
CALL = kind("call")
CLASS_DEFINITION = kind("class_definition")
COMMENT = kind("comment")
COMPARISON = kind("comparison_operator")
CONCATENATED_STRING = kind("concatenated_string")
CONSTRAINED_TYPE = kind("constrained_type")
DECORATOR = kind("decorator")
DEFAULT_PARAMETER = kind("default_parameter")
DICTIONARY_SPLAT = kind("dictionary_splat")
DICTIONARY_SPLAT_PATTERN = kind("dictionary_splat_pattern")
DOTTED_NAME = kind("dotted_name")
ELLIPSIS = kind("ellipsis")
EXPRESSION_LIST = kind("expression_list")
EXPRESSION_STATEMENT = kind("expression_statement")
FALSE = kind("false")
FLOAT = kind("float")
FOR_IN_CLAUSE = kind("for_in_clause")
FUNCTION_DEFINITION = kind("function_definition")
GENERIC_TYPE = kind("generic_type")
IDENTIFIER = kind("identifier")
IMPORT_PREFIX = kind("import_prefix")
INTEGER = kind("integer")
KEYWORD_ARGUMENT = kind("keyword_argument")
KEYWORD_SEPARATOR = kind("keyword_separator")
LIST = kind("list")
LIST_PATTERN = kind("list_pattern")
LIST_SPLAT = kind("list_splat")
LIST_SPLAT_PATTERN = kind("list_splat_pattern")
LINE_CONTINUATION = kind("line_continuation")
NONE = kind("none")
NOT_OPERATOR = kind("not_operator")
PAIR = kind("pair")
PARAMETERS = kind("parameters")
PARENTHESIZED = kind("parenthesized_expression")
PATTERN_LIST = kind("pattern_list")
RAISE_STATEMENT = kind("raise_statement")
RELATIVE_IMPORT = kind("relative_import")
SET = kind("set")
SLICE = kind("slice")
SPLAT_TYPE = kind("splat_type")
STRING = kind("string")
SUBSCRIPT = kind("subscript")
TRUE = kind("true")
TUPLE = kind("tuple")
TUPLE_PATTERN = kind("tuple_pattern")
TYPE = kind("type")
TYPE_PARAMETER = kind("type_parameter")
TYPED_DEFAULT_PARAMETER = kind("typed_default_parameter")
TYPED_PARAMETER = kind("typed_parameter")
UNARY_OPERATOR = kind("unary_operator")
UNION_TYPE = kind("union_type")
WILDCARD_IMPORT = kind("wildcard_import")

EXTRAS = frozenset((COMMENT, LINE_CONTINUATION))
LITERALS = frozenset((INTEGER, FLOAT, TRUE, FALSE, NONE, STRING, ELLIPSIS))
DULL = EXTRAS | LITERALS | {BINARY_OPERATOR, COMPARISON, CONCATENATED_STRING, NOT_OPERATOR, UNARY_OPERATOR}
"""Literals, and what is made by operators: not worth following when passed to a function or put into an object."""
