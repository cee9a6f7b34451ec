"""`typing.overload`: which of the declared results a call has."""

from __future__ import annotations

from typing import Final

from indexer.link.arguments import CallSite, Given
from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.shapes import all_parameters
from indexer.link.solving import Solving
from indexer.link.taint import parameters
from indexer.link.values import Value, Values, known
from indexer.model import BindingKind, Expression, Flag

_OVERLOAD: Final = int(Flag.OVERLOAD)
_PARAMETER: Final = int(BindingKind.PARAMETER)
_KEYWORD_ONLY: Final = int(BindingKind.KEYWORD_ONLY)
_LITERALS: Final = frozenset({"str", "int", "bytes", "float", "bool", "list", "dict", "set", "tuple", "none"})


class Overloads(Solving):
    """The overloads of a function, and the ones that a call may mean."""

    def may_be_overloaded(self, index: FileIndex, symbol: int) -> bool:
        """Whether there are several definitions of a function's name: cheap to ask."""
        row = index.symbols[symbol]
        return len(index.children[row.parent][row.name]) > 1

    @question
    def overloads(self, path: str, symbol: int) -> tuple[int, ...]:
        """The overloads before a function that declares no result itself."""
        index = self.indexes[path]
        row = index.symbols[symbol]
        self.look_up_name(path, f"{index.symbols[row.parent].qualname if row.parent > 0 else ''}.{row.name}")
        if row.flags & _OVERLOAD:
            return ()
        return tuple(
            [
                number
                for number in index.children[row.parent][row.name]
                if number in index.functions and index.symbols[number].flags & _OVERLOAD
            ]
        )

    def overloaded(self, function: Value, given: Given) -> tuple[Value, ...]:
        """The overloads that a call may mean: by the number, names and literal types of its arguments."""
        index = self.indexes[function.path]
        numbers = self.overloads(function.path, function.number)
        if isinstance(given, CallSite):
            method = self._receives(index, function)
            fitting = [number for number in numbers if self._fits(index, number, given, method)]
            numbers = tuple(fitting) or numbers
        return tuple([function._replace(number=number) for number in numbers])

    def _fits(self, index: FileIndex, symbol: int, given: CallSite, method: bool) -> bool:
        wanted = parameters(index, symbol)
        self.look_up_name(index.path, f"{index.symbols[symbol].qualname}{{}}")
        self.look_up_name(index.path, all_parameters(index.symbols[symbol].qualname))
        positional = wanted.positional[1:] if method else wanted.positional
        if any(isinstance(part, (list, tuple)) and part[0] != "=" for part in given.arguments):
            return True
        places = [part for part in given.arguments if not isinstance(part, (list, tuple))]
        names = {part[1]: part[2] for part in given.arguments if isinstance(part, (list, tuple))}
        if len(places) > len(positional) and wanted.star < 0:
            return False
        if wanted.double < 0 and not names.keys() <= wanted.named.keys():
            return False
        filled = dict(zip(positional, places, strict=False))
        filled.update({wanted.named[name]: value for name, value in names.items() if name in wanted.named})
        needed = [n for n in (*positional, *wanted.named.values()) if index.bindings[n].expression is None]
        receiver = wanted.positional[:1] if method else ()
        if any(number not in filled and number not in receiver for number in needed):
            return False
        return all(self._may_be(index, number, given, value) for number, value in filled.items())

    def _may_be(self, index: FileIndex, number: int, given: CallSite, value: Expression) -> bool:
        """Whether a literal argument may be what a parameter is declared as."""
        row = given.file.facts.expressions[value] if isinstance(value, int) else ("",)
        binding = index.bindings[number]
        if row[0] != "literal" or row[1] not in _LITERALS or not isinstance(binding.annotation, str):
            return True
        declared = known(self.instances(index, index.scopes[binding.scope].parent, binding.annotation))
        names = {v.path.removeprefix("builtins.") for v in declared if v.kind == "external"}
        if len(names) != len(declared) or not names <= _LITERALS:
            return not declared or any(v.kind == "external" for v in declared)
        return row[1] in names or not names

    def call_overloads(self, function: Value, given: Given) -> Values:
        """What a call gives by the overloads it may mean; `()` where there are none."""
        found: dict[Value, None] = {}
        for overload in self.overloaded(function, given):
            context = self.solved(overload, given)
            found.update(dict.fromkeys(self.function_values(overload.path, overload.number, context)))
        return tuple(found)

    def function_values(self, path: str, symbol: int, context: int) -> Values:
        raise NotImplementedError
