"""What functions of the standard library give, where they hand on what they are given, and what they call.

Source: the documentation of the standard library, https://docs.python.org/3/library/.
"""

from __future__ import annotations

from indexer.link.passing import Given, Passed, Passing
from indexer.link.taint import parameters
from indexer.link.values import CONTAINERS, INSTANCES, Value, Values, external, known, union

_SAME = frozenset(
    {"copy.copy", "copy.deepcopy", "builtins.reveal_type", "weakref.proxy"}
    | {"contextlib.closing", "contextlib.aclosing", "contextlib.nullcontext", "asyncio.wait_for", "asyncio.shield"}
    | {"asyncio.create_task", "asyncio.ensure_future", "types.MappingProxyType", "typing.final"}
)
_ITEMS = frozenset({"builtins.next", "builtins.anext", "builtins.max", "builtins.min", "random.choice"})
_SAME_ITEMS = frozenset(
    {"builtins.sorted", "builtins.reversed", "itertools.chain", "itertools.islice", "itertools.cycle", "itertools.tee"}
    | {"heapq.merge", "random.sample", "heapq.nlargest", "heapq.nsmallest"}
)
_SECOND_ITEMS = frozenset({"builtins.filter", "itertools.takewhile", "itertools.dropwhile", "itertools.filterfalse"})
_MAPS = frozenset({"builtins.map", "itertools.starmap"})
_MADE = frozenset(
    {"builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset", "builtins.dict", "collections.deque"}
    | {"collections.OrderedDict", "collections.defaultdict", "collections.ChainMap", "collections.UserDict"}
)

_HANDED_ON = frozenset(
    {"atexit.register", "signal.signal", "asyncio.run", "functools.reduce", "functools.cmp_to_key", "weakref.finalize"}
    | {"threading.Thread", "threading.Timer", "multiprocessing.Process", "multiprocessing.pool.Pool", "re.sub"}
    | {"builtins.map", "builtins.filter", "builtins.sorted", "builtins.max", "builtins.min", "builtins.iter"}
    | {"itertools.starmap", "itertools.takewhile", "itertools.dropwhile", "itertools.filterfalse", "itertools.groupby"}
    | {"itertools.accumulate", "heapq.merge", "heapq.nlargest", "heapq.nsmallest", "bisect.bisect", "re.subn"}
    | {"threading.settrace", "sys.settrace", "sys.setprofile", "sys.addaudithook", "os.register_at_fork"}
    | {"asyncio.to_thread", "asyncio.start_server", "contextvars.Context.run", "timeit.timeit", "timeit.repeat"}
    | {"concurrent.futures.ThreadPoolExecutor.submit", "concurrent.futures.ThreadPoolExecutor.map"}
    | {"concurrent.futures.ProcessPoolExecutor.submit", "concurrent.futures.ProcessPoolExecutor.map"}
    | {"copyreg.pickle", "codecs.register", "codecs.register_error", "locale.setlocale", "shutil.copytree"}
)
_HANDED_ON_MEMBERS = frozenset(
    {"sort", "submit", "apply", "apply_async", "map_async", "starmap", "imap", "imap_unordered", "call_soon"}
    | {"call_later", "call_at", "call_soon_threadsafe", "run_in_executor", "add_done_callback", "add_signal_handler"}
    | {"run_until_complete", "create_task", "callback", "enter", "enterabs", "sub", "subn", "after"}
)


