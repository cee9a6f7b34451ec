"""The statements of a file that put something into containers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from indexer.model import Expression, FileFacts

_ADDS: Final = {
    **dict.fromkeys(("append", "add", "appendleft", "push", "put"), 0),
    **dict.fromkeys(("insert", "__setitem__", "setdefault"), 1),
}
_KEYED: Final = frozenset({"__setitem__", "setdefault"})
_EXTENDS: Final = frozenset({"extend", "update", "extendleft"})


class Addition(NamedTuple):
    """Something put into containers by one statement."""

    scope: int
    key: Expression  # where it is read in `scope`
    name: str | None  # the key itself, if it is written as a name
    value: Expression
    spread: bool  # whether the items of the value are put in
    position: int
    sure: bool  # whether it runs whenever its scope does, and on nothing else


def additions(facts: FileFacts) -> Iterator[tuple[Expression, Addition]]:
    """(container, what is put into it) for every such statement, in the order of the facts."""
    for store in facts.stores:
        if store.kind != "attribute":
            spread = store.kind == "extend"
            key = None if spread else store.key
            yield store.object, Addition(store.scope, key, None, store.value, spread, store.position, store.block == 0)
    for call in facts.calls:
        _, function, arguments = facts.expressions[call.row][:3]
        target: Expression
        if isinstance(function, str):
            target, _, name = function.rpartition(".")
        else:
            row = facts.expressions[function] if function is not None else ("",)
            target, name = (row[1], row[2]) if row[0] == "member" else ("", "")
        if target != "" and (name in _ADDS or name in _EXTENDS):
            for position in call.positions:
                for addition in _by_method(call.scope, name, arguments, position):
                    yield target, addition


def _by_method(scope: int, name: str, arguments: Any, position: int) -> Iterator[Addition]:
    number = _ADDS.get(name, -1)
    if number >= 0:
        if len(arguments) > number and not isinstance(arguments[number], (list, tuple)):
            key = arguments[0] if name in _KEYED and not isinstance(arguments[0], (list, tuple)) else None
            yield Addition(scope, key, None, arguments[number], False, position, False)
        return
    for part in arguments:
        if not isinstance(part, (list, tuple)) and name != "update":  # an update with another mapping is a store
            yield Addition(scope, None, None, part, True, position, False)
        elif isinstance(part, (list, tuple)) and part[0] == "=":
            yield Addition(scope, None, part[1], part[2], False, position, False)
