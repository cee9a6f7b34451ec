"""Stubs beside sources: `lib.pyi` says what the functions of `lib.py` give where they do not say so themselves."""

from __future__ import annotations

from typing import Final

from indexer.link.index import FileIndex
from indexer.link.memo import question
from indexer.link.overloads import Overloads
from indexer.link.values import Value, Values, known, union
from indexer.ports import Target

_STUB: Final = "stub"


class Stubs(Overloads):
    """Types from stubs."""

    @question
    def stub(self, path: str) -> str:
        """The stub beside a source; "" where there is none."""
        if not path.endswith(".py") or not self._stub_at(""):
            return ""
        return self._stub_at(path)

    def _stub_at(self, path: str) -> str:
        """The stub beside a source, "" where there is none. Of "" whether there are such stubs at all: asked first, so
        that only repositories with stubs have a question for each of their files."""
        self.memo.lookups.append(("", f"member\0python\0{_STUB}\0{path}\0{_STUB}"))
        found = self._resolvers["python"].member(Target(_STUB, path), _STUB) if "python" in self._resolvers else None
        return "" if found is None else found.value

    def declared_in_stub(self, index: FileIndex, symbol: int) -> Values:
        """What a stub says that a function gives; `()` where none says so."""
        path = self.stub(index.path)
        if not path:
            return ()
        stub = self.indexes[path]
        qualname = index.symbols[symbol].qualname
        self.look_up_name(path, f"{qualname}()")
        found = [
            self.function_values(path, number, 0)
            for number, function in stub.functions.items()
            if stub.symbols[number].qualname == qualname and function.annotation is not None
        ]
        return tuple([self._in_source(value, path, index) for value in known(union(found or [()]))])

    def _in_source(self, value: Value, stub: str, index: FileIndex) -> Value:
        """An object of a class of the stub, as one of the class that it describes."""
        if value.path != stub or value.kind not in ("instance", "symbol"):
            return value
        qualname = self.indexes[stub].symbols[value.number].qualname
        self.look_up_name(index.path, f"{qualname}:")
        for number in index.classes:
            if index.symbols[number].qualname == qualname:
                return Value(value.kind, index.path, number)
        return value
