"""Containers: what is in them, as far as the code that fills them says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from indexer.link.contexts import RESULT, Contexts
from indexer.link.index import END_OF_FILE, FileIndex
from indexer.link.memo import question
from indexer.link.types import Types
from indexer.link.values import CONTAINERS, Place, Value, Values, external, known, union, unknown
from indexer.model import Expression
from indexer.ports import FactsSource, LinkRules, Resolver

ITEM: Final = unknown("item of a container")
MAX_DEPTH: Final = 4
"""Containers made by calls within one another that are followed."""

CYCLE_DEPTH: Final = 2
"""Likewise in answers that rest on themselves."""

MAX_ITEMS: Final = 50
"""Values of items that are kept where the key is not known."""

Constant: TypeAlias = tuple[str, Any]
"""Type and value of a literal: ("str", "a"), ("int", 3)."""

Keys: TypeAlias = tuple[Constant, ...] | None
"""The keys that an item may have been asked for with; None: any."""

Reader: TypeAlias = tuple[FileIndex, int, int] | None
"""Where something is read: file, scope, position."""

Entry: TypeAlias = tuple[Constant | None, Values]
"""An item: its key (None: any) and what it may be."""


_TYPES: Final = {
    "record": "builtins.tuple",
    "record class": "builtins.type",
    "members": "types.MethodType",
    **{name: f"operator.{name}" for name in ("attrgetter", "itemgetter", "methodcaller")},
    "entry point": "importlib.metadata.EntryPoint",
    "entry points": "importlib.metadata.EntryPoints",
    "groups of entry points": "importlib.metadata.SelectableGroups",
}
"""Types of groups that are no built-in containers."""


_GROWING: Final = frozenset({"list", "set", "frozenset", "deque"})
"""Types of groups that have more places whenever they are made from themselves."""


class Group(NamedTuple):
    """A container made by a call: its type, and its items by key (None: under any key)."""

    type: str
    items: tuple[Entry, ...]


class Containers(Types):
    """Items of containers."""

    def __init__(
        self, sources: FactsSource, resolvers: Mapping[str, Resolver], languages: Mapping[str, LinkRules]
    ) -> None:
        super().__init__(sources, resolvers, languages)
        self.contexts = Contexts()
        self.variable_numbers = {}
        self.constants: list[Constant] = []
        self.constant_numbers: dict[Constant, int] = {}
        self.groups: list[Group] = []
        self.group_depths: list[int] = []
        self.group_numbers: dict[Group, int] = {}
        self.memo.carried = self.carried

    def call(self, value: Value) -> Values:
        raise NotImplementedError

    def members(self, values: Values, name: str) -> Values:
        raise NotImplementedError

    def plugins_of(self, groups: Keys) -> Values:
        raise NotImplementedError

    def read(self, index: FileIndex, scope: int, expression: Expression, position: int, context: int) -> Values:
        """What an expression denotes in a context; see `contexts`."""
        memo = self.memo
        outer, memo.context = memo.context, context
        try:
            return self.evaluate(index, scope, expression, position)
        finally:
            memo.context = outer

    # -- making containers

    def display(self, index: FileIndex, scope: int, row: int, position: int) -> Values:
        context = self.memo.context and self.contexts.around(self.memo.context, index, scope)
        return (Value("display", index.path, Place(row, scope, position).pack(), context),)

    def group(self, kind: str, items: Iterable[Entry]) -> Values:
        """A container of known items. Values of the same key stand for one item that may be any of them."""
        row = Group(kind, tuple(items))
        if self._depth(row) > MAX_DEPTH:
            row = self._cut(row, MAX_DEPTH)
        number = self.group_numbers.get(row)
        if number is None:
            number = self.group_numbers[row] = len(self.groups)
            self.groups.append(row)
            self.group_depths.append(self._depth(row))
        nesting = self.contexts.nesting  # not the greatest number: those depend on what was asked before
        context = max((v.context for _, values in row.items for v in values), key=nesting, default=0)
        return (Value("group", kind, number, context),)

    def _depth(self, row: Group) -> int:
        depths = self.group_depths
        return 1 + max((depths[v.number] for _, values in row.items for v in values if v.kind == "group"), default=0)

    def _cut(self, row: Group, depth: int) -> Group:
        """A container with at most so many levels of containers in one another."""
        items = [(key, tuple(dict.fromkeys(self._cut_off(v, depth - 1) for v in values))) for key, values in row.items]
        return Group(row.type, tuple(items))

    def _cut_off(self, value: Value, depth: int) -> Value:
        if value.kind != "group" or self.group_depths[value.number] <= depth:
            return value
        if depth == 0:
            return external(self.type_of(value))
        return self.group(value.path, self._cut(self.groups[value.number], depth).items)[0]

    def carried(self, value: Value) -> Value:
        """A container that a call made, as it is in a cycle; it would grow from pass to pass: `x = [x] + list(x)`."""
        value = self._cut_off(value, CYCLE_DEPTH)
        items = self.groups[value.number].items
        if value.path in _GROWING and any(key is not None for key, _ in items):
            value = self.bag(union([values for _, values in items]), value.path)[0]
        return value._replace(context=0) if value.context > RESULT else value

    def bag(self, values: Values, kind: str = "list") -> Values:
        """A container whose items may be any of these."""
        return self.group(kind, [(None, values or (ITEM,))])

    def constant(self, kind: str, content: Any) -> Value:
        """A literal, as a value: something of a built-in type whose content is known."""
        number = self.constant_numbers.setdefault((kind, content), len(self.constant_numbers) + 1)
        if number > len(self.constants):
            self.constants.append((kind, content))
        return Value("external", f"builtins.{kind}", number)

    def keys_of(self, values: Values) -> Keys:
        """The constants that a key may be; None where it may be something else, too."""
        if not values or not all(v.kind == "external" and v.number for v in values):
            return None
        return tuple(self.constants[v.number - 1] for v in values)

    # -- what is in them

    def type_of(self, value: Value) -> str:
        """The dotted name of a container's type: list, dict, …"""
        if value.kind == "group":
            return _TYPES.get(value.path) or f"builtins.{value.path}"
        if value.kind == "generator":
            return "builtins.generator"
        index = self.indexes[value.path]
        place = Place.unpack(value.number)
        row = index.facts.expressions[place.row]
        if row[0] == "item":
            named = self.evaluate(index, place.scope, row[1], END_OF_FILE)
            return next((v.path for v in named if v.kind == "external"), "builtins.list")
        if row[0] == "call":
            named = self.read(index, place.scope, row[1], place.position, value.context)
            return next((v.path for v in named if v.kind == "external"), "builtins.list")
        return f"builtins.{row[1] if row[0] in ('each', 'literal') else row[0]}"

    def items(self, value: Value, keys: Keys = None, reader: Reader = None) -> Values:
        """The items of a container under some keys, under any where `keys` is None."""
        if value.kind == "typed":
            return self.typed_items(value, keys)
        if value.kind == "generator":
            return self.yields(value.path, value.number, value.context)
        rows = self.groups[value.number].items if value.kind == "group" else self.contents(value, reader)
        if value.path == "groups of entry points" and value.kind == "group":
            return self.plugins_of(keys)
        if value.path == "entry points" and keys is not None and any(key[0] == "int" for key in keys):
            keys = None  # their order is that of installation
        if value.path == "record" and value.kind == "group":  # a field may be asked for by its place
            rows = tuple([(("int", place), values) for place, (_, values) in enumerate(rows)])
        if keys is not None:
            size = 1 + max((key[1] for key, _ in rows if key and key[0] == "int"), default=-1)
            keys = tuple(("int", key[1] + size) if key[0] == "int" and key[1] < 0 else key for key in keys)
        return union([v for key, v in rows if _matches(key, keys)] or [()])[:MAX_ITEMS]

    def keys(self, value: Value) -> Values:
        """What iterating over a mapping gives."""
        if value.kind == "typed":
            return self.typed_keys(value)
        rows = self.groups[value.number].items if value.kind == "group" else self.contents(value)
        return tuple(dict.fromkeys(self.constant(*key) for key, _ in rows if key is not None))

    def is_mapping(self, value: Value) -> bool:
        last = self.type_of(value).rpartition(".")[2].lower()
        return last.endswith(("dict", "mapping", "counter"))

    def iterated(self, value: Value) -> Values:
        """What a `for` target receives."""
        if value.kind in CONTAINERS:
            return self.keys(value) if self.is_mapping(value) else self.items(value)
        return ()

    def contents(self, value: Value, reader: Reader = None) -> tuple[Entry, ...]:
        raise NotImplementedError

    @question
    def yields(self, path: str, symbol: int, context: int) -> Values:
        """What a generator function gives, one after the other."""
        index = self.indexes[path]
        self.look_up_name(path, f"{index.symbols[symbol].qualname}()")
        function = index.functions[symbol]
        if function.annotation is not None:
            declared = self.instances(index, function.origin, function.annotation)
            items = union([self.items(v) for v in declared if v.kind == "typed"] or [()])
            if known(items):
                return items
        self.memo.context = context
        return union([self.evaluate(index, function.origin, part, END_OF_FILE) for part in function.yields] or [()])

    # -- parts of them

    def sliced(self, value: Value, lower: Keys, upper: Keys) -> Values:
        """A slice of a container: with its bounds where they and the items' places are known."""
        if value.kind == "typed":
            return (value,)
        rows = self.groups[value.number].items if value.kind == "group" else ()
        if value.kind == "display":
            rows = self.contents(value)
        places = [(key[1], values) for key, values in rows if key is not None and key[0] == "int"]
        if len(places) != len(rows) or not _is_bound(lower) or not _is_bound(upper):
            return self.bag(self.items(value))
        size = 1 + max((place for place, _ in places), default=-1)
        start, stop, _ = slice(lower and lower[0][1], upper and upper[0][1]).indices(size)
        return self.group("list", [(("int", place - start), vs) for place, vs in places if start <= place < stop])

    def joined(self, value: Value, others: Values) -> Values:
        """`value + other` of sequences, `value | other` of mappings and sets."""
        others = tuple(other for other in others if other.kind in CONTAINERS)
        if value.kind == "group" or any(other.kind == "group" for other in others):  # would grow in `x = x + y`
            parts = [known(self.items(part)) for part in (value, *others)]
            return self.bag(union(parts), self.type_of(value).rpartition(".")[2])
        rows = list(self.rows(value))
        for other in others:
            places = [key[1] for key, _ in rows if key is not None and key[0] == "int"]
            size = len(places) and 1 + max(places)
            counted = len(places) == len(rows) and not self.is_mapping(value)
            for key, values in self.rows(other):
                place = ("int", key[1] + size) if counted and key is not None and key[0] == "int" else None
                rows.append((place if not self.is_mapping(value) else key, values))
        return self.group(self.type_of(value).rpartition(".")[2], rows[:MAX_ITEMS])

    def rows(self, value: Value) -> tuple[Entry, ...]:
        """The items of a container with their keys, as far as those are known."""
        if value.kind == "group":
            return self.groups[value.number].items
        return self.contents(value) if value.kind == "display" else ((None, self.items(value)),)

    def entries(self, value: Value) -> Values:
        """`mapping.items()`: a container of pairs."""
        pair = self.group("tuple", [(("int", 0), self.keys(value)), (("int", 1), self.items(value))])
        return self.bag(pair)


def _is_bound(keys: Keys) -> bool:
    """Whether a bound of a slice is left out or one known number."""
    return keys is None or (len(keys) == 1 and keys[0][0] == "int")


def _matches(key: Constant | None, keys: Keys) -> bool:
    return key is None or keys is None or key in keys
