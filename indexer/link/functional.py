"""What functions that `functools` and its like make of functions."""

from __future__ import annotations

from indexer.link.arguments import Given, Passed
from indexer.link.plugins import Plugins
from indexer.link.taint import parameters
from indexer.link.values import Value, Values, external, union


class Functional(Plugins):
    """Functions made of functions."""

    def call(self, value: Value, given: Given = None) -> Values:
        raise NotImplementedError

    def _same_function(self, passed: Passed) -> Values:
        """`lru_cache(f)` and `lru_cache(8)(f)`: the function, for what it calls."""
        return tuple([v for values in passed.positional[:1] for v in values if self.is_running(v)])

    def _wrapper_of(self, passed: Passed) -> Values:
        """`wraps(f)`, which gives what it is called with."""
        return (external("functools.wraps()"),)

    def _partial(self, passed: Passed) -> Values:
        if not passed.positional:
            return ()
        functions, rest = passed.positional[0], passed._replace(positional=passed.positional[1:])
        return union([self.applied(v, rest) for v in functions] or [()])

    def applied(self, function: Value, given: Passed) -> Values:
        """A function some of whose parameters are given."""
        if not self.is_running(function):
            return (function,)
        self.look_up_filled(self.indexes[function.path], function, given)
        names = frozenset(parameters(self.indexes[function.path], function.number).named)
        return (function._replace(context=self.activation(function, given, names)),)

    def is_running(self, value: Value) -> bool:
        """Whether a value is a function whose body can be read."""
        return value.kind in ("symbol", "bound") and value.number in self.indexes[value.path].functions

    def _method(self, passed: Passed) -> Values:
        """`types.MethodType(f, x)`: a function whose first parameter is given."""
        functions = passed.positional[0] if len(passed.positional) == 2 else ()
        return tuple([Value("bound", v.path, v.number, v.context) for v in functions if v.kind == "symbol"])
