"""Which functions of the standard library call what they are given, and what with.

Source: the documentation of the standard library, https://docs.python.org/3/library/.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from indexer.link.arguments import Passed
from indexer.link.values import Values

NOTHING: Final = 0
REST: Final = 1
ITEMS: Final = 2
OWN: Final = 3
ARGUMENTS: Final = 4


class Callback(NamedTuple):
    """How a function of the library calls what it is given.

    gives: NOTHING known; REST: the arguments that follow; ITEMS: one of each of the iterables that follow; OWN: an item
    of the first argument; ARGUMENTS: what stands in `args` and `kwargs`.
    """

    place: int  # of the function among the positional arguments; -1: by keyword alone
    keyword: str = ""
    gives: int = NOTHING


_FIRST: Final = Callback(0)
_REST: Final = Callback(0, "func", REST)
_KEY: Final = Callback(-1, "key", OWN)
_SUBMIT: Final = Callback(0, "fn", REST)
_ITEMS: Final = Callback(0, "func", ITEMS)
_THREAD: Final = Callback(1, "target", ARGUMENTS)
_APPLY: Final = Callback(0, "func", ARGUMENTS)

EXECUTORS: Final = tuple(
    f"{module}.{name}"
    for module in ("concurrent", "concurrent.futures")  # names from outside start with the package alone, see `resolve`
    for name in ("Executor", "ThreadPoolExecutor", "ProcessPoolExecutor", "thread.ThreadPoolExecutor")
)
_POOLS: Final = ("multiprocessing.Pool", "multiprocessing.pool.Pool", "multiprocessing.pool.ThreadPool")

BY_NAME: Final = (
    dict.fromkeys(("builtins.sorted", "builtins.min", "builtins.max", "heapq.merge", "bisect.bisect"), _KEY)
    | dict.fromkeys(("heapq.nlargest", "heapq.nsmallest"), Callback(-1, "key"))
    | dict.fromkeys(("builtins.map", "builtins.filter", "itertools.takewhile", "itertools.dropwhile"), _ITEMS)
    | dict.fromkeys(("itertools.filterfalse", "itertools.starmap"), _ITEMS)
    | {"itertools.groupby": Callback(1, "key", OWN), "itertools.accumulate": Callback(1, "func")}
    | dict.fromkeys(("builtins.iter", "functools.reduce", "functools.cmp_to_key"), _FIRST)
    | dict.fromkeys(("threading.Thread", "multiprocessing.Process"), _THREAD)
    | {"threading.Timer": Callback(1, "function", ARGUMENTS), "signal.signal": Callback(1, "handler")}
    | {"atexit.register": _REST, "asyncio.to_thread": _REST, "weakref.finalize": Callback(1, "func", REST)}
    | {"weakref.ref": Callback(1, "callback"), "weakref.proxy": Callback(1, "callback")}
    | {"re.sub": Callback(1, "repl"), "re.subn": Callback(1, "repl"), "asyncio.start_server": _FIRST}
    | {"contextvars.Context.run": _REST, "contextvars.copy_context.run": _REST}
    | dict.fromkeys(("threading.settrace", "threading.setprofile", "sys.settrace", "sys.setprofile"), _FIRST)
    | dict.fromkeys(("sys.addaudithook", "codecs.register", "timeit.timeit", "timeit.repeat"), _FIRST)
    | {"codecs.register_error": Callback(1), "shutil.copytree": Callback(-1, "copy_function")}
    | {"os.register_at_fork": Callback(-1, "before"), "os.walk": Callback(-1, "onerror")}
    | {f"{name}.submit": _SUBMIT for name in EXECUTORS}
    | {f"{name}.map": _ITEMS for name in EXECUTORS}
    | {f"{name}.{method}": _ITEMS for name in _POOLS for method in ("map", "imap", "imap_unordered", "map_async")}
    | {f"{name}.starmap": _FIRST for name in _POOLS}
)
"""By the dotted name of the function."""

BY_MEMBER: Final = (
    {"sort": _KEY._replace(gives=NOTHING), "submit": _SUBMIT, "apply": _APPLY, "apply_async": _APPLY}
    | dict.fromkeys(("map_async", "starmap", "imap", "imap_unordered", "add_done_callback", "sub", "subn"), _FIRST)
    | dict.fromkeys(("call_soon", "call_soon_threadsafe", "callback"), Callback(0, "callback", REST))
    | dict.fromkeys(("call_later", "call_at", "add_signal_handler"), Callback(1, "callback", REST))
    | {"run_in_executor": Callback(1, "func", REST), "after": Callback(1)}
    | dict.fromkeys(("enter", "enterabs"), Callback(2, "action"))
)
"""By the last name of a method of something outside the repository."""


def callback(name: str) -> Callback | None:
    """How a function of the library calls what it is given; None where it does not."""
    return BY_NAME.get(name) or BY_MEMBER.get(name.rpartition(".")[2])


def called(how: Callback, passed: Passed) -> Values:
    """What it calls of what it is passed."""
    found: Values = ()
    if 0 <= how.place < len(passed.positional):
        found = passed.positional[how.place]
    for name, values in passed.keywords:
        if name == how.keyword:
            found += values
    return found


def given(how: Callback, passed: Passed) -> Passed:
    """What it calls that with, as far as that is known without looking into containers."""
    if how.gives == REST:
        keywords = tuple([row for row in passed.keywords if row[0] != how.keyword])
        return Passed(passed.positional[how.place + 1 :], keywords, passed.starred, passed.doubled)
    if how.gives == ARGUMENTS:
        named = dict(passed.keywords)
        after = [*passed.positional[how.place + 1 :], (), ()]
        if how.place == 1 and how.keyword == "target":  # Thread(group, target, name, args, kwargs)
            after = [*after[1:], ()]
        return Passed(starred=named.get("args") or after[0], doubled=named.get("kwargs") or after[1])
    return Passed()
