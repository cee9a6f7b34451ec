"""What iterating over values gives, and entering them with `with`."""

from __future__ import annotations

from indexer.link.attributes import Attributes
from indexer.link.containers import ITEM
from indexer.link.values import CONTAINERS, DEFINITE, INSTANCES, Value, Values, known, union, unknown


class Iteration(Attributes):
    """Methods that `for` and `with` run, as values."""

    def iterate(self, values: Values) -> Values:
        """What a `for` target receives from any of some values."""
        groups: list[Values] = []
        for value in values:
            if value.kind in CONTAINERS:
                groups.append(self.iterated(value))
            elif value.kind in INSTANCES:
                groups.append(self.iterated_object(value))
            elif value.kind == "symbol" and self.is_class(value) and self.is_enum(value.path, value.number):
                groups.append((Value("made", value.path, value.number),))
        return union(groups) if any(groups) else (ITEM,)

    def iterated_object(self, value: Value) -> Values:
        """By `__iter__` and `__next__`, or by `__getitem__`; likewise for `async for`."""
        if self.fields(value.path, value.number):
            return self.field_items(value, None)
        for first, second in (("__iter__", "__next__"), ("__aiter__", "__anext__")):
            methods = self.methods(value, first)
            if methods:
                made = union([self.call(method) for method in methods])
                found = [self.iterated(v) if v.kind in CONTAINERS else () for v in made]
                found += [
                    self.awaited(self.call(m)) for v in made if v.kind in INSTANCES for m in self.methods(v, second)
                ]
                return known(union(found or [()]))
        return union([self.call(method) for method in self.methods(value, "__getitem__")] or [()])

    def methods(self, value: Value, name: str) -> Values:
        return tuple(v for v in self.members((value,), name) if v.kind in ("bound", "symbol"))

    def enter(self, values: Values) -> Values:
        """What `with … as` receives from any of some values."""
        groups: list[Values] = []
        for value in values:
            if value.kind in INSTANCES:
                methods = self.methods(value, "__enter__") or self.methods(value, "__aenter__")
                results = [self.awaited(self.call(method)) for method in methods]
                if not results and self._is_no_manager(value):
                    results = [(value,)]
                groups.append(union(results) if results else (unknown("context manager"),))
            elif value.kind in ("generator", "typed"):
                groups.append(self.items(value))
            else:
                groups.append((value,) if value.kind == "external" else (unknown("context manager"),))
        return union(groups or [()])

    def _is_no_manager(self, value: Value) -> bool:
        """Whether an object surely cannot be entered: what is meant is `closing(x)`, which gives x."""
        sites = (*self.sites(value, "__enter__"), *self.sites(value, "__aenter__"))
        return all(s.value is not None and s.value.kind == "unknown" and s.value.path in DEFINITE for s in sites)
