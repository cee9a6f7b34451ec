"""What a call has to do with the parameters of the function that it runs: which of them its arguments fill.

A parameter that no call passes anything for, and that the function does nothing with, changes no answer. So links ask
for the parameters that a call fills, by how many arguments it gives by position and which by name, and not for the list
of all. Keys of look-ups, beside those that `surface` lists:

    "f(2,x,)"   the parameters that two arguments by position and one named `x` go to, of a method the object included
    "f(*,)"     all parameters
"""

from __future__ import annotations

from typing import Any, Final

from indexer.link.arguments import CallSite, Passed
from indexer.link.index import FileIndex
from indexer.link.taint import key_names, parameters

SHAPE: Final = ",)"
"""How keys end that ask for parameters."""

_ALL: Final = "*"


def all_parameters(qualname: str) -> str:
    """The key for all parameters of a function."""
    return f"{qualname}({_ALL}{SHAPE}"


def filled(qualname: str, places: int, names: tuple[str, ...] = ()) -> str:
    """The key for the parameters that so many arguments by position, and some by name, go to."""
    return f"{qualname}({','.join([str(places), *names])}{SHAPE}"


def filled_by(qualname: str, given: CallSite | Passed, before: int) -> str:
    """The key for the parameters that a call fills; all where it spreads a container.

    before: how many parameters are filled otherwise: by the object, or given already.
    """
    places = before
    names: list[str] = []
    if isinstance(given, Passed):
        if given.starred or given.doubled:
            return all_parameters(qualname)
        places += len(given.positional)
        names = [name for name, _ in given.keywords]
    else:
        for part in given.arguments:
            if not isinstance(part, (list, tuple)):
                places += 1
            elif part[0] == "=":
                names.append(str(part[1]))
            else:
                return all_parameters(qualname)
    return filled(qualname, places, tuple(sorted(names)) if len(names) > 1 else tuple(names))


def function_of(key: str) -> str:
    """The qualified name of the function whose parameters a key asks for."""
    return key[: -len(SHAPE)].rpartition("(")[0]


def told_filled(index: FileIndex, symbol: int, key: str) -> list[Any]:
    """The parameters of a function that a key asks for, each as `told_parameter`."""
    places, *names = key[: -len(SHAPE)].rpartition("(")[2].split(",")
    return told_places(index, symbol, None if places == _ALL else int(places), names)


def told_places(index: FileIndex, symbol: int, places: int | None, names: list[str]) -> list[Any]:
    """The parameters that arguments by position and by name go to; None: all there are."""
    wanted = parameters(index, symbol)
    positional = [told_parameter(index, number) for number in wanted.positional[:places]]
    star, double = told_parameter(index, wanted.star), told_parameter(index, wanted.double)
    if places is None:
        named = [told_parameter(index, number) for number in wanted.named.values()]
        return [positional, named, star, double]
    rest = star if places > len(positional) else ()
    return [positional, rest, [told_parameter(index, wanted.named[n]) if n in wanted.named else double for n in names]]


def told_parameter(index: FileIndex, number: int) -> tuple[Any, ...]:
    """A parameter by its binding, nothing for -1. Whether its name is used as a key decides what is kept of it."""
    if number < 0:
        return ()
    binding = index.bindings[number]
    return (binding.name, int(binding.kind), binding.target, binding.name in key_names(index))


def told_used(index: FileIndex, symbol: int, used: frozenset[str]) -> list[Any]:
    """The parameters of a function of some names, and the first, which may be the object it is a method of."""
    wanted = parameters(index, symbol)
    numbers = {*wanted.named.values(), wanted.star, wanted.double} - {-1}
    first = wanted.positional[:1]
    return [told_parameter(index, n) for n in sorted(numbers) if n in first or index.bindings[n].name in used]
