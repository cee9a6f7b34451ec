"""What functions of the standard library give, where they hand on what they are given, and what they call.

Source: the documentation of the standard library, https://docs.python.org/3/library/.
"""

from __future__ import annotations

from typing import Final

from indexer.link.arguments import CallSite, Given, Passed
from indexer.link.callbacks import EXECUTORS, ITEMS, OWN, callback, called, given
from indexer.link.functional import Functional
from indexer.link.getters import GETTERS
from indexer.link.members import class_of
from indexer.link.plugins import ENTRY_FUNCTIONS
from indexer.link.records import RECORD_CLASS, RECORD_MAKERS
from indexer.link.values import CONTAINERS, INSTANCES, Value, Values, external, known, union, unknown

_SAME: Final = frozenset(
    {"copy.copy", "copy.deepcopy", "builtins.reveal_type", "weakref.proxy"}
    | {"contextlib.closing", "contextlib.aclosing", "contextlib.nullcontext", "asyncio.wait_for", "asyncio.shield"}
    | {"asyncio.create_task", "asyncio.ensure_future", "types.MappingProxyType", "typing.final"}
    | {"functools.update_wrapper", "functools.wraps()"}
)
_ITEMS: Final = frozenset({"builtins.next", "builtins.anext", "builtins.max", "builtins.min", "random.choice"})
_SAME_ITEMS: Final = frozenset(
    {"builtins.sorted", "builtins.reversed", "itertools.chain", "itertools.islice", "itertools.cycle", "itertools.tee"}
    | {"heapq.merge", "random.sample", "heapq.nlargest", "heapq.nsmallest"}
)
_SECOND_ITEMS: Final = frozenset(
    {"builtins.filter", "itertools.takewhile", "itertools.dropwhile", "itertools.filterfalse"}
)
_OBJECTS_OF: Final = frozenset(
    {"click.Context.ensure_object", "click.Context.find_object", "sqlalchemy.orm.Session.get"}
    | {"unittest.mock.create_autospec", "dataclasses.replace"}
)
"""What gives an object of the class that it is given."""

_REFERENCES: Final = frozenset({"weakref.ref", "weakref.ReferenceType", "weakref.WeakMethod"})
_DYNAMIC: Final = frozenset(
    {"builtins.getattr", "builtins.eval", "builtins.globals", "builtins.locals", "builtins.vars"}
    | {"builtins.__import__", "importlib.import_module"}
)
_MADE: Final = frozenset(
    {"builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset", "builtins.dict", "collections.deque"}
    | {"collections.OrderedDict", "collections.defaultdict", "collections.ChainMap", "collections.UserDict"}
)

CASTS: Final = frozenset({"typing.cast", "typing_extensions.cast"})
FUTURE: Final = "future"
IS_DYNAMIC: Final = unknown("dynamic")


