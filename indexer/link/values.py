"""What the linker's questions are answered with."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias


class Value(NamedTuple):
    """Something a name or an expression denotes.

    kind       path                     number
    symbol     file                     symbol: a function, class, variable… itself
    bound      file                     symbol of a method that was taken from an object: its receiver is given
    instance   file                     symbol of the class, interface or type it is an instance of, or of a subclass
    made       file                     symbol of the class it was made from: no subclass
    display    file                     a container written in that file: place (see `containers.Place`)
    typed      file                     a container by its annotation: place
    group      —                        a container that a library function made: number of its parts
    super      file                     symbol of the class whose bases are searched
    generator  file                     symbol of the generator function that made it
    awaitable  file                     symbol of the async function whose result has to be awaited
    module     file                     0
    folder     folder of a namespace package, 0
    external   dotted name outside the repository; number of the constant that it is (`Engine.constants`), or 0
    unknown    reason, 0

    `context`: number of what the parameters around it are known to hold (see `contexts`), 0 where nothing is.
    """

    kind: str
    path: str
    number: int = 0
    context: int = 0


Values: TypeAlias = tuple[Value, ...]


class Place(NamedTuple):
    """Where a container is written: its row, and the scope and position it is read in; or its annotation."""

    row: int
    scope: int
    position: int

    def pack(self) -> int:
        return self.row << 64 | self.scope << 40 | min(self.position, (1 << 40) - 1)

    @staticmethod
    def unpack(number: int) -> Place:
        return Place(number >> 64, number >> 40 & 0xFFFFFF, number & (1 << 40) - 1)


INSTANCES: Final = frozenset({"instance", "made"})
CONTAINERS: Final = frozenset({"display", "typed", "group", "generator"})


class Site(NamedTuple):
    """Where a member was found. `receiver`: the object or class it was looked for in, where that matters.

    kind       path      number
    binding    file      binding index
    symbol     file      symbol index
    value      —         0; `value` says what is known: a module, something external, or why it is unknown
    value      file      symbol index of the `__getattr__` that gives the value
    """

    kind: str
    path: str
    number: int
    evidence: str
    value: Value | None = None
    receiver: Value | None = None


Sites: TypeAlias = tuple[Site, ...]


def external(name: str) -> Value:
    return Value("external", name, 0)


def unknown(reason: str) -> Value:
    return Value("unknown", reason, 0)


def union(groups: list[Values]) -> Values:
    """All values once, in the order they first appear."""
    if len(groups) == 1:
        return groups[0]
    return tuple(dict.fromkeys([value for group in groups for value in group]))


def known(values: Values) -> Values:
    for value in values:
        if value[0] == "unknown":
            return tuple([value for value in values if value[0] != "unknown"])
    return values


DEFINITE: Final = frozenset(
    {"no such member", "not defined in the module", "not exported by the module", "no such module"}
)
"""Reasons that rule out every definition in the repository: no name-alike may be offered instead."""

UNKNOWN_RECEIVER: Final = "receiver is not followed"
"""The reason for a member of something that was itself not found."""
