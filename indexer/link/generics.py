"""Type variables: what stands for them in a class that is given arguments, or in a call of a generic function.

What is known of them is part of a context (see `contexts`), under negative numbers beside the parameters' bindings. The
owner of a variable is the class or function that introduces it: the same `T` may serve many.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from indexer.link.contexts import Contexts
from indexer.link.index import END_OF_FILE, FileIndex
from indexer.link.members import Members
from indexer.link.memo import question
from indexer.link.taint import parameters
from indexer.link.values import Value, Values, known
from indexer.model import BindingKind, Expression

_VALUE: Final = int(BindingKind.VALUE)
VARIABLES: Final = frozenset({"typing.TypeVar", "typing_extensions.TypeVar"})
_CLASS_OF: Final = ("type", "Type", "t.Type", "typing.Type")
_GENERIC: Final = frozenset({"Generic", "Protocol"})

Variable = tuple[str, int]
"""File and binding of a type variable."""

Variables = tuple[Variable, ...]


class Generics(Members):
    """Type variables and what they stand for."""

    contexts: Contexts
    variable_numbers: dict[tuple[str, int, Variable], int]

    def instances(self, index: FileIndex, scope: int, annotation: Expression) -> Values:
        raise NotImplementedError

    def head(self, index: FileIndex, scope: int, name: str, position: int) -> tuple[int, tuple[int, ...]] | None:
        raise NotImplementedError

    # -- which names are type variables

    def variable(self, index: FileIndex, scope: int, name: Expression) -> Variable | None:
        """The type variable that a name in an annotation stands for."""
        if not isinstance(name, str) or "." in name:
            return None
        head = self.head(index, scope, name, END_OF_FILE)
        if head is None or len(head[1]) != 1:
            return None
        if index.bindings[head[1][0]].kind == _VALUE and self._is_parameter_list(index, head[0]):
            return index.path, head[1][0]
        for site in self.binding_sites(index.path, head[1][0]):
            if site.kind == "binding" and site.value is None and self.is_variable(site.path, site.number):
                return site.path, site.number
        return None

    @staticmethod
    def _is_parameter_list(index: FileIndex, scope: int) -> bool:
        """Whether a scope is the `[T]` of a class or function."""
        row = index.scopes[scope]
        own = index.symbols[row.symbol].scope
        return row.kind == "block" and own > scope and index.scopes[own].parent == scope

    @question
    def is_variable(self, path: str, number: int) -> bool:
        """Whether a binding is `T = TypeVar("T")`."""
        index = self.indexes[path]
        binding = index.bindings[number]
        expression = binding.expression
        if binding.kind != _VALUE or not isinstance(expression, int):
            return False
        self.look_up(index, binding.scope, binding.name)
        row = index.facts.expressions[expression]
        if row[0] != "call" or not isinstance(row[1], str) or not row[1].endswith("TypeVar"):
            return False
        return any(v.path in VARIABLES for v in self.evaluate(index, binding.origin, row[1], binding.position))

    def mentioned(self, index: FileIndex, scope: int, annotation: Expression) -> Variables:
        """The type variables in an annotation."""
        found = (self.variable(index, scope, name) for name in _names(index, annotation))
        return tuple(dict.fromkeys(v for v in found if v is not None))

    @question
    def declares_by_object(self, path: str, method: int) -> bool:
        """Whether the declared result of a method depends on the object: `Self`, or a type variable."""
        index = self.indexes[path]
        function = index.functions[method]
        self.look_up_name(path, f"{index.symbols[method].qualname}()")
        names = {name.rpartition(".")[2] for name in _names(index, function.annotation)}
        return "Self" in names or bool(self.mentioned(index, function.origin, function.annotation))

    @question
    def type_parameters(self, path: str, symbol: int) -> Variables:
        """The type variables of a class, in the order in which it takes arguments."""
        index = self.indexes[path]
        row = index.classes.get(symbol)
        self.look_up_name(path, f"{index.symbols[symbol].qualname}:")
        if row is None or index.language.receiver != "first":
            return ()
        around = index.scopes[index.symbols[symbol].scope].parent
        if self._is_parameter_list(index, around):
            return tuple((path, numbers[0]) for numbers in index.names[around].values())
        scope = index.symbols[symbol].scope
        subscripts = [index.facts.expressions[base] for base in row.bases if isinstance(base, int)]
        for base in subscripts:
            if base[0] == "item" and isinstance(base[1], str) and base[1].rpartition(".")[2] in _GENERIC:
                return self._listed(index, scope, base[2])
        found = [v for base in subscripts if base[0] == "item" for v in self._listed(index, scope, base[2])]
        return tuple(dict.fromkeys(found))

    def _listed(self, index: FileIndex, scope: int, key: Expression) -> Variables:
        return tuple(v for part in type_arguments(index, key) for v in self.mentioned(index, scope, part))

    # -- what they stand for

    def held_variable(self, path: str, owner: int, variable: Variable) -> int:
        """The number under which a context holds what a variable of a class or function stands for."""
        numbers = self.variable_numbers
        return numbers.setdefault((path, owner, variable), -1 - len(numbers))

    def argument(self, index: FileIndex, scope: int, name: str) -> Values | None:
        """What a type variable stands for in the code now being read; None where that is not known."""
        context = self.memo.context
        variable = self.variable(index, scope, name) if context and self.variable_numbers else None
        if variable is None:
            return None
        while scope > 0:
            row = index.scopes[scope]
            number = self.variable_numbers.get((index.path, row.symbol, variable))
            found = None if number is None else self.held_in(context, number)
            if found is not None:
                return found
            scope = row.parent
        return None

    def held_in(self, context: int, number: int) -> Values | None:
        """What a context, one around it, or the object that it knows as the receiver, holds under a number."""
        while context:
            found = self.contexts.held(context, number)
            if found is not None:
                return found
            row = self.contexts[context]
            for value in self.receiver_in(context):
                found = self.held_in(value.context, number)
                if found is not None:
                    return found
            context = row.around
        return None

    def receiver_in(self, context: int) -> Values:
        """The object or class whose method a context is of, as far as it is known better than by the method's class."""
        row = self.contexts[context]
        if row.symbol < 0 or row.symbol not in self.indexes[row.path].functions:
            return ()
        first = parameters(self.indexes[row.path], row.symbol).positional[:1]
        return self.contexts.held(context, first[0]) or () if first else ()

    def receiver_type(self, index: FileIndex, method: int) -> Values:
        """Instances of what `Self` stands for in a method that is being read."""
        held = self.receiver_in(self.memo.context)
        own = Value("instance", index.path, index.symbols[method].parent)
        return tuple([v._replace(kind="instance") if v.kind == "symbol" else v for v in held]) or (own,)

    def is_of_receiver(self, index: FileIndex, scope: int, name: str) -> bool:
        """Whether a type variable stands for the type of the object whose method is read: `def f(self: T) -> T`."""
        method = index.method(scope)
        first = parameters(index, method).positional[:1] if method in index.functions else []
        if not first:
            return False
        binding = index.bindings[first[0]]
        self.look_up(index, index.functions[method].origin, binding.name)
        if binding.annotation is None:
            return False
        row = index.facts.expressions[binding.annotation] if isinstance(binding.annotation, int) else ("",)
        named = row[2] if row[0] == "item" and row[1] in _CLASS_OF else binding.annotation
        return bool(named == name)

    def given_arguments(self, value: Value, index: FileIndex, scope: int, parts: list[Any]) -> Value:
        """An instance of a generic class, or the class, with what its type variables stand for: `Box[Foo]`."""
        variables = self.type_parameters(value.path, value.number)
        if not variables:
            return value
        arguments = [self.instances(index, scope, part) for part in parts]
        return self.with_arguments(value, dict(zip(variables, arguments, strict=False)))

    def with_arguments(self, value: Value, arguments: dict[Variable, Values]) -> Value:
        """An instance of a generic class, or the class, whose type variables stand for these values."""
        path, symbol = value.path, value.number
        held = {self.held_variable(path, symbol, v): known(values) for v, values in arguments.items() if known(values)}
        if not held:
            return value
        index = self.indexes[path]
        scope = index.symbols[symbol].scope
        context = self.contexts.make(index, symbol, scope, held, value.context)
        return value._replace(context=self.inherited_arguments(path, symbol, context) or context)

    @question
    def inherited_arguments(self, path: str, symbol: int, context: int) -> int:
        """The context of an object of a class with what its bases are given, `class Boxes(Box[Foo])`; 0 for none.

        context: what the class's own type variables stand for; 0: nothing.
        """
        index = self.indexes[path]
        row = index.classes.get(symbol)
        self.look_up_name(path, f"{index.symbols[symbol].qualname}:")
        if row is None or not row.bases:
            return 0
        scope = index.symbols[symbol].scope
        held: dict[int, Values] = {}
        for base in row.bases:
            subscript = index.facts.expressions[base] if isinstance(base, int) else ("",)
            named = subscript[1] if subscript[0] == "item" else base
            for value in self.evaluate(index, row.origin, named, index.symbols[symbol].name_byte):
                if not self.is_class(value):
                    continue
                self.memo.context = context
                if subscript[0] == "item":
                    above = self.given_arguments(value, index, scope, type_arguments(index, subscript[2]))
                else:
                    above = value._replace(context=self.inherited_arguments(value.path, value.number, 0) or 0)
                self.memo.context = 0
                if above.context:
                    held.update(self.contexts[above.context].held)
        if not held:
            return 0
        held.update(self.contexts[context].held if context else ())
        return self.contexts.make(index, symbol, scope, held, self.contexts[context].around if context else 0)


def type_arguments(index: FileIndex, key: object) -> list[Expression]:
    """The parts between the brackets of a generic type."""
    if isinstance(key, int):
        row = index.facts.expressions[key]
        if row[0] == "tuple":
            return list(row[1])
    return [key] if isinstance(key, str | int) else []


def _names(index: FileIndex, annotation: Expression) -> Iterator[str]:
    """The names in an annotation."""
    if isinstance(annotation, str):
        yield annotation
    elif annotation is not None:
        row = index.facts.expressions[annotation]
        if row[0] == "item":
            for part in (row[1], *type_arguments(index, row[2])):
                yield from _names(index, part)
        elif row[0] in ("union", "tuple", "list"):
            for part in row[1]:
                if isinstance(part, str | int):
                    yield from _names(index, part)
