"""What stages hand each other through the pipeline: values and the protocols behind which one stage meets another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Protocol

from indexer.model import FileFacts, Reference


class SourceFile(NamedTuple):
    """One file that discover found worth mapping."""

    path: str  # relative to the root, "/" between parts
    blob: str  # git blob id of the raw bytes, hex
    language: str
    size: int  # bytes
    state: str  # committed | modified | untracked


class Target(NamedTuple):
    """What an import specifier leads to.

    kind       value
    file       path of a mapped file
    folder     path of a folder that is a namespace package ("" for the root)
    external   name of the package or built-in module
    missing    reason, e.g. "no such module in the repository"
    """

    kind: str
    value: str


ENTRY_POINTS = "entry points"
"""The kind of the target whose value is a group of entry points, and the name of its member: a target whose value is a
line for each object that the repository's projects declare for the group, "name TAB file TAB attribute"."""


class Resolver(Protocol):
    """Import specifiers → files, for one language family. Pure: reads only the file table and configuration files."""

    def resolve(self, importer: str, specifier: str, level: int) -> Target: ...

    def member(self, target: Target, name: str) -> Target | None:
        """The submodule `name` of a package file or folder, or None."""
        ...


class LinkRules(Protocol):
    """What the linker must know of a language; see `indexer.languages.base.Language`."""

    family: ClassVar[str]
    class_scope_visible: ClassVar[bool]
    receiver: ClassVar[str]
    constructor: ClassVar[str]
    builtins: ClassVar[frozenset[str]]
    object_members: ClassVar[frozenset[str]]


class FactsSource(Protocol):
    """Facts by path, decoded once and kept."""

    def facts(self, path: str) -> FileFacts | None:
        """All but references and documents (which are empty tuples); None for a file that is not mapped."""
        ...

    def references(self, path: str) -> Sequence[Reference]: ...

    def symbol_ids(self, path: str) -> Sequence[int]:
        """The id of each of `facts(path).symbols`, in order."""
        ...


class Link(NamedTuple):
    """What linking one file gives. Rows are sorted, so that equal input gives equal rows.

    line       1-based; of an edge whose source lies in another file, from the source's first line on: 0 is that line
    evidence   one of `indexer.evidence`
    receiver   symbol id of the class (or interface) that the receiver is an instance of, where one of a subclass may
               stand in for it; 0 where the class is exact or not known. `indexer.store.dispatch` makes edges of it.
               In `pending` it is negative where the class surely lacks the member.
    """

    edges: tuple[tuple[int, int, str, int, str, int], ...]  # source id, target id, kind, line, evidence, receiver
    pending: tuple[tuple[int, str, int, int], ...]  # source id, member name, line, receiver
    counts: dict[str, int]  # "resolved", "external", "unresolved: <reason>", "pending" → references
    lookups: dict[str, tuple[str, ...]]  # other file → bindings asked of it, sorted
    modules: tuple[tuple[tuple[str, ...], tuple[str, str] | None], ...]  # resolver questions and answers, sorted


class Definition(NamedTuple):
    """Where a reference leads. `qualname` is that of the symbol, or of the enclosing symbol + name for a local."""

    path: str
    qualname: str
    kind: str  # a symbol kind, or "parameter", "local", "import"
    position: int  # byte offset of the name in the normalised text
    symbol: int  # index in the file's symbols, -1 for a local
    evidence: str


class FileChange(NamedTuple):
    """What a commit did to a source file."""

    path: str  # after the commit, or before it where the file is gone
    kind: str  # added | modified | deleted | renamed
    before: str  # the path before, of a renamed file; else ""
    names: tuple[str, ...]  # qualified names of the definitions that changed lines are in, sorted


class CommitFacts(NamedTuple):
    """What a commit touched and said; nothing of who made it."""

    id: str  # hex
    time: int  # of the commit, seconds since 1970 UTC
    parents: tuple[str, ...]
    message: str
    total: int  # files that differ from the parent, of whatever kind
    files: tuple[FileChange, ...]  # source files, by path
