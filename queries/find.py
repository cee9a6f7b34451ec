"""Names → symbols, as a person or a program types them."""

from __future__ import annotations

import re

from indexer.errors import AmbiguousError, NotFoundError
from indexer.store.reader import Reader, SymbolRow
from queries import locate
from queries import nodes as values
from queries.answers import Node
from queries.names import near
from queries.session import Session
from queries.words import Place

_LINE = re.compile(r"^(.*):(\d+)$", re.DOTALL)


def find_symbols(session: Session, name: str) -> tuple[Node, ...]:
    """Every symbol a name may denote, in path order; empty where there is none.

    name   bare, the end of a dotted name (`Class.method`), `path:qualname` or `path:line`. Case counts, unless nothing
           is spelt exactly so.
    """
    with session.read() as reader:
        return tuple(values.node(row) for row in _find(reader, name))


def one_symbol(session: Session, name: str) -> tuple[Node, ...]:
    """The one symbol that a name denotes; several values where one file defines that name several times.

    Raises NotFoundError with near names, AmbiguousError with what to type for each choice.
    """
    with session.read() as reader:
        return tuple(values.node(row) for row in rows(reader, name))


def near_names(session: Session, name: str) -> tuple[str, ...]:
    """Names of symbols that a mistyped one may mean, nearest first."""
    with session.read() as reader:
        return near(name.rpartition(".")[2], reader.symbol_names())


def _find(reader: Reader, name: str) -> list[SymbolRow]:
    name = name.strip()
    if match := _LINE.match(name):
        return locate.innermost(reader, Place(match[1], int(match[2])))
    path, colon, qualname = name.rpartition(":")
    if colon and path and not path.endswith(":"):
        rows = [row for each in locate.matching_paths(reader.paths(), path) for row in reader.symbols_in(each)]
        whole = [row for row in rows if row.qualname == qualname]
        return whole or [row for row in rows if row.qualname.endswith("." + qualname)]
    dotted = name.replace("::", ".").replace("#", ".")
    return locate.exactly(reader, dotted) or _loosely(reader, dotted) or _module(reader, name)


def _loosely(reader: Reader, name: str) -> list[SymbolRow]:
    lower = name.lower()
    rows = reader.named_loosely(name.rpartition(".")[2])
    return [row for row in rows if row.qualname.lower() == lower or row.qualname.lower().endswith("." + lower)]


def _module(reader: Reader, name: str) -> list[SymbolRow]:
    """A file named by its path stands for its module."""
    paths = locate.matching_paths(reader.paths(), name) if "/" in name or "." in name else []
    return [reader.symbols_in(path)[0] for path in paths]


def rows(reader: Reader, name: str) -> list[SymbolRow]:
    """As `one_symbol`, in rows of the map."""
    found = _find(reader, name)
    if not found:
        last = name.rpartition(":")[2].rpartition(".")[2]
        raise NotFoundError(f"no symbol is called {name}", near(last, reader.symbol_names()))
    choices = tuple(dict.fromkeys(f"{row.path}:{row.qualname}" for row in found))
    if len(choices) > 1:
        whole = [row for row in found if row.qualname == name]
        if whole and len({(row.path, row.qualname) for row in whole}) == 1 and "." in name:
            return whole
        raise AmbiguousError(f"{name} fits {len(choices)} symbols: say which", choices)
    return found
