"""Which names of a function depend on what it is given: what has to be read anew for each kind of call."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from indexer.link.index import FileIndex
from indexer.model import BindingKind, Expression

_SYMBOL: Final = int(BindingKind.SYMBOL)
_VALUE: Final = int(BindingKind.VALUE)
_PARAMETER: Final = int(BindingKind.PARAMETER)
_KEYWORD_ONLY: Final = int(BindingKind.KEYWORD_ONLY)
_STAR: Final = int(BindingKind.STAR)
_DOUBLE_STAR: Final = int(BindingKind.DOUBLE_STAR)
PARAMETERS: Final = frozenset({_PARAMETER, _STAR, _KEYWORD_ONLY, _DOUBLE_STAR})
_FUNCTIONS: Final = frozenset({"function", "method", "lambda"})
_NONE: Final[frozenset[str]] = frozenset()


class Parameters(NamedTuple):
    """Bindings of a function's parameters."""

    positional: tuple[int, ...]
    named: dict[str, int]  # all that can be given by name
    star: int  # -1: there is none
    double: int


def parameters(index: FileIndex, symbol: int) -> Parameters:
    """The parameters of a function; none where it has no facts."""
    found = index.parameters.get(symbol)
    if found is None:
        found = index.parameters[symbol] = _parameters(index, symbol)
    return found


def _parameters(index: FileIndex, symbol: int) -> Parameters:
    function = index.functions.get(symbol)
    positional: list[tuple[int, int]] = []
    named: dict[str, int] = {}
    star = double = -1
    names = {} if function is None else index.names[function.origin]
    for name, numbers in names.items():
        binding = index.bindings[numbers[0]]
        kind = binding.kind
        if kind == _PARAMETER:
            positional.append((binding.target, numbers[0]))
            named[name] = numbers[0]
        elif kind == _KEYWORD_ONLY:
            named[name] = numbers[0]
        elif kind == _STAR:
            star = numbers[0]
        elif kind == _DOUBLE_STAR:
            double = numbers[0]
    return Parameters(tuple(number for _, number in sorted(positional)), named, star, double)


def sources(index: FileIndex, symbol: int) -> dict[str, frozenset[str]]:
    """The names in a function that may denote something else in another call, each with the parameters it comes from:
    parameters, what is made of them, and the functions in it. Names of the functions around it are among them."""
    found = index.sources.get(symbol)
    if found is None:
        found = index.sources[symbol] = _sources(index, symbol)
    return found


def _sources(index: FileIndex, symbol: int) -> dict[str, frozenset[str]]:
    function = index.functions.get(symbol)
    if function is None:
        return {}
    outer: dict[str, frozenset[str]] = {}
    if index.scopes[function.origin].parent > 0:  # what the functions around it are given
        around = index.caller(index.scopes[function.origin].parent)
        if around != symbol:
            outer = sources(index, around)
    names: dict[str, frozenset[str]] = {}
    made: list[tuple[str, frozenset[str]]] = []
    inner: list[str] = []
    for scope in range(function.origin, len(index.scopes)):
        if not index.within(scope, function.origin):
            continue
        own = index.function_scope(scope) == function.origin
        for name, numbers in index.names[scope].items():
            for number in numbers:
                binding = index.bindings[number]
                if binding.kind in PARAMETERS:
                    if own:
                        names[name] = frozenset((name,))
                elif binding.kind == _SYMBOL and _is_function(index, binding.target):
                    inner.append(name)
                elif binding.kind == _VALUE:
                    made.append((name, heads(index, binding.expression)))
    everything = frozenset().union(*names.values(), *outer.values())
    names.update(dict.fromkeys(inner, everything))
    names["<lambda>"] = everything
    for name, origin in outer.items():
        names.setdefault(name, origin)
    _spread(names, made)
    return names


