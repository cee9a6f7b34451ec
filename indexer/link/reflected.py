"""Operators that the right operand answers: `left + right` runs `right.__radd__` where `left` has no `__add__` for it.

Source: https://docs.python.org/3/reference/datamodel.html#object.__radd__
"""

from __future__ import annotations

from typing import Final

from indexer.link.index import FileIndex
from indexer.link.iteration import Iteration
from indexer.link.values import DEFINITE, INSTANCES, Value, Values, known, union
from indexer.model import Expression, ExpressionRow

_NAMES: Final = "add sub mul truediv floordiv mod matmul pow and or xor lshift rshift".split()
REFLECTED: Final = {f"__{name}__": f"__r{name}__" for name in _NAMES}
"""By the method of the left operand, that of the right one."""

_BEHIND: Final = {reflected: name for name, reflected in REFLECTED.items()}
_BUILT_IN: Final = frozenset(
    f"builtins.{name}" for name in "bool bytes complex dict float int list set str tuple".split()
)
_FORMATTING: Final = frozenset({"builtins.bytes", "builtins.str"})


class Reflected(Iteration):
    """Right operands of operators."""

    def reflecting(self, left: Values, right: Values, name: str) -> Values:
        """Those of some right operands whose method of that name an operator runs."""
        lacking = [value for value in left if self._lacks(value, _BEHIND.get(name, ""), name)]
        if not lacking:
            return ()
        return tuple([r for r in right if any((r.path, r.number) != (value.path, value.number) for value in lacking)])

    def by_right(self, index: FileIndex, scope: int, row: ExpressionRow, position: int) -> Values:
        """What an operator gives whose left operand does not have its method."""
        function, arguments = row[1], row[2]
        method = function.rpartition(".")[2] if isinstance(function, str) else _member(index, function)
        if method not in REFLECTED or len(arguments) != 1 or isinstance(arguments[0], (list, tuple)):
            return ()
        right = self.evaluate(index, scope, arguments[0], position)
        if not any(value.kind in INSTANCES for value in right):
            return ()
        found = self.reflecting(self.receiver_of(index, scope, function, position), right, REFLECTED[method])
        return union([known(self.call(m)) for v in found for m in self.methods(v, REFLECTED[method])] or [()])

    def receiver_of(self, index: FileIndex, scope: int, function: Expression, position: int) -> Values:
        """The object of a method that is called."""
        if isinstance(function, str):
            receiver = function.rpartition(".")[0]
            return self.evaluate(index, scope, receiver, position) if receiver else ()
        row = index.facts.expressions[function] if function is not None else ("",)
        return self.evaluate(index, scope, row[1], position) if row[0] == "member" else ()

    def _lacks(self, value: Value, method: str, name: str) -> bool:
        """Whether an object surely has no method for an operator with an object of another class of the repository."""
        if value.kind == "external":
            return value.path in _BUILT_IN and not (name == "__rmod__" and value.path in _FORMATTING)
        if value.kind not in INSTANCES:
            return False
        found = [site.value for name in (method, f"__i{method[2:]}") for site in self.sites(value, name)]
        return all(v is not None and v.kind == "unknown" and v.path in DEFINITE for v in found)


def _member(index: FileIndex, function: Expression) -> str:
    row = index.facts.expressions[function] if isinstance(function, int) else ("",)
    return str(row[2]) if row[0] == "member" else ""