class Library(Functional):
    """Calls of what lies outside the repository."""

    def enter(self, values: Values) -> Values:
        raise NotImplementedError

    def call_external(self, value: Value, given: Given) -> Values:
        """What a call of something outside the repository gives."""
        name = value.path
        if name in RECORD_MAKERS and isinstance(given, CallSite) and (record := self.record_class(name, given)):
            return record
        if name == "builtins.getattr" and isinstance(given, CallSite) and (spelled := self._spelled(given)):
            return spelled
        handler = _HANDLERS.get(name)
        if handler is not None and given is not None:
            passed = self.passed(given)
            found: Values = handler(self, passed)
            if known(found):
                return found
        if name.endswith(".__new__") and given is not None:
            made = [v for v in self._same(self.passed(given)) if self.is_class(v)]
            if made:
                return tuple([Value("instance", v.path, v.number) for v in made])
        if name in _DYNAMIC:
            return (IS_DYNAMIC,)
        return (external(name),)

    def gives_back(self, name: str) -> bool:
        """Whether a function of the library gives something of what it is given."""
        return name in _HANDLERS or name in CASTS

    def hands_on(self, name: str) -> bool:
        """Whether a function of the library calls some of what it is given."""
        return callback(name) is not None

    def handed_on(self, name: str, passed: Passed) -> list[tuple[Value, Passed]]:
        """The functions that a call of the library calls itself, and what with as far as that is known."""
        how = callback(name)
        if how is None:
            return []
        with_what = given(how, passed)
        if name == "builtins.map":  # people mix up its arguments
            items = [self.items_of(values) for values in passed.positional]
            places = enumerate(passed.positional)
            return [(v, Passed(tuple(items[:n] + items[n + 1 :]))) for n, values in places for v in values]
        if name == "itertools.starmap":
            with_what = Passed(starred=self.items_of(union(list(passed.positional[1:2]))))
        elif how.gives == ITEMS:
            with_what = Passed(tuple([self.items_of(values) for values in passed.positional[how.place + 1 :]]))
        elif how.gives == OWN:
            with_what = Passed((self.items_of(union(list(passed.positional[:1]))),) if passed.positional else ())
        return [(value, with_what) for value in called(how, passed)]

    def items_of(self, values: Values) -> Values:
        """What iterating over any of some values gives."""
        return known(self.iterate(values)) if known(values) else ()

    # -- handlers

    def _same(self, passed: Passed) -> Values:
        return passed.positional[0] if passed.positional else ()

    def _object_of(self, passed: Passed) -> Values:
        given = self._same(passed)
        return tuple([Value("instance", v.path, v.number) if self.is_class(v) else v for v in given])

    def _reference(self, passed: Passed) -> Values:
        """`weakref.ref(x)`: see `call_group`."""
        values = known(self._same(passed))
        return self.group("ref", [(None, values)]) if values else ()

    def call_group(self, value: Value, given: Given = None) -> Values:
        """What calling something that a function of the library made gives: of a reference, what it refers to."""
        if value.path == RECORD_CLASS:
            return self.record_of(value, given)
        if value.path in GETTERS:
            return self.got(value, given)
        return self.items(value) if value.path == "ref" else ()

    def _attribute_getter(self, passed: Passed) -> Values:
        return self.getter("attrgetter", passed)

    def _item_getter(self, passed: Passed) -> Values:
        return self.getter("itemgetter", passed)

    def _method_caller(self, passed: Passed) -> Values:
        return self.getter("methodcaller", passed)

    def _items(self, passed: Passed) -> Values:
        if len(passed.positional) > 1 and not any(v.kind in CONTAINERS for v in passed.positional[0]):
            return union(list(passed.positional))
        return union([self.items_of(values) for values in passed.positional[:1]] + list(passed.positional[1:]) or [()])

    def _same_items(self, passed: Passed) -> Values:
        return self.bag(union([self.items_of(values) for values in passed.positional] or [()]))

    def _second_items(self, passed: Passed) -> Values:
        return self.bag(self.items_of(passed.positional[1])) if len(passed.positional) > 1 else ()

    def _map(self, passed: Passed) -> Values:
        results = [known(self.call(v, given)) for v, given in self.handed_on("builtins.map", passed)]
        return self.bag(union(results or [()]))

    def _starmap(self, passed: Passed) -> Values:
        results = [known(self.call(v, given)) for v, given in self.handed_on("itertools.starmap", passed)]
        return self.bag(union(results or [()]))

    def _mapped(self, passed: Passed) -> Values:
        """`executor.map(f, x)`."""
        given = Passed(tuple([self.items_of(values) for values in passed.positional[1:]]))
        return self.bag(union([known(self.call(v, given)) for v in self._same(passed)] or [()]))

    def _submit(self, passed: Passed) -> Values:
        """`executor.submit(f)`: what waits for a result is a container of it."""
        results = self._call_first(passed)
        return self.group(FUTURE, [(None, results)]) if results else ()

    def _enumerate(self, passed: Passed) -> Values:
        items = self.items_of(self._same(passed))
        return self.bag(self.group("tuple", [(("int", 1), items)])) if items else ()

    def _iter(self, passed: Passed) -> Values:
        found = [v for v in self._same(passed) if v.kind in CONTAINERS]
        for value in self._same(passed):
            if value.kind in INSTANCES:
                found += [v for method in self.members((value,), "__iter__") for v in known(self.call(method))]
        return tuple(dict.fromkeys(found))

    def _from_keys(self, passed: Passed) -> Values:
        return self.bag(passed.positional[1], "dict") if len(passed.positional) > 1 else ()

    def _gather(self, passed: Passed) -> Values:
        slots = [(("int", n), known(self.awaited(values))) for n, values in enumerate(passed.positional)]
        return self.group("list", slots) if any(values for _, values in slots) else ()

    def _zip(self, passed: Passed) -> Values:
        slots = [(("int", n), self.items_of(values)) for n, values in enumerate(passed.positional)]
        return self.bag(self.group("tuple", slots)) if any(values for _, values in slots) else ()

    def _property(self, passed: Passed) -> Values:
        """`property(get, set)`: see `descriptors`."""
        given = {"get": passed.positional[:1], "set": passed.positional[1:2]}
        for name, values in passed.keywords:
            given[name.removeprefix("f")] = (values,)
        slots = [(("str", name), known(values)) for name in ("get", "set") for values in given[name]]
        return self.group("property", slots) if any(values for _, values in slots) else ()

    def _field(self, passed: Passed) -> Values:
        """`field(default_factory=Foo)`."""
        keywords = dict(passed.keywords)
        made = [known(self.call(v)) for v in (*keywords.get("default_factory", ()), *keywords.get("factory", ()))]
        return union([*made, keywords.get("default", ())])

    def _spelled(self, given: CallSite) -> Values:
        """What `getattr` gives where a part of the name is known; `()` where none is."""
        if self.affixes(given) is None:
            return ()
        passed = self.passed(given)
        found = self.spelled(given, passed.positional[0])
        return union([found, *map(known, passed.positional[2:])]) if found else ()

    def _getattr(self, passed: Passed) -> Values:
        if len(passed.positional) < 2:
            return ()
        keys = self.keys_of(passed.positional[1])
        found = [known(self.members(passed.positional[0], str(key[1]))) for key in keys or () if key[0] == "str"]
        return union(found + list(passed.positional[2:]) or [()])

    def _type(self, passed: Passed) -> Values:
        if len(passed.positional) == 3:
            return self._made_class(passed.positional[1])
        if len(passed.positional) != 1:
            return ()
        return tuple(class_of(v) for v in passed.positional[0] if v.kind in INSTANCES)

    def _made_class(self, bases: Values) -> Values:
        """`type(name, bases, members)`: a class is what its bases are, and more."""
        found = self.items_of(bases)
        return (*found, unknown("class is made by a call")) if found else ()

    def _reduce(self, passed: Passed) -> Values:
        return union([known(self.call(v)) for v in self._same(passed)] or [()])

    def _call_first(self, passed: Passed) -> Values:
        rest = passed._replace(positional=passed.positional[1:])
        return union([known(self.call(v, rest)) for v in self._same(passed)] or [()])

    def _awaited(self, passed: Passed) -> Values:
        return self.awaited(self._same(passed))