def _spread(names: dict[str, frozenset[str]], made: list[tuple[str, frozenset[str]]]) -> None:
    """Add what is made of names to them, until nothing is new."""
    grown = True
    while grown:
        grown = False
        for name, used in made:
            before = names.get(name, _NONE)
            origin = before
            for head in used:
                origin = _joined(origin, names.get(head))
            if origin is not before:
                names[name] = origin
                grown = True


def _joined(some: frozenset[str], more: frozenset[str] | None) -> frozenset[str]:
    """Both; `some` itself where it has all of the others."""
    if not more or some.issuperset(more):
        return some
    return some | more if some else more


def origins(index: FileIndex, symbol: int, expression: Expression) -> frozenset[str]:
    """The parameters that an expression in a function depends on."""
    known = sources(index, symbol)
    found = _NONE
    if known:
        for head in heads(index, expression):
            found = _joined(found, known.get(head))
    return found


def _is_function(index: FileIndex, symbol: int) -> bool:
    return index.symbols[symbol].kind in _FUNCTIONS


def heads(index: FileIndex, expression: Expression) -> frozenset[str]:
    """The names at which the chains in an expression start; "<lambda>" for a function in it."""
    if expression is None:
        return _NONE
    found = index.heads.get(expression)
    if found is None:
        if isinstance(expression, str):
            found = frozenset((expression.partition(".")[0],))
        else:
            index.heads[expression] = _NONE  # rows do not hold themselves, but facts are not to be trusted
            names: set[str] = set()
            _add_heads(index, index.facts.expressions[expression], names)
            found = frozenset(names) if names else _NONE
        index.heads[expression] = found
    return found


def _add_heads(index: FileIndex, row: tuple[Any, ...], found: set[str]) -> None:
    kind = row[0]
    if kind in ("literal", "import", "unknown"):
        return
    if kind == "symbol":
        found.add("<lambda>")
    elif kind == "member":
        found |= heads(index, row[1])
    elif kind == "each":
        found |= heads(index, row[2])
        for numbers in index.names[row[3]].values():
            for number in numbers:
                found |= heads(index, index.bindings[number].expression)
    elif kind in ("call", "new"):
        found |= heads(index, row[1])
        _add_parts(index, row[2], found)
    else:
        _add_parts(index, row[1:], found)


def _add_parts(index: FileIndex, parts: list[Any] | tuple[Any, ...], found: set[str]) -> None:
    for part in parts:
        if isinstance(part, (list, tuple)):
            if part and part[0] in ("=", "*", "**"):
                found |= heads(index, part[-1])
            else:
                _add_parts(index, part, found)
        elif isinstance(part, str | int) and not isinstance(part, bool):
            found |= heads(index, part)


_KEYED: Final = frozenset({"get", "pop", "setdefault", "getattr", "__getitem__", "import_module"})


def key_names(index: FileIndex) -> frozenset[str]:
    """The names that a file uses in keys of items and in what names a member."""
    if index.key_names is None:
        found: set[str] = set()
        for row in index.facts.expressions:
            if row[0] == "item":
                found |= heads(index, row[2])
            elif row[0] == "call" and isinstance(row[1], str) and row[1].rpartition(".")[2] in _KEYED:
                found.update(*(heads(index, part) for part in row[2] if not isinstance(part, (list, tuple))))
        for store in index.facts.stores:
            if store.kind == "item":
                found |= heads(index, store.key)
        index.key_names = frozenset(found)
    return index.key_names


def in_result(index: FileIndex, symbol: int) -> frozenset[str]:
    """The parameters that may be in what a call of a function gives, by its text alone; see `Reach.in_result`."""
    function = index.functions.get(symbol)
    parts = () if function is None else (*function.returns, *function.yields)
    return frozenset().union(*(origins(index, symbol, part) for part in parts))


def in_attributes(index: FileIndex, symbol: int) -> frozenset[str]:
    """The parameters that may be in attributes that a constructor sets, by its text alone."""
    function = index.functions.get(symbol)
    if function is None:
        return frozenset()
    rows = (row for row in index.facts.attributes if row.origin == function.origin)
    return frozenset().union(*(origins(index, symbol, row.expression) for row in rows))
