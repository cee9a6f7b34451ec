"""The facts of one file, arranged for look-up by name."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, Final

from indexer.link.additions import Addition, additions
from indexer.link.named import calls_by_name
from indexer.model import (
    LEAVES,
    Attribute,
    Binding,
    BindingKind,
    Class,
    Export,
    Expression,
    FileFacts,
    Flag,
    Function,
    Narrowing,
)
from indexer.ports import LinkRules

_OVERLOAD: Final = int(Flag.OVERLOAD)
_SETTER: Final = int(Flag.SETTER)
_SYMBOL: Final = int(BindingKind.SYMBOL)
_GLOBAL: Final = int(BindingKind.GLOBAL)
_NONLOCAL: Final = int(BindingKind.NONLOCAL)
_RUNNING: Final = frozenset({"module", "function", "method", "lambda"})
END_OF_FILE: Final = 1 << 40
"""A position after every binding."""

MAX_ALTERNATIVES: Final = 50
"""Bindings of a name that are kept as what it may denote at a place: the nearest before it."""


class FileIndex:
    """Read-only tables over one `FileFacts`; everything is found in a dictionary look-up or two."""

    __slots__ = (
        "added",
        "attributes",
        "bindings",
        "blocks",
        "children",
        "chosen",
        "classes",
        "covering",
        "decorated",
        "facts",
        "flows",
        "functions",
        "handing",
        "heads",
        "key_names",
        "language",
        "lookups",
        "named",
        "names",
        "narrowed",
        "narrowed_heads",
        "parameters",
        "passing",
        "path",
        "scope_names",
        "scopes",
        "sources",
        "stars",
        "stores",
        "symbols",
    )

    def __init__(self, path: str, facts: FileFacts, language: LinkRules) -> None:
        self.path = path
        self.facts = facts
        self.language = language
        self.symbols = facts.symbols
        self.scopes = facts.scopes
        self.bindings = facts.bindings
        self.blocks = facts.blocks
        self.names: list[dict[str, list[int]]] = [{} for _ in facts.scopes]
        for number, binding in enumerate(facts.bindings):
            self.names[binding[0]].setdefault(binding[1], []).append(number)
        self.functions: dict[int, Function] = {function.symbol: function for function in facts.functions}
        self.classes: dict[int, Class] = {row.symbol: row for row in facts.classes}
        self.decorated = frozenset(
            [row.symbol for row in facts.functions if row.decorators]
            + [row.symbol for row in facts.classes if row.decorators]
        )
        self.scope_names = ["" if n == 0 else facts.symbols[row[2]][1] for n, row in enumerate(facts.scopes)]
        self.flows: dict[int, tuple[list[int], list[int], list[int]]] = {}
        self.stars = [row for row in facts.imports if row.kind == "star"]
        self.attributes: dict[tuple[int, str], list[Attribute]] = {}
        for attribute in facts.attributes:
            self.attributes.setdefault((attribute.scope, attribute.name), []).append(attribute)
        self.stores: dict[str, list[int]] = {}
        """Stores by the attribute's name, "" for the others."""
        for number, store in enumerate(facts.stores):
            self.stores.setdefault(str(store.key) if store.kind == "attribute" else "", []).append(number)
        self.narrowed: dict[str, list[Narrowing]] = {}
        for narrowing in facts.narrowings:
            self.narrowed.setdefault(narrowing.chain, []).append(narrowing)
        self.narrowed_heads = {chain.partition(".")[0] for chain in self.narrowed}
        self.passing: dict[tuple[int, int], int] | None = None  # (scope, position) of a call → its row; see `calls`
        self.named: dict[str, list[tuple[int, int, int]]] | None = None
        self.added: list[tuple[Expression, Addition]] | None = None
        self.parameters: dict[int, Any] = {}  # what follows is kept by `taint`
        self.sources: dict[int, dict[str, frozenset[str]]] = {}
        self.chosen: dict[Any, Any] = {}
        self.handing: dict[int, list[tuple[int, int, int]]] = {}
        self.heads: dict[int | str, frozenset[str]] = {}
        self.key_names: frozenset[str] | None = None
        self.covering: Any = None  # kept by `lookup`
        self.lookups: dict[int, dict[str, tuple[str, str]]] = {}  # kept by `modules`
        self.children: dict[int, dict[str, list[int]]] = {}
        for number, symbol in enumerate(facts.symbols):
            self.children.setdefault(symbol[4], {}).setdefault(symbol[0], []).append(number)

    def find(self, scope: int, name: str) -> tuple[int, list[int]] | None:
        """The scope that binds `name` for code in `scope`, and its bindings in source order; None if none does."""
        names = self.names
        bound = names[scope].get(name)
        if bound is not None:
            kind = self.bindings[bound[0]].kind
            if kind < _GLOBAL:
                return scope, bound
            if kind == _GLOBAL:
                bound = names[0].get(name)
                return None if bound is None else (0, bound)
        scopes = self.scopes
        scope = scopes[scope].parent
        visible = self.language.class_scope_visible
        while scope >= 0:
            row = scopes[scope]
            if visible or row.kind != "class":
                bound = names[scope].get(name)
                if bound is not None:
                    kind = self.bindings[bound[0]].kind
                    if kind < _GLOBAL or kind > _NONLOCAL:
                        return scope, bound
                    if kind == _GLOBAL:
                        bound = names[0].get(name)
                        return None if bound is None else (0, bound)
            scope = row.parent
        return None

    def begun(self, numbers: list[int], position: int) -> bool:
        """Whether any of some bindings may hold at a position of their own scope; until then a class's body finds the
        name around the class."""
        return any(self._takes_effect(n) <= position or 0 <= self._loop(n) <= position for n in numbers)

    def around_class(self, scope: int) -> int:
        """The scope in which code of a class's body finds what the body does not bind."""
        scope = self.scopes[scope].parent
        while scope > 0 and self.scopes[scope].kind == "class" and not self.language.class_scope_visible:
            scope = self.scopes[scope].parent
        return scope

    def function_scope(self, scope: int) -> int:
        """The function, class or module scope that runs the code of `scope` (blocks are transparent)."""
        scopes = self.scopes
        while scopes[scope].kind == "block":
            scope = scopes[scope].parent
        return scope

    def calls(self) -> dict[tuple[int, int], int]:
        """The row of each call that passes something, by (scope, position)."""
        if self.passing is None:
            self.passing = {(row.scope, position): row.row for row in self.facts.calls for position in row.positions}
        return self.passing

    def calls_named(self, name: str) -> list[tuple[int, int, int]]:
        """(scope, row, position) of the calls that pass something to a function or method of that name, in order; of
        "f.<lambda1>@": of those that pass that lambda."""
        if self.named is None:
            self.named = calls_by_name(self.facts)
        return self.named.get(name, [])

    def additions(self) -> list[tuple[Expression, Addition]]:
        """What the file's code puts into containers."""
        if self.added is None:
            self.added = list(additions(self.facts))
        return self.added

    def within(self, scope: int, outer: int) -> bool:
        """Whether a scope is `outer` or lies in it."""
        scopes = self.scopes
        while scope > outer:  # a scope comes after the one around it
            scope = scopes[scope].parent
        return scope == outer

    def caller(self, scope: int) -> int:
        """The symbol that runs the code of `scope`: a class body is run by the scope around the class."""
        symbol = self.scopes[scope].symbol
        while self.symbols[symbol].kind not in _RUNNING:
            symbol = self.symbols[symbol].parent
        return symbol

    def aliased(self, symbol: int) -> Binding | None:
        """The binding of a type alias, whose annotation is the type it stands for."""
        for number in self.names[self._scope_around(symbol)].get(self.symbols[symbol].name, ()):
            binding = self.bindings[number]
            if binding.kind == _SYMBOL and binding.target == symbol:
                return binding
        return None

    def _scope_around(self, symbol: int) -> int:
        parent = self.symbols[symbol].parent
        return max(self.symbols[parent].scope, 0) if parent >= 0 else 0

    def method(self, scope: int) -> int:
        """The symbol of the nearest function around `scope` that sits directly in a class; -1 if there is none."""
        while scope >= 0:
            row = self.scopes[scope]
            if row.kind == "function":
                parent = self.symbols[row.symbol].parent
                if parent >= 0 and self.symbols[parent].kind == "class":
                    return row.symbol
            scope = row.parent
        return -1

    def select(self, scope: int, bound: int, numbers: list[int], position: int) -> tuple[int, ...]:
        """Of the bindings of a name in scope `bound`, those that code in `scope` at `position` may find."""
        if len(numbers) == 1:
            return (numbers[0],)
        if self.function_scope(scope) == self.function_scope(bound):
            return self.reaching(numbers, position)
        return self.final(numbers)

    def final(self, numbers: list[int]) -> tuple[int, ...]:
        """The bindings that code in another scope may find: from the last one back to the first that always runs."""
        if len(numbers) == 1:
            return (numbers[0],)
        return self._reaching(numbers, len(numbers), END_OF_FILE)

    def reaching(self, numbers: list[int], position: int) -> tuple[int, ...]:
        """The bindings that may hold at `position` in the same scope, later ones of a loop around it included."""
        order, effective, looped = self._flow(numbers)
        count = bisect_right(effective, position)
        kept = self._reaching(order, count, position)
        if looped:
            kept += tuple([n for n in looped if self._takes_effect(n) > position and self._loop(n) <= position])
        return kept or self._reaching(order, len(order), END_OF_FILE)

    def _flow(self, numbers: list[int]) -> tuple[list[int], list[int], list[int]]:
        """Bindings in the order they take effect, where each does, and those in loops."""
        flow = self.flows.get(numbers[0])
        if flow is None:
            order = sorted(numbers, key=self._takes_effect)
            looped = [number for number in order if self._loop(number) >= 0]
            flow = self.flows[numbers[0]] = (order, [self._takes_effect(number) for number in order], looped)
        return flow

    def _takes_effect(self, number: int) -> int:
        binding = self.bindings[number]
        return max(binding.position, binding.end)

    def _loop(self, number: int) -> int:
        return self.blocks[self.bindings[number].block][2]

    def _reaching(self, numbers: list[int], count: int, position: int) -> tuple[int, ...]:
        """Of the first `count` bindings, the last ones back to the first that always runs before `position`."""
        kept: list[int] = []
        ran: dict[int, int] = {}  # branches that surely bind the name, and the ends of their `if`s
        setters: list[int] = []
        for at in range(count - 1, -1, -1):
            number = numbers[at]
            binding = self.bindings[number]
            flags = self.symbols[binding.target].flags if binding.kind == _SYMBOL else 0
            if flags & _SETTER:
                setters.append(number)
                continue
            start, end, other = self.blocks[binding.block]
            if other < -1:
                whole, going_on = -2 - other >> 6, -2 - other & 63
                if end <= position < whole:  # another branch of the same `if`
                    continue
                if going_on and whole <= position < END_OF_FILE:
                    if going_on == LEAVES:
                        continue
                    if binding.block in ran:
                        continue
                    if binding.origin == binding.scope:
                        ran[binding.block] = whole
                        if sum(each == whole for each in ran.values()) == going_on:  # one of them surely did
                            kept.append(number)
                            break
            kept.append(number)
            always = start <= position < end or (binding.block == 0 and position == END_OF_FILE)
            if len(kept) == MAX_ALTERNATIVES or (always and binding.origin == binding.scope and not flags & _OVERLOAD):
                break
        return tuple(reversed(kept or setters))


def replaced_before(exports: Sequence[Export]) -> int:
    """Where `module.exports = …` replaces the object that what stands before it was exported on; -1: nowhere."""
    places = (e.position for e in exports if e.name == "=" and e.expression not in ("exports", "module.exports"))
    return max(places, default=-1)
