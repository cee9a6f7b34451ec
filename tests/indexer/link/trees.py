"""Links small trees of sources in memory, with edges read as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import dedent
from typing import TypeAlias

from indexer.codec import decode, encode
from indexer.languages import LANGUAGES, by_name, language_of
from indexer.link import Linker
from indexer.model import FileFacts, Reference, line_starts
from indexer.ports import Link
from indexer.resolve import build_resolvers


@dataclass
class Tree:
    """Sources by path, extracted and linked on demand. Implements `FactsSource`."""

    sources: Mapping[str, str]
    extracted: dict[str, FileFacts] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.languages = {p: name for p in self.sources if (name := language_of(p)) is not None}
        for path, name in self.languages.items():
            self.extracted[path] = by_name(name).extract(self.sources[path].encode())
        configs = [path for path in self.sources if path not in self.languages]
        resolvers = build_resolvers(self.languages, self._read, configs)
        languages = {language.name: language for language in LANGUAGES}
        self.linker = Linker(self, resolvers, languages)
        self._kept = Linker(_Kept(self), resolvers, languages)
        self.offsets, total = {}, 1
        for path in sorted(self.extracted):
            self.offsets[path] = total
            total += len(self.extracted[path].symbols)

    def _read(self, path: str) -> bytes | None:
        source = self.sources.get(path)
        return None if source is None else source.encode()

    def facts(self, path: str) -> FileFacts | None:
        return self.extracted.get(path)

    def references(self, path: str) -> Sequence[Reference]:
        return self.extracted[path].references

    def symbol_ids(self, path: str) -> Sequence[int]:
        start = self.offsets[path]
        return range(start, start + len(self.extracted[path].symbols))

    def link(self, path: str) -> Link:
        """A link, which is the same from facts as they were extracted and from those that were read back."""
        found = self.linker.link(path)
        assert self._kept.link(path) == found
        return found

    def name(self, symbol: int) -> str:
        path = max((p for p, start in self.offsets.items() if start <= symbol), key=self.offsets.__getitem__)
        return f"{path}:{self.extracted[path].symbols[symbol - self.offsets[path]].qualname}"

    def edges(self, path: str, kind: str = "calls") -> set[str]:
        """`caller → path:callee` for each edge of a kind; the path is left out where it is the file's own."""
        own = f"{path}:"
        return {
            f"{self.name(source).removeprefix(own)} → {self.name(target).removeprefix(own)}"
            for source, target, edge_kind, *_ in self.link(path).edges
            if edge_kind == kind
        }

    def callers(self, target: str, path: str = "a.py") -> set[str]:
        """The callers of a symbol, named as by `edges`, in one file's calls."""
        pairs = (edge.split(" → ") for edge in self.edges(path))
        return {caller for caller, called in pairs if called == target}

    def define(self, path: str, text: str, name: str, nth: int = 0) -> list[str]:
        """`path:qualname:line` of the definitions of the nth `name` within the first occurrence of `text`."""
        source = self.sources[path]
        start = source.index(text)
        for _ in range(nth + 1):
            start = source.index(name, start) + 1
        found = self.linker.definition(path, len(source[: start - 1].encode()))
        return [f"{d.path}:{d.qualname}:{self.line(d.path, d.position)}" for d in found]

    def line(self, path: str, position: int) -> int:
        starts = line_starts(self.extracted[path].line_lengths)
        return sum(1 for start in starts if start <= position)


class _Kept:
    """The facts of a tree as the cache gives them."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._facts: dict[str, FileFacts] = {}
        self.symbol_ids = tree.symbol_ids

    def _read(self, path: str) -> FileFacts:
        if path not in self._facts:
            kept = encode(self._tree.extracted[path])
            self._facts[path] = decode(kept.definitions, kept.uses)
        return self._facts[path]

    def facts(self, path: str) -> FileFacts | None:
        return self._read(path)._replace(references=()) if path in self._tree.extracted else None

    def references(self, path: str) -> Sequence[Reference]:
        return self._read(path).references


def one(source: str) -> Tree:
    """The tree of one file, `a.py`, from source that may be indented."""
    return Tree({"a.py": dedent(source)})


MakeTree: TypeAlias = Callable[[Mapping[str, str]], Tree]
