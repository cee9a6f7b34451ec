"""Decorators: the references they make, and what the well-known ones say of a function."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from indexer.languages.python import kinds as k
from indexer.languages.python.expressions import named
from indexer.languages.python.kinds import VALUE
from indexer.languages.python.walk import Walk
from indexer.model import Expression, Flag, Role

DECORATOR: Final = int(Role.DECORATOR)

FLAGS: dict[str, int] = {
    "staticmethod": Flag.STATIC,
    "classmethod": Flag.CLASSMETHOD,
    "property": Flag.PROPERTY,
    "cached_property": Flag.PROPERTY,
    "getter": Flag.PROPERTY,
    "setter": Flag.SETTER,
    "deleter": Flag.SETTER,
    "abstractmethod": Flag.ABSTRACT,
    "abstractproperty": Flag.ABSTRACT | Flag.PROPERTY,
    "abstractclassmethod": Flag.ABSTRACT | Flag.CLASSMETHOD,
    "abstractstaticmethod": Flag.ABSTRACT | Flag.STATIC,
    "overload": Flag.OVERLOAD,
}
FLAGS = {name: int(flags) for name, flags in FLAGS.items()}
"""By the last name of a decorator that is a chain."""

ACCESSORS: Final = frozenset(("getter", "setter", "deleter"))
BARE: Final = frozenset(("staticmethod", "classmethod", "property"))
"""Built-in names; a member of something else that is called so is not known."""


def decorator_flags(w: Walk, decorators: list[Node]) -> int:
    """What the decorators say, by their spelling."""
    flags = 0
    for decorator in decorators:
        owner, _, name = w.source[decorator.start_byte + 1 : decorator.end_byte].strip().rpartition(".")
        if (
            name in FLAGS
            and not (name in ACCESSORS and not owner)
            and not (name in BARE and owner not in ("", "builtins"))
        ):
            flags |= FLAGS[name]
    return flags


def decorate(w: Walk, decorator: Node) -> Expression:
    """The expression of a decorator; the walk stands in the scope around the definition."""
    node = decorator.named_children[0]
    kind = node.kind_id
    if kind == k.IDENTIFIER or kind == k.ATTRIBUTE:
        return named(w, node, DECORATOR)
    return VALUE[kind](w, node)