_HANDLERS: Final = (
    dict.fromkeys(_SAME, Library._same)
    | dict.fromkeys(_OBJECTS_OF, Library._object_of)
    | dict.fromkeys(_REFERENCES, Library._reference)
    | dict.fromkeys(("functools.lru_cache", "functools.cache", "functools.singledispatch"), Library._same_function)
    | dict.fromkeys(("builtins.staticmethod", "builtins.classmethod"), Library._same_function)
    | {f"{name}.submit": Library._submit for name in EXECUTORS}
    | {f"{name}.map": Library._mapped for name in EXECUTORS}
    | dict.fromkeys(("contextlib.contextmanager", "contextlib.asynccontextmanager"), Library._same_function)
    | dict.fromkeys(ENTRY_FUNCTIONS, Library.selected)
    | dict.fromkeys(_ITEMS, Library._items)
    | dict.fromkeys(_SAME_ITEMS, Library._same_items)
    | dict.fromkeys(_SECOND_ITEMS, Library._second_items)
    | {
        "builtins.map": Library._map,
        "itertools.starmap": Library._starmap,
        "builtins.enumerate": Library._enumerate,
        "builtins.iter": Library._iter,
        "builtins.zip": Library._zip,
        "itertools.zip_longest": Library._zip,
        "functools.wraps": Library._wrapper_of,
        "functools.partial": Library._partial,
        "functools.partialmethod": Library._partial,
        "types.MethodType": Library._method,
        "builtins.property": Library._property,
        "functools.cached_property": Library._property,
        "dataclasses.field": Library._field,
        "attr.ib": Library._field,
        "attr.field": Library._field,
        "attrs.field": Library._field,
        "builtins.getattr": Library._getattr,
        "builtins.type": Library._type,
        "functools.reduce": Library._reduce,
        "operator.attrgetter": Library._attribute_getter,
        "operator.itemgetter": Library._item_getter,
        "operator.methodcaller": Library._method_caller,
        "builtins.dict.fromkeys": Library._from_keys,
        "asyncio.run": Library._awaited,
        "asyncio.gather": Library._gather,
        "contextvars.copy_context.run": Library._call_first,
    }
)
MADE: Final = _MADE
"""Types whose call gives a container that is followed."""
