"""TypeScript for codemap, with and without JSX."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from indexer.languages.javascript import JavaScript
from indexer.languages.javascript.builtins import BUILTINS, TYPES

if TYPE_CHECKING:
    from indexer.languages.javascript.reader import Reader


class TypeScript(JavaScript):
    """Types, interfaces, enums and namespaces on top of JavaScript."""

    name: ClassVar[str] = "typescript"
    extensions: ClassVar[tuple[str, ...]] = (".ts", ".mts", ".cts")
    fingerprint: ClassVar[str] = "typescript-2"
    builtins: ClassVar[frozenset[str]] = BUILTINS | TYPES

    def _load(self) -> Reader:
        import tree_sitter_typescript

        from indexer.languages.typescript.reader import typescript_reader

        return typescript_reader(tree_sitter_typescript.language_typescript(), self.name)


class Tsx(TypeScript):
    """TypeScript with JSX: another grammar, since `<T>x` is no cast there."""

    name: ClassVar[str] = "tsx"
    extensions: ClassVar[tuple[str, ...]] = (".tsx",)
    fingerprint: ClassVar[str] = "tsx-2"

    def _load(self) -> Reader:
        import tree_sitter_typescript

        from indexer.languages.typescript.reader import typescript_reader

        return typescript_reader(tree_sitter_typescript.language_tsx(), self.name)
