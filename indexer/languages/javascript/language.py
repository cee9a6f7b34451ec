"""JavaScript for codemap."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from indexer.languages.base import Language
from indexer.languages.javascript.builtins import BUILTINS, OBJECT_MEMBERS
from indexer.languages.javascript.lines import DEFINITION_LINES
from indexer.model import FileFacts

if TYPE_CHECKING:
    from indexer.languages.javascript.reader import Reader

_readers: dict[str, Reader] = {}


class JavaScript(Language):
    """ECMAScript with JSX, as modules or CommonJS. TypeScript builds on it."""

    name: ClassVar[str] = "javascript"
    family: ClassVar[str] = "javascript"
    extensions: ClassVar[tuple[str, ...]] = (".js", ".jsx", ".mjs", ".cjs")
    fingerprint: ClassVar[str] = "javascript-2"
    class_scope_visible: ClassVar[bool] = False
    receiver: ClassVar[str] = "this"
    constructor: ClassVar[str] = "constructor"
    builtins: ClassVar[frozenset[str]] = BUILTINS
    object_members: ClassVar[frozenset[str]] = OBJECT_MEMBERS

    definition_lines: ClassVar[bytes] = DEFINITION_LINES

    def extract(self, text: bytes) -> FileFacts:
        return self.reader().read(text)

    def reader(self) -> Reader:
        """The parser and handlers of this language, made when first asked for: loading a grammar takes time."""
        found = _readers.get(self.name)
        if found is None:
            found = _readers[self.name] = self._load()
        return found

    def _load(self) -> Reader:
        import tree_sitter_javascript

        from indexer.languages.javascript.reader import javascript_reader

        return javascript_reader(tree_sitter_javascript.language(), self.name)