class Library(Passing):
    """Calls of what lies outside the repository."""

    def call(self, value: Value, given: Given = None) -> Values:
        raise NotImplementedError

    def enter(self, values: Values) -> Values:
        raise NotImplementedError

    def call_external(self, value: Value, given: Given) -> Values:
        """What a call of something outside the repository gives."""
        name = value.path
        handler = _HANDLERS.get(name)
        if handler is not None and given is not None:
            passed = self.passed(given)
            found: Values = handler(self, passed)
            if known(found):
                return found
        return (external(name),)

    def hands_on(self, name: str) -> bool:
        """Whether a function of the library calls some of what it is given."""
        return name in _HANDED_ON or name.rpartition(".")[2] in _HANDED_ON_MEMBERS

    def handed_on(self, name: str, passed: Passed) -> list[tuple[Value, Passed]]:
        """The functions that a call of the library calls itself, and what with as far as that is known."""
        if not self.hands_on(name):
            return []
        if name in _MAPS:
            items = [self.items_of(values) for values in passed.positional]
            return [
                (v, Passed(tuple(items[:n] + items[n + 1 :])))
                for n, values in enumerate(passed.positional)
                for v in values
            ]
        groups = [*passed.positional, *(values for _, values in passed.keywords)]
        return [(value, Passed()) for values in groups for value in values]

    def items_of(self, values: Values) -> Values:
        """What iterating over any of some values gives."""
        return known(self.iterate(values)) if known(values) else ()

    # -- handlers

    def _same(self, passed: Passed) -> Values:
        return passed.positional[0] if passed.positional else ()

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

    def _enumerate(self, passed: Passed) -> Values:
        items = self.items_of(self._same(passed))
        return self.bag(self.group("tuple", [(("int", 1), items)])) if items else ()

    def _iter(self, passed: Passed) -> Values:
        found = [v for v in self._same(passed) if v.kind in CONTAINERS]
        for value in self._same(passed):
            if value.kind in INSTANCES:
                found += [v for method in self.members((value,), "__iter__") for v in known(self.call(method))]
        return tuple(dict.fromkeys(found))

    def _zip(self, passed: Passed) -> Values:
        slots = [(("int", n), self.items_of(values)) for n, values in enumerate(passed.positional)]
        return self.bag(self.group("tuple", slots)) if any(values for _, values in slots) else ()

    def _partial(self, passed: Passed) -> Values:
        if not passed.positional:
            return ()
        functions, rest = passed.positional[0], passed._replace(positional=passed.positional[1:])
        return union([self.applied(v, rest) for v in functions] or [()])

    def applied(self, function: Value, given: Passed) -> Values:
        """A function some of whose parameters are given."""
        if not self.is_running(function):
            return (function,)
        names = frozenset(parameters(self.indexes[function.path], function.number).named)
        return (function._replace(context=self.activation(function, given, names)),)

    def is_running(self, value: Value) -> bool:
        """Whether a value is a function whose body can be read."""
        return value.kind in ("symbol", "bound") and value.number in self.indexes[value.path].functions

    def _getattr(self, passed: Passed) -> Values:
        if len(passed.positional) < 2:
            return ()
        keys = self.keys_of(passed.positional[1])
        found = [known(self.members(passed.positional[0], str(key[1]))) for key in keys or () if key[0] == "str"]
        return union(found + list(passed.positional[2:]) or [()])

    def _type(self, passed: Passed) -> Values:
        if len(passed.positional) != 1:
            return ()
        return tuple(Value("symbol", v.path, v.number) for v in passed.positional[0] if v.kind in INSTANCES)

    def _reduce(self, passed: Passed) -> Values:
        return union([known(self.call(v)) for v in self._same(passed)] or [()])

    def _call_first(self, passed: Passed) -> Values:
        rest = passed._replace(positional=passed.positional[1:])
        return union([known(self.call(v, rest)) for v in self._same(passed)] or [()])

    def _awaited(self, passed: Passed) -> Values:
        return self.awaited(self._same(passed))

    def awaited(self, values: Values) -> Values:
        raise NotImplementedError

    def _entered(self, passed: Passed) -> Values:
        return self.enter(self._same(passed))


_HANDLERS = (
    dict.fromkeys(_SAME, Library._same)
    | dict.fromkeys(_ITEMS, Library._items)
    | dict.fromkeys(_SAME_ITEMS, Library._same_items)
    | dict.fromkeys(_SECOND_ITEMS, Library._second_items)
    | dict.fromkeys(_MAPS, Library._map)
    | {
        "builtins.enumerate": Library._enumerate,
        "builtins.iter": Library._iter,
        "builtins.zip": Library._zip,
        "itertools.zip_longest": Library._zip,
        "functools.partial": Library._partial,
        "functools.partialmethod": Library._partial,
        "builtins.getattr": Library._getattr,
        "builtins.type": Library._type,
        "functools.reduce": Library._reduce,
        "asyncio.run": Library._awaited,
        "contextvars.copy_context.run": Library._call_first,
    }
)
MADE = _MADE
"""Types whose call gives a container that is followed."""
