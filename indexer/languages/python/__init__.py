"""Python: the language, by the grammar `tree-sitter-python`. Importing this loads neither parser nor grammar."""

from __future__ import annotations

from typing import ClassVar

from indexer.languages.base import Language
from indexer.languages.python.names import BUILTINS, OBJECT_MEMBERS
from indexer.model import FileFacts

VERSION = 8
"""Raised with every change after which the same bytes could give other facts."""

GRAMMAR_VERSION = "0.25"
"""The releases of the grammar that give the same trees."""


class Python(Language):
    """Python 3, and what the grammar knows of Python 2."""

    name: ClassVar[str] = "python"
    family: ClassVar[str] = "python"
    extensions: ClassVar[tuple[str, ...]] = (".py", ".pyi", ".pyw")
    fingerprint: ClassVar[str] = f"python-{VERSION}+tree-sitter-python-{GRAMMAR_VERSION}"
    builtins: ClassVar[frozenset[str]] = BUILTINS
    object_members: ClassVar[frozenset[str]] = OBJECT_MEMBERS

    definition_lines: ClassVar[bytes] = (
        rb"([ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+([A-Za-z_\x80-\xff][\w\x80-\xff]*)"
    )

    def extract(self, text: bytes) -> FileFacts:
        from indexer.languages.python.extract import extract

        return extract(text)
